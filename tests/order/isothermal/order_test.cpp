// Orders and closed forms of the isothermal system: the rows of `watersmeet verify` that the test
// suite can afford, each expected to pass.
#include "../../exact/isothermal/expect_rows.hpp"

namespace watersmeet::verify {

TEST(IsothermalOrder, SineDecayFollowsTheClosedForm) { expect_rows(verify_sine_decay); }
TEST(IsothermalOrder, SineDecayInSinglePrecision) { expect_rows(verify_sine_decay, "single"); }
TEST(IsothermalOrder, SoundWaveFollowsTheDiscreteSolution) { expect_rows(verify_sound_wave); }
TEST(IsothermalOrder, RungeKuttaSchemesHaveTheirOrders) { expect_rows(verify_time_order); }
TEST(IsothermalOrder, AdvectionAndGalileanShift) { expect_rows(verify_advection); }
TEST(IsothermalOrder, ManufacturedSolution) { expect_rows(verify_manufactured); }
TEST(IsothermalOrder, TaylorGreenVortex) { expect_rows(verify_taylor_green); }

}  // namespace watersmeet::verify
