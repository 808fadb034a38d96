// The groups of `watersmeet verify aerodynamics` at the extent of the test suite.
#include "support/expect_rows.hpp"
#include "verify/aerodynamics/groups.hpp"

namespace watersmeet::verify {

TEST(AerodynamicsExact, AUniformStreamStays) { expect_rows(verify_uniform_stream); }
TEST(AerodynamicsExact, ItStaysInSinglePrecision) { expect_rows(verify_uniform_stream, "single"); }
TEST(AerodynamicsExact, Conserves) { expect_rows(verify_block_conservation); }
TEST(AerodynamicsExact, ConservesInSinglePrecision) {
  expect_rows(verify_block_conservation, "single");
}
TEST(AerodynamicsExact, VortexAcrossBlocks) { expect_rows(verify_block_vortex); }
TEST(AerodynamicsExact, SameBitsInDouble) { expect_rows(verify_block_bits); }
TEST(AerodynamicsExact, SameBitsInSingle) { expect_rows(verify_block_bits, "single"); }
TEST(AerodynamicsExact, RinglebAroundTheBend) { expect_rows(verify_ringleb); }

}  // namespace watersmeet::verify
