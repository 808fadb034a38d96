// Faults of fluids and initial states: what is wrong, at which line, and what to do instead.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "core/error.hpp"
#include "multicomponent_case.hpp"
#include "support/faults.hpp"

using namespace watersmeet;

namespace multicomponent_faults_test {
using multicomponent_case::Case;
using Expected = test::ExpectedFault;
using namespace watersmeet::multicomponent;

namespace {
// Lines 1 to 11; entries follow.
const std::string good = R"toml([case]
system = "multicomponent"
[time]
end = 1
[grid]
cells = [40, 20, 20]
lower = [0, 0, 0]
upper = [2, 1, 1]
[physics.fluids]
water = { gamma = 6.12, p_c = 3.43e8, density = 1000 }
air = { gamma = 1.4, density = 1.2 }
)toml";
// Lines 12 to 14.
const std::string water = R"toml([[initial]]
fluid = "water"
pressure = 1e5
)toml";

void expect_initial_fault(const std::string& text, const Expected& expected) {
  SCOPED_TRACE(text);
  test::expect_only_fault(Case(text, true).input, expected);
}

// The fault of an entry on lines 15 and 16: a shape, and what the entry gives.
void expect_shape_fault(const std::string& shape, const Expected& expected,
                        const std::string& gives = "fluid = \"air\"") {
  expect_initial_fault(good + water + "[[initial]]\nshape = { " + shape + " }\n" + gives + "\n",
                       expected);
}

std::string error_of(const Case& c) {
  std::array<std::vector<double>, 7> values;
  std::array<double*, 7> out{};
  const Box all{{0, 0, 0}, c.cells};
  for (std::size_t q = 0; q < 7; ++q) {
    values[q].resize(static_cast<std::size_t>(all.count()));
    out[q] = values[q].data();
  }
  try {
    c.state.evaluate(all, 2, out);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::user_input);
    return error.what();
  }
  return "";
}
}  // namespace

TEST(InitialFaults, TheTextIsWhatAUserSees) {
  const Case c(good + "[[initial]]\nfluid = \"watr\"\npressure = 1e5\n", true);
  EXPECT_EQ(c.input.faults_text(), R"(error[bad-value]: no fluid `watr`
  --> case.toml:13:9
   |
13 | fluid = "watr"
   |         ^^^^^^ did you mean `water`?

1 error in case.toml; nothing was run)");
}

TEST(InitialFaults, Fluids) {
  const std::string head =
      "[case]\nsystem = \"multicomponent\"\n[time]\nend = 1\n[grid]\ncells = [4, 4, 4]\n";
  const std::string entry = "[[initial]]\nfluid = \"a\"\npressure = 1\n";
  expect_initial_fault(head + entry,
                       {0, "physics.fluids", "the case has no fluid", "air = { gamma"});
  std::string many = "[physics.fluids]\n";
  for (const char c : std::string("abcdefghi"))
    many += std::string(1, c) + " = { gamma = 1.4, density = 1 }\n";
  expect_initial_fault(head + many + entry,
                       {7, "physics.fluids", "9 fluids; at most 8 are possible", "remove"});
  expect_initial_fault(head + "[physics.fluids]\na = { gamma = 1.0, density = 1 }\n" + entry,
                       {8, "physics.fluids.a.gamma", "", ""});
  expect_initial_fault(head + "[physics.fluids]\na = { density = 1 }\n" + entry,
                       {8, "physics.fluids.a.gamma", "must be given", "gamma"});
  expect_initial_fault(head + "[physics.fluids]\na = { gamma = 1.4, density = 0 }\n" + entry,
                       {8, "physics.fluids.a.density", "", ""});
}

TEST(InitialFaults, Entries) {
  expect_initial_fault(good, {0, "initial", "no initial state", "[[initial]]"});
  expect_initial_fault(
      good + "[[initial]]\npressure = 1\n",
      {12, "initial[0].fluid", "the first entry must name its fluid", "add `fluid = ...`"});
  expect_initial_fault(good + "[[initial]]\nfluid = \"air\"\n",
                       {12, "initial[0].pressure", "the first entry must give its pressure", ""});
  expect_initial_fault(
      good +
          "[[initial]]\nfluid = \"air\"\npressure = 1\nshape = { kind = \"sphere\", "
          "centre = [1, 1, 1], radius = 1 }\n",
      {15, "initial[0].shape", "leaves the rest of the grid without fluid", "before it"});
  expect_initial_fault(
      good + water + "[[initial]]\nfluid = \"air\"\n",
      {15, "initial[1].shape", "would cover all entries before it", "only the first"});
  expect_initial_fault(
      good + "oil = { gamma = 3 }\n[[initial]]\nfluid = \"oil\"\npressure = 1\n",
      {13, "initial[0].density", "neither it nor its fluid `oil` gives one", "physics.fluids.oil"});
  expect_shape_fault("kind = \"sphere\", centre = [1, 0.5, 0.5], radius = 0.2",
                     {15, "initial[1]", "changes nothing", "give it a fluid"}, "");
  expect_initial_fault(good + "[[initial]]\nfluid = \"air\"\npressure = -2\n",
                       {14, "initial[0].pressure",
                        "is -2; it must be above 0, where the sound speed of air falls to 0", ""});
  expect_initial_fault(good + "[[initial]]\nfluid = \"water\"\npressure = -3.5e8\n",
                       {14, "initial[0].pressure", "is -3.5e+08; it must be above -3.43e+08", ""});
  expect_initial_fault(good + "[[initial]]\nfluid = \"air\"\npressure = 1\ndensity = \"2 - 3\"\n",
                       {15, "initial[0].density", "is -1; it must be positive", ""});
}

TEST(InitialFaults, Shapes) {
  expect_shape_fault("kind = \"spere\", centre = [1, 1, 1], radius = 1",
                     {16, "initial[1].shape.kind", "", "did you mean"});
  expect_shape_fault("centre = [1, 1, 1], radius = 1",
                     {16, "initial[1].shape.kind", "must be given", "kind"});
  expect_shape_fault(
      "kind = \"sphere\", radius = 1",
      {16, "initial[1].shape", "a sphere needs `centre`", "centre, radius, smoothing"});
  expect_shape_fault("kind = \"sphere\", centre = [1, 1, 1], radius = 1, axis = \"x\"",
                     {16, "initial[1].shape.axis", "a sphere has no `axis`", "it takes centre"});
  expect_shape_fault("kind = \"sphere\", centre = [1, 1, 1], radius = 0",
                     {16, "initial[1].shape.radius", "", ""});
  expect_shape_fault(
      "kind = \"sphere\", centre = [3.3, 0.5, 0.5], radius = 1",
      {16, "initial[1].shape",
       "lies outside the grid: it ends at x = 2.3, and the grid goes from 0 to 2", ""});
  expect_shape_fault("kind = \"half_space\", side = \"lower\"",
                     {16, "initial[1].shape", "none is given", "x = 0.5"});
  expect_shape_fault("kind = \"half_space\", side = \"lower\", x = 1, z = 1",
                     {16, "initial[1].shape", "x and z are given", ""});
  expect_shape_fault("kind = \"half_space\", x = 1", {16, "initial[1].shape", "needs `side`", ""});
  expect_shape_fault("kind = \"half_space\", x = -1, side = \"lower\"",
                     {16, "initial[1].shape", "outside the grid", ""});
  expect_shape_fault("kind = \"box\", lower = [0, 0.5, 0], upper = [1, 0.5, 1]",
                     {16, "initial[1].shape.upper[1]", "0.5, is not above the lower one, 0.5", ""});
  expect_shape_fault(
      "kind = \"bubbles\", file = \"no-such-cloud.txt\"",
      {16, "initial[1].shape.file", "the file `no-such-cloud.txt` cannot be read", ""});
  expect_shape_fault("kind = \"expression\", inside = \"0.3 - radius\"",
                     {16, "initial[1].shape.inside", "radius", ""});
}

TEST(InitialFaults, FilesOfBubbles) {
  const std::string path = ::testing::TempDir() + "watersmeet-bad-cloud.txt";
  std::ofstream(path) << "# a cloud\n1 0.5 0.5 0.1\n1 0.5 0.5\n";
  expect_shape_fault("kind = \"bubbles\", file = \"" + path + "\"",
                     {16, "initial[1].shape.file",
                      path + ", line 3: found 3 numbers; a line holds four numbers", ""});
  std::remove(path.c_str());
}

TEST(InitialFaults, Shocks) {
  const auto expect = [](const std::string& shock, const Expected& expected,
                         const std::string& gives = "") {
    expect_shape_fault("kind = \"shock\", x = 0.52, side = \"lower\"" + shock, expected, gives);
  };
  expect(", pressure_jump = -1e5",
         {16, "initial[1].shape.pressure_jump", "a shock compresses", "other side"});
  expect(", pressure_jump = 0", {16, "initial[1].shape.pressure_jump", "a shock compresses", ""});
  expect(", mach = 1", {16, "initial[1].shape.mach", "faster than sound ahead", ""});
  expect(", mach = 0.3", {16, "initial[1].shape.mach", "faster than sound ahead", ""});
  expect(", mach = 1.1, pressure_jump = 1e5", {16, "initial[1].shape", "not by both", ""});
  expect("", {16, "initial[1].shape", "needs its pressure_jump or its mach", ""});
  expect(", mach = 1.1",
         {17, "initial[1].pressure", "the state behind a shock follows", "half_space"},
         "pressure = 1e6");
  expect_shape_fault("kind = \"shock\", x = 2.5, side = \"lower\", mach = 2",
                     {16, "initial[1].shape", "no cells ahead", ""}, "");
  // A shock whose compression leaves the range of numbers.
  expect(", mach = 1e200", {16, "initial[1].shape.mach", "finite", ""});

  // What is ahead must be one state: a sphere that touches the plane, or a gradient.
  const std::string shock =
      "[[initial]]\nshape = { kind = \"shock\", x = 0.52, side = \"lower\", mach = 1.5 }\n";
  expect_initial_fault(
      good + water +
          "[[initial]]\nfluid = \"air\"\nshape = { kind = \"sphere\", centre = "
          "[0.7, 0.5, 0.5], radius = 0.2 }\n" +
          shock,
      {19, "initial[2].shape", "not uniform: density is 1000 at (0.525, 0.025, 0.025) and ",
       "move the entries that vary behind"});
  expect_initial_fault(
      good + "[[initial]]\nfluid = \"air\"\npressure = \"1e5*(1 + 0.1*sin(y))\"\n" + shock,
      {16, "initial[1].shape", "not uniform: pressure", ""});
  // Along x it may vary, and a sphere elsewhere is no fault.
  EXPECT_FALSE(
      Case(good + "[[initial]]\nfluid = \"air\"\npressure = \"1e5*(1 + 0.1*sin(x))\"\n" + shock)
          .input.has_faults());
}

// Values of expressions are reported with cell and place: on a coarse sample before the run, and all of
// them when the state is made.
TEST(InitialFaults, ValuesOutsideTheEquationOfState) {
  expect_initial_fault(
      good + "[[initial]]\nfluid = \"air\"\npressure = \"1 - x\"\n",
      {14, "initial[0].pressure",
       "it must be above 0, where the sound speed of the fluid there (initial[0].fluid) falls to 0",
       ""});
  expect_initial_fault(
      good + "[[initial]]\nfluid = \"air\"\npressure = 1\ndensity = \"sqrt(1.9 - x)\"\n",
      {15, "initial[0].density", "nan at cell (38, ", ""});
  // Tension that water bears and air does not: the bubble is to blame for the limit only.
  expect_initial_fault(
      good +
          "[[initial]]\nfluid = \"water\"\npressure = -1e5\n[[initial]]\nfluid = \"air\"\n"
          "shape = { kind = \"sphere\", centre = [1, 0.5, 0.5], radius = 0.3 }\n",
      {14, "initial[0].pressure", "is -100000 at cell (", ""});

  // Between the cells of the sample: 40 cells along x, of which 16 are looked at.
  const Case hidden(good + water +
                        "[[initial]]\ndensity = -5\nshape = { kind = \"box\", smoothing = 0, lower "
                        "= [0.5, 0.45, 0.45], upper = [0.55, 0.5, 0.5] }\n",
                    true);
  ASSERT_EQ(hidden.input.faults().size(), 1u);  // constants are always looked at
  EXPECT_EQ(hidden.input.faults()[0].key, "initial[1].density");
  const std::string needle =
      "density = \"abs(x - 0.625) + abs(y - 0.475) + abs(z - 0.425) < 0.001 ? -50 : 7\"\n";
  const Case c(good + water + "[[initial]]\n" + needle +
               "shape = { kind = \"half_space\", x = 1, side = \"lower\", smoothing = 0 }\n");
  const std::string error = error_of(c);
  // (64 (-50) + 152 * 7) / 216: one of the 27 points has the weight (2/3)^3.
  EXPECT_EQ(
      error.find("error[range]: initial[1].density is -9.88889 at cell (12, 9, 8), x = 0.625, "
                 "y = 0.475, z = 0.425; it must be positive\n  --> case.toml:16:11\n"),
      0u)
      << error;
  EXPECT_EQ(error_of(Case(good + water)), "");
}

}  // namespace multicomponent_faults_test
