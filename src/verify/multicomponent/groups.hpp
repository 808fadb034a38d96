#pragma once
// The groups of the multicomponent verification, one file each. Each measures as much as the
// verification's extent asks for. The errors they expect are those of the numpy program
// validation/reference/two_fluid.py, which has the same scheme; a bound is 1.15 times such an error
// unless its comment says otherwise.

#include <cstdint>

#include "verify/groups.hpp"
#include "verify/multicomponent/flow_case.hpp"
#include "verify/norms.hpp"

namespace watersmeet::verify {

void verify_interface_advection(Verification& v);
void verify_shock_tubes(Verification& v);
void verify_shu_osher(Verification& v);
void verify_smooth_convergence(Verification& v);
void verify_uneven_cells(Verification& v);
void verify_stage_order(Verification& v);
void verify_ledger(Verification& v);
void verify_directions(Verification& v);
void verify_same_bits(Verification& v);
void verify_axisymmetric(Verification& v);
void verify_shock_along_grid(Verification& v);
void verify_positivity(Verification& v);
void verify_planar_shock(Verification& v);
void verify_helium_cylinder(Verification& v);
void verify_shocked_bubble(Verification& v);
void verify_rayleigh_collapse(Verification& v);

// A smooth wave that runs to the right through the periodic unit interval and breaks at t = 1.33.
FlowCase simple_wave(std::int64_t n);

}  // namespace watersmeet::verify
