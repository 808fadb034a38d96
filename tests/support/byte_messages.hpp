#pragma once
// Rounds of messages between all ranks, queued one behind the other as time steps queue them, whose
// bytes tell sender, receiver and round.

#include <gtest/gtest.h>
#include <cstdint>

#include <random>
#include <vector>

#include "comm/transport.hpp"
#include "memory/buffer.hpp"

namespace watersmeet::test {

inline unsigned char byte_of(int from, int to, int round, std::size_t b) {
  const std::size_t h = (b + 1) * 2654435761u + static_cast<std::size_t>(from * 977 + to * 131) +
                        static_cast<std::size_t>(round) * 7919;
  return static_cast<unsigned char>(h ^ (h >> 13));
}

// Size of the message from one rank to another; some are empty. Aligned, as packed numbers are.
inline std::size_t size_of_message(int from, int to, int round, std::size_t largest) {
  std::mt19937 generator(static_cast<unsigned>(round * 10007 + from * 101 + to));
  generator.discard(5);
  return generator() % 4 == 0 ? 0 : generator() % (largest / 8) * 8;
}

// The host never waits between rounds for anything but the transport itself: each round's `out` is
// filled and its `in` read by work of the queue, right behind that of the round before. With
// `to_self` a rank also sends to itself.
inline void exchange_rounds(comm::Transport& transport, const comm::Communicator& world,
                            const Queue& queue, int rounds, std::size_t largest, bool to_self) {
  const int me = world.rank();
  const std::size_t capacity = static_cast<std::size_t>(world.size()) * (largest + 8);
  const memory::Buffer out(transport.buffer_space(), capacity);
  const memory::Buffer in(transport.buffer_space(), capacity);
  const MemorySpace working = memory::working_space(queue.backend);
  std::vector<memory::Buffer> prepared, arrived;
  std::vector<std::vector<unsigned char>> expected;
  std::vector<unsigned char> bytes(capacity);
  std::vector<std::vector<comm::Message>> sends, receives;
  for (int round = 0; round < rounds; ++round) {
    prepared.emplace_back(working, capacity);
    arrived.emplace_back(working, capacity);
    expected.emplace_back(capacity, static_cast<unsigned char>(round));
    sends.emplace_back();
    receives.emplace_back();
    std::size_t send_at = 0, receive_at = 8;
    for (int p = 0; p < world.size(); ++p) {
      if (p == me && !to_self) continue;
      const comm::Message s{p, send_at, size_of_message(me, p, round, largest)};
      const comm::Message r{p, receive_at, size_of_message(p, me, round, largest)};
      for (std::size_t b = 0; b < s.size; ++b) {
        bytes[s.first + b] = byte_of(me, p, round, b);
      }
      for (std::size_t b = 0; b < r.size; ++b) {
        expected.back()[r.first + b] = byte_of(p, me, round, b);
      }
      send_at += s.size;
      receive_at += r.size;
      sends.back().push_back(s);
      receives.back().push_back(r);
    }
    copy_bytes(prepared.back().start(), bytes.data(), capacity, queue);
    synchronize(queue);
  }
  for (std::size_t round = 0; round < prepared.size(); ++round) {
    fill_bytes(in.start(), static_cast<int>(round), capacity, queue);
    copy_bytes(out.start(), prepared[round].start(), capacity, queue);
    transport.start(sends[round], out.start(), receives[round], in.start(), queue);
    transport.finish(queue);
    copy_bytes(arrived[round].start(), in.start(), capacity, queue);
  }
  Event end(queue);
  end.record(queue);
  transport.wait(end);
  for (std::size_t round = 0; round < prepared.size(); ++round) {
    copy_bytes(bytes.data(), arrived[round].start(), capacity, queue);
    synchronize(queue);
    ASSERT_TRUE(bytes == expected[round])
        << transport.name() << ", rank " << me << " of " << world.size() << ", round " << round;
  }
}

// Words in working memory, three reductions queued one behind the other.
inline void reduce_extremes(comm::Transport& transport, const comm::Communicator& world,
                            const Queue& queue) {
  const std::int64_t ranks = world.size(), me = world.rank();
  const std::int64_t large = std::int64_t{1} << 58, pairs = ranks * (ranks - 1) / 2;
  const std::uint64_t maxima[3] = {me == ranks - 1 ? ~std::uint64_t{0} : 0,
                                   (std::uint64_t{1} << 63) + static_cast<std::uint64_t>(me),
                                   static_cast<std::uint64_t>(100 - me)};
  const std::int64_t sums[4] = {-1000 - me, me == 0 ? -large : 0, me % 2 == 0 ? large : -large, me};
  const memory::Buffer words(memory::working_space(queue.backend), sizeof maxima + sizeof sums);
  const std::span device_maxima(words.as<std::uint64_t>(), 3);
  const std::span device_sums(words.as<std::int64_t>() + 3, 4);
  copy_bytes(device_maxima.data(), maxima, sizeof maxima, queue);
  copy_bytes(device_sums.data(), sums, sizeof sums, queue);
  transport.all_reduce(device_maxima, device_sums, queue);
  transport.all_reduce(device_maxima, {}, queue);           // changes nothing
  transport.all_reduce({}, device_sums.subspan(3), queue);  // times the number of ranks
  std::uint64_t max_found[3];
  std::int64_t sum_found[4];
  copy_bytes(max_found, device_maxima.data(), sizeof max_found, queue);
  copy_bytes(sum_found, device_sums.data(), sizeof sum_found, queue);
  Event end(queue);
  end.record(queue);
  transport.wait(end);
  EXPECT_EQ(max_found[0], ~std::uint64_t{0}) << transport.name();
  EXPECT_EQ(max_found[1], (std::uint64_t{1} << 63) + static_cast<std::uint64_t>(ranks - 1));
  EXPECT_EQ(max_found[2], 100u);
  EXPECT_EQ(sum_found[0], -1000 * ranks - pairs) << transport.name();
  EXPECT_EQ(sum_found[1], -large);
  EXPECT_EQ(sum_found[2], ranks % 2 == 0 ? 0 : large);
  EXPECT_EQ(sum_found[3], pairs * ranks);
}

}  // namespace watersmeet::test
