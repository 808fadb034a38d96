// Streamed solutions of several ranks on GPUs: the bits of one GPU that holds its solution.
#include <gtest/gtest.h>

#include "core/device.hpp"
#include "support/stream_on_ranks.hpp"

using namespace watersmeet;
using namespace watersmeet::test;

TEST(GpuStreamOnRanks, HasTheBitsOfOneResidentGpu) {
  if (cuda_devices().empty()) GTEST_SKIP() << "no GPU";
  for (const char* const precision : {"double", "single"})
    expect_all_ranks_like_one("gpu", precision);
}
