// The groups of `watersmeet verify boussinesq` at the extent of the test suite, in both precisions
// where they have rows.
#include "support/expect_rows.hpp"
#include "verify/boussinesq/groups.hpp"

namespace watersmeet::verify {

TEST(BoussinesqExact, VorticesDecayAsTheSchemeSays) { expect_rows(verify_exact_vortices); }
TEST(BoussinesqExact, VorticesInSinglePrecision) { expect_rows(verify_exact_vortices, "single"); }
TEST(BoussinesqExact, StraightProfilesAndConductionStay) { expect_rows(verify_rest_states); }
TEST(BoussinesqExact, TheyStayInSinglePrecision) { expect_rows(verify_rest_states, "single"); }
TEST(BoussinesqExact, Conserves) { expect_rows(verify_staggered_conservation); }
TEST(BoussinesqExact, ConservesInSinglePrecision) {
  expect_rows(verify_staggered_conservation, "single");
}
TEST(BoussinesqExact, NoDirectionOfGravityDiffers) { expect_rows(verify_gravity_directions); }
TEST(BoussinesqExact, NoneDiffersInSinglePrecision) {
  expect_rows(verify_gravity_directions, "single");
}
TEST(BoussinesqExact, OpenSides) { expect_rows(verify_open_sides); }
TEST(BoussinesqExact, OpenSidesInSinglePrecision) { expect_rows(verify_open_sides, "single"); }
TEST(BoussinesqExact, ScalarsStayBetweenBounds) { expect_rows(verify_bounded_scalars); }
TEST(BoussinesqExact, TheyDoInSinglePrecision) { expect_rows(verify_bounded_scalars, "single"); }
TEST(BoussinesqExact, SameBitsInDouble) { expect_rows(verify_staggered_bits); }
TEST(BoussinesqExact, SameBitsInSingle) { expect_rows(verify_staggered_bits, "single"); }
TEST(BoussinesqExact, OrdersInTime) { expect_rows(verify_multistep_order); }
TEST(BoussinesqExact, ImplicitDiffusion) {
  expect_rows(verify_implicit_diffusion, "double", "cpu", Extent::quick);
}
TEST(BoussinesqExact, ImplicitDiffusionInSinglePrecision) {
  expect_rows(verify_implicit_diffusion, "single");
}
TEST(BoussinesqExact, OnsetOfRolls) { expect_rows(verify_onset); }
// Groups that begin with the quick extent.
TEST(BoussinesqExact, OnsetInAConductingCube) {
  expect_rows(verify_conducting_cube, "double", "cpu", Extent::quick);
}
TEST(BoussinesqExact, LidDrivenCavity) {
  expect_rows(verify_lid_cavity, "double", "cpu", Extent::quick);
}
TEST(BoussinesqExact, HeatedCavity) {
  expect_rows(verify_heated_cavity, "double", "cpu", Extent::quick);
}

}  // namespace watersmeet::verify
