#pragma once
// Two streams of speed U meet at x = 0 and leave gas at rest between two shocks, whose Mach number M in the gas that comes is 2: behind them
//
//   U = 2 c (M - 1/M)/(gamma + 1),   rho_2/rho_1 = (gamma + 1) M^2 / ((gamma - 1) M^2 + 2),   speed = U / (rho_2/rho_1 - 1)
//   p_2/p_1 = 1 + 2 gamma (M^2 - 1)/(gamma + 1)
//
// (Rankine and Hugoniot); isothermal flow is gamma = 1, where the ratio is M^2. The equations of ln rho and u are not conservative: what shock
// viscosity spreads over a few cells obeys these to the error of the differences there.

#include <string>

#include "verify/verification.hpp"

namespace watersmeet::verify {

struct ShockTolerance {
  double density, pressure, place, overshoot;  // relative; cells; relative
};

void shock_rows(Verification& v, const std::string& system, double gamma,
                const ShockTolerance& tolerance);

}  // namespace watersmeet::verify
