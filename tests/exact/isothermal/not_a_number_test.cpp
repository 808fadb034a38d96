// A value that is not a number, planted in one cell at a chosen step, must end the run with an
// error that names this cell and step.
#include <fmt/format.h>

#include <limits>

#include "core/error.hpp"
#include "expect_rows.hpp"

namespace watersmeet::verify {
namespace {

// Message of the diverged error that stepping on after planting `bad` gives.
std::string failure(const std::string& precision, const std::string& variable, const Index3& cell,
                    std::int64_t at_step, double bad, std::int64_t further_steps) {
  const Verification v(on_one_thread(precision), Extent::brief);
  Simulation s = start(v, VerifyCase{.cells = {12, 10, 7},
                                     .velocity = {"0.1*sin(y)", "0", "0.1*cos(x)"},
                                     .viscosity = 0.01});
  s.step(at_step);
  std::vector<double> values = s.variable(variable);
  values[static_cast<std::size_t>((cell[2] * 10 + cell[1]) * 12 + cell[0])] = bad;
  s.set_variable(variable, values);
  try {
    s.step(further_steps);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::diverged);
    EXPECT_EQ(s.steps(), at_step);
    return error.what();
  }
  ADD_FAILURE() << "the run went on";
  return "";
}

void expect_named(const std::string& message, const std::string& variable, const Index3& cell,
                  std::int64_t step) {
  for (const std::string& part :
       {fmt::format("in {} at step {},", variable, step),
        fmt::format("cell ({}, {}, {}) of 12 x 10 x 7", cell[0], cell[1], cell[2])}) {
    EXPECT_NE(message.find(part), std::string::npos)
        << "looked for `" << part << "` in: " << message;
  }
}

TEST(NotANumber, IsFoundInEveryVariableCellAndPrecision) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const char* const precision : {"single", "double"}) {
    for (const char* const variable : {"lnrho", "ux", "uy", "uz"}) {
      // First and last cell, ends of rows where a pack is not full, and the middle.
      for (const Index3& cell :
           {Index3{0, 0, 0}, Index3{11, 9, 6}, Index3{11, 0, 3}, Index3{5, 4, 2}}) {
        expect_named(failure(precision, variable, cell, 3, nan, 1), variable, cell, 3);
      }
    }
  }
}

TEST(NotANumber, IsReportedAtItsOwnStepHoweverManyWereAskedFor) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_named(failure("double", "uy", {3, 2, 1}, 0, nan, 50), "uy", {3, 2, 1}, 0);
  expect_named(failure("double", "uy", {3, 2, 1}, 7, -nan, 50), "uy", {3, 2, 1}, 7);
}

TEST(NotANumber, InfinityIsNoBetter) {
  const double infinity = std::numeric_limits<double>::infinity();
  expect_named(failure("double", "ux", {3, 2, 1}, 2, infinity, 1), "ux", {3, 2, 1}, 2);
  expect_named(failure("double", "lnrho", {3, 2, 1}, 2, -infinity, 1), "lnrho", {3, 2, 1}, 2);
}

TEST(NotANumber, ThatDevelopsEndsTheRunBeforeMoreIsDone) {
  const Verification v(on_one_thread(), Extent::brief);
  // Beyond twice the linear stability limit.
  Simulation s = start(v, VerifyCase{.cells = {16, 16, 16},
                                     .density = "1+0.1*sin(x)*sin(3*y)*cos(7*z)",
                                     .velocity = {"sin(5*y)", "sin(7*z)", "sin(6*x)"},
                                     .dt = 0.5});
  try {
    s.step(100000);
    ADD_FAILURE() << "an unstable run went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::diverged);
    EXPECT_LT(s.steps(), 100000);
    EXPECT_NE(std::string(error.what()).find(fmt::format("step {}", s.steps())), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace watersmeet::verify
