// The kernels of a step one by one, as `bench` times them: what they move adds up to what the plan
// of a step says, and a run continues afterwards as if nobody had looked.
#include <gtest/gtest.h>

#include "run/engine.hpp"

namespace watersmeet::run {
namespace {

std::string two_fluids(const std::string& cells, const std::string& scheme) {
  return "[case]\nsystem = \"multicomponent\"\n[grid]\ncells = " + cells +
         "\nupper = [1, 1, 1]\n[physics.fluids]\nwater = { gamma = 6.12, p_c = 3.43e8, density = "
         "1000.0 }\nair = { gamma = 1.4, density = 1.204 }\n[time]\nsteps = 100\nscheme = \"" +
         scheme +
         "\"\n[[initial]]\nfluid = \"water\"\npressure = 1e5\n[[initial]]\nshape = { kind = "
         "\"shock\", x = 0.2, side = \"lower\", pressure_jump = 4e7 }\n[[initial]]\nfluid = "
         "\"air\"\n"
         "shape = { kind = \"sphere\", centre = [0.5, 0.5, 0.5], radius = 0.25 }\n[boundary]\n"
         "x_lower = \"inflow\"\ny = \"periodic\"\nz = \"periodic\"\n[output]\noverview = false\n";
}

std::string forced_flow(const std::string& method, const std::string& storage) {
  return "[case]\nsystem = \"isothermal\"\n[grid]\ncells = [12, 10, 8]\n[forcing]\nkind = "
         "\"helical\"\namplitude = 0.05\nk_min = 1\nk_max = 2\n[numerics]\nmethod = \"" +
         method + "\"\nstorage = \"" + storage + "\"\n[time]\nsteps = 100\n";
}

Case loaded(const std::string& text) {
  return load_case_text(text, "case", {"cpu", "", 1, {}, -1});
}

std::vector<std::vector<double>> fields(Engine& engine) {
  std::vector<std::vector<double>> all;
  for (const Variable& v : engine.system().variables()) {
    all.push_back(engine.variable_as_doubles(v.name));
  }
  return all;
}

void expect_no_trace(const std::string& text) {
  Engine timed(loaded(text)), plain(loaded(text));
  for (Engine* const engine : {&timed, &plain}) engine->advance(1e300, 2);
  const std::vector<exec::KernelTime> kernels = timed.system().time_kernels(1);
  ASSERT_FALSE(kernels.empty());
  for (const exec::KernelTime& k : kernels) {
    EXPECT_GT(k.seconds, 0) << k.name;
    EXPECT_GE(k.flops, k.slow_flops) << k.name;
  }
  EXPECT_EQ(fields(timed), fields(plain));
  for (Engine* const engine : {&timed, &plain}) engine->advance(1e300, 5);
  EXPECT_EQ(timed.clock().t, plain.clock().t);
  EXPECT_EQ(timed.clock().events, plain.clock().events);
  EXPECT_EQ(timed.clock().work, plain.clock().work);
  EXPECT_EQ(fields(timed), fields(plain));
  EXPECT_EQ(timed.system().series(), plain.system().series());
}

TEST(KernelTimes, LeaveNoTraceInARunOfTwoFluids) {
  expect_no_trace(two_fluids("[16, 12, 10]", "rk3-cubism"));
  expect_no_trace(two_fluids("[16, 12, 1]", "ssp-rk3"));
}

TEST(KernelTimes, LeaveNoTraceInAnIsothermalRun) {
  expect_no_trace(forced_flow("55-point", "two"));
  expect_no_trace(forced_flow("19-point", "stored"));
}

double bytes_of(const std::vector<exec::KernelTime>& kernels, const std::string& beginning) {
  double sum = 0;
  for (const exec::KernelTime& k : kernels) {
    if (k.name.rfind(beginning, 0) == 0) sum += k.launches * k.bytes;
  }
  return sum;
}

TEST(KernelTimes, MoveAndComputeWhatThePlanSays) {
  Engine engine(loaded(two_fluids("[16, 12, 10]", "rk3-cubism")));
  const std::vector<exec::KernelTime> kernels = engine.system().time_kernels(1);
  const double cells = 16 * 12 * 10, word = 8, values = 7 * word, stages = 3;
  EXPECT_DOUBLE_EQ(bytes_of(kernels, "tiles"), engine.system().bytes_per_point_step() * cells);
  // Three layers on both sides of the periodic axes, read and written; of the two sides in x three
  // layers written and one cell read, and for the ledger three on either side of a face.
  EXPECT_DOUBLE_EQ(bytes_of(kernels, "ghost copies"),
                   stages * 2 * values * 2 * 3 * (16 * 10 + 16 * 12));
  EXPECT_DOUBLE_EQ(bytes_of(kernels, "boundary conditions"), stages * values * 4 * 2 * 12 * 10);
  EXPECT_DOUBLE_EQ(bytes_of(kernels, "boundary ledger"), stages * values * 6 * 2 * 12 * 10);
  double flops = 0;
  for (const exec::KernelTime& k : kernels) {
    if (k.name.rfind("tiles", 0) == 0) flops += k.launches * k.flops;
  }
  EXPECT_NEAR(flops / (stages * cells * engine.system().flops_per_point_rhs()), 1, 1e-12);

  Engine other(loaded(forced_flow("19-point", "stored")));
  const std::vector<exec::KernelTime> passes = other.system().time_kernels(1);
  EXPECT_DOUBLE_EQ(bytes_of(passes, "stage") + bytes_of(passes, "div u"),
                   other.system().bytes_per_point_step() * 12 * 10 * 8);
}

}  // namespace
}  // namespace watersmeet::run
