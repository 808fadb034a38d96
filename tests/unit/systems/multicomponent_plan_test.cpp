// What a run of two fluids is planned with: operations counted by the formulas themselves, against
// a count by hand, and the stages of each time scheme, against the polynomial that every scheme of
// three stages and third order has for a linear equation.
#include <gtest/gtest.h>

#include <cmath>

#include "exec/face.hpp"
#include "schemes/weno.hpp"
#include "systems/multicomponent/counted.hpp"
#include "systems/multicomponent/time_scheme.hpp"

namespace watersmeet::multicomponent {
namespace {

TEST(Counted, CountsTheReconstructionOfOneVariable) {
  long count = 0;
  const auto cell = [&](double value) { return Counted(value, &count); };
  schemes::weno5_js(cell(1), cell(2), cell(4), cell(3), cell(5), {1e-6, 0.25});
  // 4 differences; 14 for the six polynomials, 8 for curvatures and slopes, 12 for indicators; 6
  // for epsilon, 3 products, 3 squares; 3 weights; 11 for each of two edges.
  EXPECT_EQ(count, 4 + 14 + 8 + 12 + 6 + 3 + 3 + 3 + 2 * 11);
}

TEST(Counted, LeavesConstantsOut) {
  long count = 0;
  const Counted a(2, &count);
  Counted constant = Counted(3) * Counted(4);
  EXPECT_EQ(count, 0);
  constant = fma_(constant, a, Counted(1)) - rcp_(a) * root_(a);
  EXPECT_EQ(count, 2 + 1 + 1 + 1 + 1);
  EXPECT_TRUE(constant > Counted(24));  // 12 * 2 + 1 - sqrt(2) / 2
}

TEST(TimeScheme, IsOfThirdOrderForALinearEquation) {
  for (const std::string& name : time_scheme_names()) {
    const TimeScheme scheme = time_scheme(name);
    ASSERT_EQ(scheme.stages.size(), 3u);
    EXPECT_TRUE(scheme.stages.back().last);
    for (const double z : {-1.0, 0.3, -2.0}) {  // dt times the rate of u' = rate u
      double u = 1, old = std::nan("");         // neither read nor needed before it is written
      const double begin = u;
      for (const exec::StageUpdate<double>& stage : scheme.stages) {
        EXPECT_EQ(stage.form, scheme.form);
        if (scheme.form == exec::UpdateForm::base && stage.read_old) old = begin;
        const auto next = exec::advance_value(stage, u, old, u * z / 0.01, 0.01);
        u = next.value;
        if (scheme.form == exec::UpdateForm::stored) {
          old = stage.write_increment ? next.increment : std::nan("");
        }
      }
      EXPECT_NEAR(u, 1 + z + z * z / 2 + z * z * z / 6, 1e-14) << name;
    }
  }
}

TEST(TimeScheme, CountsTheWordsOfAStage) {
  const TimeScheme stored = time_scheme("rk3-cubism"), base = time_scheme("ssp-rk3");
  const int words_stored[] = {3, 4, 3}, words_base[] = {2, 3, 3};
  for (std::size_t s = 0; s < 3; ++s) {
    EXPECT_EQ(stored.words_of_stage(s), words_stored[s]);
    EXPECT_EQ(base.words_of_stage(s), words_base[s]);
  }
}

}  // namespace
}  // namespace watersmeet::multicomponent
