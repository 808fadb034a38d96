#pragma once
// The cases of the verification of the atmosphere as a small struct that becomes the text of an
// input file.

#include <string>

#include "core/types.hpp"
#include "verify/verification.hpp"

namespace watersmeet::verify {

struct AirCase {
  Index3 cells{1, 1, 4};
  Real3 lower{0, 0, 0}, upper{1, 1, 1};
  std::string grid = {};     // further lines of [grid]
  std::string physics = {};  // lines of [physics]
  std::string riemann = "lmars", limiter = "none";
  double kappa = 1.0 / 3, transverse = 0;
  std::string scheme = "ssp-rk3";
  double cfl = 0.9;
  double dt = 0;              // fixed when positive
  std::string initial = {};   // lines of [[initial]]
  std::string boundary = {};  // lines of [boundary]
};

// Lines of [physics] for air of density 1.4 and pressure 1 without gravity, in which sound has the
// speed 1.
extern const char* const unit_air;

// A line of [grid]: the thickness of levels grows as exp(1.5 s), s from 0 at the ground to 1.
extern const char* const growing_levels;
// The mean over the height of the cube of their thickness, that of equal levels 1:
// (1.5/(exp(1.5) - 1))^4 (exp(6) - 1)/6.
constexpr double growing_cubed = 2.3106;

// Sound across levels is implicit, with the Courant number of that scheme.
void use_split(AirCase& c);

// A column of isothermal air between ground and lid in its lowest mode, of the angular frequency
// omega (waves.cpp), with a fixed dt of which `steps` make a period; sound crosses at
// most `crossed` levels of mean thickness in a step. `damping` is what the mode loses in a period by
// explicit steps with kappa = 1/3 on equal levels, a/(12 dz) t^4 2 pi/omega, t = pi/levels: the error
// of w after a period. On levels that differ it is that times the mean of dz^3, since the energy of
// the mode is spread evenly over the height.
struct SoundingColumn {
  AirCase air;
  double omega = 0;
  std::int64_t steps = 0;
  double damping = 0;
};
SoundingColumn sounding_column(std::int64_t levels, double crossed, double depth = 1e4);
// The errors of such columns on four times as many levels, their order, and the finer one over the `predicted` damping. Of steps with implicit
// sound (`split`) there is no closed form, for what couples the levels is of second order; those of others are known to the tolerances.
struct SoundingErrors {
  std::int64_t few, many;  // levels
  double coarse, fine;
};
void sounding_rows(Verification& v, const std::string& name, bool split,
                   const SoundingErrors& errors, double predicted, double order_tolerance,
                   double error_tolerance);

// How many of all stored values are not zero.
double count_nonzero(const Simulation& s);

// Mass and energy are what they were at the start, to round-off, though air moved at `fastest`.
void conserved_rows(Verification& v, const std::string& name, const Simulation& s, double fastest);

std::string text_of(const AirCase& c);

}  // namespace watersmeet::verify
