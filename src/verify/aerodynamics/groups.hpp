#pragma once
// The groups of the verification of aerodynamics, one file each. Exact are the free stream and
// conservation; errors of the vortex are compared with those of a second solver of the same
// scheme, shocks and bodies with gas dynamics and published correlations.

#include "verify/aerodynamics/flow_on_blocks.hpp"
#include "verify/groups.hpp"
#include "verify/norms.hpp"

namespace watersmeet::verify {

void verify_uniform_stream(Verification& v);
void verify_block_conservation(Verification& v);
void verify_block_vortex(Verification& v);
void verify_block_sources(Verification& v);
void verify_block_bits(Verification& v);
void verify_ringleb(Verification& v);
void verify_bump(Verification& v);
void verify_oblique_shock(Verification& v);
void verify_sections(Verification& v);
void verify_vehicle(Verification& v);
void verify_long_time(Verification& v);

}  // namespace watersmeet::verify
