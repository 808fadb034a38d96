// The ghost form on the GPU, with and without messages, against loops over indices, bit for bit.
#include "exec/ghost.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/turned_regions.hpp"

namespace watersmeet {
namespace {

template <class R>
class GpuGhosts : public testing::Test {
 protected:
  void SetUp() override {
    if (cuda_devices().empty()) GTEST_SKIP() << "no CUDA device";
    queue = make_cuda_queue();
  }
  void TearDown() override { destroy_queue(queue); }
  static constexpr Precision precision = sizeof(R) == 8 ? Precision::double_ : Precision::single_;
  Queue queue;

  template <class T>
  memory::Buffer put(const std::vector<T>& values, MemorySpace space) const {
    memory::Buffer buffer(space, values.size() * sizeof(T));
    copy_bytes(buffer.start(), values.data(), buffer.bytes(), queue);
    synchronize(queue);
    return buffer;
  }
  template <class T>
  std::vector<T> get(const memory::Buffer& buffer) const {
    std::vector<T> values(buffer.bytes() / sizeof(T));
    copy_bytes(values.data(), buffer.start(), buffer.bytes(), queue);
    synchronize(queue);
    return values;
  }
};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(GpuGhosts, Precisions);

TYPED_TEST(GpuGhosts, CopyPackUnpackAndPoisonTurnedRegions) {
  using R = TypeParam;
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const int variables = 1 + static_cast<int>(seed % 6);
    const test::TurnedRegions regions(seed, 1 + static_cast<int>(seed) * 3);
    const memory::State state = regions.make_state(variables, this->precision, Queue{});
    const auto copies = regions.copies(state);
    const test::Halves halves(copies, variables);
    const int count = static_cast<int>(copies.size());
    const std::vector<R> before = regions.values<R>(state);
    const std::vector<R> expected = regions.copied(state, before);
    std::vector<R> packed(static_cast<std::size_t>(halves.elements) + 3, R(0.25));
    exec::fill_ghosts(const_cast<R*>(before.data()), packed.data(), this->precision,
                      halves.pack.data(), count, halves.cells, variables, exec::GhostAction::copy,
                      Queue{});

    const auto run = [&](const memory::Buffer& reg, void* message,
                         const std::vector<exec::GhostTransfer>& transfers,
                         exec::GhostAction action) {
      const memory::Buffer table = this->put(transfers, MemorySpace::device);
      exec::fill_ghosts(reg.start(), message, this->precision, table.as<exec::GhostTransfer>(),
                        count, halves.cells, variables, action, this->queue);
      synchronize(this->queue);
    };
    const memory::Buffer direct = this->put(before, MemorySpace::device);
    run(direct, nullptr, copies, exec::GhostAction::copy);
    EXPECT_EQ(this->template get<R>(direct), expected);

    for (const MemorySpace space : {MemorySpace::device, MemorySpace::pinned}) {
      const memory::Buffer sender = this->put(before, MemorySpace::device);
      const memory::Buffer receiver = this->put(before, MemorySpace::device);
      const memory::Buffer message = this->put(std::vector<R>(packed.size(), R(0.25)), space);
      run(sender, message.start(), halves.pack, exec::GhostAction::copy);
      EXPECT_EQ(this->template get<R>(message), packed);
      EXPECT_EQ(this->template get<R>(sender), before);
      run(receiver, message.start(), halves.unpack, exec::GhostAction::copy);
      EXPECT_EQ(this->template get<R>(receiver), expected);
      run(receiver, nullptr, halves.unpack, exec::GhostAction::poison);
      const std::vector<R> poisoned = this->template get<R>(receiver);
      for (std::size_t e = 0; e < poisoned.size(); ++e) {
        ASSERT_TRUE(expected[e] == before[e] ? poisoned[e] == before[e] : std::isnan(poisoned[e]));
      }
    }
  }
}

// 6.4e9 cells, most of them the same elements again: the last planes are only reached when cells
// are counted in 64 bits.
TYPED_TEST(GpuGhosts, RegionsOfMoreThan31Bits) {
  using R = TypeParam;
  const std::int64_t planes = (std::int64_t{1} << 16) + 1, half = 3 * planes;
  std::vector<R> values(static_cast<std::size_t>(2 * half));
  for (std::size_t e = 0; e < values.size(); ++e) values[e] = R(e) + R(0.5);
  std::vector<exec::GhostTransfer> region(1);
  region[0].to_first = half;
  region[0].n[0] = 3;
  region[0].n[1] = std::int64_t{1} << 15;
  region[0].n[2] = planes;
  region[0].to_stride[0] = region[0].from_stride[0] = 1;
  region[0].to_stride[2] = region[0].from_stride[2] = 3;
  const memory::Buffer reg = this->put(values, MemorySpace::device);
  const memory::Buffer table = this->put(region, MemorySpace::device);
  exec::fill_ghosts(reg.start(), nullptr, this->precision, table.as<exec::GhostTransfer>(), 1,
                    exec::number_cells(region), 1, exec::GhostAction::copy, this->queue);
  std::copy(values.begin(), values.begin() + half, values.begin() + half);
  EXPECT_EQ(this->template get<R>(reg), values);
}

}  // namespace
}  // namespace watersmeet
