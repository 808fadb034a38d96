#pragma once
// Sections of the NACA four-digit series (Jacobs, Ward & Pinkerton 1933), chord 1, leading edge at
// the origin. Half the thickness t at x is
//
//   y = 5 t (0.2969 sqrt x - 0.1260 x - 0.3516 x^2 + 0.2843 x^3 - 0.1015 x^4),
//
// which leaves the trailing edge open. It is closed in one of two ways that make different
// aerofoils: `extended` continues to the zero at x = 1.008930411365 and scales by it (Vassberg &
// Jameson 2010), `closed` has 0.1036 for the last coefficient.

#include <string>

#include "core/types.hpp"

namespace watersmeet::mesh {

struct NacaSection {
  double camber = 0;        // largest, in chords
  double camber_place = 0;  // its place
  double thickness = 0.12;  // in chords
  bool extended = true;

  // u from 0 (leading edge) to 1 (trailing edge), x = u^2 along the chord: smooth around the nose.
  Real3 upper(double u) const { return point(u, 1); }
  Real3 lower(double u) const { return point(u, -1); }
  // The radius of the nose, by the factor of sqrt x: 0.5 (5 t 0.2969)^2, that of the unscaled section.
  double nose_radius() const;
  // Between the surfaces at the trailing edge, radians.
  double trailing_angle() const;
  // dy/dx of the camber line.
  double camber_slope(double x) const;

 private:
  Real3 point(double u, int side) const;
};

// "0012", "2412". Throws user_input.
NacaSection naca_section(const std::string& digits, const std::string& trailing_edge,
                         const std::string& generator);

}  // namespace watersmeet::mesh
