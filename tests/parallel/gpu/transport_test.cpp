// Messages and reductions between GPUs, one for each rank: every transport against bytes and sums
// that follow from the ranks alone. Skipped by one rank and where a rank has no GPU of its
// own.
#include "comm/transport.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "exec/ghost.hpp"
#include "support/byte_messages.hpp"
#include "support/own_gpus.hpp"

namespace watersmeet::comm {
namespace {

using test::world;

class OwnGpus : public test::OwnGpus {
 protected:
  static bool nccl_everywhere() {
    std::string why;
    std::uint64_t lacking[1] = {nccl_available(why) ? 0u : 1u};
    world().all_reduce_max(std::span<std::uint64_t>(lacking));
    return lacking[0] == 0;
  }
  void check(Transport& transport) const {
    test::exchange_rounds(transport, world(), queue_, 20, 4096, false);
    test::exchange_rounds(transport, world(), queue_, 5, std::size_t{1} << 24, false);
    test::reduce_extremes(transport, world(), queue_);
    test::exchange_rounds(transport, world(), queue_, 3, 1 << 18, false);
  }
};

TEST_F(OwnGpus, HostMessages) {
  const auto transport = choose_transport(world(), "mpi", Backend::cuda, false);
  EXPECT_EQ(transport->name(), "mpi");
  check(*transport);
}

TEST_F(OwnGpus, DeviceMessagesOfMpi) {
  std::uint64_t lacking[1] = {mpi_moves_device_memory(world()) ? 0u : 1u};
  world().all_reduce_max(std::span<std::uint64_t>(lacking));
  if (lacking[0] != 0) {
    EXPECT_THROW(choose_transport(world(), "mpi-device", Backend::cuda, false), AgreedError);
    GTEST_SKIP() << mpi_version() << " moves no device memory";
  }
  const auto transport = choose_transport(world(), "mpi-device", Backend::cuda, false);
  EXPECT_EQ(transport->name(), "mpi-device");
  EXPECT_EQ(transport->buffer_space(), MemorySpace::device);
  check(*transport);
}

TEST_F(OwnGpus, Nccl) {
  if (!nccl_everywhere()) GTEST_SKIP() << "no NCCL";
  const auto transport = choose_transport(world(), "nccl", Backend::cuda, false);
  EXPECT_EQ(transport->name(), "nccl");
  EXPECT_EQ(transport->buffer_space(), MemorySpace::device);
  check(*transport);
}

TEST_F(OwnGpus, StoresBetweenGpus) {
  std::unique_ptr<Transport> transport;
  try {
    transport = choose_transport(world(), "peer", Backend::cuda, false);
  } catch (const AgreedError& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unsupported);
    GTEST_SKIP() << error.what();
  }
  EXPECT_EQ(transport->name(), "peer");
  EXPECT_EQ(choose_transport(world(), "auto", Backend::cuda, false)->name(), "peer");
  check(*transport);
  // One longer than all rings hold, so that slots are used again while it is under way.
  test::exchange_rounds(*transport, world(), queue_, 3, std::size_t{1} << 26, false);
}

// Null where GPUs cannot store into each other's memory.
std::unique_ptr<Transport> stores_between(Communicator& ranks, std::string& why) {
  try {
    return make_peer_transport(ranks);
  } catch (const AgreedError& error) {
    why = error.what();
    return nullptr;
  }
}

// Words of every rank in long vectors, cut over the lanes and over several chunks of a lane.
TEST_F(OwnGpus, LongSumsOfStores) {
  std::string why;
  const auto transport = stores_between(world(), why);
  if (transport == nullptr) GTEST_SKIP() << why;
  for (const std::size_t n : {std::size_t{1}, std::size_t{1025}, std::size_t{700001}}) {
    std::vector<std::int64_t> words(n);
    for (std::size_t i = 0; i < n; ++i) {
      words[i] = static_cast<std::int64_t>(i) * (world().rank() + 1);
    }
    const memory::Buffer on_device(MemorySpace::device, n * sizeof(std::int64_t));
    copy_bytes(on_device.start(), words.data(), on_device.bytes(), queue_);
    transport->all_reduce({}, {on_device.as<std::int64_t>(), n}, queue_);
    copy_bytes(words.data(), on_device.start(), on_device.bytes(), queue_);
    synchronize(queue_);
    const std::int64_t ranks = world().size();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (words[i] != static_cast<std::int64_t>(i) * (ranks * (ranks + 1) / 2)) ++wrong;
    }
    EXPECT_EQ(wrong, 0u) << n;
  }
}

// The regions of a message to `far` and of one that arrives, of so many values.
std::vector<exec::GhostTransfer> both_ways(const DirectMessages& direct, std::int64_t count) {
  exec::GhostTransfer copy;
  copy.n[0] = count;
  copy.n[1] = copy.n[2] = 1;
  copy.from_stride[0] = copy.to_stride[0] = 1;
  copy.to_first = count;  // behind what is sent
  std::vector<exec::GhostTransfer> regions{exec::pack_half(copy, direct.far[0] / 8),
                                           exec::unpack_half(copy, 0)};
  exec::number_cells(regions);
  return regions;
}

// Whether every rank finds in round after round what the rank before it sent, where launches store the
// messages into the memory of their receivers. The host waits at the end alone.
void pass_on_directly(Transport& transport, const Queue& queue, std::int64_t count) {
  constexpr int rounds = 6;
  const int n = world().size(), next = (world().rank() + 1) % n,
            before = (world().rank() + n - 1) % n;
  const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(double);
  const std::vector<Message> sends{{next, 0, bytes}}, receives{{before, 0, bytes}};
  const auto direct = transport.place(sends, receives);
  ASSERT_NE(direct, nullptr);
  const std::vector<exec::GhostTransfer> regions = both_ways(*direct, count);
  const memory::Buffer on_device(MemorySpace::device, 2 * sizeof regions[0]);
  copy_bytes(on_device.start(), regions.data(), on_device.bytes(), queue);
  const auto value = [](int rank, int round, std::int64_t i) {
    return 1e6 * rank + 1e3 * round + static_cast<double>(i % 997);
  };
  std::vector<memory::Buffer> registers;  // what is sent, then what arrives
  std::vector<double> values(static_cast<std::size_t>(count));
  for (int round = 0; round < rounds; ++round) {
    for (std::int64_t i = 0; i < count; ++i)
      values[static_cast<std::size_t>(i)] = value(world().rank(), round, i);
    registers.emplace_back(MemorySpace::device, 2 * bytes);
    copy_bytes(registers.back().start(), values.data(), bytes, queue);
    synchronize(queue);
  }
  for (const memory::Buffer& one : registers) {
    transport.start({}, nullptr, {}, nullptr, queue);
    exec::fill_ghosts(one.start(), direct->in, Precision::double_,
                      on_device.as<exec::GhostTransfer>(), 2, 2 * count, 1, exec::GhostAction::copy,
                      queue, direct->gate);
    transport.finish(queue);
  }
  Event end(queue);
  end.record(queue);
  transport.wait(end);
  for (int round = 0; round < rounds; ++round) {
    copy_bytes(values.data(), registers[static_cast<std::size_t>(round)].as<std::byte>() + bytes,
               bytes, queue);
    synchronize(queue);
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < count; ++i)
      wrong += values[static_cast<std::size_t>(i)] != value(before, round, i) ? 1 : 0;
    EXPECT_EQ(wrong, 0) << "round " << round << " of " << count << " values";
  }
}

TEST_F(OwnGpus, SendersPutMessagesIntoTheirPlace) {
  std::string why;
  const auto transport = stores_between(world(), why);
  if (transport == nullptr) GTEST_SKIP() << why;
  // Memory of a batch that was dropped is used again.
  for (const std::int64_t count : {3000001, 1, 5000, 400000})
    pass_on_directly(*transport, queue_, count);
  EXPECT_EQ(transport->place({}, {}), nullptr);
}

// Stages that store into two buffers of the next rank in turn, and read what the rank before has stored here: between them ranks only meet.
TEST_F(OwnGpus, BuffersOfOthersAreReached) {
  constexpr int rounds = 20;
  constexpr std::size_t count = 1 << 20, bytes = count * sizeof(double);
  const memory::Buffer here[2] = {{MemorySpace::device, memory::whole_granules(bytes)},
                                  {MemorySpace::device, memory::whole_granules(bytes)}};
  std::string why;
  const auto transport = stores_between(world(), why);
  if (transport == nullptr) GTEST_SKIP() << why;
  const int n = world().size(), next = (world().rank() + 1) % n,
            before = (world().rank() + n - 1) % n;
  std::vector<Message> met{{next, 0, 256}};
  if (before != next) met.push_back({before, 256, 256});
  const auto direct = transport->place(met, met);
  ASSERT_NE(direct, nullptr);
  void* const starts[2] = {here[0].start(), here[1].start()};
  EXPECT_EQ(transport->reach(starts, world().rank() != 0), nullptr);
  const FarBuffers* const far = transport->reach(starts, true);
  ASSERT_NE(far, nullptr);
  ASSERT_EQ(far->size(), 2u);
  EXPECT_EQ((*far)[1][static_cast<std::size_t>(world().rank())], nullptr);
  std::vector<memory::Buffer> sent, read;
  for (int round = 0; round < rounds; ++round) {
    const std::vector<double> values(count, 100.0 * round + world().rank());
    sent.emplace_back(MemorySpace::device, bytes);
    read.emplace_back(MemorySpace::device, bytes);
    copy_bytes(sent.back().start(), values.data(), bytes, queue_);
    synchronize(queue_);
  }
  for (std::size_t round = 0; round < rounds; ++round) {
    copy_bytes((*far)[round % 2][static_cast<std::size_t>(next)], sent[round].start(), bytes,
               queue_);
    exec::meet(direct->gate, queue_);
    copy_bytes(read[round].start(), here[round % 2].start(), bytes, queue_);
  }
  Event end(queue_);
  end.record(queue_);
  transport->wait(end);
  for (std::size_t round = 0; round < rounds; ++round) {
    std::vector<double> values(count);
    copy_bytes(values.data(), read[round].start(), bytes, queue_);
    synchronize(queue_);
    const double expected = 100.0 * static_cast<double>(round) + before;
    EXPECT_EQ(std::count(values.begin(), values.end(), expected), std::ptrdiff_t{count}) << round;
  }
}

TEST_F(OwnGpus, ASharedGpuHasNoNcclAndStoresWhereTheyAreAskedFor) {
  const bool last = world().rank() == world().size() - 1;
  const std::string name = choose_transport(world(), "auto", Backend::cuda, last)->name();
  EXPECT_NE(name, "nccl");
  EXPECT_NE(name, "peer");
  EXPECT_THROW(choose_transport(world(), "nccl", Backend::cuda, last), AgreedError);
  std::string why;
  if (stores_between(world(), why) != nullptr) {
    EXPECT_EQ(choose_transport(world(), "peer", Backend::cuda, last)->name(), "peer");
  }
}

// Every rank waits for messages that nobody sends: the wait must end, and so must the kernels that
// wait on the GPUs.
void wait_in_silence(const Queue& queue, std::unique_ptr<Transport> (*make)(Communicator&)) {
  const auto team = world().duplicate();
  std::unique_ptr<Transport> transport;
  try {
    transport = make(*team);
  } catch (const AgreedError& error) {
    GTEST_SKIP() << error.what();
  }
  test::exchange_rounds(*transport, *team, queue, 20, 4096, false);  // connects all pairs
  team->barrier();
  team->set_patience(1);
  const memory::Buffer in(MemorySpace::device, 4096);
  const int before = (team->rank() + team->size() - 1) % team->size();
  const Message one[1] = {{before, 0, in.bytes()}};
  transport->start({}, nullptr, one, in.start(), queue);
  transport->finish(queue);
  Event end(queue);
  end.record(queue);
  try {
    transport->wait(end);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::communication);
    const std::string rank = "rank " + std::to_string(team->rank()) + " of ";
    EXPECT_NE(std::string(error.what()).find(rank), std::string::npos) << error.what();
  }
  EXPECT_THROW(transport->start({}, nullptr, {}, nullptr, queue), Error);
  synchronize(queue);
  world().barrier();
}

TEST_F(OwnGpus, SilenceEndsTheWaitForNccl) {
  if (!nccl_everywhere()) GTEST_SKIP() << "no NCCL";
  wait_in_silence(queue_, make_nccl_transport);
}

TEST_F(OwnGpus, SilenceEndsTheWaitForStores) { wait_in_silence(queue_, make_peer_transport); }

TEST_F(OwnGpus, SilenceEndsTheWaitOfAGate) {
  const auto team = world().duplicate();
  std::string why;
  const auto transport = stores_between(*team, why);
  if (transport == nullptr) GTEST_SKIP() << why;
  const int n = team->size(), next = (team->rank() + 1) % n, before = (team->rank() + n - 1) % n;
  const auto direct =
      transport->place(std::vector<Message>{{next, 0, 8}}, std::vector<Message>{{before, 0, 8}});
  team->set_patience(1);
  exec::GhostTransfer arrives = both_ways(*direct, 1)[1];
  arrives.begin = 0;
  const memory::Buffer on_device(MemorySpace::device, sizeof arrives), to(MemorySpace::device, 16);
  copy_bytes(on_device.start(), &arrives, sizeof arrives, queue_);
  exec::fill_ghosts(to.start(), direct->in, Precision::double_, on_device.as<exec::GhostTransfer>(),
                    1, 1, 1, exec::GhostAction::copy, queue_, direct->gate);
  Event end(queue_);
  end.record(queue_);
  EXPECT_THROW(transport->wait(end), Error);
  synchronize(queue_);
  world().barrier();
}

}  // namespace
}  // namespace watersmeet::comm
