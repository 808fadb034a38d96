// Where ranks are, and one end for all of them when some fail; ranks are threads.
#include "comm/communicator.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "support/thread_team.hpp"

namespace watersmeet::comm {
namespace {

using test::ThreadTeam;

// The processors that this thread may use.
std::vector<int> own_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  EXPECT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
  std::vector<int> found;
  for (int p = 0; p < CPU_SETSIZE; ++p) {
    if (CPU_ISSET(static_cast<std::size_t>(p), &set)) found.push_back(p);
  }
  return found;
}

TEST(Locality, RanksOfOneHostShareItsProcessors) {
  const int processors = static_cast<int>(own_processors().size());
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  for (const int ranks : {1, 2, 3, 5}) {
    ThreadTeam::run(ranks, [&](Communicator& world) {
      const Locality place = find_locality(world);
      EXPECT_EQ(place.local_rank, world.rank());
      EXPECT_EQ(place.local_size, ranks);
      EXPECT_EQ(place.host, 0);
      EXPECT_EQ(place.hosts, 1);
      EXPECT_EQ(place.threads, std::max(1, processors / ranks));
      EXPECT_EQ(place.host_name, host);
    });
  }
}

TEST(Locality, ProcessorsOfAnotherRankAreNotShared) {
  const std::vector<int> processors = own_processors();
  if (processors.size() < 2) GTEST_SKIP() << "needs two processors";
  ThreadTeam::run(3, [&](Communicator& world) {
    if (world.rank() == 1) {  // bound by its launcher
      cpu_set_t one;
      CPU_ZERO(&one);
      CPU_SET(static_cast<std::size_t>(processors[0]), &one);
      ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    }
    const int mine = find_locality(world).threads;
    EXPECT_EQ(mine, world.rank() == 1 ? 1 : static_cast<int>(processors.size()) / 2);
  });
}

// Ranks 1 and 2 of four call themselves another host, each thread with a name of its own.
TEST(Locality, HostsAreNumberedByTheirFirstRank) {
  std::vector<int> renamed(4, 1);
  std::vector<Locality> places(4);
  ThreadTeam::run(4, [&](Communicator& world) {
    const auto rank = static_cast<std::size_t>(world.rank());
    const std::string name = rank == 1 || rank == 2 ? "second" : "first";
    if (unshare(CLONE_NEWUTS) != 0 || sethostname(name.data(), name.size()) != 0) renamed[rank] = 0;
    places[rank] = find_locality(world);
  });
  if (std::count(renamed.begin(), renamed.end(), 1) != 4) GTEST_SKIP() << "needs root";
  const int hosts[4] = {0, 1, 1, 0}, local_ranks[4] = {0, 0, 1, 1};
  for (std::size_t r = 0; r < 4; ++r) {
    EXPECT_EQ(places[r].hosts, 2);
    EXPECT_EQ(places[r].host, hosts[r]);
    EXPECT_EQ(places[r].local_rank, local_ranks[r]);
    EXPECT_EQ(places[r].local_size, 2);
    EXPECT_EQ(places[r].host_name, hosts[r] == 0 ? "first" : "second");
  }
}

// What every rank of `ranks` throws out of agree(), which must be the same on all; empty: nothing.
struct Thrown {
  std::string text;
  ErrorKind kind = ErrorKind::internal;
  bool agreed = false;
  std::string json = {};
};
Thrown thrown_by_all(int ranks, const std::function<void(Communicator&)>& work) {
  std::vector<Thrown> all(static_cast<std::size_t>(ranks));
  ThreadTeam::run(ranks, [&](Communicator& world) {
    Thrown& mine = all[static_cast<std::size_t>(world.rank())];
    try {
      agree(world, [&] { work(world); });
    } catch (const Error& error) {
      mine = {error.what(), error.kind(), dynamic_cast<const AgreedError*>(&error) != nullptr,
              error.json()};
    }
    world.barrier();  // nobody is left inside
  });
  for (const Thrown& one : all) {
    EXPECT_EQ(one.text, all[0].text);
    EXPECT_EQ(one.kind, all[0].kind);
    EXPECT_EQ(one.agreed, all[0].agreed);
    EXPECT_EQ(one.json, all[0].json);
  }
  return all[0];
}

TEST(Agree, NothingIsThrownWhereNobodyFails) {
  EXPECT_EQ(thrown_by_all(3, [](Communicator&) {}).text, "");
}

TEST(Agree, TheFirstRankThatFailsIsNamed) {
  const Thrown fault = thrown_by_all(4, [](Communicator& world) {
    if (world.rank() == 1) throw Error(ErrorKind::io, "no space");
    if (world.rank() == 3) throw Error(ErrorKind::diverged, "not a number");
  });
  EXPECT_EQ(fault.text, "rank 1 of 4: no space");
  EXPECT_EQ(fault.kind, ErrorKind::io);
  EXPECT_TRUE(fault.agreed);
}

TEST(Agree, AFaultOfAllRanksNamesNone) {
  const Thrown fault = thrown_by_all(
      3, [](Communicator&) { throw Error(ErrorKind::user_input, "time.cfl is negative"); });
  EXPECT_EQ(fault.text, "time.cfl is negative");
  EXPECT_EQ(fault.kind, ErrorKind::user_input);
  EXPECT_TRUE(fault.agreed);
}

TEST(Agree, AFaultWithAPlaceInTheCaseNamesNoRankAndKeepsItsJson) {
  const Thrown fault = thrown_by_all(3, [](Communicator& world) {
    if (world.rank() == 0) return;
    const std::string rank = std::to_string(world.rank());
    throw Error(ErrorKind::user_input, "error[range]: density in cell " + rank, "[" + rank + "]");
  });
  EXPECT_EQ(fault.text, "error[range]: density in cell 1");
  EXPECT_EQ(fault.json, "[1]");
  EXPECT_TRUE(fault.agreed);
}

TEST(Agree, TextsOfOneLengthAreToldApart) {
  const Thrown fault = thrown_by_all(3, [](Communicator& world) {
    throw Error(ErrorKind::io, "disk " + std::to_string(world.rank()) + " is full");
  });
  EXPECT_EQ(fault.text, "rank 0 of 3: disk 0 is full");
}

TEST(Agree, OtherExceptionsAreInternalFaults) {
  const Thrown fault = thrown_by_all(2, [](Communicator& world) {
    if (world.rank() == 1) throw std::runtime_error("odd");
  });
  EXPECT_EQ(fault.text, "rank 1 of 2: odd");
  EXPECT_EQ(fault.kind, ErrorKind::internal);
}

TEST(Agree, WhatIsAgreedInsideIsNotNamedTwice) {
  const Thrown fault = thrown_by_all(3, [](Communicator& world) {
    agree(world, [&] {
      if (world.rank() == 2) throw Error(ErrorKind::resource, "no memory");
    });
  });
  EXPECT_EQ(fault.text, "rank 2 of 3: no memory");
  EXPECT_EQ(fault.kind, ErrorKind::resource);
}

TEST(Agree, OneRankKeepsItsOwnError) {
  const Thrown fault =
      thrown_by_all(1, [](Communicator&) { throw Error(ErrorKind::device, "no answer"); });
  EXPECT_EQ(fault.text, "no answer");
  EXPECT_EQ(fault.kind, ErrorKind::device);
}

}  // namespace
}  // namespace watersmeet::comm
