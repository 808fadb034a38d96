#pragma once
// The cases of the MHD verification as a small struct that becomes the text of an input file.

#include <array>
#include <string>

#include "core/types.hpp"
#include "verify/central_waves.hpp"

namespace watersmeet::verify {

struct MhdCase {
  Index3 cells{1, 1, 1};
  Real3 lower{0, 0, 0}, upper{6.283185307179586, 6.283185307179586, 6.283185307179586};
  std::string physics = {};  // lines of [physics] besides the diffusivities below
  double viscosity = 0, resistivity = 0;
  std::array<std::string, 3> velocity{"0", "0", "0"}, potential{"0", "0", "0"};
  std::string density = "1", entropy = {};  // no entropy: none is given
  std::string numerics = {};                // lines of [numerics]
  std::string forcing = {};                 // lines of [forcing]
  double dt = 0;                            // fixed when positive
};

std::string text_of(const MhdCase& c);

}  // namespace watersmeet::verify
