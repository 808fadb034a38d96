#pragma once
// What the verifications of the systems of sixth-order central differences (isothermal, mhd) share: a
// wave of k along an axis as the grid sees it.

#include <array>
#include <complex>
#include <string>

#include "verify/verification.hpp"

namespace watersmeet::verify {

// The first derivative of a wave is i k1 times it, the second -K2 times.
double first_symbol(double k, double h);
double second_symbol(double k, double h);

// Coefficient of exp(i k x) of a variable, x along the axis, 0 in the first cell.
std::complex<double> coefficient(const Simulation& s, const std::string& variable, double k,
                                 int axis);

// Three texts as the value of a key.
std::string vector_of(const std::array<std::string, 3>& texts);

// A box that is n points long along `axis` and `thin` points along the others, with one spacing.
template <class Case>
void make_thin(Case& c, int axis, std::int64_t n, std::int64_t thin) {
  const std::size_t along = static_cast<std::size_t>(axis);
  const double length = c.upper[along] - c.lower[along];
  for (std::size_t a = 0; a < 3; ++a) {
    c.cells[a] = a == along ? n : thin;
    c.upper[a] = c.lower[a] + length * static_cast<double>(c.cells[a]) / static_cast<double>(n);
  }
}

}  // namespace watersmeet::verify
