// Launches an axis with a thread a cell (exec/axis_cuda.hpp) on a GPU: each of their strategies
// gives the bits of the marches and what the CPU gives, with all kinds of sides, stages that store
// increments, and sizes that no block divides. Skipped where no GPU answers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/math.hpp"
#include "run/engine.hpp"
#include "systems/strategies.hpp"

namespace watersmeet::verify {
namespace {

struct Problem {
  std::string name, text;
  double cpu_tolerance;
};

Problem water(const std::string& name, const std::string& cells, const std::string& numerics,
              const std::string& scheme, const std::string& boundary) {
  return {"water, " + name,
          "[case]\nsystem = \"shallow_water\"\n[grid]\ncells = " + cells +
              "\nupper = [20, 15, 1]\n[physics]\nbed = \"0.4*sin(x)*cos(y*1.3) - 1.5\"\n"
              "coriolis = { f = 0.1, beta = 0.01 }\n"
              "friction = { manning = 0.02, drag = 0.002 }\n[numerics]\n" +
              numerics + "[time]\nsteps = 1000000\ncfl = 0.7\nscheme = \"" + scheme +
              "\"\n[boundary]\n" + boundary +
              "[[initial]]\nsurface = \"0.1*cos(x*0.6283185307)*sin(y*0.4188790205)\"\n"
              "velocity = [\"0.2*cos(y*0.4188790205)\", \"0.1*sin(x*0.6283185307)\", 0]\n",
          1e-12};
}

// Departures are 1e-3 of the whole, whose rounding they carry.
Problem air(const std::string& name, const std::string& cells, const std::string& numerics,
            const std::string& scheme) {
  return {"air, " + name,
          "[case]\nsystem = \"atmosphere\"\n[grid]\ncells = " + cells +
              "\nupper = [4500, 1700, 2300]\n[physics]\n"
              "reference = { kind = \"stratified\", brunt_vaisala = 0.01 }\nwind = [8, 3, 0]\n"
              "coriolis = { f = 1e-3 }\nsponge.top = { width = 800 }\nsponge.x = { width = 500 }\n"
              "[numerics]\n" +
              numerics + "[time]\nsteps = 1000000\ncfl = 0.7\nscheme = \"" + scheme +
              "\"\n[boundary]\nx_lower = \"open\"\ny = \"periodic\"\n[[initial]]\n"
              "theta = \"2*exp(-((x - 1500)^2 + (y - 700)^2 + (z - 900)^2)/500^2)\"\n",
          1e-9};
}

std::vector<Problem> problems() {
  const std::string around = "x = \"periodic\"\ny = \"periodic\"\n";
  const std::string sides =
      "x_lower = { kind = \"level\", surface = \"0.1*sin(t)\" }\n"
      "x_upper = { kind = \"far\", surface = 0, velocity = [0.1, 0.2, 0] }\n"
      "y_lower = \"wall\"\ny_upper = { kind = \"flow\", velocity = [0, \"0.01*x\", 0] }\n";
  const std::string c3 = "reconstruction = { transverse = \"-1/24\" }\n";
  return {water("9 points", "[150, 67, 1]", "", "ssp-rk3", around),
          water("13 points", "[150, 67, 1]", c3, "ssp-rk3", around),
          water("sides", "[261, 67, 1]", "", "ssp-rk3", sides),
          water("13 points, sides", "[150, 67, 1]", c3, "ssp-rk3", sides),
          water("fourth order", "[61, 37, 1]", "", "rk4-carpenter-kennedy", around),
          water("tall", "[5, 1021, 1]", c3, "ssp-rk3", around),
          water("wide", "[1021, 5, 1]", c3, "ssp-rk2", around),
          air("odd", "[45, 17, 23]", "", "ssp-rk3"),
          air("25 points", "[45, 17, 23]", c3, "ssp-rk3"),
          air("25 points, hllc, wide", "[131, 9, 12]", "riemann = \"hllc\"\n" + c3, "ssp-rk2"),
          air("fourth order", "[131, 9, 12]", "", "rk4-carpenter-kennedy"),
          air("thin", "[5, 3, 130]", "", "ssp-rk43")};
}

run::Engine start(const Problem& problem, const std::string& device, const std::string& section) {
  return run::Engine(
      run::load_case_text(problem.text + section, "case", {device, "double", 0, {}, -1}));
}

// Largest difference of a variable over the largest of it, which counts as `least` at least.
double difference(run::Engine& a, run::Engine& b, double least) {
  double worst = 0;
  for (const Variable& variable : a.system().variables()) {
    const std::vector<double> x = a.variable_as_doubles(variable.name),
                              y = b.variable_as_doubles(variable.name);
    double size = least, largest = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!std::isfinite(y[i])) return 1e300;
      size = std::max(size, std::abs(x[i]));
      largest = max_or_nan(largest, std::abs(x[i] - y[i]));
    }
    worst = max_or_nan(worst, largest / size);
  }
  return worst;
}

TEST(GpuStrategies, GiveTheBitsOfTheMarchesAndWhatTheCpuGives) {
  if (cuda_devices().empty()) GTEST_SKIP() << "no CUDA device";
  for (const Problem& problem : problems()) {
    run::Engine march = start(problem, "gpu", ""), cpu = start(problem, "cpu", "");
    for (run::Engine* const engine : {&march, &cpu}) engine->advance(1e300, 30);
    for (const exec::Strategy& strategy : systems::all_strategies()) {
      SCOPED_TRACE(problem.name + ", " + exec::name_of(strategy));
      run::Engine axes = start(problem, "gpu", systems::device_text(strategy));
      axes.advance(1e300, 30);
      // By what it was asked for, not by what `auto` takes.
      const std::string kernel = axes.system().kernel().name;
      EXPECT_EQ(kernel.substr(kernel.find(' ') + 1), exec::name_of(strategy));
      EXPECT_EQ(march.clock().t, axes.clock().t);
      EXPECT_EQ(march.clock().step, axes.clock().step);
      EXPECT_EQ(difference(march, axes, 1e-3), 0.0);
      EXPECT_LT(difference(cpu, axes, problem.cpu_tolerance < 1e-10 ? 1e-3 : 1e-6),
                problem.cpu_tolerance);
    }
  }
}

}  // namespace
}  // namespace watersmeet::verify
