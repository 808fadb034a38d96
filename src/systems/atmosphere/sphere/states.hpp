#pragma once
// Flows on a sphere that cases begin with by name:
//
//   dcmip31          case 3-1 of the Dynamical Core Model Intercomparison Project 2012: zonal flow
//                    on a small planet, with a bubble of warm air that sends out gravity waves
//   baroclinic-wave  Ullrich, Melvin, Jablonowski and Staniforth 2014, Q. J. R. Meteorol. Soc. 140,
//                    1590: a balanced mid-latitude jet of a dry atmosphere, shallow or deep, with
//                    a push that makes it roll up
//
// Each is a solution that does not change without its perturbation.

#include <string>
#include <vector>

#include "systems/atmosphere/settings/reference.hpp"

namespace watersmeet::atmosphere {

struct GlobeConstants {
  double radius = 6371220, rate = 7.29212e-5, gravity = 9.80616;
  GasConstants gas;
  bool deep = false;
};

struct GlobeValues {
  double p = 0, temperature = 0;
  double east = 0, north = 0;  // velocity
  // Whole density of air with these.
  double rho(double gas_constant) const { return p / (gas_constant * temperature); }
};

std::vector<std::string> globe_state_names();

class GlobeState {
 public:
  GlobeState(const std::string& name, const GlobeConstants& constants, bool perturbed)
      : name_(name), c_(constants), perturbed_(perturbed) {}

  const std::string& name() const { return name_; }
  // Whether it is one of a deep atmosphere too.
  bool deepens() const { return name_ == "baroclinic-wave"; }
  GlobeValues at(double lon, double lat, double z) const;

 private:
  GlobeValues gravity_waves(double lon, double lat, double z) const;
  GlobeValues baroclinic_wave(double lon, double lat, double z) const;

  std::string name_;
  GlobeConstants c_;
  bool perturbed_;
};

}  // namespace watersmeet::atmosphere
