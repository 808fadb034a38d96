#pragma once
// Radius of one spherical gas bubble in a slightly compressible liquid: the equation of Keller and
// Miksis (J. Acoust. Soc. Am. 68, 1980), without surface tension, viscosity and vapour,
//
//   (1 - U/c) R U' + 3/2 U^2 (1 - U/(3c)) = (1 + U/c) (p_B - p_far)/rho + R/(rho c) dp_B/dt,
//   U = R',   p_B = p_0 (R_0/R)^(3 gamma)   (the gas follows an adiabat)
//
// from rest at R_0. The reference of spherical collapses. Any consistent units.

#include <vector>

namespace watersmeet::schemes {

struct Bubble {
  double radius = 1;          // R_0
  double gas_pressure = 1;    // p_0
  double gamma = 1.4;         // of the gas
  double far_pressure = 1;    // p_far
  double liquid_density = 1;  // rho
  double sound_speed = 1;     // c of the liquid
};

// Time in which an empty cavity would close: 0.91468 R_0 sqrt(rho / (p_far - p_0)) (Rayleigh 1917;
// the factor is sqrt(pi/6) Gamma(5/6) / Gamma(4/3)). Needs p_far > p_0.
double rayleigh_time(const Bubble& bubble);

struct BubbleMotion {
  double time = 0, radius = 1, speed = 0;
};

// The motion at the given times, in ascending order from 0. Classical Runge-Kutta of order four;
// the steps shrink with the time R/|U| in which the radius changes. Error{user_input} for values
// that are not positive.
std::vector<BubbleMotion> keller_miksis(const Bubble& bubble, const std::vector<double>& times);

// Where the radius has its first minimum. Needs p_far > p_0.
BubbleMotion first_minimum(const Bubble& bubble);

}  // namespace watersmeet::schemes
