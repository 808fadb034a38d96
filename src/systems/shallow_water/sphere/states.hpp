#pragma once
// Flows on a sphere that cases begin with by name, and what is known of them later:
//
//   williamson-1    a cosine bell of 1000 m on 1000 m of water, carried round once in 12 days
//   williamson-2    steady zonal flow in geostrophic balance, at any angle with the poles
//   williamson-5    zonal flow over a cone of 2000 m
//   williamson-6    Rossby-Haurwitz wave of number 4
//   barotropic-jet  a jet in balance, with a hump of water that makes it roll up, or without
//
// Sources: Williamson, Drake, Hack, Jakob and Swarztrauber 1992, J. Comput. Phys. 102, 211, section
// 3; Galewsky, Scott and Polvani 2004, Tellus 56A, 429.

#include <string>
#include <vector>

#include "core/types.hpp"

namespace watersmeet::shallow_water {

struct SphereValues {
  double bed = 0, depth = 0;
  double east = 0, north = 0;  // velocity
};

struct Planet {
  double radius = 6.37122e6, rate = 7.292e-5, gravity = 9.80616;
  double tilt =
      0;  // of the axis of rotation, from the north pole towards the longitude of 180 degrees
  Real3 axis() const;
};

std::vector<std::string> sphere_state_names();

class SphereState {
 public:
  SphereState(const std::string& name, const Planet& planet, bool perturbed);

  const std::string& name() const { return name_; }
  SphereValues at(double lon, double lat, double t) const;
  // Whether at() is the solution at any time, and whether it moves.
  bool exact() const;
  bool moving() const { return name_ == "williamson-1"; }
  // The wind is prescribed: rotation about the planet's axis at this angular velocity.
  bool advection() const { return name_ == "williamson-1"; }
  double wind_rate() const;
  // Depth that does not count when errors of a bell are taken relative to it.
  double background() const;
  bool has_bed() const { return name_ == "williamson-5"; }
  // Whether it is one for a tilted axis too.
  bool tilts() const { return name_ == "williamson-1" || name_ == "williamson-2"; }

 private:
  double jet_speed(double lat) const;
  // Depth of the jet less that at the south pole: the integral of the balance.
  double jet_rise(double lat) const;
  double jet_slope(double lat) const;
  void balance_jet();

  std::string name_;
  Planet planet_;
  bool perturbed_ = true;
  std::vector<double> rise_;  // at the ends of intervals across the jet
  double south_ = 0;          // depth at the south pole
};

}  // namespace watersmeet::shallow_water
