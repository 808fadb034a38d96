// Boxes of cells between the host and a state in device memory: the same registers as on the host,
// ghosts apart, with a staging buffer that is used again and one of each call's own.
#include <gtest/gtest.h>

#include "memory/state.hpp"

namespace watersmeet {
namespace {

TEST(GpuBoxes, AreCopiedAsOnTheHost) {
  if (cuda_devices().empty()) GTEST_SKIP() << "no CUDA device";
  Queue queue = make_cuda_queue();
  const std::vector<memory::BlockShape> blocks = {{{37, 11, 9}, {3, 3, 3}}};
  memory::State here(blocks, 3, 1, Precision::single_, Queue{});
  memory::State there(blocks, 3, 1, Precision::single_, queue);
  memory::Buffer staging;
  // Slabs of whole planes, then boxes in the midst of them: what is beside these must stay.
  const std::vector<Box> boxes = {{{0, 0, 0}, {37, 11, 4}},
                                  {{0, 0, 4}, {37, 11, 9}},
                                  {{5, 0, 1}, {36, 11, 8}},
                                  {{0, 3, 2}, {37, 7, 9}},
                                  {{36, 10, 8}, {37, 11, 9}}};
  float value = 0;
  for (const Box& box : boxes) {
    for (int v = 0; v < 3; ++v) {
      std::vector<float> packed(static_cast<std::size_t>(box.count())), back(packed.size());
      for (float& x : packed) x = ++value;
      memory::copy_box_from_host(here, 0, 0, v, box, packed.data(), Queue{});
      memory::copy_box_from_host(there, 0, 0, v, box, packed.data(), queue,
                                 v == 1 ? nullptr : &staging);
      memory::copy_box_to_host(there, 0, 0, v, box, back.data(), queue,
                               v == 2 ? nullptr : &staging);
      EXPECT_EQ(back, packed);
    }
  }
  for (int v = 0; v < 3; ++v) {
    std::vector<float> a(37 * 11 * 9), b(a.size());
    memory::copy_interior_to_host(here, 0, 0, v, a.data(), Queue{});
    memory::copy_interior_to_host(there, 0, 0, v, b.data(), queue);
    EXPECT_EQ(a, b) << "variable " << v;
  }
  there = memory::State();
  destroy_queue(queue);
}

}  // namespace
}  // namespace watersmeet
