// device.schedule = "measured" on a GPU: a run takes one of the schedules, remembers it and next
// time takes what is remembered without measuring, with the bits of any other. Skipped where no GPU
// answers.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "run/engine.hpp"
#include "run/fastest_schedule.hpp"

namespace watersmeet::verify {
namespace {

run::Engine start(const std::string& schedule) {
  return run::Engine(run::load_case_text(
      "[case]\nsystem = \"shallow_water\"\n[grid]\ncells = [150, 67, 1]\n[physics]\n"
      "bed = \"0.1*sin(6.283185307179586*x) - 1\"\n[device]\nschedule = \"" +
          schedule +
          "\"\n[time]\nsteps = 1000000\n[[initial]]\n"
          "surface = \"0.01*cos(6.283185307179586*y)\"\n"
          "[boundary]\nx = \"periodic\"\ny = \"periodic\"\n",
      "case", {"gpu", "double", 0, {}, -1}));
}

std::string kernel_of(run::Engine& engine) {
  const std::string name = engine.system().kernel().name;
  return name.substr(name.find(' ') + 1);
}

class GpuFastestSchedule : public ::testing::Test {
 protected:
  void SetUp() override {
    if (cuda_devices().empty()) GTEST_SKIP() << "no CUDA device";
    folder_ = ::testing::TempDir() + "/watersmeet_fastest";
    std::filesystem::remove_all(folder_);
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("XDG_CACHE_HOME");
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }
  std::string folder_;
};

TEST_F(GpuFastestSchedule, IsTakenRememberedAndTakenAgain) {
  run::Engine plain = start("auto"), measured = start("measured");
  std::ifstream file(run::remembered_schedules_path());
  nlohmann::json content = nlohmann::json::parse(file);
  ASSERT_EQ(content.size(), 1u);
  const std::string kind = content.begin().key(), found = content.begin().value();
  EXPECT_EQ(kernel_of(measured), found);
  for (run::Engine* const engine : {&plain, &measured}) engine->advance(1e300, 20);
  for (const Variable& v : plain.system().variables()) {
    EXPECT_EQ(plain.variable_as_doubles(v.name), measured.variable_as_doubles(v.name)) << v.name;
  }
  // Whatever is remembered is taken, unless no schedule is called so.
  const run::RememberedSchedules remembered(run::remembered_schedules_path());
  for (const char* const planted : {"shared-halo", "tuned", "march"}) {
    remembered.keep(kind, planted);
    run::Engine again = start("measured");
    EXPECT_EQ(kernel_of(again), planted);
  }
  remembered.keep(kind, "a schedule of another day");
  run::Engine again = start("measured");
  EXPECT_EQ(remembered.find(kind), kernel_of(again));
}

}  // namespace
}  // namespace watersmeet::verify
