// Simulations in this process. States whose values are finite while their sums are not, or beyond any
// range, end one as a run with files does; what is written to its memory counts; functions are given
// to its case by numbers.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

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

TEST(Simulation, ItsMemoryHoldsItsValues) {
  Simulation s = flow("1 + 0.1*sin(x)");
  const VariableMemory ux = s.memory_of("ux");
  ASSERT_EQ(ux.gpu, -1);
  EXPECT_FALSE(ux.single_precision);
  EXPECT_EQ(ux.cells, (std::array<std::int64_t, 3>{8, 8, 8}));
  EXPECT_EQ(ux.stride[2], 1);
  EXPECT_GT(ux.stride[1], 8);
  double* const values = static_cast<double*>(ux.first);
  const std::int64_t place = 3 * ux.stride[0] + 5 * ux.stride[1] + 7;
  EXPECT_EQ(values[place], 0.0);
  values[place] = 0.25;
  EXPECT_EQ(s.variable("ux")[3 * 64 + 5 * 8 + 7], 0.25);
  EXPECT_GT(s.diagnostics().at("u_rms"), 0.01);
}

// A step of Adams and Bashforth uses the rate of the step before, which is not that of a state that
// was written.
TEST(Simulation, ReadingItsMemoryChangesNoBits) {
  const auto rolls = [] {
    return Simulation::from_text(
        "[case]\nsystem = \"boussinesq\"\n[grid]\ncells = [8, 6, 8]\n[device]\nkind = \"cpu\"\n"
        "[physics]\nrayleigh = 1e4\nprandtl = 1\n[time]\nscheme = \"ab2\"\nsteps = "
        "9\n[[initial]]\ntemperature = \"sin(x)*cos(z)\"\n");
  };
  Simulation read = rolls(), other = rolls();
  for (int s = 0; s < 4; ++s) {
    read.memory_of(read.variables().front());
    read.step();
    other.step();
  }
  for (const std::string& name : read.variables())
    EXPECT_EQ(read.variable(name), other.variable(name)) << name;
  EXPECT_EQ(read.t(), other.t());
}

TEST(Simulation, TheStepFollowsFromWhatIsWrittenToItsMemory) {
  const auto calm = [] {
    return Simulation::from_text(
        "[case]\nsystem = \"isothermal\"\n[grid]\ncells = [8, 8, 8]\n"
        "[device]\nkind = \"cpu\"\n[time]\nsteps = 9\n");
  };
  Simulation given = calm(), written = calm(), untouched = calm();
  given.set_variable("ux", std::vector<double>(512, 3.0));
  const VariableMemory ux = written.memory_of("ux");
  for (std::int64_t k = 0; k < 8; ++k) {
    for (std::int64_t j = 0; j < 8; ++j) {
      double* const row = static_cast<double*>(ux.first) + k * ux.stride[0] + j * ux.stride[1];
      std::fill(row, row + 8, 3.0);
    }
  }
  for (Simulation* const s : {&given, &written, &untouched}) s->step();
  EXPECT_EQ(written.dt(), given.dt());
  EXPECT_LT(written.dt(), 0.5 * untouched.dt());
  EXPECT_EQ(written.variable("lnrho"), given.variable("lnrho"));
}

TEST(Simulation, ACheckpointOfAWrittenStateHasItsSignal) {
  const std::string path = std::filesystem::temp_directory_path() /
                           ("watersmeet_written_" + std::to_string(getpid()) + ".h5");
  Simulation s = Simulation::from_text(
      "[case]\nsystem = \"isothermal\"\n[grid]\ncells = [8, 8, 8]\n"
      "[device]\nkind = \"cpu\"\n[time]\nsteps = 9\n");
  s.step();
  const double calm = s.dt();
  s.set_variable("ux", std::vector<double>(512, 3.0));
  s.save(path);
  Simulation again = Simulation::from_checkpoint(path);
  std::filesystem::remove(path);
  s.step();
  again.step();
  EXPECT_LT(s.dt(), 0.5 * calm);
  EXPECT_EQ(again.dt(), s.dt());
  EXPECT_EQ(again.variable("ux"), s.variable("ux"));
}

// u = (1, 0, 0) all the time; the density is carried along, so that its mean over time is about 1.
TEST(Simulation, ItsAveragesAreOfTheStatesSoFarAndMoveWithIt) {
  const auto carried = [] {
    return Simulation::from_text(
        "[case]\nsystem = \"isothermal\"\n[grid]\ncells = [8, 8, 8]\n[physics]\nviscosity = 0\n"
        "[numerics]\nprecision = \"double\"\n[device]\nkind = \"cpu\"\n[time]\nend = 1\ndt = "
        "0.0625\n"
        "[[initial]]\ndensity = \"1 + 1e-6*sin(x)\"\nvelocity = [1, 0, 0]\n"
        "[[output.average]]\nname = \"a\"\nmean = [\"velocity\", \"2*rho\"]\nvariance = "
        "[\"velocity.x\"]\n"
        "every = 0.5\nprofile = \"x\"\n");
  };
  Simulation s = carried();
  EXPECT_EQ(s.averages(), std::vector<std::string>{"a"});
  EXPECT_THROW(s.average("a"), Error);  // no step yet
  EXPECT_THROW(s.average("b"), Error);
  s.step(8);
  s = carried();
  s.step(12);
  Simulation moved = std::move(s);
  const Average a = moved.average("a");
  EXPECT_EQ(a.begin, 0.5);
  EXPECT_EQ(a.averaged_over, 0.25);
  EXPECT_EQ(a.samples, 5);
  ASSERT_EQ(a.fields.size(), 3u);
  EXPECT_EQ(a.fields[0].name, "velocity_mean");
  EXPECT_EQ(a.fields[0].components, 3);
  EXPECT_EQ(a.fields[1].name, "2_rho_mean");
  EXPECT_EQ(a.fields[1].values.size(), 512u);
  for (std::size_t c = 0; c < 512; ++c) {
    EXPECT_NEAR(a.fields[0].values[3 * c], 1, 1e-5);
    EXPECT_NEAR(a.fields[1].values[c], 2, 1e-5);
    EXPECT_LT(a.fields[2].values[c], 1e-10);
  }
  EXPECT_EQ(a.along.size(), 8u);
  EXPECT_EQ(a.columns.size(), 5u);
  EXPECT_EQ(a.profile.size(), 40u);
  moved.advance_to(1.0);
  EXPECT_EQ(moved.average("a").averaged_over, 0.5);  // the whole window, until the next step
}

TEST(Simulation, ABoxHasNoBlocks) { EXPECT_TRUE(flow("1").blocks().empty()); }

TEST(Simulation, AFunctionOfNumbersIsCalledByTheCase) {
  SimulationOptions options;
  options.functions = {{"bump", {{0, 3, 6}, {0, 10}}, {}, {1, 4, 1, 2, 2, 2}}};
  const std::string text =
      "[case]\nsystem = \"isothermal\"\n[grid]\ncells = [6, 4, 4]\nupper = [6, 10, 1]\n"
      "[device]\nkind = \"cpu\"\n[time]\nsteps = 9\n[[initial]]\n"
      "velocity = [\"bump(x, y)\", 0, 0]\n";
  Simulation s = Simulation::from_text(text, options);
  const auto at = s.coordinates_of("ux");
  EXPECT_EQ(at[0], (std::vector<double>{0, 1, 2, 3, 4, 5}));
  const std::vector<double> ux = s.variable("ux");
  for (std::size_t i = 0; i < 6; ++i) {
    const double low = 1 + std::min(at[0][i], 6 - at[0][i]);
    EXPECT_DOUBLE_EQ(ux[i], low);
    EXPECT_DOUBLE_EQ(ux[12 + i], 0.5 * low + 1);  // y = 5
  }
  const auto refused = [&](GridFunction function) {
    options.functions = {std::move(function)};
    try {
      Simulation::from_text(text, options);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::user_input);
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
  EXPECT_NE(refused({"bump", {{0, 3}}, {}, {1}}).find("2 crossings, 1 values"), std::string::npos);
  EXPECT_NE(refused({"bump", {{0, 3, 2}}, {}, {1, 2, 3}}).find("must rise or fall"),
            std::string::npos);
  EXPECT_NE(refused({"sin", {{0, 3}}, {}, {1, 2}}).find("the function `sin`: such a name"),
            std::string::npos);
}

}  // namespace
}  // namespace watersmeet
