// Parts of the grid that are corrected during a run: when, and that no number depends on it. Ranks are threads.
#include "run/balance.hpp"

#include <chrono>
#include <cstdlib>
#include <thread>

#include "io/checkpoint.hpp"
#include "run/fit.hpp"
#include "support/repeated_steps.hpp"
#include "support/temporary.hpp"
#include "support/thread_team.hpp"

namespace watersmeet::run {
namespace {

using test::SmallCase;
using test::ThreadTeam;

TEST(PartGained, IsOfTheWholeStep) {
  const BalanceWindow window{{1.0, 3.0}, 4.0};
  const std::vector<std::int64_t> equal = {10, 10}, better = {15, 5}, worse = {5, 15};
  EXPECT_DOUBLE_EQ(part_gained(window, equal, equal), 0);
  EXPECT_DOUBLE_EQ(part_gained(window, equal, better), 1.5 / 4);
  EXPECT_DOUBLE_EQ(part_gained(window, equal, worse), -1.5 / 4);
}

// Two ranks, of which the second takes longer by so many milliseconds a window, or the first one where the number is negative; windows are of
// four steps. The number of the window that brings a correction, counted from 1, or 0; `look` sees the correction.
struct Rest {
  double steps_left = 1000, seconds_left = 1e9, cost = 0;
};
int corrected_after(const std::vector<int>& later, const std::vector<std::string>& set = {},
                    const Rest& rest = {},
                    const std::function<void(const Balance::Correction&)>& look = {}) {
  SmallCase c{"forced-turbulence/quick", {"grid.cells=[8,8,24]", "device.balance_window=1e-9"}};
  c.set.insert(c.set.end(), set.begin(), set.end());
  int found = 0;
  ThreadTeam::run(2, [&](comm::Communicator& world) {
    Case loaded = test::load_small(c, "cpu", 0);
    Placement placement = place_case(loaded, world);
    Engine engine(std::move(loaded), std::move(placement));
    Balance balance(engine);
    for (std::size_t w = 0; w < later.size(); ++w) {
      if (balance.next_step() > 1000) return;
      balance.measure([&] {
        engine.advance(1e300, balance.next_step());
        if (world.rank() == (later[w] > 0 ? 1 : 0))
          std::this_thread::sleep_for(std::chrono::milliseconds(std::abs(later[w])));
        engine.team().communicator().barrier();
      });
      ASSERT_TRUE(balance.due());
      const auto correction = balance.end_window(rest.steps_left, rest.seconds_left, rest.cost);
      if (!correction) continue;
      if (world.rank() != 0) return;
      found = static_cast<int>(w) + 1;
      if (look) look(*correction);
      return;
    }
  });
  return found;
}

TEST(Balance, CorrectsWhatTwoWindowsShow) {
  const auto look = [](const Balance::Correction& found) {
    const std::vector<std::int64_t> cells = cells_of_ranks(found.shares, 2);
    EXPECT_EQ(cells[0] + cells[1], 8 * 8 * 24);
    EXPECT_GT(cells[0], cells[1]);
    EXPECT_GT(found.gain, Balance::least_gain);
    EXPECT_LT(found.gain, 1);
  };
  EXPECT_EQ(corrected_after({100, 100, 100, 100}, {}, {}, look), 3);
}

TEST(Balance, LeavesWhatDoesNotLast) {
  // A window in which both take as long may show anything where other programs run.
  EXPECT_EQ(corrected_after({100, 100, -100, 100}), 0);
  // The first window counts for nothing.
  EXPECT_EQ(corrected_after({100, 100}), 0);
}

TEST(Balance, LeavesWhatTheUserGave) {
  const std::vector<int> slow(4, 100);
  EXPECT_EQ(corrected_after(slow, {"device.weights=[1,1]"}), 0);
  EXPECT_EQ(corrected_after(slow, {"device.balance_window=0"}), 0);
}

TEST(Balance, LeavesTheEndOfARun) {
  const std::vector<int> slow(4, 100);
  EXPECT_EQ(corrected_after(slow, {}, {.steps_left = 3}), 0);
  EXPECT_EQ(corrected_after(slow, {}, {.seconds_left = 0.001, .cost = 0.01}), 0);
  EXPECT_EQ(corrected_after(slow, {}, {.cost = 1000}), 0);
  EXPECT_EQ(corrected_after(slow, {}, {.cost = 1}), 3);
}

class Division : public Folder {
 protected:
  // The variables of the whole after seven steps, of ranks with other parts after the third one.
  std::vector<std::vector<double>> divided(const SmallCase& c, int ranks) {
    std::vector<std::vector<double>> whole;
    ThreadTeam::run(ranks, [&](comm::Communicator& world) {
      Case loaded = test::load_small(c, "cpu", 0);
      Placement placement = place_case(loaded, world);
      Engine engine(std::move(loaded), std::move(placement));
      engine.series();
      engine.advance(1e300, 3);
      std::vector<std::vector<char>> storage;
      const std::string path = in("checkpoint.h5");
      io::write_checkpoint(path, engine.make_checkpoint(storage), {}, engine.share(&world));
      std::vector<double> speeds(static_cast<std::size_t>(ranks), 1e-9);
      speeds.back() = 1e-8;
      const std::vector<std::int64_t> before = cells_of_ranks(engine.placement().shares, ranks);
      mesh::Shares shares = engine.shares_by_speed(speeds);
      EXPECT_NE(cells_of_ranks(shares, ranks), before);
      Engine::Division division = engine.divide(std::move(shares));
      EXPECT_EQ(cells_of_ranks(engine.placement().shares, ranks), before);
      io::CheckpointReader reader(path, &world);
      engine.go_on(std::move(division), reader);
      EXPECT_EQ(engine.advance(1e300, 7), AdvanceEnd::steps_reached);
      EXPECT_EQ(engine.steps_done(), 7);
      engine.series();
      io::write_checkpoint(path, engine.make_checkpoint(storage), {}, engine.share(&world));
      if (world.rank() != 0) return;
      io::CheckpointReader end(path);
      for (const Variable& v : engine.system().variables()) {
        whole.emplace_back(static_cast<std::size_t>(engine.points()));
        end.read(v.name, Precision::double_, whole.back().data());
      }
    });
    return whole;
  }
};

TEST_F(Division, DoesNotChangeTheSolution) {
  std::vector<SmallCase> cases = test::small_cases();
  cases.push_back({"forced-turbulence/quick",
                   {"grid.cells=[12,30,61]", "time.dt=0.01", "device.memory=\"stream\"",
                    "stream.segments=4", "stream.fused_steps=1"}});
  for (const SmallCase& c : cases) {
    SCOPED_TRACE(c.example + " " + c.set.back());
    Engine plain(test::load_small(c, "cpu", 0));
    if (plain.system().grid().blocks) continue;  // ranks have whole blocks
    plain.series();
    plain.advance(1e300, 7);
    const auto alone = test::all_variables(plain), several = divided(c, 2);
    if (c.example != "rayleigh-benard/quick") {
      EXPECT_EQ(several, alone);
      continue;
    }
    // Columns of the pressure are cut.
    for (std::size_t v = 0; v < alone.size(); ++v) {
      for (std::size_t i = 0; i < alone[v].size(); ++i)
        ASSERT_NEAR(several[v][i], alone[v][i], 1e-11);
    }
  }
}

TEST_F(Division, IsRefusedBeforeAnythingIsChanged) {
  const SmallCase c{"forced-turbulence/quick", {"grid.cells=[12,10,16]"}};
  ThreadTeam::run(2, [&](comm::Communicator& world) {
    Case loaded = test::load_small(c, "cpu", 0);
    Placement placement = place_case(loaded, world);
    placement.device.free_bytes = working_bytes(*loaded.system, {12, 10, 8}, 0) * 11 / 10;
    Engine engine(std::move(loaded), std::move(placement));
    const std::vector<std::int64_t> before = cells_of_ranks(engine.placement().shares, 2);
    try {
      engine.divide(engine.shares_by_speed({1e-9, 1e-8}));
      ADD_FAILURE() << "there is no room for thirteen planes";
    } catch (const comm::AgreedError& error) {
      EXPECT_EQ(error.kind(), ErrorKind::resource) << error.what();
    }
    EXPECT_EQ(cells_of_ranks(engine.placement().shares, 2), before);
    EXPECT_EQ(engine.advance(1e300, 2), AdvanceEnd::steps_reached);
  });
}

}  // namespace
}  // namespace watersmeet::run
