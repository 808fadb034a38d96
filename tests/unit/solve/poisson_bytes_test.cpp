// Memory that a direct solver says it takes.
#include <gtest/gtest.h>

#include "support/poisson_case.hpp"

namespace watersmeet::solve {
namespace {

TEST(PoissonBytes, ArraysAndMatrices) {
  PoissonProblem p = test::uniform_problem({100, 40, 30}, {1, 1, 1}, {0, 1, 1});
  // Rows of 100 doubles take 112: whole lines of 128 bytes. Tables of 8 numbers a point. Planes of 35 KiB take a line more on a CPU.
  const std::size_t array = 112 * 40 * 30, host_array = array + 16 * 30, tables = 8 * 140;
  const auto bytes = [&](PoissonMethod method, Backend backend) {
    return poisson_bytes(p, method, p.cells, Precision::double_, backend);
  };
  EXPECT_EQ(bytes(PoissonMethod::automatic, Backend::cpu), 8 * (host_array + tables));
  EXPECT_EQ(bytes(PoissonMethod::fft, Backend::cuda), 8 * (array + tables));
  EXPECT_EQ(bytes(PoissonMethod::gemm, Backend::cpu), 8 * (host_array + 2 * (10000 + 1600)));
  EXPECT_EQ(bytes(PoissonMethod::gemm, Backend::cuda),
            8 * (2 * array + 2 * (10000 + 1600)) + 2 * (std::size_t{32} << 20));
  p.cells[2] = 2000;  // marched columns
  EXPECT_EQ(bytes(PoissonMethod::fft, Backend::cuda), 8 * (2 * array / 30 * 2000 + tables));
  EXPECT_EQ(poisson_bytes(p, PoissonMethod::fft, {100, 40, 1000}, Precision::single_, Backend::cpu),
            4 * ((std::size_t{128} * 40 + 32) * 1000 + tables));
  p.cells[0] = 128;  // rows of 1 KiB, and planes of 45 KiB with the line more of each
  EXPECT_EQ(poisson_bytes(p, PoissonMethod::fft, {128, 40, 1000}, Precision::double_, Backend::cpu),
            8 * ((std::size_t{144} * 40 + 16) * 1000 + 8 * 168));
}

}  // namespace
}  // namespace watersmeet::solve
