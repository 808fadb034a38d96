// Host messages for work on a GPU: the queue's order must hold although the host carries the bytes.
// Ranks are threads that share the one GPU.
#include "comm/transport.hpp"

#include <gtest/gtest.h>

#include "support/byte_messages.hpp"
#include "support/thread_team.hpp"

namespace watersmeet::comm {
namespace {

class GpuMessages : public testing::Test {
 protected:
  void SetUp() override {
    if (cuda_devices().empty()) GTEST_SKIP() << "no CUDA device";
  }
  template <class Work>
  static void on_ranks(int ranks, const Work& work) {
    test::ThreadTeam::run(ranks, [&](Communicator& world) {
      select_cuda_device(0);
      Queue queue = make_cuda_queue();
      const auto transport = make_message_transport(world, Backend::cuda, false);
      EXPECT_EQ(transport->buffer_space(), MemorySpace::pinned);
      work(*transport, world, queue);
      destroy_queue(queue);
    });
  }
};

TEST_F(GpuMessages, OneRankWithItself) {
  Queue queue = make_cuda_queue();
  const auto self = make_self();
  const auto transport = make_message_transport(*self, Backend::cuda, false);
  test::exchange_rounds(*transport, *self, queue, 50, 1 << 20, true);
  test::reduce_extremes(*transport, *self, queue);
  destroy_queue(queue);
}

TEST_F(GpuMessages, RanksThatShareAGpu) {
  for (const int ranks : {2, 3}) {
    on_ranks(ranks, [](Transport& transport, Communicator& world, const Queue& queue) {
      test::exchange_rounds(transport, world, queue, 30, 1 << 20, false);
      test::reduce_extremes(transport, world, queue);
    });
  }
}

TEST_F(GpuMessages, ASilentPeerIsAFault) {
  on_ranks(2, [](Transport& transport, Communicator& world, const Queue& queue) {
    if (world.rank() == 1) return;
    world.set_patience(0.1);
    const memory::Buffer in(MemorySpace::pinned, 64);
    const Message one[1] = {{1, 0, 64}};
    transport.start({}, nullptr, one, in.start(), queue);
    EXPECT_THROW(transport.finish(queue), Error);
  });
}

TEST_F(GpuMessages, AnEventIsReadyWhenTheWorkBeforeItIsDone) {
  Queue queue = make_cuda_queue();
  const memory::Buffer large(MemorySpace::device, std::size_t{1} << 30);
  Event event(queue);
  EXPECT_TRUE(event.ready());  // nothing recorded
  for (int repeat = 0; repeat < 200; ++repeat) {
    fill_bytes(large.start(), repeat, large.bytes(), queue);  // 0.2 ms each at 5 TB/s
  }
  event.record(queue);
  EXPECT_FALSE(event.ready());
  synchronize(queue);
  EXPECT_TRUE(event.ready());
  destroy_queue(queue);
}

}  // namespace
}  // namespace watersmeet::comm
