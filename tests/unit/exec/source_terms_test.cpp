// The pass of source terms against its formulas, cell by cell.
#include <gtest/gtest.h>

#include "support/source_pass.hpp"

namespace watersmeet::test {
namespace {

SourcePass pass_of(exec::UpdateForm form, Precision precision = Precision::double_) {
  SourcePass pass;
  pass.precision = precision;
  pass.update.form = form;
  pass.update.a = -0.4;
  pass.update.b = 0.75;
  pass.update.read_old = true;
  pass.clock.t = 2;
  pass.clock.dt = 0.125;
  pass.clock.active = 1;
  return pass;
}

// What "x*y + t*sum + f(x)" is worth: f is 2 at 0, 3 at 1 and 7 at 3.
double rate_at(const SourcePass& p, std::int64_t i, std::int64_t j, std::size_t cell) {
  const double x = 0.1 * double(i + p.first[0]), y = 0.2 * double(j + p.first[1]);
  const double f = x <= 1 ? 2 + x : x <= 3 ? 3 + 2 * (x - 1) : 7;
  const auto value = [&](int v) { return p.start_of(0, v)[cell]; };
  return x * y + (p.clock.t + p.fraction * p.clock.dt) * (value(0) + value(1)) + f;
}
constexpr const char* text = "x*y + t*sum + f(x)";

void expect_formula(const SourcePass& p, const SourcePass::Result& found, double to_out,
                    double to_increment) {
  ASSERT_FALSE(found.out.empty()) << "other values have changed";
  const double error = p.precision == Precision::single_ ? 4e-6 : 1e-14;
  const auto out = p.start_of(1, 1), increment = p.start_of(2, 1);
  std::size_t cell = 0;
  for (std::int64_t k = 0; k < p.n[2]; ++k) {
    for (std::int64_t j = 0; j < p.n[1]; ++j) {
      for (std::int64_t i = 0; i < p.n[0]; ++i, ++cell) {
        bool inside = true;
        const Index3 at{i, j, k};
        for (std::size_t a = 0; a < 3; ++a)
          inside = inside && at[a] >= p.box.lower[a] && at[a] < p.box.upper[a];
        const double rate = inside ? rate_at(p, i, j, cell) : 0;
        EXPECT_NEAR(found.out[cell], out[cell] + to_out * rate, error * 20);
        EXPECT_NEAR(found.increment[cell], increment[cell] + to_increment * rate, error * 20);
      }
    }
  }
}

TEST(SideValues, AreOfATimeWithinTheStep) {
  exec::SourceRule rule;
  // 0.1 + 0.2 is not the end of this step to the last bit, which the next one begins at.
  const double t = 0.1, dt = 0.2, end = 0.3;
  ASSERT_NE(t + dt, end);
  for (const double fraction : {0.0, 0.5, 1.0}) {
    rule.fraction = fraction;
    EXPECT_EQ(exec::side_step(rule, t, dt, end, true).t, fraction == 1 ? end : t + fraction * dt);
    EXPECT_EQ(exec::side_step(rule, t, dt, end, true).dt, dt);
    EXPECT_EQ(exec::side_step(rule, t, dt, end, false).t, t) << "in a step that is not taken";
  }
}

TEST(SourceTerms, AddToEachFormOfTheUpdate) {
  for (const Precision precision : {Precision::double_, Precision::single_}) {
    for (const exec::UpdateForm form : {exec::UpdateForm::two, exec::UpdateForm::base}) {
      const SourcePass pass = pass_of(form, precision);
      expect_formula(pass, pass.run(text, {}), 0.75 * 0.125, 0);
    }
    SourcePass stored = pass_of(exec::UpdateForm::stored, precision);
    expect_formula(stored, stored.run(text, {}), 0.75 * 0.125, 0.125);
    stored.update.write_increment = false;
    expect_formula(stored, stored.run(text, {}), 0.75 * 0.125, 0);
    SourcePass history = pass_of(exec::UpdateForm::history, precision);
    expect_formula(history, history.run(text, {}), 0.75 * 0.125, 1);
    // Adams-Bashforth: 1 + r/2, r = 0.125/0.25; Euler without a step before.
    history.update.adams_bashforth = true;
    expect_formula(history, history.run(text, {}), 0.125, 1);
    history.clock.dt_before = 0.25;
    expect_formula(history, history.run(text, {}), 1.25 * 0.125, 1);
  }
}

TEST(SourceTerms, AreAddedToTheIncrementThatAStageMultiplies) {
  for (const Precision precision : {Precision::double_, Precision::single_}) {
    SourcePass pass = pass_of(exec::UpdateForm::stored, precision);
    ASSERT_TRUE(exec::can_add_early(pass.update));
    pass.early = true;
    expect_formula(pass, pass.run(text, {}), 0, 0.125 / -0.4);
  }
  exec::StageUpdate<double> other = pass_of(exec::UpdateForm::stored).update;
  other.read_old = false;
  EXPECT_FALSE(exec::can_add_early(other));
  other = {.form = exec::UpdateForm::stored, .a = 0, .read_old = true};
  EXPECT_FALSE(exec::can_add_early(other));
  other.a = -0.4;
  other.last = true;
  EXPECT_FALSE(exec::can_add_early(other));
  for (const exec::UpdateForm form :
       {exec::UpdateForm::two, exec::UpdateForm::base, exec::UpdateForm::history})
    EXPECT_FALSE(exec::can_add_early(pass_of(form).update));
}

TEST(SourceTerms, OfAStepThatDoesNotHappenAreNotAdded) {
  SourcePass pass = pass_of(exec::UpdateForm::stored);
  pass.clock.active = 0;
  expect_formula(pass, pass.run(text, {}), 0, 0);
}

TEST(SourceTerms, DoNotDependOnBoxes) {
  const SourcePass whole = pass_of(exec::UpdateForm::two);
  const std::string odd = "sin(3*u)/(v + 2) - exp(-x)";
  const auto all = whole.run(odd, {}).out;
  SourcePass part = whole;
  part.box = {{5, 1, 1}, {20, 4, 2}};
  const auto some = part.run(odd, {}).out;
  for (std::int64_t j = 1; j < 4; ++j) {
    for (std::int64_t i = 5; i < 20; ++i) {
      const auto cell = static_cast<std::size_t>(i + part.n[0] * (j + part.n[1]));
      EXPECT_EQ(all[cell], some[cell]);
    }
  }
}

TEST(SourceTerms, ThatAreNotFiniteMakeTheSignalANaN) {
  SourcePass pass = pass_of(exec::UpdateForm::base);
  EXPECT_EQ(pass.run("u", {}).clock.signal_bits, 0u);
  EXPECT_TRUE(std::isnan(exec::bits_to_double(pass.run("sqrt(0 - u)", {}).clock.signal_bits)));
  EXPECT_TRUE(std::isnan(exec::bits_to_double(pass.run("1/(x - x)", {}).clock.signal_bits)));
  // 1e40 is too large for a float alone.
  EXPECT_EQ(pass.run("1e40*u", {}).clock.signal_bits, 0u);
  pass.precision = Precision::single_;
  EXPECT_TRUE(std::isnan(exec::bits_to_double(pass.run("1e40*u", {}).clock.signal_bits)));
}

}  // namespace
}  // namespace watersmeet::test
