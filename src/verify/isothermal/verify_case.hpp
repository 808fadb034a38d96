#pragma once
// The cases of the isothermal verification as a small struct that becomes the text of an input
// file.

#include <array>
#include <string>

#include "core/types.hpp"
#include "verify/central_waves.hpp"

namespace watersmeet::verify {

struct VerifyCase {
  Index3 cells{1, 1, 1};
  Real3 lower{0, 0, 0}, upper{6.283185307179586, 6.283185307179586, 6.283185307179586};
  std::string density = "1";
  std::array<std::string, 3> velocity{"0", "0", "0"};
  double sound_speed = 1, viscosity = 0, bulk_viscosity = 0, hyperviscosity = 0;
  double shock_viscosity = 0;
  std::array<std::string, 3> acceleration{};  // empty: none
  std::string method = "55-point", storage = "auto", scheme = "rk3-williamson";
  std::string upwind = {};  // "\"rho\", \"velocity\""
  double cfl = 0.9;
  double dt = 0;               // fixed when positive
  std::string forcing = {};    // lines of [forcing]
  std::string constants = {};  // lines of [constants]
};

std::string text_of(const VerifyCase& c);

// Both discretisations of grad div u.
inline const std::array<std::string, 2> verify_methods = {"55-point", "19-point"};

}  // namespace watersmeet::verify
