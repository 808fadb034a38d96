#pragma once
// The largest Courant number at which the kappa scheme (schemes/kappa.hpp) with an explicit
// Runge-Kutta scheme carries no wave with growth, from the amplification of every wave number
// (linear advection of cell averages in one dimension; in several, the sum over the axes).

#include <span>

namespace watersmeet::schemes {

// `polynomial`: the coefficients of the scheme's amplification 1 + z + ... in powers of
// z = dt * eigenvalue, the constant first.
double kappa_stability_limit(double kappa, std::span<const double> polynomial);

}  // namespace watersmeet::schemes
