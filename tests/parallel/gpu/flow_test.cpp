// Aerodynamics on several ranks, each with a GPU or with a share of one: interface states go from
// device to device by the transport that is chosen there. The bits are those of one rank, where
// launches do more at once.
#include "core/device.hpp"
#include "support/flow_on_ranks.hpp"

namespace watersmeet {
namespace {

using namespace test;

class FlowOnGpus : public testing::Test {
 protected:
  void SetUp() override {
    const comm::Locality place = comm::find_locality(world());
    const int devices = static_cast<int>(cuda_devices().size());
    std::uint64_t lacking[1] = {devices < 1 ? 1u : 0u};
    world().all_reduce_max(std::span<std::uint64_t>(lacking));
    if (lacking[0] != 0) GTEST_SKIP() << "no GPU answers";
    select_cuda_device(place.local_rank % devices);
    queue_ = make_cuda_queue(true);
  }
  void TearDown() override {
    if (queue_.backend == Backend::cuda) destroy_queue(queue_);
  }
  Queue queue_;
};

TEST_F(FlowOnGpus, StepsHaveTheSameBits) {
  mesh::WavyBox box;
  box.cells = {23, 18, 27};
  box.blocks = {2, 2, 2};
  for (const int order : {1, 3, 6}) {
    expect_same_bits(mesh::make_wavybox(box), method_of(order, false), {outer(true)}, queue_,
                     [](FlowRun& run) { run.advance(0.1); });
  }
}

TEST_F(FlowOnGpus, CyclesHaveTheSameBits) {
  for (const bool flat : {true, false}) {
    mesh::WavyBox box;
    box.cells = flat ? std::vector<std::int64_t>{32, 24} : std::vector<std::int64_t>{18, 20, 16};
    box.blocks = flat ? std::vector<std::int64_t>{2, 2} : std::vector<std::int64_t>{2, 2, 1};
    Method method = method_of(3, true);
    method.first_order_cycles = 2;
    method.ramp = 3;
    method.program_nodes = 0;  // coarse grids in one kernel, on one rank alone, round differently
    expect_same_bits(mesh::make_wavybox(box), method, {outer(false)}, queue_,
                     [](FlowRun& run) { run.cycles(12); });
  }
}

}  // namespace
}  // namespace watersmeet
