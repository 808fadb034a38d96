#pragma once
// The cases of the shallow water verification as a small struct that becomes the text of an input
// file.

#include <array>
#include <string>

#include "core/types.hpp"
#include "verify/verification.hpp"

namespace watersmeet::verify {

inline constexpr double g = 9.81;     // m/s^2
inline constexpr double day = 86400;  // s

struct WaterCase {
  Index3 cells{1, 1, 1};
  Real3 lower{0, 0, 0}, upper{1, 1, 1};
  double gravity = g;
  std::string bed = "0";
  std::string physics = {};  // further lines of [physics]
  double kappa = 1.0 / 3, transverse = 0;
  std::string limiter = "auto", riemann = "auto";
  bool wet_dry = false;
  double dry_depth = 0;  // the default of the program when 0
  std::string scheme = "ssp-rk3";
  double cfl = 0.9;
  double dt = 0;  // fixed when positive
  std::string surface = "0";
  std::array<std::string, 2> velocity = {"0", "0"};
  std::string boundary = {};  // lines of [boundary]
};

std::string text_of(const WaterCase& c);

// A number as the text of an expression that reads back to the same bits.
std::string number(double value);

}  // namespace watersmeet::verify
