#pragma once
// The gas and the undisturbed flow of a case.
//
//        z                     u_inf = M c (cos a cos b, sin b, sin a cos b)     3-D
//        |  /  u_inf           u_inf = M c (cos a, sin a, 0)                     in the plane
//        | / a
//        +------- x            a: angle of attack, b: sideslip
//
// In code units density and speed of sound of the free stream are 1 and its pressure 1/gamma; a
// case in other units gives both.

#include <string>

#include "config/input.hpp"
#include "core/types.hpp"
#include "systems/aerodynamics/boundaries.hpp"
#include "systems/aerodynamics/quantities.hpp"

namespace watersmeet::aerodynamics {

std::vector<config::Key> stream_keys();

struct FreeStream {
  Gas<double> gas{1.4, 1e-10};
  Primitive<double> flow{};
  double mach = 0, alpha = 0, beta = 0;  // radians
  bool given = false;                    // the case gives the Mach number

  double speed() const;
  double sound_speed() const;
  double dynamic_pressure() const;  // rho |u|^2 / 2
  double entropy() const;           // p / rho^gamma
  double total_enthalpy() const;
  double total_pressure() const;
  double total_temperature() const;  // over the temperature
  StreamScale<double> scale() const;
  // Unit vectors of drag and lift: along the stream, and across it in the plane of incidence.
  Real3 drag_direction(int dimensions) const;
  Real3 lift_direction(int dimensions) const;
  // "M 0.63, alpha 2 deg".
  std::string description() const;
};

FreeStream read_free_stream(config::Input& input, int dimensions);

}  // namespace watersmeet::aerodynamics
