// The groups of `watersmeet verify shallow_water` at the extent of the test suite, in both
// precisions where they have rows.
#include "support/expect_rows.hpp"
#include "verify/shallow_water/groups.hpp"

namespace watersmeet::verify {

TEST(ShallowWaterExact, LakesRest) { expect_rows(verify_lake_at_rest); }
TEST(ShallowWaterExact, LakesRestInSinglePrecision) { expect_rows(verify_lake_at_rest, "single"); }
TEST(ShallowWaterExact, DamsBreak) { expect_rows(verify_dam_break); }
TEST(ShallowWaterExact, DamsBreakInSinglePrecision) { expect_rows(verify_dam_break, "single"); }
TEST(ShallowWaterExact, WavesHaveThePredictedErrors) { expect_rows(verify_water_waves); }
TEST(ShallowWaterExact, VorticesConverge) { expect_rows(verify_vortex); }
TEST(ShallowWaterExact, WaterSwingsInABowl) { expect_rows(verify_parabolic_bowl); }
TEST(ShallowWaterExact, WaterSwingsInABowlInSinglePrecision) {
  expect_rows(verify_parabolic_bowl, "single");
}
TEST(ShallowWaterExact, FilmsAreNoFasterThanTheirFronts) { expect_rows(verify_films); }
TEST(ShallowWaterExact, FilmsAreNoFasterThanTheirFrontsInSinglePrecision) {
  expect_rows(verify_films, "single");
}
TEST(ShallowWaterExact, SourcesHaveTheirOrders) { expect_rows(verify_water_sources); }
TEST(ShallowWaterExact, WaterIsHeldBack) { expect_rows(verify_backwater); }
TEST(ShallowWaterExact, WaterIsHeldBackInSinglePrecision) {
  expect_rows(verify_backwater, "single");
}
TEST(ShallowWaterExact, KeepsTheVolume) { expect_rows(verify_water_volume); }
TEST(ShallowWaterExact, KeepsTheVolumeInSinglePrecision) {
  expect_rows(verify_water_volume, "single");
}
TEST(ShallowWaterExact, NoDirectionDiffers) { expect_rows(verify_water_directions); }
TEST(ShallowWaterExact, NoDirectionDiffersInSinglePrecision) {
  expect_rows(verify_water_directions, "single");
}
TEST(ShallowWaterExact, SpheresRest) { expect_rows(verify_sphere_rest); }
TEST(ShallowWaterExact, SpheresRestInSinglePrecision) { expect_rows(verify_sphere_rest, "single"); }
TEST(ShallowWaterExact, SteadyFlowsOnASphereHaveTheKnownErrors) {
  expect_rows(verify_sphere_steady);
}
TEST(ShallowWaterExact, BellsAreCarriedAround) { expect_rows(verify_sphere_bell); }
TEST(ShallowWaterExact, SpheresAgreeWithSpectralSolutions) { expect_rows(verify_sphere_spectral); }
TEST(ShallowWaterExact, JetsKeepTheirVolume) { expect_rows(verify_sphere_jet); }
TEST(ShallowWaterExact, PanelsAreAlike) { expect_rows(verify_sphere_panels); }
TEST(ShallowWaterExact, PanelsAreAlikeInSinglePrecision) {
  expect_rows(verify_sphere_panels, "single");
}
TEST(ShallowWaterExact, SameBitsOnASphere) { expect_rows(verify_sphere_bits); }
TEST(ShallowWaterExact, SameBits) { expect_rows(verify_water_bits); }
TEST(ShallowWaterExact, SameBitsInSinglePrecision) { expect_rows(verify_water_bits, "single"); }

}  // namespace watersmeet::verify
