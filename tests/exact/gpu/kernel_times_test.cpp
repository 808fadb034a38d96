// The kernels of a step one by one on a GPU: those of two fluids report what they move, and
// a run continues afterwards as if nobody had looked. Skipped where no GPU answers.
#include <gtest/gtest.h>

#include "run/engine.hpp"

namespace watersmeet::verify {
namespace {

run::Case shocked_bubble() {
  return run::load_case_text(
      "[case]\nsystem = \"multicomponent\"\n[grid]\ncells = [40, 24, 20]\nupper = [2, 1.2, 1]\n"
      "[physics.fluids]\nwater = { gamma = 6.12, p_c = 3.43e8, density = 1000.0 }\nair = { gamma = "
      "1.4, density = 1.204 }\n[time]\nsteps = 100\n[[initial]]\nfluid = \"water\"\npressure = "
      "1e5\n[[initial]]\nshape = { kind = "
      "\"shock\", x = 0.2, side = \"lower\", pressure_jump = 4e7 }\n[[initial]]\nfluid = "
      "\"air\"\nshape = { kind = \"sphere\", centre = [0.6, 0.6, 0.5], radius = 0.25 }\n"
      "[boundary]\nx_lower = \"inflow\"\ny = \"periodic\"\nz = \"periodic\"\n[output]\n"
      "overview = false\n",
      "case", {"gpu", "single", 0, {}, -1});
}

double bytes_of(const std::vector<exec::KernelTime>& kernels, const std::string& beginning) {
  double sum = 0;
  for (const exec::KernelTime& k : kernels) {
    if (k.name.rfind(beginning, 0) == 0) sum += k.launches * k.bytes;
  }
  return sum;
}

class GpuKernelTimes : public ::testing::Test {
 protected:
  void SetUp() override {
    if (cuda_devices().empty()) GTEST_SKIP() << "no CUDA device";
  }
};

TEST_F(GpuKernelTimes, ReportWhatMovesAndLeaveNoTrace) {
  run::Engine timed(shocked_bubble()), plain(shocked_bubble());
  for (run::Engine* const engine : {&timed, &plain}) engine->advance(1e300, 2);
  const std::vector<exec::KernelTime> kernels = timed.system().time_kernels(3);
  for (const exec::KernelTime& k : kernels) EXPECT_GT(k.seconds, 0) << k.name;
  for (run::Engine* const engine : {&timed, &plain}) engine->advance(1e300, 6);
  EXPECT_EQ(timed.clock().t, plain.clock().t);
  EXPECT_EQ(timed.clock().events, plain.clock().events);
  EXPECT_EQ(timed.system().series(), plain.system().series());
  for (const Variable& v : timed.system().variables()) {
    EXPECT_EQ(timed.variable_as_doubles(v.name), plain.variable_as_doubles(v.name)) << v.name;
  }
  // Seven values of four bytes: along x two a stage, along y three, along z one more than the
  // three, four and three of a stage that reads and writes everything once.
  const double values = 7 * 4 * 40 * 24 * 20;
  EXPECT_EQ(bytes_of(kernels, "sweep x"), 3 * 2 * values);
  EXPECT_EQ(bytes_of(kernels, "sweep y"), 3 * 3 * values);
  EXPECT_EQ(bytes_of(kernels, "sweep z"), (4 + 5 + 4) * values);
  // Lanes are known of every architecture that this program is built for.
  const double single = arithmetic_peak(timed.queue(), Precision::single_);
  EXPECT_GT(single, 1e12);
  EXPECT_LE(arithmetic_peak(timed.queue(), Precision::double_), single);
}

}  // namespace
}  // namespace watersmeet::verify
