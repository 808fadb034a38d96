// Extrema and sums of expressions on a GPU: the bits of those on the CPU, for expressions without functions of mathematics.
#include <gtest/gtest.h>

#include "support/on_gpu.hpp"
#include "support/reduced_program.hpp"

namespace watersmeet::test {
namespace {

class GpuReducedProgram : public OnGpu, public ::testing::WithParamInterface<Precision> {};

TEST_P(GpuReducedProgram, HasTheBitsOfTheCpu) {
  if (cuda_devices().empty()) return;
  Queue queue = make_cuda_queue();
  // The last is more than all threads of the grid have one of.
  for (const std::int64_t cells : {0, 1, 127, 20011, 700001}) {
    std::vector<double> values = rough_vector(cells, GetParam());
    for (const char* const text : {"velocity.x*velocity.y - velocity.z", "velocity.x > 0"}) {
      const Reduced here = reduce(text, values, GetParam(), Queue{}),
                    there = reduce(text, values, GetParam(), queue);
      EXPECT_EQ(here.extrema.upper, there.extrema.upper) << text << " of " << cells;
      EXPECT_EQ(here.extrema.minus_lower, there.extrema.minus_lower);
      EXPECT_EQ(here.extrema.magnitude, there.extrema.magnitude);
      EXPECT_EQ(here.sum, there.sum);
    }
    if (cells < 200) continue;
    values[3 * 150] = std::numeric_limits<double>::quiet_NaN();
    const Reduced there = reduce("velocity.x", values, GetParam(), queue);
    EXPECT_TRUE(std::isnan(there.extrema.upper) && std::isnan(there.extrema.minus_lower));
    EXPECT_TRUE(std::isnan(there.sum));
  }
  destroy_queue(queue);
}

INSTANTIATE_TEST_SUITE_P(Precisions, GpuReducedProgram,
                         ::testing::Values(Precision::single_, Precision::double_));

}  // namespace
}  // namespace watersmeet::test
