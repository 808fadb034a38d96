// The rows of `watersmeet verify mhd` at the extent of the test suite.
#include "support/expect_rows.hpp"
#include "verify/mhd/groups.hpp"

namespace watersmeet::verify {

TEST(Mhd, AlfvenWavesFollowTheDiscreteSolution) { expect_rows(verify_alfven_wave); }
TEST(Mhd, MagnetosonicWavesFollowTheDiscreteSolution) { expect_rows(verify_magnetosonic_waves); }
TEST_ROWS(Mhd, AFieldDecaysByItsResistance, verify_resistive_decay);
TEST_ROWS(Mhd, WithoutAFieldItIsIsothermalFlow, verify_without_field);
TEST(Mhd, OrszagTangHasTheEnergiesOfASpectralSolver) { expect_rows(verify_orszag_tang); }
TEST(Mhd, IdealFlowKeepsItsEntropyAndEnergy) { expect_rows(verify_ideal_entropy); }
TEST(Mhd, APrescribedFlowDrivesAKnownDynamo) { expect_rows(verify_kinematic_flow); }
TEST(Mhd, ShocksObeyRankineAndHugoniot) { expect_rows(verify_mhd_shock); }
TEST(Mhd, FieldsHaveNoDivergence) { expect_rows(verify_solenoidal_field); }
TEST_ROWS(Mhd, SameBits, verify_mhd_bits);

}  // namespace watersmeet::verify
