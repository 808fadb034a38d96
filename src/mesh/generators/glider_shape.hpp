#pragma once
// Body and outer boundary of glider15; the formulas are explained there. The nose is the unit
// sphere about (1, 0, 0).

#include <cstdint>

#include "mesh/generators/glider15.hpp"

namespace watersmeet::mesh {

// A direction from the centre of the nose through the front face of the cube around it: polar angle
// from the upstream axis, and cosine (sideways) and sine (upwards) of the azimuth.
struct NoseDirection {
  double polar = 0, cosine = 1, sine = 0;
};
// The point (y, z) of the front face, from -1 to 1 each.
NoseDirection nose_direction(double y, double z);
// Tangents of equal angles from -45 to 45 degrees, for node j of so many cells; odd in j.
double side_tangent(std::int64_t j, std::int64_t cells);

class GliderShape {
 public:
  explicit GliderShape(const Glider15& options);

  // The section at x >= 1 in the direction of the azimuth; body and outer boundary.
  Real3 body(const NoseDirection& azimuth, double x) const;
  Real3 outer(const NoseDirection& azimuth, double x) const;
  // The surface between shells and cores of the wake, x >= length.
  Real3 wake(const NoseDirection& azimuth, double x) const;
  // The same for the nose: by polar angle, up to a right angle where x = 1.
  Real3 nose(const NoseDirection& azimuth, double polar) const;
  Real3 outer_nose(const NoseDirection& azimuth, double polar) const;

 private:
  Real3 section(const NoseDirection& azimuth, double x, double side, double upper, double lower,
                double exponent) const;

  Glider15 o_;
  double stand_off_, radius_;  // of the hyperbola
};

}  // namespace watersmeet::mesh
