// The groups of `watersmeet verify boussinesq` at the extent of the test suite, in both precisions
// where they have rows.
#include "support/expect_rows.hpp"
#include "verify/boussinesq/groups.hpp"

namespace watersmeet::verify {

TEST_ROWS(BoussinesqExact, VorticesDecayAsTheSchemeSays, verify_exact_vortices);
TEST_ROWS(BoussinesqExact, StraightProfilesAndConductionStay, verify_rest_states);
TEST_ROWS(BoussinesqExact, Conserves, verify_staggered_conservation);
TEST_ROWS(BoussinesqExact, NoDirectionOfGravityDiffers, verify_gravity_directions);
TEST_ROWS(BoussinesqExact, OpenSides, verify_open_sides);
TEST_ROWS(BoussinesqExact, ScalarsStayBetweenBounds, verify_bounded_scalars);
TEST_ROWS(BoussinesqExact, SameBits, verify_staggered_bits);
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
