// The groups of `watersmeet verify multicomponent` at the extent of the test suite, in both
// precisions where they have rows.
#include "support/expect_rows.hpp"
#include "verify/multicomponent/groups.hpp"

namespace watersmeet::verify {

TEST_ROWS(MulticomponentExact, InterfacesKeepPressureAndVelocity, verify_interface_advection);
TEST(MulticomponentExact, ShockTubesHaveTheKnownErrors) { expect_rows(verify_shock_tubes); }
TEST(MulticomponentExact, EntropyWaveBehindAShock) { expect_rows(verify_shu_osher); }
TEST(MulticomponentExact, OrdersInSpace) { expect_rows(verify_smooth_convergence); }
TEST(MulticomponentExact, OrdersOnUnevenCells) { expect_rows(verify_uneven_cells); }
TEST(MulticomponentExact, OrdersInTime) { expect_rows(verify_stage_order); }
TEST_ROWS(MulticomponentExact, Conserves, verify_ledger);
TEST_ROWS(MulticomponentExact, FlowAboutAnAxis, verify_axisymmetric);
TEST(MulticomponentExact, ShocksAlongTheGrid) { expect_rows(verify_shock_along_grid); }
TEST_ROWS(MulticomponentExact, NoDirectionDiffers, verify_directions);
TEST_ROWS(MulticomponentExact, SameBits, verify_same_bits);
TEST_ROWS(MulticomponentExact, StatesStayInsideTheEquationOfState, verify_positivity);
TEST(MulticomponentExact, PlanarShockInWater) { expect_rows(verify_planar_shock); }
TEST(MulticomponentExact, JumpsAndReferencesOfLargerRuns) {
  expect_rows(verify_helium_cylinder);
  expect_rows(verify_rayleigh_collapse);
}
// A group that begins with the quick extent.
TEST(MulticomponentExact, ABubbleUnderAShock) {
  expect_rows(verify_shocked_bubble, "double", "cpu", Extent::quick);
}

}  // namespace watersmeet::verify
