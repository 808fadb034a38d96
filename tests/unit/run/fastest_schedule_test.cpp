// Which schedules device.schedule = "measured" tries, which it takes, and what it remembers.
#include "run/fastest_schedule.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

namespace watersmeet::run {
namespace {

using systems::schedule_choices;
using systems::ScheduleChoice;

std::vector<std::string> names_of(const std::string& system) {
  std::vector<std::string> names;
  for (const ScheduleChoice& choice : schedule_choices(system)) names.push_back(choice.name);
  return names;
}

TEST(FastestSchedule, TriesMarchesAndTunedLaunchesAnAxis) {
  const std::vector<std::string> depots = {"tuned", "shared", "shared-halo", "shuffle",
                                           "shuffle-halo"};
  std::vector<std::string> water = {"march"}, air = {"sweeps", "tile"};
  water.insert(water.end(), depots.begin(), depots.end());
  air.insert(air.end(), depots.begin(), depots.end());
  EXPECT_EQ(names_of("shallow_water"), water);
  EXPECT_EQ(names_of("atmosphere"), air);
}

TEST(FastestSchedule, AsksByKeysThatACaseUnderstands) {
  for (const ScheduleChoice& choice : schedule_choices("shallow_water")) {
    const Case loaded = load_case_text(
        "[case]\nsystem = \"shallow_water\"\n[grid]\ncells = [8, 8, 1]\n[time]\nsteps = 1\n"
        "[[initial]]\nsurface = 1\n[boundary]\nx = \"periodic\"\ny = \"periodic\"\n",
        "case", {"cpu", "double", 1, choice.keys, -1});
    EXPECT_EQ(loaded.input.text("device.schedule"), choice.name == "march" ? "march" : "axes");
    EXPECT_EQ(loaded.input.boolean("device.halo_threads"),
              choice.name.find("-halo") != std::string::npos);
  }
}

TEST(FastestSchedule, TakesTheFastestThatServes) {
  const std::vector<ScheduleChoice> choices = {{"a", {}}, {"b", {}}, {"c", {}}};
  std::map<std::string, double> seconds = {{"a", 2.0}, {"b", -1.0}, {"c", 1.5}};
  const auto time = [&](const ScheduleChoice& choice) { return seconds.at(choice.name); };
  EXPECT_EQ(fastest_of(choices, time), "c");
  seconds["c"] = 2.5;
  EXPECT_EQ(fastest_of(choices, time), "a");
  seconds["a"] = seconds["c"] = -1;
  EXPECT_EQ(fastest_of(choices, time), "auto");
}

// A list of levels is one of the case: on a grid with fewer levels the case would be none.
TEST(FastestSchedule, TrialsKeepTheLevelsThatACaseLists) {
  std::string faces = "[0";
  for (int k = 1; k <= 640; ++k) faces += "," + std::to_string(k * 10 + k * k / 64);
  const std::string levels[] = {"upper = [1e4, 1e4, 12800]\n",
                                "upper = [1e4, 1e4, 12800]\nz_faces = " + faces + "]\n"};
  for (const bool listed : {false, true}) {
    const std::string text =
        "[case]\nsystem = \"atmosphere\"\n[time]\nsteps = 1\n"
        "[physics]\nreference = { kind = \"isothermal\", temperature = 280 }\n"
        "[grid]\ncells = [200, 100, 640]\n" +
        levels[listed];
    const Case loaded = load_case_text(text, "case", {"cpu", "double", 1, {}, -1});
    // The part of a rank is cut between levels as well.
    const Index3 cells = trial_cells(loaded.system->grid(), {{0, 0, 0}, {200, 100, 320}});
    EXPECT_EQ(cells, listed ? (Index3{50, 100, 640}) : (Index3{200, 100, 160})) << listed;
    SimulationOptions options{"cpu", "double", 1, {}, -1};
    options.set = {"grid.cells=[" + std::to_string(cells[0]) + "," + std::to_string(cells[1]) +
                   "," + std::to_string(cells[2]) + "]"};
    EXPECT_NO_THROW(load_case_text(loaded.input.resolved_toml(), "case", options)) << listed;
  }
}

TEST(FastestSchedule, IsRememberedByWhatWasMeasured) {
  const std::string folder = ::testing::TempDir() + "/watersmeet_schedules";
  std::filesystem::remove_all(folder);
  const std::string path = folder + "/deeper/schedules.json";
  const RememberedSchedules remembered(path);
  EXPECT_FALSE(remembered.find("a grid"));
  remembered.keep("a grid", "march");
  remembered.keep("another grid", "shuffle-halo");
  remembered.keep("a grid", "tuned");
  EXPECT_EQ(RememberedSchedules(path).find("a grid"), "tuned");
  EXPECT_EQ(RememberedSchedules(path).find("another grid"), "shuffle-halo");
  std::ofstream(path) << "{ no json";
  EXPECT_FALSE(remembered.find("a grid"));
  remembered.keep("a grid", "march");
  EXPECT_EQ(remembered.find("a grid"), "march");
  // Where nothing can be kept, nothing is found, and nobody is troubled.
  const RememberedSchedules nowhere(""), blocked(path + "/file/in/the/way.json");
  nowhere.keep("a grid", "march");
  blocked.keep("a grid", "march");
  EXPECT_FALSE(nowhere.find("a grid"));
  EXPECT_FALSE(blocked.find("a grid"));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace watersmeet::run
