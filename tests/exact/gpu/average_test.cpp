// Sums in time on a GPU: the bits of those on the CPU, for expressions without functions of mathematics.
#include <gtest/gtest.h>

#include "support/average_case.hpp"
#include "support/on_gpu.hpp"

namespace watersmeet::test {
namespace {

class GpuAverages : public OnGpu, public ::testing::WithParamInterface<Precision> {};

TEST_P(GpuAverages, HaveTheBitsOfTheCpu) {
  if (cuda_devices().empty()) return;
  Queue queue = make_cuda_queue();
  {
    WaveSums here(1009, GetParam(), 3.5, Queue{}), there(1009, GetParam(), 3.5, queue);
    for (WaveSums* const sums : {&here, &there}) {
      for (int s = 0; s < 20; ++s) {
        sums->sample(0.3 * s, 0.3, s % 3 == 2 ? exec::Weighing::pass : exec::Weighing::sample);
        if (s == 7) sums->sample(0.3 * s, 0.3, exec::Weighing::sample, false);
      }
      sums->sample(6.0, 0, exec::Weighing::close);
    }
    EXPECT_EQ(here.record().total, there.record().total);
    EXPECT_EQ(here.record().samples, there.record().samples);
    for (std::size_t e = 0; e < 3; ++e) {
      EXPECT_EQ(here.mean(e), there.mean(e)) << e;
      EXPECT_EQ(here.moment(e), there.moment(e)) << e;
    }
  }
  destroy_queue(queue);
}

INSTANTIATE_TEST_SUITE_P(Precisions, GpuAverages,
                         ::testing::Values(Precision::single_, Precision::double_));

}  // namespace
}  // namespace watersmeet::test
