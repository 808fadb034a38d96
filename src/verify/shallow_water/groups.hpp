#pragma once
// The groups of the shallow water verification, one file each. Each measures as much as the
// verification's extent asks for.

#include "verify/groups.hpp"
#include "verify/norms.hpp"
#include "verify/shallow_water/water_case.hpp"

namespace watersmeet::verify {

void verify_dam_break(Verification& v);
void verify_lake_at_rest(Verification& v);
void verify_water_waves(Verification& v);
void verify_vortex(Verification& v);
void verify_parabolic_bowl(Verification& v);
void verify_films(Verification& v);
void verify_water_sources(Verification& v);
void verify_backwater(Verification& v);
void verify_water_volume(Verification& v);
void verify_water_directions(Verification& v);
void verify_water_bits(Verification& v);
void verify_sphere_rest(Verification& v);
void verify_sphere_steady(Verification& v);
void verify_sphere_bell(Verification& v);
void verify_sphere_jet(Verification& v);
void verify_sphere_spectral(Verification& v);
void verify_sphere_panels(Verification& v);
void verify_sphere_bits(Verification& v);

}  // namespace watersmeet::verify
