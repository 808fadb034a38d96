// The groups of `watersmeet verify shallow_water` at the extent of the test suite, in both
// precisions where they have rows.
#include "support/expect_rows.hpp"
#include "verify/shallow_water/groups.hpp"

namespace watersmeet::verify {

TEST_ROWS(ShallowWaterExact, LakesRest, verify_lake_at_rest);
TEST_ROWS(ShallowWaterExact, DamsBreak, verify_dam_break);
TEST(ShallowWaterExact, WavesHaveThePredictedErrors) { expect_rows(verify_water_waves); }
TEST(ShallowWaterExact, VorticesConverge) { expect_rows(verify_vortex); }
TEST_ROWS(ShallowWaterExact, WaterSwingsInABowl, verify_parabolic_bowl);
TEST_ROWS(ShallowWaterExact, FilmsAreNoFasterThanTheirFronts, verify_films);
TEST(ShallowWaterExact, SourcesHaveTheirOrders) { expect_rows(verify_water_sources); }
TEST_ROWS(ShallowWaterExact, WaterIsHeldBack, verify_backwater);
TEST_ROWS(ShallowWaterExact, KeepsTheVolume, verify_water_volume);
TEST_ROWS(ShallowWaterExact, NoDirectionDiffers, verify_water_directions);
TEST_ROWS(ShallowWaterExact, SpheresRest, verify_sphere_rest);
TEST(ShallowWaterExact, SteadyFlowsOnASphereHaveTheKnownErrors) {
  expect_rows(verify_sphere_steady);
}
TEST(ShallowWaterExact, BellsAreCarriedAround) { expect_rows(verify_sphere_bell); }
TEST(ShallowWaterExact, SpheresAgreeWithSpectralSolutions) { expect_rows(verify_sphere_spectral); }
TEST(ShallowWaterExact, JetsKeepTheirVolume) { expect_rows(verify_sphere_jet); }
TEST_ROWS(ShallowWaterExact, PanelsAreAlike, verify_sphere_panels);
TEST(ShallowWaterExact, SameBitsOnASphere) { expect_rows(verify_sphere_bits); }
TEST_ROWS(ShallowWaterExact, SameBits, verify_water_bits);

}  // namespace watersmeet::verify
