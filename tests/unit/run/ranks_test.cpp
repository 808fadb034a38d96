// What ranks tell each other for output: an array of all on the first, a text of the first on all,
// and wishes to stop.
#include "launch/ranks.hpp"

#include <signal.h>
#include <stdlib.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <thread>

#include "io/gather.hpp"
#include "run/stop_requests.hpp"
#include "support/shared_files.hpp"
#include "support/temporary.hpp"
#include "support/thread_team.hpp"

namespace watersmeet::run {
namespace {

using test::ThreadTeam;

TEST(GatherBox, TheFirstRankHasEveryCellInItsPlace) {
  const Index3 n{7, 6, 11};
  for (const int ranks : {1, 2, 3, 8}) {
    for (const std::vector<Box>& boxes : test::partitions(n, ranks)) {
      ThreadTeam::run(ranks, [&](comm::Communicator& team) {
        const Box& box = boxes[static_cast<std::size_t>(team.rank())];
        std::vector<std::int32_t> mine;  // the number of each cell in the whole
        for (std::int64_t k = box.lower[2]; k < box.upper[2]; ++k)
          for (std::int64_t j = box.lower[1]; j < box.upper[1]; ++j)
            for (std::int64_t i = box.lower[0]; i < box.upper[0]; ++i)
              mine.push_back(static_cast<std::int32_t>((k * n[1] + j) * n[0] + i));
        const std::vector<char> whole =
            io::gather_box({&team, n, box}, mine.data(), sizeof(std::int32_t));
        if (team.rank() != 0) {
          EXPECT_TRUE(whole.empty());
          return;
        }
        std::vector<std::int32_t> all(whole.size() / sizeof(std::int32_t));
        std::memcpy(all.data(), whole.data(), whole.size());
        ASSERT_EQ(all.size(), 7u * 6u * 11u);
        for (std::size_t c = 0; c < all.size(); ++c) {
          ASSERT_EQ(all[c], static_cast<std::int32_t>(c));
        }
      });
    }
  }
}

TEST(GatherBox, OneProcessHasItAll) {
  const double values[6] = {1, 2, 3, 4, 5, 6};
  const std::vector<char> whole =
      io::gather_box(io::whole_share({3, 2, 1}), values, sizeof(double));
  ASSERT_EQ(whole.size(), sizeof values);
  EXPECT_EQ(std::memcmp(whole.data(), values, sizeof values), 0);
}

TEST(BroadcastText, IsThatOfTheFirstRankWhateverItsLength) {
  for (const std::string& text :
       {std::string("runs/case-001"), std::string(), std::string("a\0b", 3)}) {
    ThreadTeam::run(3, [&](comm::Communicator& ranks) {
      const std::string mine = ranks.rank() == 0 ? text : "of rank " + std::to_string(ranks.rank());
      EXPECT_EQ(comm::broadcast_text(ranks, mine), text);
    });
  }
}

class Wishes : public Folder {
 protected:
  Wishes() { unsetenv("SLURM_JOB_END_TIME"); }
};

TEST_F(Wishes, SignalsHaveNumbersOfTheirOwn) {
  StopRequests requests(folder, 0);
  const std::pair<int, std::uint64_t> expected[] = {{SIGTERM, stop_request::terminate},
                                                    {SIGUSR1, stop_request::user_signal},
                                                    {SIGINT, stop_request::interrupt}};
  for (const auto& [number, expected_request] : expected) {
    const SignalWatch watch;
    EXPECT_EQ(requests.request(), stop_request::none);
    raise(number);
    EXPECT_EQ(requests.request(), expected_request);
    EXPECT_EQ(requests.request(), expected_request) << "a request stays";
  }
  // The largest of all ranks is reported: a second Ctrl-C must find the first one reported.
  EXPECT_GT(stop_request::interrupt, stop_request::terminate);
  EXPECT_EQ(reason_of(stop_request::none), "");
  const std::set<std::string> reasons = {
      reason_of(stop_request::stop_file),   reason_of(stop_request::wall_clock),
      reason_of(stop_request::user_signal), reason_of(stop_request::terminate),
      reason_of(stop_request::interrupt),   reason_of(stop_request::none)};
  EXPECT_EQ(reasons.size(), 6u);
}

TEST_F(Wishes, TheFileIsFoundByTheRankThatLooks) {
  const SignalWatch watch;
  StopRequests first(folder, 0), other(folder, 0, false);
  put_bytes(in("STOP"), "");
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  EXPECT_EQ(other.request(), stop_request::none);
  EXPECT_EQ(names(), std::vector<std::string>{"STOP"});
  EXPECT_EQ(first.request(), stop_request::stop_file);
  EXPECT_TRUE(names().empty()) << "a later run must not find it";
  EXPECT_EQ(first.request(), stop_request::stop_file);
}

TEST_F(Wishes, TheLimitLeavesRoomForTwoCheckpoints) {
  const SignalWatch watch;
  StopRequests requests(folder, 1000);  // a minute is kept for the last one
  EXPECT_EQ(requests.request(), stop_request::none);
  requests.set_checkpoint_seconds(460);
  EXPECT_EQ(requests.request(), stop_request::none);
  requests.set_checkpoint_seconds(480);
  EXPECT_EQ(requests.request(), stop_request::wall_clock);
  StopRequests endless(folder, 0);
  endless.set_checkpoint_seconds(1e9);
  EXPECT_EQ(endless.request(), stop_request::none);
}

}  // namespace
}  // namespace watersmeet::run
