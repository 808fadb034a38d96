#pragma once
// The groups of the Boussinesq verification, one file each. What is exact on the staggered grid is
// expected to round-off; converged numbers are those of scripts in validation/reference
// or published ones, as the rows say.

#include <string>
#include <vector>

#include "verify/boussinesq/convection_case.hpp"
#include "verify/groups.hpp"
#include "verify/norms.hpp"

namespace watersmeet::verify {

void verify_exact_vortices(Verification& v);
void verify_rest_states(Verification& v);
void verify_staggered_conservation(Verification& v);
void verify_gravity_directions(Verification& v);
void verify_open_sides(Verification& v);
void verify_bounded_scalars(Verification& v);
void verify_staggered_bits(Verification& v);
void verify_multistep_order(Verification& v);
void verify_implicit_diffusion(Verification& v);
void verify_onset(Verification& v);
void verify_conducting_cube(Verification& v);
void verify_lid_cavity(Verification& v);
void verify_heated_cavity(Verification& v);

// A run at its end, of a scheme and a step.
using FlowAtEnd = Simulation (*)(const Verification& v, const std::string& scheme, double dt);

// A row for each variable of ab2 (order 2 within 0.05) and rk3 (order 3 within 0.1), from mean
// squares. `words`: of a row, {0} is the scheme, {1} the variable.
void judge_order_in_time(Verification& v, const std::vector<std::string>& variables, FlowAtEnd flow,
                         const std::string& words);

}  // namespace watersmeet::verify
