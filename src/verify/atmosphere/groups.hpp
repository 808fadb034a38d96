#pragma once
// The groups of the verification of the atmosphere, one file each. Each measures as much as the
// verification's extent asks for.

#include "verify/atmosphere/air_case.hpp"
#include "verify/groups.hpp"
#include "verify/norms.hpp"

namespace watersmeet::verify {

void verify_air_at_rest(Verification& v);
void verify_air_waves(Verification& v);
void verify_air_gravity_waves(Verification& v);
void verify_air_tubes(Verification& v);
void verify_air_bubble(Verification& v);
void verify_air_sources(Verification& v);
void verify_air_conservation(Verification& v);
void verify_air_directions(Verification& v);
void verify_air_bits(Verification& v);
void verify_air_split(Verification& v);
void verify_air_levels(Verification& v);
void verify_air_diffusion(Verification& v);
void verify_air_globe(Verification& v);
void verify_air_globe_levels(Verification& v);
void verify_air_globe_waves(Verification& v);

}  // namespace watersmeet::verify
