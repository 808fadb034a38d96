// Two fluids on a GPU: against the CPU only reciprocals and square roots differ, by units in the
// last place. Skipped where no GPU answers (continuous integration has none).
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "support/on_gpu.hpp"
#include "support/state_difference.hpp"

using namespace watersmeet;
using test::fresh_seed;
using test::on;

namespace multicomponent_test {

namespace {

struct Choice {
  std::string name, cells = "[40, 24, 20]", numerics = "", model = "mpcf";
  bool axisymmetric = false;
  std::string grid = "";  // further keys of [grid]
};

// Two fluids of similar stiffness, all of order one: differences in the last place stay there.
std::string two_fluids(const Choice& c) {
  const std::string sides = c.axisymmetric
                                ? "x_lower = \"nonreflecting\"\nx_upper = \"absorbing\"\n"
                                  "y_lower = \"reflecting\"\ny_upper = \"absorbing\"\n"
                                : "x = \"periodic\"\ny = \"periodic\"\nz = \"periodic\"\n";
  return "[case]\nsystem = \"multicomponent\"\n[grid]\ncells = " + c.cells +
         "\nlower = [0, 0, 0]\nupper = [1, 1, 1]\n" +
         (c.axisymmetric ? "geometry = \"axisymmetric\"\n" : "") + c.grid +
         "[physics]\nmodel = \"" + c.model +
         "\"\n[physics.fluids]\nliquid = { gamma = 6.12, p_c = 0.5, density = 1 }\n"
         "gas = { gamma = 1.4, density = 0.5 }\n"
         "[physics.scales]\ndensity = 1\nspeed = 1\n[boundary]\n" +
         sides +
         "[[initial]]\nfluid = \"liquid\"\npressure = 1\n[time]\nsteps = 1000000\ncfl = "
         "0.5\n[numerics]\n"
         "weno_scales = { density = 1, speed = 1, pressure = 1, Gamma = 2.5, Pi = 0.6 }\n" +
         c.numerics;
}

// A layer of gas in liquid, noise on everything: milder than noise alone, which no scheme of fifth
// order survives. The first component of the velocity points along `axis`; the others
// are multiplied by `across` (sums of three squares depend on their order).
void randomise(Simulation& s, std::size_t axis = 0, double across = 1) {
  std::mt19937 generator(fresh_seed());
  std::uniform_real_distribution<double> uniform(0, 1);
  const auto n = s.cells();
  const auto cells = static_cast<std::size_t>(n[0] * n[1] * n[2]);
  const std::vector<std::string> names = s.variables();
  const bool split = names[4] == "E_minus_Pi";
  std::array<std::vector<double>, 7> stored;
  for (auto& values : stored) values.resize(cells);
  const double gamma_liquid = 1 / 5.12, gamma_gas = 2.5, pi_liquid = 6.12 * 0.5 / 5.12;
  for (std::size_t c = 0; c < cells; ++c) {
    const bool in_gas = 3 * c > cells && 3 * c < 2 * cells;
    const double alpha = (in_gas ? 0.85 : 0.05) + 0.1 * uniform(generator);
    const double rho = (in_gas ? 0.5 : 1) + 0.1 * uniform(generator);
    double momentum2 = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      const double m = (a == 0 ? 1 : across) * rho * 0.2 * (uniform(generator) - 0.5);
      stored[1 + (axis + a) % 3][c] = m;
      momentum2 += m * m;
    }
    const double gamma = gamma_liquid + alpha * (gamma_gas - gamma_liquid);
    const double pi = (1 - alpha) * pi_liquid, p = 0.9 + 0.2 * uniform(generator);
    stored[0][c] = rho;
    stored[4][c] = gamma * p + momentum2 / (2 * rho) + (split ? 0 : pi);
    stored[5][c] = gamma;
    stored[6][c] = pi;
  }
  for (std::size_t v = 0; v < 7; ++v) s.set_variable(names[v], stored[v]);
}

class GpuMulticomponent : public test::OnGpu {};

std::vector<Choice> choices() {
  return {{"js"},
          {"z", "[40, 24, 20]", "reconstruction = \"weno5-z\"\n"},
          {"compaction", "[40, 24, 20]", "", "mpcf-k"},
          {"ssp"},  // the scheme: see start()
          {"weno3_roe", "[40, 24, 20]", "reconstruction = \"weno3\"\nwave_speeds = \"roe\"\n"},
          {"hll", "[40, 24, 20]", "riemann = \"hll\"\nphi_source = \"faces\"\n"},
          {"rusanov", "[40, 24, 20]", "riemann = \"rusanov\"\nreconstruction = \"first-order\"\n"},
          {"scaling", "[40, 24, 20]", "positivity = \"scaling\"\nclip = true\n", "mpcf-k"},
          {"hllc-lm", "[40, 24, 20]", "riemann = \"hllc-lm\"\n"},
          {"axisymmetric", "[40, 24, 1]", "", "mpcf-k", true},
          {"axisymmetric_hll", "[40, 24, 1]", "riemann = \"hll\"\n", "mpcf-k", true},
          {"stretched", "[40, 24, 20]", "", "mpcf", false,
           "x_stretching = 1.1\ny_stretching = 0.6\nz_stretching = 0.9\n"},
          {"stretched_z", "[40, 24, 20]", "reconstruction = \"weno5-z\"\nriemann = \"hll\"\n",
           "mpcf-k", false, "y_stretching = 1.3\n"},
          {"stretched_weno3", "[53, 5, 3]", "reconstruction = \"weno3\"\n", "mpcf", false,
           "x_stretching = 1.3\n"},
          {"stretched_plane", "[47, 31, 1]", "phi_source = \"faces\"\n", "mpcf", false,
           "x_stretching = 0.8\ny_stretching = 0.8\n"},
          {"stretched_along_z", "[4, 1, 67]", "", "mpcf-k", false, "z_stretching = 1.5\n"},
          {"prime", "[61, 37, 23]"},
          {"thin", "[53, 5, 3]"},
          {"plane", "[47, 31, 1]"},
          {"line", "[71, 1, 1]"},
          {"along_y", "[1, 53, 1]"},
          {"along_z", "[4, 1, 67]", "", "mpcf-k"}};
}

// Both stored energies of every choice.
std::vector<Choice> with_energies() {
  std::vector<Choice> all;
  for (const char* energy : {"total", "split"}) {
    for (Choice c : choices()) {
      c.name += std::string(" ") + energy;
      c.numerics += std::string("energy = \"") + energy + "\"\n";
      all.push_back(c);
    }
  }
  return all;
}

Simulation start(const Choice& c, SimulationOptions options) {
  if (c.name.starts_with("ssp")) options.set.push_back("time.scheme=\"ssp-rk3\"");
  Simulation s = Simulation::from_text(two_fluids(c), options);
  randomise(s);
  return s;
}

TEST_F(GpuMulticomponent, AgreesWithCpuToRoundOffAfterTenSteps) {
  for (const Choice& c : with_energies()) {
    Simulation cpu = start(c, on("cpu", "double"));
    cpu.step(10);
    SCOPED_TRACE(c.name + ", seed " + std::to_string(fresh_seed()));
    Simulation gpu = start(c, on("gpu", "double"));
    gpu.step(10);
    EXPECT_LT(test::difference_over_rms(cpu, gpu), 1e-12);
    EXPECT_NEAR(cpu.t(), gpu.t(), 1e-13 * cpu.t());
    const auto a = cpu.diagnostics(), b = gpu.diagnostics();
    for (const char* name : {"mass", "energy", "p_max", "mach_max", "gas_volume"}) {
      EXPECT_NEAR(a.at(name), b.at(name), 1e-11 * std::abs(a.at(name))) << name;
    }
  }
}

// A block of water flies out of the rest: behind it a vacuum opens and faces are replaced.
TEST_F(GpuMulticomponent, TheFluxLimiterAgreesWithThatOfTheCpu) {
  const std::string text = R"([case]
system = "multicomponent"
[grid]
cells = [36, 22, 30]
upper = [3.6e-3, 2.2e-3, 3e-3]
[physics.fluids]
water = { gamma = 6.12, p_c = 3.43e8, density = 1000.0 }
air = { gamma = 1.4, density = 1.204 }
[numerics]
positivity = "strict"
[time]
scheme = "ssp-rk3"
cfl = 0.9
steps = 1000000
[[initial]]
fluid = "water"
pressure = 1e5
[[initial]]
fluid = "air"
pressure = 1e5
shape = { kind = "sphere", centre = [2.4e-3, 1.2e-3, 1.6e-3], radius = 0.5e-3 }
[[initial]]
fluid = "water"
pressure = 1e5
velocity = [6000, 2500, 9000]
shape = { kind = "box", lower = [0.9e-3, 0.5e-3, 0.8e-3], upper = [2e-3, 1.4e-3, 1.9e-3], smoothing = 0 }
[boundary]
x = "absorbing"
z_lower = "reflecting"
z_upper = "absorbing"
)";
  for (const char* energy : {"total", "split"}) {
    const auto begin = [&](const char* device) {
      SimulationOptions options = on(device, "double");
      options.set.push_back(std::string("numerics.energy=\"") + energy + "\"");
      Simulation s = Simulation::from_text(text, options);
      (void)s.diagnostics();  // drifts refer to the first
      s.step(20);
      return s;
    };
    Simulation cpu = begin("cpu");
    EXPECT_GT(cpu.diagnostics().at("limited_cells"), 100);
    SCOPED_TRACE(energy);
    Simulation gpu = begin("gpu");
    EXPECT_LT(test::difference_over_rms(cpu, gpu), 1e-12);
    EXPECT_EQ(cpu.diagnostics().at("limited_cells"), gpu.diagnostics().at("limited_cells"));
    for (const char* drift : {"mass_drift", "energy_drift"}) {
      EXPECT_LT(std::abs(gpu.diagnostics().at(drift)), 1e-13) << drift;
    }
  }
}

TEST_F(GpuMulticomponent, LinesAlongEveryAxisHaveTheSameBits) {
  for (const char* precision : {"single", "double"}) {
    for (const char* model : {"mpcf", "mpcf-k"}) {
      SCOPED_TRACE(std::string(precision) + " " + model);
      const auto line = [&](const char* cells, std::size_t axis) {
        Simulation s =
            Simulation::from_text(two_fluids({"", cells, "", model}), on("gpu", precision));
        randomise(s, axis, 0);
        s.step(10);
        return s;
      };
      const Simulation x = line("[67, 1, 1]", 0);
      const Simulation turned[] = {line("[1, 67, 1]", 1), line("[1, 1, 67]", 2)};
      const std::vector<std::string> names = x.variables();
      for (std::size_t axis = 1; axis < 3; ++axis) {
        const Simulation& other = turned[axis - 1];
        EXPECT_EQ(x.t(), other.t());
        for (std::size_t v = 0; v < 7; ++v) {
          const std::size_t w = v >= 1 && v <= 3 ? 1 + (v - 1 + axis) % 3 : v;
          EXPECT_EQ(x.variable(names[v]), other.variable(names[w])) << names[v] << " " << axis;
        }
      }
    }
  }
}

TEST_F(GpuMulticomponent, ResumesBitForBit) {
  for (const char* precision : {"single", "double"}) {
    for (const char* name : {"js", "ssp"}) {
      SCOPED_TRACE(std::string(precision) + " " + name);
      test::expect_resumes_to_the_bit([&] { return start({name}, on("gpu", precision)); }, 20, 20);
    }
  }
}

}  // namespace

}  // namespace multicomponent_test
