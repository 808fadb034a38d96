// The world of an MPI launch against sums and orders that follow from rank and size alone.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "support/parallel.hpp"

namespace watersmeet::comm {
namespace {

using test::world;

TEST(World, MessagesBetweenAllPairsArriveInTheOrderOfPosting) {
  const int size = world().size(), rank = world().rank();
  std::vector<int> sent, received(static_cast<std::size_t>(3 * size), -1);
  for (int r = 0; r < size; ++r) {
    for (int m = 0; m < 3; ++m) sent.push_back(1000 * rank + 10 * r + m);
  }
  std::vector<Outgoing> out;
  std::vector<Incoming> in;
  for (int r = 0; r < size; ++r) {
    for (int m = 0; m < 3; ++m) {
      const std::size_t at = static_cast<std::size_t>(3 * r + m);
      out.push_back({r, &sent[at], sizeof(int)});
      in.push_back({r, &received[at], sizeof(int)});
    }
  }
  world().exchange(out, in);
  for (int r = 0; r < size; ++r) {
    for (int m = 0; m < 3; ++m) {
      EXPECT_EQ(received[static_cast<std::size_t>(3 * r + m)], 1000 * r + 10 * rank + m);
    }
  }
}

TEST(World, CollectivesOnKnownNumbers) {
  const int size = world().size(), rank = world().rank();
  int word = rank == size - 1 ? 77 : 0;
  world().broadcast(&word, sizeof word, size - 1);
  EXPECT_EQ(word, 77);
  std::vector<int> all(static_cast<std::size_t>(size));
  world().all_gather(&rank, sizeof rank, all.data());
  for (int r = 0; r < size; ++r) EXPECT_EQ(all[static_cast<std::size_t>(r)], r);
  // Words with and without the highest bit, which some MPIs take for a sign.
  std::uint64_t largest[4] = {static_cast<std::uint64_t>(rank), ~std::uint64_t{0} - 5,
                              rank == 0 ? std::uint64_t{1} << 63 : 3,
                              rank == size - 1 ? ~std::uint64_t{0} : 1};
  world().all_reduce_max(std::span<std::uint64_t>(largest));
  EXPECT_EQ(largest[0], static_cast<std::uint64_t>(size - 1));
  EXPECT_EQ(largest[1], ~std::uint64_t{0} - 5);
  EXPECT_EQ(largest[2], std::uint64_t{1} << 63);
  EXPECT_EQ(largest[3], ~std::uint64_t{0});
  std::int64_t sum[1] = {rank - 1};
  world().all_reduce_sum(std::span<std::int64_t>(sum));
  EXPECT_EQ(sum[0], std::int64_t{size} * (size - 1) / 2 - size);
  std::uint32_t bits[1] = {1u << rank};
  world().all_reduce_xor(std::span<std::uint32_t>(bits));
  EXPECT_EQ(bits[0], (1u << size) - 1);
}

TEST(World, MaximumOfDoublesOrdersNegativeNumbersAndKeepsNaN) {
  const int size = world().size(), rank = world().rank();
  const double nan = std::nan("");
  double values[6] = {-1.0 - rank,   -0.0,           rank == 0 ? nan : 5.0,
                      1e-300 * rank, 1.0 - 2 * rank, rank == 0 ? -nan : 5.0};
  world().all_reduce_max(std::span<double>(values));
  EXPECT_EQ(values[0], -1.0);
  EXPECT_EQ(values[1], 0.0);
  EXPECT_TRUE(std::isnan(values[2]));
  EXPECT_EQ(values[3], 1e-300 * (size - 1));
  EXPECT_EQ(values[4], 1.0);  // others are negative
  EXPECT_TRUE(std::isnan(values[5]));
}

TEST(World, SubsetsKeepTheOrder) {
  const int rank = world().rank();
  const auto odd = world().subset(rank % 2 == 1);
  EXPECT_EQ(odd != nullptr, rank % 2 == 1);
  if (odd) {
    EXPECT_EQ(odd->rank(), rank / 2);
    EXPECT_EQ(odd->size(), world().size() / 2);
  }
  const auto again = world().duplicate();
  EXPECT_EQ(again->rank(), rank);
  again->barrier();
}

TEST(World, AFaultOfOneRankIsThrownByAllWithItsText) {
  const int last = world().size() - 1;
  for (const int culprit : {0, last}) {
    try {
      agree(world(), [&] {
        if (world().rank() == culprit) throw Error(ErrorKind::io, "the disk is full");
      });
      FAIL() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::io);
      EXPECT_NE(std::string(error.what()).find("the disk is full"), std::string::npos);
      if (world().size() > 1) {
        EXPECT_EQ(std::string(error.what()).find("rank " + std::to_string(culprit)), 0u);
      }
    }
  }
  EXPECT_NO_THROW(agree(world(), [] {}));
}

TEST(World, ASilentPeerEndsTheWait) {
  if (world().size() < 2) GTEST_SKIP() << "needs two ranks";
  const auto team = world().duplicate();
  team->set_patience(0.2);
  if (world().rank() == 0) {
    int word = 0;
    const Incoming in[1] = {{1, &word, sizeof word}};
    try {
      team->exchange({}, in);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const SilentPeer& error) {
      // Those in the barrier wait as well, and answer.
      EXPECT_NE(std::string(error.what()).find("; rank 1 was lost, or does not respond"),
                std::string::npos)
          << error.what();
    }
    world().barrier();
    team->finish();  // the message comes after all
    EXPECT_EQ(word, 5);
  } else {
    // Longer than rank 0 waits, and then for answers.
    if (world().rank() == 1) std::this_thread::sleep_for(std::chrono::seconds(3));
    world().barrier();
    const int word = 5;
    const Outgoing out[1] = {{0, &word, sizeof word}};
    if (world().rank() == 1) team->exchange(out, {});
  }
}

TEST(World, LocalityCountsTheRanksOfThisHost) {
  const Locality l = find_locality(world());
  EXPECT_EQ(l.local_size, world().size());
  EXPECT_EQ(l.local_rank, world().rank());
  EXPECT_EQ(l.hosts, 1);
  EXPECT_GE(l.threads, 1);
}

}  // namespace
}  // namespace watersmeet::comm
