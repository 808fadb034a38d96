// The groups of `watersmeet verify atmosphere` at the extent of the test suite, in both precisions
// where they have rows.
#include "support/expect_rows.hpp"
#include "verify/atmosphere/groups.hpp"

namespace watersmeet::verify {

TEST_ROWS(AtmosphereExact, AirRests, verify_air_at_rest);
TEST(AtmosphereExact, SoundHasThePredictedErrors) { expect_rows(verify_air_waves); }
TEST_ROWS(AtmosphereExact, ShockTubes, verify_air_tubes);
TEST(AtmosphereExact, BubblesRiseStraight) { expect_rows(verify_air_bubble); }
TEST_ROWS(AtmosphereExact, SourcesAreExact, verify_air_sources);
TEST_ROWS(AtmosphereExact, KeepsMassAndEnergy, verify_air_conservation);
TEST_ROWS(AtmosphereExact, NoDirectionDiffers, verify_air_directions);
TEST_ROWS(AtmosphereExact, SameBits, verify_air_bits);
TEST_ROWS(AtmosphereExact, ImplicitSound, verify_air_split);
TEST_ROWS(AtmosphereExact, StretchedLevels, verify_air_levels);
TEST_ROWS(AtmosphereExact, ViscosityOverTerrain, verify_air_diffusion);
TEST_ROWS(AtmosphereExact, Spheres, verify_air_globe);
TEST(AtmosphereExact, JetsStay) { expect_rows(verify_air_globe_waves); }
TEST_ROWS(AtmosphereExact, StretchedLevelsOfSpheres, verify_air_globe_levels);

}  // namespace watersmeet::verify
