// GPU against CPU: the same physics from one source must give the same numbers to round-off, and a
// GPU run must reproduce itself bit for bit through a checkpoint. Skipped where no GPU answers
// (continuous integration has none).
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "core/error.hpp"
#include "support/on_gpu.hpp"
#include "support/state_difference.hpp"

using namespace watersmeet;
using test::fresh_seed;
using test::on;

namespace gpu_test {

namespace {

struct Choice {
  std::string name, cells = "[64, 48, 40]", extra = "", physics = "";
};

std::string turbulence(const Choice& c) {
  return "[case]\nsystem = \"isothermal\"\n[grid]\ncells = " + c.cells +
         "\n[physics]\nviscosity = 5e-3\n" + c.physics +
         "[forcing]\nkind = \"helical\"\nhelicity = 0.5\namplitude = 0.05\nk_min = 1.5\nk_max = "
         "2.5\nseed = 7\n" +
         "[time]\nsteps = 1000000\n[numerics]\n" + c.extra;
}

// Fresh data each time (the seed is printed when a comparison fails).
void randomise(Simulation& s) {
  std::mt19937 generator(fresh_seed());
  std::uniform_real_distribution<double> uniform(-0.1, 0.1);
  const auto n = s.cells();
  for (const std::string& name : s.variables()) {
    std::vector<double> values(static_cast<std::size_t>(n[0] * n[1] * n[2]));
    for (double& v : values)
      v = static_cast<float>(uniform(generator));  // exact in both precisions
    s.set_variable(name, values);
  }
}

class Gpu : public test::OnGpu {};

std::vector<Choice> choices() {
  return {{"plain55"},
          {"plain19", "[64, 48, 40]", "method = \"19-point\"\n"},
          {"stored", "[64, 48, 40]", "storage = \"stored\"\n"},
          {"stored_full", "[64, 48, 40]", "storage = \"stored-full\"\n"},
          {"extended55", "[64, 48, 40]", "upwind = [\"rho\", \"velocity\"]\n",
           "hyperviscosity = 1e-9\nbulk_viscosity = 1e-3\nacceleration = [\"0.1*sin(y)\", "
           "\"0.2*cos(z)\", \"0\"]\n"},
          {"extended19", "[64, 48, 40]", "method = \"19-point\"\nupwind = [\"rho\"]\n",
           "hyperviscosity = 1e-9\n"},
          {"prime", "[61, 37, 23]"},
          {"thin", "[53, 5, 3]"},
          {"plane", "[47, 31, 1]"},
          {"line", "[71, 1, 1]"},
          {"along_z", "[4, 1, 67]"}};
}

TEST_F(Gpu, AgreesWithCpuToRoundOffAfterTenSteps) {
  for (const Choice& c : choices()) {
    for (const char* schedule : {"direct", "ring"}) {
      SCOPED_TRACE(c.name + " " + schedule + ", seed " + std::to_string(fresh_seed()));
      Simulation cpu = Simulation::from_text(turbulence(c), on("cpu", "double"));
      Simulation gpu = Simulation::from_text(turbulence(c), on("gpu", "double", schedule));
      randomise(cpu);
      randomise(gpu);
      cpu.step(10);
      gpu.step(10);
      EXPECT_LT(test::difference_over_rms(cpu, gpu), 1e-12);
      EXPECT_NEAR(cpu.t(), gpu.t(), 1e-13 * cpu.t());
      const auto a = cpu.diagnostics(), b = gpu.diagnostics();
      for (const auto& [name, value] : a) {
        if (name == "mass_drift") continue;  // itself round-off
        EXPECT_NEAR(value, b.at(name), 1e-11 * (std::abs(value) + a.at("u_rms") * a.at("u_rms")))
            << name;
      }
    }
  }
}

// Sums of the same state: no step between, so that only the pointwise formulas may differ (fused
// multiply-adds, exp), and the sums themselves are exact on either side. Sums that cancel are
// judged against the size of their terms.
TEST_F(Gpu, SumsOfOneStateAgreeWithCpuAndRepeatBitForBit) {
  for (const char* precision : {"single", "double"}) {
    const double epsilon = precision == std::string("single") ? 0x1p-23 : 0x1p-52;
    for (const Choice& c : choices()) {
      SCOPED_TRACE(c.name + " " + precision + ", seed " + std::to_string(fresh_seed()));
      Simulation cpu = Simulation::from_text(turbulence(c), on("cpu", precision));
      Simulation gpu = Simulation::from_text(turbulence(c), on("gpu", precision));
      randomise(cpu);
      randomise(gpu);
      const auto a = cpu.diagnostics(), b = gpu.diagnostics();
      const double speed = a.at("u_rms"), vorticity = std::sqrt(2 * a.at("enstrophy"));
      const std::map<std::string, double> sizes = {
          {"momentum_x", speed},
          {"momentum_y", speed},
          {"momentum_z", speed},
          {"helicity", speed * vorticity},
          {"acceleration_work", 0.3 * speed},
          {"numerical_dissipation", std::abs(a.at("numerical_dissipation")) + speed * speed}};
      for (const auto& [name, value] : a) {
        if (name == "mass_drift") continue;  // itself round-off
        const auto size = sizes.find(name);
        EXPECT_NEAR(value, b.at(name),
                    100 * epsilon * (size == sizes.end() ? std::abs(value) : size->second))
            << name;
      }
      for (const std::string schedule : {"direct", "ring"}) {
        Simulation other = Simulation::from_text(turbulence(c), on("gpu", precision, schedule));
        randomise(other);
        EXPECT_EQ(other.diagnostics(), b) << schedule;
      }
      EXPECT_EQ(gpu.diagnostics(), b);
    }
  }
}

TEST_F(Gpu, SinglePrecisionAgreesWithDoubleToItsRoundOff) {
  for (const Choice& c : choices()) {
    for (const char* schedule : {"direct", "ring"}) {
      SCOPED_TRACE(c.name + " " + schedule);
      Simulation cpu = Simulation::from_text(turbulence(c), on("cpu", "double"));
      Simulation gpu = Simulation::from_text(turbulence(c), on("gpu", "single", schedule));
      randomise(cpu);
      randomise(gpu);
      cpu.step(10);
      gpu.step(10);
      EXPECT_LT(test::difference_over_rms(cpu, gpu), 2e-5);
    }
  }
}

TEST_F(Gpu, ResumesBitForBit) {
  for (const char* precision : {"single", "double"}) {
    const auto start = [&] {
      return Simulation::from_text(turbulence({"plain55"}), on("gpu", precision));
    };
    test::expect_resumes_to_the_bit(start, 100, 100);
  }
}

TEST_F(Gpu, QuantitiesAndSpectraAgreeWithCpu) {
  const Choice c{"plain55", "[32, 27, 40]"};
  Simulation cpu = Simulation::from_text(turbulence(c), on("cpu", "double"));
  Simulation gpu = Simulation::from_text(turbulence(c), on("gpu", "double"));
  randomise(cpu);
  randomise(gpu);
  for (const std::string& name : cpu.quantities()) {
    const std::vector<double> a = cpu.field(name), b = gpu.field(name);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i)
      ASSERT_NEAR(a[i], b[i], 1e-12 * (1 + std::abs(a[i]))) << name << " " << i;
  }
  const Spectra a = cpu.spectra(), b = gpu.spectra();
  ASSERT_EQ(a.k, b.k);
  for (std::size_t k = 0; k < a.k.size(); ++k) EXPECT_NEAR(a.total[k], b.total[k], 1e-14);
}

TEST_F(Gpu, NamesTheFirstBadCell) {
  Simulation s = Simulation::from_text(turbulence({"plain55"}), on("gpu", "double"));
  s.step(12);
  std::vector<double> u = s.variable("uy");
  u[static_cast<std::size_t>((17 * 48 + 11) * 64 + 23)] = std::nan("");
  try {
    s.set_variable("uy", u);
    s.step(50);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::diverged);
    EXPECT_NE(std::string(e.what()).find("uy at step 12"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("(23, 11, 17)"), std::string::npos) << e.what();
  }
}

TEST_F(Gpu, HitsOutputTimesAndTakesBackStepsBeyondThem) {
  Simulation cpu = Simulation::from_text(turbulence({"plain55"}), on("cpu", "double"));
  Simulation gpu = Simulation::from_text(turbulence({"plain55"}), on("gpu", "double"));
  randomise(cpu);
  randomise(gpu);
  for (const double t : {0.11, 0.2, 0.305}) {
    cpu.advance_to(t);
    gpu.advance_to(t);
    EXPECT_EQ(gpu.t(), t);
    EXPECT_EQ(gpu.steps(), cpu.steps());
    EXPECT_LT(test::difference_over_rms(cpu, gpu), 1e-11);
  }
}

}  // namespace

}  // namespace gpu_test
