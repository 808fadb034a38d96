// States whose values are finite while their sums are not, or beyond any range: a simulation in this
// process ends as a run with files does.
#include <gtest/gtest.h>

#include <unistd.h>
#include <filesystem>
#include <string>

#include "core/error.hpp"
#include "watersmeet/simulation.hpp"

namespace watersmeet {
namespace {

Simulation flow(const std::string& density) {
  return Simulation::from_text(
      "[case]\nsystem = \"isothermal\"\n[grid]\ncells = [8, 8, 8]\n"
      "[device]\nkind = \"cpu\"\n[output]\nseries_every_steps = 2\n[time]\nsteps = 9\ndt = 1e-9\n"
      "[[initial]]\ndensity = \"" +
      density + "\"\n");
}

template <class Work>
std::string diverged(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::diverged);
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Simulation, ADensityBeyondItsRangeEndsIt) {
  const std::string words = "values beyond the range of the equations at step ";
  Simulation sound = flow("exp(13*sin(x))");
  sound.step();
  EXPECT_GT(sound.diagnostics().at("rho_max"), 1e5);
  EXPECT_NE(diverged([] { flow("exp(15*sin(x))").step(); }).find(words + "0"), std::string::npos);
  EXPECT_NE(diverged([] { flow("exp(15*sin(x))").diagnostics(); }).find(words + "0"),
            std::string::npos);
  // Within the range before a step and beyond it after: values set from outside.
  std::vector<double> lnrho = sound.variable("lnrho");
  for (double& value : lnrho) value *= 15.0 / 13.0;
  sound.set_variable("lnrho", lnrho);
  EXPECT_NE(diverged([&] { sound.step(); }).find(words + "2"), std::string::npos);
}

TEST(Simulation, NoCheckpointIsMadeOfStatesWhoseSumsAreNoNumbers) {
  const std::string path = std::filesystem::temp_directory_path() /
                           ("watersmeet_sums_" + std::to_string(getpid()) + ".h5");
  Simulation s = flow("1");
  s.save(path);
  EXPECT_TRUE(std::filesystem::remove(path));
  s.set_variable("ux", std::vector<double>(512, 1e200));
  EXPECT_NE(diverged([&] { s.save(path); }).find("not a number in the sums"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace watersmeet
