#pragma once
// The groups of the Boussinesq verification, one file each. What is exact on the staggered grid is
// expected to round-off; converged numbers are those of an independent program of the same scheme,
// or published, as the rows say.

#include "run/verify/boussinesq/convection_case.hpp"
#include "run/verify/groups.hpp"
#include "run/verify/norms.hpp"

namespace watersmeet::run {

void verify_exact_vortices(Verification& v);
void verify_rest_states(Verification& v);
void verify_staggered_conservation(Verification& v);
void verify_gravity_directions(Verification& v);
void verify_open_sides(Verification& v);
void verify_staggered_bits(Verification& v);
void verify_multistep_order(Verification& v);
void verify_onset(Verification& v);
void verify_conducting_cube(Verification& v);
void verify_lid_cavity(Verification& v);
void verify_heated_cavity(Verification& v);

// In the order in which they are printed.
std::vector<VerifyGroup> boussinesq_groups();

}  // namespace watersmeet::run
