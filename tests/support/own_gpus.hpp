#pragma once
// Tests of ranks with a GPU each: skipped by one rank and where a rank has none of its own.

#include <gtest/gtest.h>

#include "comm/transport.hpp"
#include "core/device.hpp"
#include "support/parallel.hpp"

namespace watersmeet::test {

class OwnGpus : public ::testing::Test {
 protected:
  void SetUp() override {
    const comm::Locality place = comm::find_locality(world());
    const int devices = static_cast<int>(cuda_devices().size());
    std::uint64_t lacking[1] = {devices < place.local_size ? 1u : 0u};
    world().all_reduce_max(std::span<std::uint64_t>(lacking));
    if (world().size() < 2) GTEST_SKIP() << "needs two ranks";
    if (lacking[0] != 0) GTEST_SKIP() << "not every rank has a GPU of its own";
    select_cuda_device(place.local_rank);
    queue_ = make_cuda_queue(true);
  }
  void TearDown() override { destroy_queue(queue_); }
  Queue queue_;
};

}  // namespace watersmeet::test
