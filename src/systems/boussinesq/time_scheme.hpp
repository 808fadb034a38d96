#pragma once
// Time schemes of the Boussinesq system, explicit with one projection a stage:
//
//   ab2   second-order Adams-Bashforth with a variable step, Euler's at the start
//   rk3   third-order Runge-Kutta of Wray in the low-storage form of Spalart, Moser and Rogers
//         (1991), J. Comput. Phys. 96, 297:  u <- u + dt (gamma_s R + zeta_s R_before)
//   ssp-rk3   third-order Runge-Kutta of Shu and Osher (1988), J. Comput. Phys. 77, 439: every stage is a
//         convex combination of u at the beginning of the step and of a step of Euler's method,
//         u <- u + a_s (u_0 - u) + b_s dt R, so that what such a step bounds stays bounded
//
// and how far their stability reaches.

#include <string>
#include <vector>

#include "exec/cell.hpp"

namespace watersmeet::boussinesq {

struct TimeScheme {
  std::string name;
  std::vector<exec::StageUpdate<double>> stages;
  std::vector<double> ends;       // time of the end of each stage, in units of dt from the begin
  std::vector<double> fractions;  // of dt that the pressure of a stage acts for
  double real_limit = 1;          // largest |lambda dt| of diffusion
  double largest_cfl = 1;         // of dt sum |u_i| / h_i, above which it is refused
  bool multistep = false;         // the right-hand side of the step before counts
};

TimeScheme time_scheme(const std::string& name);
const std::vector<std::string>& time_scheme_names();

}  // namespace watersmeet::boussinesq
