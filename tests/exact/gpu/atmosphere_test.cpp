// The atmosphere on a GPU against the CPU: reciprocals, square roots and powers differ by units in
// the last place, nothing else. Rest is exact there too, and so are restarts and mirror images.
// Skipped where no GPU answers (continuous integration has none).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/expect_rows.hpp"
#include "support/on_gpu.hpp"
#include "support/state_difference.hpp"
#include "verify/atmosphere/groups.hpp"

using namespace watersmeet;

namespace {

struct Choice {
  std::string name, cells = "[45, 17, 23]", physics = "", numerics = "", scheme = "ssp-rk3",
                    grid = "";
};

const std::string growing = "z_mapping = \"s + s^2\"\n";
const std::string terrain = "terrain = \"300*sin(x/700)*cos(2*pi*y/1700)\"\n";

std::vector<Choice> choices() {
  return {
      {"flat"},
      {"ausm", "[45, 17, 23]", "", "riemann = \"ausm\"\n"},
      {"hllc, limited", "[45, 17, 23]", "",
       "riemann = \"hllc\"\nreconstruction = { limiter = \"vanleer\" }\n", "ssp-rk2"},
      {"terrain", "[45, 17, 23]", terrain},
      {"terrain, ausm", "[45, 17, 23]", terrain, "riemann = \"ausm\"\n", "ssp-rk43"},
      {"transverse", "[45, 17, 23]", "", "reconstruction = { transverse = \"-1/24\" }\n"},
      {"terrain, transverse, hllc", "[45, 17, 23]", terrain,
       "riemann = \"hllc\"\nreconstruction = { transverse = \"-1/24\" }\n"},
      {"viscous", "[45, 17, 23]", "viscosity = 20\n", "", "rk4-carpenter-kennedy"},
      {"x and z", "[131, 1, 40]"},
      {"y and z over terrain", "[1, 67, 40]", terrain},
      {"a column", "[1, 1, 70]"},
      {"thin", "[5, 3, 130]", terrain},
      {"hevi", "[45, 17, 23]", "", "", "hevi"},
      {"hevi over terrain, limited", "[45, 17, 23]", terrain,
       "riemann = \"hllc\"\nreconstruction = { limiter = \"vanleer\" }\n", "hevi"},
      {"hevi, x and z", "[131, 1, 40]", terrain, "", "hevi"},
      {"hevi, thin", "[5, 3, 130]", terrain, "", "hevi"},
      {"stretched", "[45, 17, 23]", "", "", "ssp-rk3", growing},
      {"stretched over terrain, ausm, limited", "[45, 17, 23]", terrain,
       "riemann = \"ausm\"\nreconstruction = { limiter = \"tvd\" }\n", "ssp-rk3", growing},
      {"stretched over terrain", "[45, 17, 23]", terrain, "", "ssp-rk43", growing},
      {"stretched, viscous, x and z", "[131, 1, 40]", "viscosity = 20\n", "", "ssp-rk3", growing},
      {"stretched over terrain, hevi", "[45, 17, 23]", terrain, "", "hevi", growing},
      {"viscous over terrain", "[45, 17, 23]", terrain + "viscosity = 20\n"},
      {"viscous over terrain, transverse", "[45, 17, 23]", terrain + "viscosity = 20\n",
       "reconstruction = { transverse = \"-1/24\" }\n"},
      {"viscous over terrain, stretched, x and z", "[131, 1, 40]", terrain + "viscosity = 20\n", "",
       "rk4-carpenter-kennedy", growing}};
}

Simulation start(const Choice& c, const std::string& device, const std::string& precision,
                 const std::string& schedule = "auto") {
  const std::string text =
      "[case]\nsystem = \"atmosphere\"\n[grid]\ncells = " + c.cells +
      "\nupper = [4500, 1700, 2300]\n" + c.grid + "[physics]\n" + c.physics +
      "reference = { kind = \"stratified\", brunt_vaisala = 0.01 }\nwind = [8, 3, 0]\n"
      "coriolis = { f = 1e-3 }\nsponge.top = { width = 800 }\nsponge.x = { width = 500 }\n"
      "[numerics]\n" +
      c.numerics + "[time]\nsteps = 1000000\ncfl = 0.7\nscheme = \"" + c.scheme +
      "\"\n[boundary]\nx_lower = \"open\"\ny = \"periodic\"\n"
      "[[initial]]\ntheta = \"2*exp(-((x - 1500)^2 + (y - 700)^2 + (z - 900)^2)/500^2)\"\n";
  return Simulation::from_text(text, test::on(device, precision, schedule));
}

// On a cubed sphere, with wind over mountains or over flat ground.
Simulation start_globe(const std::string& physics, const std::string& numerics,
                       const std::string& device, const std::string& precision,
                       const std::string& schedule = "auto",
                       const std::string& cells = "21, 21, 11", const std::string& grid = "") {
  const std::string text =
      "[case]\nsystem = \"atmosphere\"\n[grid]\nkind = \"cubed_sphere\"\ncells = [" + cells +
      "]\nradius = 60e3\ntop = 12e3\n" + grid + "[physics]\n" + physics +
      "rotation = { rate = 1e-3 }\nreference = { kind = \"stratified\", brunt_vaisala = 0.01 }\n"
      "[numerics]\n" +
      numerics + (numerics.find("[time]") == std::string::npos ? "[time]\n" : "") +
      "steps = 1000000\n[[initial]]\n"
      "theta = \"2*cos(lat)^2*cos(lon - 1)*sin(pi*z/12000)\"\n"
      "velocity = [\"20*cos(lat)\", \"5*sin(2*lat)*cos(lon)\", 0]\n";
  return Simulation::from_text(text, test::on(device, precision, schedule));
}
const std::string mountains = "terrain = \"1000*(1 + cos(4*lon)*cos(lat)^2*sin(3*lat))\"\n";

double difference(const Simulation& a, const Simulation& b) {
  return test::state_difference(a, b, 1e-6);
}

class GpuAtmosphere : public test::OnGpu {};

}  // namespace

// Only tiles have the transverse term.
std::vector<std::string> schedules_of(const Choice& c) {
  if (c.numerics.find("transverse") != std::string::npos) return {"auto"};
  return {"auto", "sweeps"};
}

// Departures are 1e-3 of the whole, whose rounding they carry. `auto` takes tiles where they serve.
TEST_F(GpuAtmosphere, AgreesWithCpuToRoundOffAfterAHundredSteps) {
  for (const Choice& c : choices()) {
    Simulation cpu = start(c, "cpu", "double");
    cpu.step(100);
    const auto a = cpu.diagnostics();
    for (const std::string& schedule : schedules_of(c)) {
      SCOPED_TRACE(c.name + " " + schedule);
      Simulation gpu = start(c, "gpu", "double", schedule);
      gpu.step(100);
      EXPECT_LT(difference(cpu, gpu), 1e-9);
      EXPECT_NEAR(cpu.t(), gpu.t(), 1e-11 * cpu.t());
      const auto b = gpu.diagnostics();
      for (const auto& [name, value] : a) {
        if (name.find("momentum") != std::string::npos) continue;  // sums that cancel
        EXPECT_NEAR(value, b.at(name), 1e-9 * std::max(1.0, std::abs(value))) << name;
      }
    }
  }
}

// One order of work and no contraction: tiles and sweeps differ in nothing.
TEST_F(GpuAtmosphere, SchedulesGiveTheSameBits) {
  for (const Choice& c : choices()) {
    if (schedules_of(c).size() < 2) continue;
    for (const char* precision : {"double", "single"}) {
      SCOPED_TRACE(c.name + " " + precision);
      Simulation a = start(c, "gpu", precision), b = start(c, "gpu", precision, "sweeps");
      a.step(10);
      b.step(10);
      EXPECT_EQ(difference(a, b), 0.0);
    }
  }
}

TEST_F(GpuAtmosphere, SinglePrecisionStaysClose) {
  for (const Choice& c : choices()) {
    SCOPED_TRACE(c.name);
    Simulation cpu = start(c, "cpu", "double"), gpu = start(c, "gpu", "single");
    cpu.step(20);
    gpu.step(20);
    EXPECT_LT(difference(cpu, gpu), 3e-2);
  }
}

// Also where tiles end at the sides of panels and where they go beyond them.
TEST_F(GpuAtmosphere, SchedulesGiveTheSameBitsOnASphere) {
  for (const char* cells : {"21, 21, 11", "32, 32, 7", "37, 37, 30"}) {
    for (const std::string& physics :
         {std::string(), mountains, "atmosphere = \"deep\"\n" + mountains}) {
      for (const char* numerics :
           {"", "riemann = \"ausm\"\n",
            "riemann = \"hllc\"\nreconstruction = { limiter = \"vanleer\" }\n",
            "[time]\nscheme = \"rk4-carpenter-kennedy\"\n", "[time]\nscheme = \"hevi\"\n"}) {
        for (const char* precision : {"double", "single"}) {
          SCOPED_TRACE(cells + (" " + physics) + numerics + precision);
          for (const std::string& levels : {std::string(), growing}) {
            Simulation a = start_globe(physics, numerics, "gpu", precision, "tile", cells, levels);
            Simulation b =
                start_globe(physics, numerics, "gpu", precision, "sweeps", cells, levels);
            a.step(10);
            b.step(10);
            EXPECT_EQ(difference(a, b), 0.0) << levels;
          }
        }
      }
    }
  }
}

TEST_F(GpuAtmosphere, AgreesWithCpuOnASphere) {
  const std::string deep = "atmosphere = \"deep\"\nsponge.top = { width = 4e3 }\n" + mountains;
  for (const std::string& physics : {std::string(), mountains, deep}) {
    for (const char* numerics :
         {"", "riemann = \"ausm\"\n", "riemann = \"hllc\"\n", "[time]\nscheme = \"hevi\"\n",
          "reconstruction = { transverse = \"-1/24\" }\n",
          "riemann = \"hllc\"\nreconstruction = { transverse = \"-1/24\" }\n"}) {
      SCOPED_TRACE(physics + numerics);
      Simulation cpu = start_globe(physics, numerics, "cpu", "double"),
                 gpu = start_globe(physics, numerics, "gpu", "double");
      cpu.step(100);
      gpu.step(100);
      EXPECT_LT(difference(cpu, gpu), 1e-9);
      Simulation single = start_globe(physics, numerics, "gpu", "single");
      single.step(20);
      Simulation whole = start_globe(physics, numerics, "gpu", "double");
      whole.step(20);
      EXPECT_LT(difference(whole, single), 3e-2);
    }
  }
}

// With what is fixed in tiles and with what is not.
TEST_F(GpuAtmosphere, AgreesWithCpuOnASphereWithStretchedLevels) {
  for (const std::string& physics :
       {std::string(), mountains, "atmosphere = \"deep\"\n" + mountains}) {
    for (const char* numerics :
         {"", "riemann = \"hllc\"\nreconstruction = { limiter = \"vanleer\" }\n",
          "reconstruction = { transverse = \"-1/24\" }\n", "[time]\nscheme = \"hevi\"\n"}) {
      SCOPED_TRACE(physics + numerics);
      const auto run = [&](const char* device, const char* precision, std::int64_t steps) {
        Simulation s =
            start_globe(physics, numerics, device, precision, "auto", "21, 21, 11", growing);
        s.step(steps);
        return s;
      };
      EXPECT_LT(difference(run("cpu", "double", 50), run("gpu", "double", 50)), 1e-9);
      EXPECT_LT(difference(run("gpu", "double", 20), run("gpu", "single", 20)), 3e-2);
    }
  }
}

namespace watersmeet::verify::atmosphere_test {
TEST_F(GpuAtmosphere, VerifiesInBothPrecisions) {
  for (const char* precision : {"double", "single"}) {
    SCOPED_TRACE(precision);
    expect_rows(verify_air_at_rest, precision, "gpu");
    expect_rows(verify_air_tubes, precision, "gpu");
    expect_rows(verify_air_conservation, precision, "gpu");
    expect_rows(verify_air_directions, precision, "gpu");
    expect_rows(verify_air_bits, precision, "gpu");
    expect_rows(verify_air_split, precision, "gpu");
    expect_rows(verify_air_levels, precision, "gpu");
    expect_rows(verify_air_diffusion, precision, "gpu");
    expect_rows(verify_air_globe, precision, "gpu");
    expect_rows(verify_air_globe_levels, precision, "gpu");
  }
}
}  // namespace watersmeet::verify::atmosphere_test
