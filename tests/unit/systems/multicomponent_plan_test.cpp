// What a run of two fluids is planned with: operations counted by the formulas themselves, against
// a count by hand, and the stages of each time scheme, against the polynomial that every scheme of
// three stages and third order has for a linear equation.
#include <gtest/gtest.h>

#include <cmath>

#include "exec/face.hpp"
#include "exec/time_scheme.hpp"
#include "schemes/weno.hpp"
#include "systems/multicomponent/counted.hpp"
#include "systems/multicomponent/work.hpp"

namespace watersmeet::multicomponent {
namespace {

TEST(Counted, CountsTheReconstructionOfOneVariable) {
  OperationCount count;
  const auto cell = [&](double value) { return Counted(value, &count); };
  schemes::weno5_js(cell(1), cell(2), cell(4), cell(3), cell(5), {1e-6, 0.25});
  // 4 differences; 14 for the six polynomials, 8 for curvatures and slopes, 12 for indicators; 6
  // for epsilon, 3 products, 3 squares; 3 weights; 11 for each of two edges.
  EXPECT_EQ(count.all, 4 + 14 + 8 + 12 + 6 + 3 + 3 + 3 + 2 * 11);
  EXPECT_EQ(count.slow, 2);
}

TEST(Counted, LeavesConstantsOut) {
  OperationCount count;
  const Counted a(2, &count);
  Counted constant = Counted(3) * Counted(4);
  EXPECT_EQ(count.all, 0);
  constant = fma_(constant, a, Counted(1)) - rcp_(a) * root_(a);
  EXPECT_EQ(count.all, 2 + 1 + 1 + 1 + 1);
  EXPECT_EQ(count.slow, 2);
  EXPECT_TRUE(constant > Counted(24));  // 12 * 2 + 1 - sqrt(2) / 2
}

// The table of README.md in the system's folder, whose sums are taken here from the formulas by
// hand: {all, reciprocals and roots}.
TEST(CellWork, IsWhatTheFormulasTakeByHand) {
  FlowParameters<double> flow;
  Finish<double> finish;
  for (int a = 0; a < 3; ++a) flow.inverse_spacing[a] = finish.inverse_spacing[a] = 1;
  const exec::TimeScheme scheme = exec::time_scheme("rk3-cubism");
  for (const bool split : {false, true}) {
    flow.split = finish.split = split;
    const double total = split ? 0 : 1, pi = 1 - total;  // an operation more with E, or with E - Pi
    const CellWork js = work_of_cell(Variant::js, flow, finish, scheme);
    // 1/rho; 3 velocities; rho |u|^2: 1 + 2 multiply-adds; E less half of it; E - Pi; times
    // 1/Gamma.
    const OperationCount state{1 + 3 + 5 + 2 + total + 2, 2};
    EXPECT_EQ(js.state, state);
    // Seven variables, and (Gamma + 1) p + Pi of both edges: a multiply-add and a sum.
    EXPECT_EQ(js.edges, (OperationCount{7 * 75 + 2 * 3, 7 * 2}));
    // Speeds: sound 3 + 1 + 1 + 1 + 1 of each side; ratio 3, share 2, mean 3, jump 2, spread 8;
    // bounds 4. Fluxes: masses 4, push 5, contact 3, q 5, u_f and q m 2, mass 1, normal 3, tangents
    // 2, energy 9 and 4.
    const double speeds = 2 * 7 + 3 + 2 + 3 + 2 + 8 + 4;
    const double fluxes = 4 + 5 + 3 + 5 + 2 + 1 + 3 + 2 + 9 + 4;
    EXPECT_EQ(js.flux, (OperationCount{speeds + fluxes + total, 2 * 2 + 2 + 1 + 1 + 2}));
    // Five conserved values, Gamma and Pi, minus div u, and Pi div u.
    const OperationCount closing{5 * 3 + 2 * 7 + 2 + 2 * pi, 0};
    for (const OperationCount& axis : js.closing) EXPECT_EQ(axis, closing);
    // dt R, to it a w, and the sum.
    ASSERT_EQ(js.update.size(), 3u);
    EXPECT_EQ(js.update[0], (OperationCount{7 * 3, 0}));
    EXPECT_EQ(js.update[1], (OperationCount{7 * 5, 0}));
    EXPECT_EQ(js.update[2], (OperationCount{7 * 5, 0}));
    // The new state, its sound speed, |u| + c over h along three axes, and whether it is
    // admissible.
    EXPECT_EQ(js.finish, (OperationCount{state.all + 7 + 3 * 3 + 3, state.slow + 2}));

    // Z: two more of tau; epsilon, a reciprocal, a product and a multiply-add for each of three
    // weights in place of 6, 3 and 3.
    const CellWork z = work_of_cell(Variant::z, flow, finish, scheme);
    EXPECT_EQ(z.edges, (OperationCount{7 * (75 - 6 - 3 - 3 + 2 + 3 * 6) + 2 * 3, 7 * (2 + 3)}));
    EXPECT_EQ(z.flux, js.flux);

    // For cells of different widths: slopes and curves 3 each of three candidates, and from them 5 of the
    // edges and 4 of the indicators in place of 14 and 20; six linear weights in place of three.
    const CellWork wide = work_of_cell(Variant::stretched, flow, finish, scheme);
    EXPECT_EQ(wide.edges,
              (OperationCount{7 * (75 - 14 - 20 + 3 * (6 + 5 + 4) + 3) + 2 * 3, 7 * 2}));
    EXPECT_EQ(wide.flux, js.flux);
    EXPECT_EQ(wide.closing[0], closing);
    EXPECT_EQ(wide.finish, js.finish);

    flow.compaction = true;
    const CellWork k = work_of_cell(Variant::js, flow, finish, scheme);
    flow.compaction = false;
    // K: alpha 2 + 1, moduli 4, their share 1, divisor 3, quotient 4; times div u 1, to Gamma and
    // Pi 2 + 1 + 1, and to E - Pi 1.
    EXPECT_EQ(k.closing[1], (OperationCount{closing.all + 15 + 5 + pi, 1}));

    const OperationCount whole = work_of_stage(js, flow);
    EXPECT_NEAR(
        whole.all,
        state.all + 3 * (531 + 74 + total + closing.all) + (21 + 35 + 35 + js.finish.all) / 3,
        1e-10);
    flow.inverse_spacing[2] = 0;
    EXPECT_NEAR(work_of_stage(js, flow).all, whole.all - js.along(2).all, 1e-10);
    flow.inverse_spacing[2] = 1;
  }
}

TEST(TimeScheme, IsOfThirdOrderForALinearEquation) {
  for (const std::string name : {"rk3-cubism", "rk3-williamson", "ssp-rk3"}) {
    const exec::TimeScheme scheme = exec::time_scheme(name);
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
  const exec::TimeScheme stored = exec::time_scheme("rk3-cubism"),
                         base = exec::time_scheme("ssp-rk3");
  const int words_stored[] = {3, 4, 3}, words_base[] = {2, 3, 3};
  for (std::size_t s = 0; s < 3; ++s) {
    EXPECT_EQ(stored.words_of_stage(s), words_stored[s]);
    EXPECT_EQ(base.words_of_stage(s), words_base[s]);
  }
}

}  // namespace
}  // namespace watersmeet::multicomponent
