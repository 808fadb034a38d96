// Host messages between ranks that are threads, against values that tell from their place who sent
// them, and the refusals of the choice of a transport on a machine without a GPU.
#include "comm/transport.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "core/error.hpp"
#include "support/byte_messages.hpp"
#include "support/thread_team.hpp"

namespace watersmeet::comm {
namespace {

using test::byte_of;
using test::ThreadTeam;

// Sizes that all ranks can tell, some of them nothing, from a seed of the round.
std::vector<std::size_t> sizes_of(int ranks, int round) {
  std::mt19937 generator(static_cast<unsigned>(round) + 12345);
  std::vector<std::size_t> sizes;
  for (int pair = 0; pair < ranks * ranks; ++pair) {
    sizes.push_back(generator() % 4 == 0 ? 0 : generator() % 3000);
  }
  return sizes;
}

// Places of the messages with these peers, in this order, with gaps between them.
std::vector<Message> lay_out(const std::vector<int>& peers, const std::vector<std::size_t>& sizes,
                             std::size_t& end) {
  std::vector<Message> messages;
  end = 5;
  for (const int peer : peers) {
    messages.push_back({peer, end, sizes[static_cast<std::size_t>(peer)]});
    end += messages.back().size + 3;
  }
  return messages;
}

TEST(MessageTransport, RandomBatchesBetweenAllRanksInAnyOrder) {
  for (const int ranks : {1, 2, 3, 5}) {
    ThreadTeam::run(ranks, [ranks](Communicator& world) {
      const Queue queue;
      const auto transport = make_message_transport(world, Backend::cpu, false);
      EXPECT_EQ(transport->buffer_space(), MemorySpace::host);
      EXPECT_EQ(transport->name(), "mpi");
      const int me = world.rank();
      std::mt19937 generator(static_cast<unsigned>(me));  // each rank an order of its own
      for (int round = 0; round < 40; ++round) {
        const std::vector<std::size_t> all = sizes_of(ranks, round);
        std::vector<std::size_t> to, from;
        std::vector<int> peers(static_cast<std::size_t>(ranks));
        std::iota(peers.begin(), peers.end(), 0);
        for (const int p : peers) {
          to.push_back(all[static_cast<std::size_t>(me * ranks + p)]);
          from.push_back(all[static_cast<std::size_t>(p * ranks + me)]);
        }
        std::size_t out_end = 0, in_end = 0;
        std::shuffle(peers.begin(), peers.end(), generator);
        const std::vector<Message> sends = lay_out(peers, to, out_end);
        std::shuffle(peers.begin(), peers.end(), generator);
        const std::vector<Message> receives = lay_out(peers, from, in_end);
        std::vector<unsigned char> out(out_end), in(in_end, 0xee), expected = in;
        for (const Message& m : sends) {
          for (std::size_t b = 0; b < m.size; ++b) out[m.first + b] = byte_of(me, m.peer, round, b);
        }
        for (const Message& m : receives) {
          for (std::size_t b = 0; b < m.size; ++b) {
            expected[m.first + b] = byte_of(m.peer, me, round, b);
          }
        }
        transport->start(sends, out.data(), receives, in.data(), queue);
        transport->finish(queue);
        ASSERT_EQ(in, expected) << "rank " << me << " of " << ranks << ", round " << round;
      }
    });
  }
}

// Two ranks on a periodic axis: each is the other's neighbour on both sides. One message holds both
// faces, in the sender's order; were they two, a rank would take the upper one for the lower.
TEST(MessageTransport, TwoRanksOnAPeriodicAxisAreNeighboursTwice) {
  ThreadTeam::run(2, [](Communicator& world) {
    const Queue queue;
    const auto transport = make_message_transport(world, Backend::cpu, false);
    const int me = world.rank(), other = 1 - me;
    const Message one[1] = {{other, 0, 2 * sizeof(double)}};
    for (int round = 0; round < 20; ++round) {
      const double faces[2] = {10.0 * me + round, 10.0 * me + round + 0.5};  // lower, upper
      double arrived[2] = {-1, -1};
      transport->start(one, faces, one, arrived, queue);
      transport->finish(queue);
      EXPECT_EQ(arrived[0], 10.0 * other + round);
      EXPECT_EQ(arrived[1], 10.0 * other + round + 0.5);
    }
  });
}

TEST(MessageTransport, MessagesAreUnderWayFromStartOn) {
  ThreadTeam::run(2, [](Communicator& world) {
    const Queue queue;
    const auto transport = make_message_transport(world, Backend::cpu, false);
    world.set_patience(5);
    const auto other_means = world.duplicate();
    const int sent = 40 + world.rank();
    int received = 0;
    const Message one[1] = {{1 - world.rank(), 0, sizeof(int)}};
    transport->start(one, &sent, one, &received, queue);
    // Rank 1 gets what it waits for while rank 0 is between the two calls.
    if (world.rank() == 0) other_means->barrier();
    transport->finish(queue);
    if (world.rank() == 1) other_means->barrier();
    EXPECT_EQ(received, 41 - world.rank());
  });
}

TEST(MessageTransport, ManyRoundsAndReductions) {
  for (const int ranks : {1, 2, 4}) {
    ThreadTeam::run(ranks, [ranks](Communicator& world) {
      const Queue queue;
      const auto transport = make_message_transport(world, Backend::cpu, false);
      test::exchange_rounds(*transport, world, queue, 20, 4096, ranks == 1);
      test::reduce_extremes(*transport, world, queue);
    });
  }
}

TEST(MessageTransport, ASilentPeerIsAFaultThatNamesTheRank) {
  ThreadTeam::run(2, [](Communicator& world) {
    if (world.rank() == 1) return;  // never sends
    world.set_patience(0.1);
    const Queue queue;
    const auto transport = make_message_transport(world, Backend::cpu, false);
    int word = 7;
    const Message one[1] = {{1, 0, sizeof word}};
    transport->start({}, nullptr, one, &word, queue);
    try {
      transport->finish(queue);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::communication);
      EXPECT_NE(std::string(error.what()).find("rank 0 of 2"), std::string::npos) << error.what();
    }
    EXPECT_EQ(word, 7);
  });
}

TEST(MessageTransport, RefusesASecondBatchAndAReductionWithinOne) {
  const auto self = make_self();
  const Queue queue;
  const auto transport = make_message_transport(*self, Backend::cpu, false);
  EXPECT_THROW(transport->finish(queue), Error);
  transport->start({}, nullptr, {}, nullptr, queue);
  EXPECT_THROW(transport->start({}, nullptr, {}, nullptr, queue), Error);
  std::int64_t sums[1] = {1};
  EXPECT_THROW(transport->all_reduce({}, sums, queue), Error);
  transport->finish(queue);
  EXPECT_NO_THROW(transport->all_reduce({}, sums, queue));
  transport->wait(Event(queue));  // done at once
}

TEST(ChooseTransport, TakesHostMessagesOnACpu) {
  for (const int ranks : {1, 3}) {
    ThreadTeam::run(ranks, [](Communicator& world) {
      for (const char* choice : {"auto", "mpi"}) {
        EXPECT_EQ(choose_transport(world, choice, Backend::cpu, false)->name(), "mpi");
      }
    });
  }
}

std::string refusal(Communicator& world, const std::string& choice, Backend backend, bool shared,
                    ErrorKind kind) {
  try {
    choose_transport(world, choice, backend, shared);
  } catch (const AgreedError& error) {
    EXPECT_EQ(error.kind(), kind);
    return error.what();
  }
  ADD_FAILURE() << choice << " was not refused";
  return "";
}
bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ChooseTransport, RefusalsNameTheRankTheReasonAndWhatIsPossible) {
  ThreadTeam::run(3, [](Communicator& world) {
    for (const char* choice : {"nccl", "mpi-device", "peer"}) {
      const std::string text = refusal(world, choice, Backend::cpu, false, ErrorKind::unsupported);
      EXPECT_TRUE(says(text, std::string("\"") + choice + "\"")) << text;
      EXPECT_TRUE(says(text, "rank 0 of 3 computes on its CPU")) << text;
      EXPECT_TRUE(says(text, "\"auto\", \"mpi\"")) << text;
    }
    const std::string unknown =
        refusal(world, "carrier pigeon", Backend::cpu, false, ErrorKind::user_input);
    EXPECT_TRUE(says(unknown, "\"nccl\" and \"peer\"")) << unknown;
  });
}

// The ranks agree on the first that lacks something; a thread team is no MPI that moves device
// memory, so that host messages remain.
TEST(ChooseTransport, RanksOfDifferentMeansAgree) {
  ThreadTeam::run(3, [](Communicator& world) {
    const bool last = world.rank() == 2;
    const Backend mixed = last ? Backend::cpu : Backend::cuda;
    EXPECT_TRUE(says(refusal(world, "nccl", mixed, false, ErrorKind::unsupported),
                     "rank 2 of 3 computes on its CPU"));
    for (const char* choice : {"mpi-device", "peer"}) {
      EXPECT_TRUE(says(refusal(world, choice, mixed, false, ErrorKind::unsupported),
                       "rank 2 of 3 computes on its CPU"));
    }
    // Threads of one process do not open each other's memory.
    EXPECT_TRUE(says(refusal(world, "peer", Backend::cuda, last, ErrorKind::unsupported),
                     cuda_devices().empty() ? "rank 0 of 3 has no GPU" : "cannot reach"));
    EXPECT_TRUE(says(refusal(world, "mpi-device", Backend::cuda, false, ErrorKind::unsupported),
                     "rank 0 of 3 has no MPI that moves device memory"));
    std::string why;
    const bool nccl = nccl_available(why);
    EXPECT_EQ(nccl, why.empty());
    const std::string shared =
        refusal(world, "nccl", Backend::cuda, world.rank() > 0, ErrorKind::unsupported);
    EXPECT_TRUE(says(shared, nccl ? "rank 1 of 3 shares its GPU" : "rank 0 of 3 has no NCCL"))
        << shared;
    EXPECT_EQ(choose_transport(world, "auto", mixed, false)->name(), "mpi");
    EXPECT_EQ(choose_transport(world, "auto", Backend::cuda, true)->name(), "mpi");
  });
}

TEST(ChooseTransport, MakingNcclWithoutItSaysWhy) {
  std::string why;
  if (nccl_available(why)) GTEST_SKIP() << "this machine has NCCL";
  const auto self = make_self();
  try {
    make_nccl_transport(*self);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unsupported);
    EXPECT_TRUE(says(error.what(), why)) << error.what();
    EXPECT_FALSE(why.empty());
  }
  EXPECT_FALSE(mpi_moves_device_memory(*self));
}

}  // namespace
}  // namespace watersmeet::comm
