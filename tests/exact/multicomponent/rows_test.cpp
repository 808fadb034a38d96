// The groups of `watersmeet verify multicomponent` at the extent of the test suite, in both
// precisions where they have rows.
#include "support/expect_rows.hpp"
#include "verify/multicomponent/groups.hpp"

namespace watersmeet::verify {

TEST(MulticomponentExact, InterfacesKeepPressureAndVelocity) {
  expect_rows(verify_interface_advection);
}
TEST(MulticomponentExact, InterfacesKeepThemInSinglePrecision) {
  expect_rows(verify_interface_advection, "single");
}
TEST(MulticomponentExact, ShockTubesHaveTheKnownErrors) { expect_rows(verify_shock_tubes); }
TEST(MulticomponentExact, EntropyWaveBehindAShock) { expect_rows(verify_shu_osher); }
TEST(MulticomponentExact, OrdersInSpace) { expect_rows(verify_smooth_convergence); }
TEST(MulticomponentExact, OrdersOnUnevenCells) { expect_rows(verify_uneven_cells); }
TEST(MulticomponentExact, OrdersInTime) { expect_rows(verify_stage_order); }
TEST(MulticomponentExact, Conserves) { expect_rows(verify_ledger); }
TEST(MulticomponentExact, ConservesInSinglePrecision) { expect_rows(verify_ledger, "single"); }
TEST(MulticomponentExact, FlowAboutAnAxis) { expect_rows(verify_axisymmetric); }
TEST(MulticomponentExact, FlowAboutAnAxisInSinglePrecision) {
  expect_rows(verify_axisymmetric, "single");
}
TEST(MulticomponentExact, ShocksAlongTheGrid) { expect_rows(verify_shock_along_grid); }
TEST(MulticomponentExact, NoDirectionDiffers) { expect_rows(verify_directions); }
TEST(MulticomponentExact, NoDirectionDiffersInSinglePrecision) {
  expect_rows(verify_directions, "single");
}
TEST(MulticomponentExact, SameBitsInDouble) { expect_rows(verify_same_bits); }
TEST(MulticomponentExact, SameBitsInSingle) { expect_rows(verify_same_bits, "single"); }
TEST(MulticomponentExact, StatesStayInsideTheEquationOfState) { expect_rows(verify_positivity); }
TEST(MulticomponentExact, StatesStayInsideItInSinglePrecision) {
  expect_rows(verify_positivity, "single");
}
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
