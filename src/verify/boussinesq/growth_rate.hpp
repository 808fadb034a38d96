#pragma once
// Growth rates of small perturbations and the Rayleigh number at which they vanish.

#include <functional>

#include "verify/boussinesq/convection_case.hpp"

namespace watersmeet::verify {

// Where growth is looked at: sigma = d ln sqrt(sum w^2) / dt over windows of time, once two
// successive ones agree.
struct GrowthWindows {
  double length = 0.05;     // in units of H^2/kappa
  double agreement = 1e-6;  // of sigma
  double earliest = 0, latest = 6;
};
// NaN when the windows never agree.
double growth_rate(Simulation& s, const GrowthWindows& windows);

// Rayleigh number of zero growth: from two rough ones by a line, then from two that are 0.3 %
// apart around what came out. `rate` runs a case.
double critical_rayleigh(const std::function<double(double rayleigh)>& rate, double low,
                         double high);

}  // namespace watersmeet::verify
