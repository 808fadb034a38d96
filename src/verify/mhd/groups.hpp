#pragma once
// The groups of rows of the MHD verification, one file each. Each measures as much as the verification's extent asks for.

#include "verify/groups.hpp"
#include "verify/mhd/mhd_case.hpp"
#include "verify/norms.hpp"

namespace watersmeet::verify {

void verify_alfven_wave(Verification& v);
void verify_magnetosonic_waves(Verification& v);
void verify_resistive_decay(Verification& v);
void verify_without_field(Verification& v);
void verify_orszag_tang(Verification& v);
void verify_ideal_entropy(Verification& v);
void verify_kinematic_flow(Verification& v);
void verify_mhd_shock(Verification& v);
void verify_solenoidal_field(Verification& v);
void verify_mhd_bits(Verification& v);

}  // namespace watersmeet::verify
