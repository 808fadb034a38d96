#pragma once
// How long a step may be with the kappa scheme (schemes/kappa.hpp) and an explicit Runge-Kutta
// scheme before some wave grows, from the amplification of every wave number (linear advection of
// cell averages in one dimension; in several, the sum over the axes), alone and with sources.
//
// `polynomial` is always the scheme's amplification 1 + z + ... in powers of z = dt * eigenvalue,
// the constant first.

#include <span>

namespace watersmeet::schemes {

// The largest Courant number at which waves do not grow.
double kappa_stability_limit(double kappa, std::span<const double> polynomial);

// Explicit sources u' = (-decay + i turning) u, each with any part of its rate: relaxation to a
// given state (sponges), and rotation. In 1/time, neither negative.
struct SourceRates {
  double decay = 0, turning = 0;
  bool any() const { return decay > 0 || turning > 0; }
};

// What a step computes besides sources: waves at any Courant number up to `courant`, and diffusion
// with any eigenvalue down to -diffusion/dt.
struct StepContent {
  double kappa = 0, courant = 0, diffusion = 0;
};

// The longest step at which nothing grows with such sources; infinite without them. Frequencies of
// waves and of rotation combine as for gravity waves, omega = U k + sqrt(f^2 + (c k)^2), here with
// U = c: in slower flow longer steps are stable too. Two stages of second order amplify every
// rotation, by |1 + z + z^2/2| = sqrt(1 + |z|^4/4) on the imaginary axis; growth of less than
// 1/1000 per radian is accepted.
double longest_source_step(std::span<const double> polynomial, const SourceRates& rates,
                           const StepContent& content = {});

}  // namespace watersmeet::schemes
