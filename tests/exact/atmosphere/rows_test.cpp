// The groups of `watersmeet verify atmosphere` at the extent of the test suite, in both precisions
// where they have rows.
#include "support/expect_rows.hpp"
#include "verify/atmosphere/groups.hpp"

namespace watersmeet::verify {

TEST(AtmosphereExact, AirRests) { expect_rows(verify_air_at_rest); }
TEST(AtmosphereExact, AirRestsInSinglePrecision) { expect_rows(verify_air_at_rest, "single"); }
TEST(AtmosphereExact, SoundHasThePredictedErrors) { expect_rows(verify_air_waves); }
TEST(AtmosphereExact, ShockTubes) { expect_rows(verify_air_tubes); }
TEST(AtmosphereExact, ShockTubesInSinglePrecision) { expect_rows(verify_air_tubes, "single"); }
TEST(AtmosphereExact, BubblesRiseStraight) { expect_rows(verify_air_bubble); }
TEST(AtmosphereExact, SourcesAreExact) { expect_rows(verify_air_sources); }
TEST(AtmosphereExact, SourcesAreExactInSinglePrecision) {
  expect_rows(verify_air_sources, "single");
}
TEST(AtmosphereExact, KeepsMassAndEnergy) { expect_rows(verify_air_conservation); }
TEST(AtmosphereExact, KeepsMassAndEnergyInSinglePrecision) {
  expect_rows(verify_air_conservation, "single");
}
TEST(AtmosphereExact, NoDirectionDiffers) { expect_rows(verify_air_directions); }
TEST(AtmosphereExact, NoDirectionDiffersInSinglePrecision) {
  expect_rows(verify_air_directions, "single");
}
TEST(AtmosphereExact, SameBits) { expect_rows(verify_air_bits); }
TEST(AtmosphereExact, SameBitsInSinglePrecision) { expect_rows(verify_air_bits, "single"); }
TEST(AtmosphereExact, ImplicitSound) { expect_rows(verify_air_split); }
TEST(AtmosphereExact, ImplicitSoundInSinglePrecision) { expect_rows(verify_air_split, "single"); }
TEST(AtmosphereExact, StretchedLevels) { expect_rows(verify_air_levels); }
TEST(AtmosphereExact, StretchedLevelsInSinglePrecision) {
  expect_rows(verify_air_levels, "single");
}
TEST(AtmosphereExact, ViscosityOverTerrain) { expect_rows(verify_air_diffusion); }
TEST(AtmosphereExact, ViscosityOverTerrainInSinglePrecision) {
  expect_rows(verify_air_diffusion, "single");
}
TEST(AtmosphereExact, Spheres) { expect_rows(verify_air_globe); }
TEST(AtmosphereExact, JetsStay) { expect_rows(verify_air_globe_waves); }
TEST(AtmosphereExact, SpheresInSinglePrecision) { expect_rows(verify_air_globe, "single"); }
TEST(AtmosphereExact, StretchedLevelsOfSpheres) { expect_rows(verify_air_globe_levels); }
TEST(AtmosphereExact, StretchedLevelsOfSpheresInSinglePrecision) {
  expect_rows(verify_air_globe_levels, "single");
}

}  // namespace watersmeet::verify
