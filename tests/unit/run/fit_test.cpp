// Coarser grids of the same shape: thin directions stay, memory is used up to the next step of 8
// cells, and a grid that is cut is judged by its parts.
#include "run/fit.hpp"

#include <gtest/gtest.h>

#include "run/case.hpp"

namespace watersmeet::run {
namespace {

double points(const Index3& n) {
  return static_cast<double>(n[0]) * static_cast<double>(n[1]) * static_cast<double>(n[2]);
}

Case isothermal() {
  return load_case_text(
      "[case]\nsystem = \"isothermal\"\n[grid]\ncells = [8, 8, 8]\n[time]\nsteps = 1\n", "test",
      {});
}

double need(const systems::System& system, const Index3& cells) {
  return static_cast<double>(system.memory_needed(cells).working_bytes);
}

TEST(Fit, ACoarserGridHasAboutThePointsAskedForInAnyNumberOfDimensions) {
  for (const Index3& n : {Index3{4096, 1024, 1024}, Index3{4096, 8192, 1}, Index3{1, 2048, 4096},
                          Index3{1 << 24, 1, 1}}) {
    const Index3 fewer = coarser(n, coarsening(n, 1e5));
    EXPECT_LT(points(fewer), 1.001e5);
    EXPECT_GT(points(fewer), 0.5e5);  // the steps of 8 cells take off some
    for (std::size_t a = 0; a < 3; ++a) EXPECT_EQ(fewer[a] == 1, n[a] == 1);
  }
  EXPECT_EQ(coarsening({8, 8, 8}, 1e5), 1.0);
  EXPECT_EQ(coarser({8, 100, 1}, 1.0), (Index3{8, 96, 1}));
  // In whole tiles of a kernel, where there are two or more of them.
  EXPECT_EQ(coarser({1024, 512, 512}, coarsening({1024, 512, 512}, 1.7e7), 32),
            (Index3{384, 192, 192}));
  EXPECT_EQ(coarser({4096, 100, 1}, 0.5, 32), (Index3{2048, 50, 1}));
}

TEST(Fit, TheSecondTrialHasTheCellsOfAStepOf25Milliseconds) {
  EXPECT_NEAR(cells_of_second_trial(62.5e-9), 4e5, 1);
  EXPECT_NEAR(cells_of_second_trial(50e-9), 5e5, 1);
  EXPECT_EQ(cells_of_second_trial(2e-6), 3.3e4);  // a slow system: as many as in the first
  EXPECT_EQ(cells_of_second_trial(1e-10), 6e5);   // many threads: that are set up soon
  EXPECT_EQ(cells_of_second_trial(0), 6e5);       // too fast for the clock
  // 84 cells along each axis, in steps of 8; a grid of fewer is tried whole.
  const double cells = cells_of_second_trial(25e-9);
  EXPECT_EQ(coarser({128, 128, 128}, coarsening({128, 128, 128}, cells)), (Index3{80, 80, 80}));
  EXPECT_EQ(coarser({64, 64, 64}, coarsening({64, 64, 64}, cells)), (Index3{64, 64, 64}));
}

TEST(Fit, TheLargestGridFitsAndTheNextDoesNot) {
  const Case loaded = isothermal();
  const systems::System& system = *loaded.system;
  const double free = 1e9;
  for (const Index3& n :
       {Index3{4096, 4096, 4096}, Index3{65536, 16384, 1}, Index3{1, 1, 1 << 30}}) {
    const Index3 fits = largest_grid(system, n, {1, 1, 1}, 0, free);
    EXPECT_LT(need(system, fits), free);
    EXPECT_GT(need(system, fits), 0.8 * free);
    for (std::size_t a = 0; a < 3; ++a) {
      EXPECT_EQ(fits[a] == 1, n[a] == 1);
      // The same shape to the steps of 8 cells.
      EXPECT_NEAR(static_cast<double>(fits[a]) / static_cast<double>(n[a]),
                  static_cast<double>(fits[2]) / static_cast<double>(n[2]),
                  n[a] == 1 || n[2] == 1 ? 1.0 : 8.0 / 4096);
    }
  }
}

TEST(Fit, OfSeveralRanksThePartsMustFit) {
  const Case loaded = isothermal();
  const systems::System& system = *loaded.system;
  const Index3 n{4096, 4096, 4096};
  const Index3 fits = largest_grid(system, n, {1, 2, 4}, 0, 1e9);
  EXPECT_LT(need(system, {fits[0], fits[1] / 2, fits[2] / 4}), 1e9);
  EXPECT_GT(need(system, {fits[0], fits[1] / 2, fits[2] / 4}), 0.8e9);
  EXPECT_GT(points(fits), 6 * points(largest_grid(system, n, {1, 1, 1}, 0, 1e9)));
}

TEST(Fit, AGridThatFitsIsNotMadeFiner) {
  const Case loaded = isothermal();
  const Index3 fits = largest_grid(*loaded.system, {64, 32, 1}, {1, 1, 1}, 0, 1e12);
  EXPECT_LE(fits[0], 64);
  EXPECT_LE(fits[1], 32);
}

}  // namespace
}  // namespace watersmeet::run
