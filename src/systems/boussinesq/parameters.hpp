#pragma once
// The physical parameters of a case: three sets of keys that come to the same numbers.
//
//   set           length  time                      nu           kappa         B      wall dT
//   dimensional   any     any                       viscosity    diffusivity   given  given
//   free-fall     H       H/U, U^2 = B dT H         sqrt(Pr/Ra)  1/sqrt(Ra Pr)  1      1
//   diffusive     H       H^2/kappa                 Pr           1             Ra Pr  1
//
// Ra = B dT H^3/(nu kappa), Pr = nu/kappa, B the buoyancy of a unit of temperature.

#include <array>
#include <string>
#include <vector>

#include "config/input.hpp"
#include "systems/boussinesq/equations.hpp"

namespace watersmeet::boussinesq {

// A scalar that is transported: temperature first, then those of [physics.scalars].
struct Scalar {
  std::string name;
  double diffusivity = 0, buoyancy = 0;
  std::string source = "0";    // expression of x, y, z, r
  config::Fault source_place;  // its place in the case
};

struct Parameters {
  double viscosity = 0;
  std::vector<Scalar> scalars;
  int gravity_axis = 2;
  double upward = 1;  // sign of e_g along it
  Real3 coriolis{0, 0, 0};
  double beta = 0, beta_y0 = 0;  // f_z + beta (y - y0)
  double drag = 0;
  std::array<std::string, 3> acceleration{"0", "0", "0"};
  config::Fault acceleration_place;
  std::string set = "dimensional";
  double rayleigh = 0, prandtl = 0;  // of the other two sets

  int variables() const { return first_scalar + static_cast<int>(scalars.size()); }
  double largest_diffusivity() const;
  Coefficients<double> coefficients() const;  // without acceleration and sources
};

// Every fault goes into the input.
Parameters read_parameters(config::Input& input);
std::vector<config::Key> parameter_keys();

// Faults when a name stands in `section` that is no scalar of the case; first: 1 where the temperature has keys of its own, else 0.
void check_scalar_names(config::Input& input, const std::string& section,
                        const std::vector<Scalar>& scalars, std::size_t first = 1);

}  // namespace watersmeet::boussinesq
