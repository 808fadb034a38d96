#pragma once
// Flows that several groups measure.

#include <cstdint>

#include "verify/isothermal/verify_case.hpp"

namespace watersmeet::verify {

// Radial explosion in a box of side 2 pi around a grid point: u = exp(-(r - 0.8)^2 / (2 0.2^2))
// e_r, rho = 1, c = 1.
VerifyCase explosion_case(std::int64_t n, double nu, const std::string& method);

// Taylor-Green vortex at Mach number 0.1 (c = 10): u = sin x cos y cos z, v = -cos x sin y cos z,
// w = 0, rho = 1 + (M^2/16) (cos 2x + cos 2y)(cos 2z + 2), nu = 1/Re.
VerifyCase taylor_green_case(std::int64_t n, double reynolds);

}  // namespace watersmeet::verify
