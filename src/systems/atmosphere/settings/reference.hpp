#pragma once
// Hydrostatic reference states of a dry ideal gas, as functions of z alone. With the Exner function
// Pi = (p/p_0)^(R_d/c_p), T = theta Pi and p = rho R_d T hydrostatic balance is
// dPi/dz = -g/(c_p theta), which each kind solves exactly:
//
//   neutral      theta = theta_0:             Pi = Pi_s - g z/(c_p theta_0)
//   stratified   theta = theta_0 e^(N^2 z/g): Pi = Pi_s + g^2/(c_p N^2 theta_0) (e^(-N^2 z/g) - 1)
//   isothermal   T = T_0:                     Pi = Pi_s e^(-g z/(c_p T_0))
//   table        theta linear between heights, constant beyond them
//   sounding     T linear between heights, constant beyond them: Pi = Pi_s exp(-g/c_p int dz/T)
//
// Where gravity falls off as g/(1 + z/a)^2 above a planet of radius a, z is the geopotential height
// z/(1 + z/a) in all of these: g dz is what it is with constant gravity.

#include <limits>
#include <vector>

namespace watersmeet::atmosphere {

enum class ReferenceKind { neutral, stratified, isothermal, table, sounding };

struct GasConstants {
  double r_d = 287.0, c_p = 1004.5, p_0 = 1e5;
  double gamma() const { return c_p / (c_p - r_d); }
};

struct ReferenceState {
  ReferenceKind kind = ReferenceKind::neutral;
  GasConstants gas;
  double gravity = 9.81;
  double pressure = 1e5;  // at z = 0
  double theta_0 = 300;
  double frequency = 0.01;  // N
  double temperature = 250;
  std::vector<double> heights, thetas;  // of a sounding the temperatures

  double inverse_radius = 0;  // 1/a, or 0 for constant gravity

  double geopotential_height(double z) const { return z / (1 + z * inverse_radius); }
  double geopotential(double z) const { return gravity * geopotential_height(z); }
  double exner(double z) const;  // not positive where the atmosphere has come to its end
  double theta(double z) const;
  double p(double z) const;
  double rho(double z) const;
};

// Pressure and density at the height of the last move: over level ground all cells of a level have one.
class ReferenceAt {
 public:
  explicit ReferenceAt(const ReferenceState& reference) : reference_(&reference) {}
  void move_to(double z) {
    if (z == z_) return;
    z_ = z;
    p_ = reference_->p(z);
    rho_ = reference_->rho(z);
  }
  double p() const { return p_; }
  double rho() const { return rho_; }

 private:
  const ReferenceState* reference_;
  double z_ = std::numeric_limits<double>::quiet_NaN(), p_ = 0, rho_ = 0;
};

// Cubics on equal intervals through four points of each, [interval][function][4] with the functions
// of ProfileValue (medium.hpp): what the loops know of the reference over terrain.
struct CubicProfile {
  double lower = 0, step = 1;
  int intervals = 0;
  std::vector<double> coefficients;
};
CubicProfile tabulate(const ReferenceState& reference, double lower, double upper, int intervals);

}  // namespace watersmeet::atmosphere
