// The usage examples of the public headers, cut from their comments when the build is configured
// (tests/CMakeLists.txt): they compile, run, and do what they are there to show.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "watersmeet/poisson.hpp"
#include "watersmeet/simulation.hpp"

namespace {

TEST(Usage, ThePoissonProblemIsSolved) {
#include "usage/poisson.inc"
  // The equation of the header at every cell.
  const auto at = [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    return phi[static_cast<std::size_t>((k * 64 + (j + 64) % 64) * 64 + (i + 64) % 64)];
  };
  const double dx = 2.0 / 64, dz = 1.0 / 32;
  double largest = 0;
  for (std::int64_t k = 0; k < 32; ++k) {
    for (std::int64_t j = 0; j < 64; ++j) {
      for (std::int64_t i = 0; i < 64; ++i) {
        const double here = at(i, j, k);
        const double below = k > 0 ? here - at(i, j, k - 1) : 0.0;
        const double above = k < 31 ? at(i, j, k + 1) - here : 0.0;
        const double sum =
            (at(i - 1, j, k) + at(i + 1, j, k) + at(i, j - 1, k) + at(i, j + 1, k) - 4 * here) /
                (dx * dx) +
            (above - below) / (dz * dz);
        largest =
            std::max(largest, std::abs(sum - rhs[static_cast<std::size_t>((k * 64 + j) * 64 + i)]));
      }
    }
  }
  EXPECT_LT(largest, 1e-11);
  EXPECT_GT(std::abs(phi.front()), 1e-6);
}

TEST(Usage, ASimulationRunsToItsTime) {
  const auto before = std::filesystem::current_path();
  const auto folder =
      std::filesystem::temp_directory_path() / ("watersmeet_usage_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::filesystem::current_path(folder);
  std::ofstream("case.toml") << R"toml([case]
system = "isothermal"
[grid]
cells = [8, 8, 8]
[device]
kind = "cpu"
[time]
end = 2
[[initial]]
velocity = ["0.1*sin(y)", 0, 0]
)toml";
  {
#include "usage/simulation.inc"
    EXPECT_DOUBLE_EQ(s.t(), 1.0);
    ASSERT_EQ(rho.size(), 512u);
    for (const double value : rho) EXPECT_NEAR(value, 1.0, 0.02);
  }
  std::filesystem::current_path(before);
  std::filesystem::remove_all(folder);
}

}  // namespace
