// Shallow water on a GPU against the CPU: reciprocals and square roots differ by units in the last
// place, nothing else. The same bits after a restart, and of transposed and mirrored problems.
// Skipped where no GPU answers (continuous integration has none).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/expect_rows.hpp"
#include "support/on_gpu.hpp"
#include "support/state_difference.hpp"
#include "verify/shallow_water/groups.hpp"

using namespace watersmeet;

namespace shallow_water_test {

namespace {

struct Choice {
  std::string name, cells = "[150, 67, 1]", numerics = "", scheme = "ssp-rk3";
  bool islands = false;
  std::string boundary = "x = \"periodic\"\ny = \"periodic\"\n";
  std::string state = "";  // of [[initial]]: a sphere
};

const std::string four_sides =
    "x_lower = { kind = \"level\", surface = \"0.1*sin(t)\" }\n"
    "x_upper = { kind = \"far\", surface = 0, velocity = [0.1, 0.2, 0] }\n"
    "y_lower = \"wall\"\ny_upper = { kind = \"flow\", velocity = [0, \"0.01*x\", 0] }\n";

const std::string waves =
    "surface = \"8000 + 200*cos(3*lon)*cos(lat)^3 + 100*sin(2*lat)\"\n"
    "velocity = [\"40*cos(lat) + 10*sin(2*lon)*cos(lat)^2\", \"10*cos(lon)*sin(2*lat)\", 0]\n";

std::vector<Choice> choices() {
  const std::string c3 = "reconstruction = { transverse = \"-1/24\" }\n";
  return {{"9 points"},
          {"13 points", "[150, 67, 1]", c3},
          {"sides", "[150, 67, 1]", "", "ssp-rk3", false, four_sides},
          {"13 points, sides", "[150, 67, 1]", c3, "ssp-rk3", false, four_sides},
          {"limited", "[61, 37, 1]", "reconstruction = { limiter = \"tvd\" }\n"},
          {"hllc", "[61, 37, 1]", "riemann = \"hllc\"\n", "ssp-rk2"},
          {"linearised", "[61, 37, 1]", "riemann = \"linearised\"\n", "ssp-rk43"},
          {"islands", "[150, 67, 1]", "", "ssp-rk3", true, four_sides},
          {"13 points, islands", "[61, 37, 1]", c3, "ssp-rk3", true, four_sides},
          {"fourth order", "[61, 37, 1]", "", "rk4-carpenter-kennedy"},
          {"tall", "[5, 1021, 1]", c3},
          {"wide", "[1021, 5, 1]", c3},
          {"one strip", "[28, 6, 1]"},
          {"along x", "[71, 1, 1]"},
          {"along y", "[1, 71, 1]", c3},
          {"sphere", "37", "", "ssp-rk3", false, "", waves},
          {"sphere, 13 points", "37", c3, "ssp-rk43", false, "", waves},
          {"sphere, limited", "21", "reconstruction = { limiter = \"vanleer\" }\n", "ssp-rk2",
           false, "", waves},
          {"sphere, one strip", "28", "", "ssp-rk3", false, "", waves},
          {"bell", "24", "", "ssp-rk3", false, "", "state = \"williamson-1\"\n"},
          {"steady", "32", "", "ssp-rk3", false, "", "state = \"williamson-2\"\n"},
          {"steady, hllc", "23", "riemann = \"hllc\"\n", "ssp-rk3", false, "",
           "state = \"williamson-2\"\n"},
          {"steady, linearised", "23", "riemann = \"linearised\"\n", "ssp-rk3", false, "",
           "state = \"williamson-2\"\n"},
          {"wave 4", "48", "", "ssp-rk43", false, "", "state = \"williamson-6\"\n"},
          {"wave 4, hllc", "19", "riemann = \"hllc\"\n", "ssp-rk2", false, "",
           "state = \"williamson-6\"\n"},
          {"wave 4, linearised", "19", "riemann = \"linearised\"\n", "ssp-rk2", false, "",
           "state = \"williamson-6\"\n"},
          {"mountain", "40", "", "rk4-carpenter-kennedy", false, "", "state = \"williamson-5\"\n"}};
}

Simulation start(const Choice& c, const std::string& device, const std::string& precision) {
  if (!c.state.empty()) {
    const bool own_bed = c.state.find("state") == 0;
    const std::string text =
        "[case]\nsystem = \"shallow_water\"\n[grid]\nkind = \"cubed_sphere\"\ncells = " + c.cells +
        "\n[physics]\n" + (own_bed ? "" : "bed = \"500 + 400*sin(4*lon)*cos(lat)^4\"\n") +
        "friction = { linear = 1e-6 }\n[numerics]\n" + c.numerics +
        "[time]\nsteps = 1000000\ncfl = 0.7\nscheme = \"" + c.scheme + "\"\n[[initial]]\n" +
        c.state;
    return Simulation::from_text(text, {device, precision, 0, {}});
  }
  const std::string text =
      "[case]\nsystem = \"shallow_water\"\n[grid]\ncells = " + c.cells +
      "\nupper = [20, 15, 1]\n[physics]\nbed = \"" +
      (c.islands ? "0.8*sin(x)*cos(y*1.3) - 0.6" : "0.4*sin(x)*cos(y*1.3) - 1.5") +
      "\"\ncoriolis = { f = 0.1, beta = 0.01 }\nfriction = { manning = 0.02, drag = 0.002 }\n"
      "[numerics]\n" +
      c.numerics + (c.islands ? "wet_dry = true\ndry_depth = 1e-4\n" : "") +
      "[time]\nsteps = 1000000\ncfl = 0.7\nscheme = \"" + c.scheme + "\"\n[boundary]\n" +
      c.boundary +
      "[[initial]]\nsurface = \"0.1*cos(x*0.6283185307)*sin(y*0.4188790205)\"\n"
      "velocity = [\"0.2*cos(y*0.4188790205)\", \"0.1*sin(x*0.6283185307)\", 0]\n";
  return Simulation::from_text(text, {device, precision, 0, {}});
}

double difference(const Simulation& a, const Simulation& b) {
  return test::state_difference(a, b, 1e-3);
}

class GpuShallowWater : public test::OnGpu {};

TEST_F(GpuShallowWater, AgreesWithCpuToRoundOffAfterAHundredSteps) {
  for (const Choice& c : choices()) {
    SCOPED_TRACE(c.name);
    Simulation cpu = start(c, "cpu", "double"), gpu = start(c, "gpu", "double");
    cpu.step(100);
    gpu.step(100);
    // At a shore a cell falls dry a step earlier or later by the last bit.
    EXPECT_LT(difference(cpu, gpu), c.islands ? 1e-7 : 1e-12);
    EXPECT_NEAR(cpu.t(), gpu.t(), (c.islands ? 1e-7 : 1e-12) * cpu.t());
  }
}

TEST_F(GpuShallowWater, OneStepAgreesAtShoresToo) {
  for (const Choice& c : choices()) {
    SCOPED_TRACE(c.name);
    Simulation cpu = start(c, "cpu", "double"), gpu = start(c, "gpu", "double");
    cpu.step(1);
    gpu.step(1);
    EXPECT_LT(difference(cpu, gpu), 1e-13);
    const auto a = cpu.diagnostics(), b = gpu.diagnostics();
    for (const auto& [name, value] : a) {
      EXPECT_NEAR(value, b.at(name), 1e-11 * std::max(1.0, std::abs(value))) << name;
    }
    test::expect_fields_agree(cpu, gpu, 1e-11);
  }
}

TEST_F(GpuShallowWater, SinglePrecisionStaysClose) {
  for (const Choice& c : choices()) {
    SCOPED_TRACE(c.name);
    Simulation cpu = start(c, "cpu", "double"), gpu = start(c, "gpu", "single");
    cpu.step(20);
    gpu.step(20);
    EXPECT_LT(difference(cpu, gpu), c.islands ? 1e-2 : 1e-4);
  }
}

TEST_F(GpuShallowWater, ResumesBitForBit) {
  for (const char* precision : {"single", "double"}) {
    for (const Choice& c : choices()) {
      SCOPED_TRACE(c.name + " " + precision);
      test::expect_resumes_to_the_bit([&] { return start(c, "gpu", precision); }, 14, 16);
    }
  }
}

// The groups that ask for bits, on the device.
TEST_F(GpuShallowWater, RestsAndKeepsItsDirections) {
  for (const char* precision : {"single", "double"}) {
    verify::expect_rows(verify::verify_lake_at_rest, precision, "gpu");
    verify::expect_rows(verify::verify_water_directions, precision, "gpu");
    verify::expect_rows(verify::verify_water_volume, precision, "gpu");
    verify::expect_rows(verify::verify_sphere_rest, precision, "gpu");
    verify::expect_rows(verify::verify_sphere_panels, precision, "gpu");
    verify::expect_rows(verify::verify_sphere_bits, precision, "gpu");
  }
}

// Where depths and discharges of films underflow, the device's roots and reciprocals have no answer.
TEST_F(GpuShallowWater, DryBedsAndFilmsStayFinite) {
  for (const char* precision : {"single", "double"}) {
    verify::expect_rows(verify::verify_dam_break, precision, "gpu");
    verify::expect_rows(verify::verify_films, precision, "gpu");
  }
}

}  // namespace

}  // namespace shallow_water_test
