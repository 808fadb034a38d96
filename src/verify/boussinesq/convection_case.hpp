#pragma once
// The cases of the Boussinesq verification as a small struct that becomes the text of an input
// file, and sums over what comes out.

#include <array>
#include <string>
#include <vector>

#include "core/types.hpp"
#include "verify/verification.hpp"

namespace watersmeet::verify {

inline constexpr const char* axis_letters = "xyz";

struct ConvectionCase {
  Index3 cells{1, 1, 1};
  Real3 lower{0, 0, 0}, upper{1, 1, 1};
  std::string physics = "viscosity = 0\n";  // lines of [physics]
  std::string numerics = {};                // lines of [numerics]
  std::string scheme = "ab2";
  double dt = 0, cfl = 0.4;          // fixed when positive
  std::string velocity = "0, 0, 0";  // items of the list
  std::string temperature = "0";
  std::string noise = {};     // members of the table
  std::string boundary = {};  // lines of [boundary]; none: periodic
  std::string grid = {};      // further lines of [grid]
  std::string source = {};    // lines of [[source]]
};

std::string text_of(const ConvectionCase& c);

// Advances in pieces of time until a column of the series changes by no more than `change` in one,
// not before `least` and not beyond `most`; the column's last value.
struct Settling {
  double piece, change, most, least = 0;
};
double settle(Simulation& s, const char* column, const Settling& rule);

// Items of a list with one that is not 0.
std::string list_along(std::size_t axis, const std::string& item);

// Text of an expression turned by `turn` axes: x to y, y to z, z to x.
std::string turned(const std::string& expression, int turn);

// A velocity on the faces of a periodic grid with unit root mean square and a divergence of 0 to
// round-off: the discrete curl of random numbers on the edges.
std::array<std::vector<double>, 3> random_solenoidal(const Index3& cells, const Real3& spacing,
                                                     unsigned seed);

}  // namespace watersmeet::verify
