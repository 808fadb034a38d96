// The groups of `watersmeet verify aerodynamics` at the extent of the test suite.
#include "support/expect_rows.hpp"
#include "verify/aerodynamics/groups.hpp"

namespace watersmeet::verify {

TEST_ROWS(AerodynamicsExact, AUniformStreamStays, verify_uniform_stream);
TEST_ROWS(AerodynamicsExact, Conserves, verify_block_conservation);
TEST(AerodynamicsExact, VortexAcrossBlocks) { expect_rows(verify_block_vortex); }
TEST_ROWS(AerodynamicsExact, SameBits, verify_block_bits);
TEST(AerodynamicsExact, RinglebAroundTheBend) { expect_rows(verify_ringleb); }

}  // namespace watersmeet::verify
