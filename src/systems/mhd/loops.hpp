#pragma once
// The launches of the MHD system, and what they are made of: the parameters of a case in double, and the variant that is chosen at
// set-up.

#include <memory>

#include "exec/loops.hpp"
#include "systems/central_case.hpp"
#include "systems/central_loops.hpp"
#include "systems/mhd/diagnostics.hpp"
#include "systems/mhd/equations.hpp"

namespace watersmeet::mhd {

// Inverse spacing is 0 along an axis of one cell. Upwinding and hyperdiffusivities are those of l, u, A and q.
struct Physics {
  double sound_speed = 1, gamma = 5.0 / 3.0, heat_capacity = 1, permeability = 1;
  double reference_density = 1;
  double viscosity = 0, bulk_viscosity = 0, resistivity = 0;
  double thermal_diffusivity = 0, conductivity = 0;
  bool resistive_gauge = false, kinematic = false;
  double background[3] = {0, 0, 0};
  bool upwind[4] = {false, false, false, false};
  double hyper[4] = {0, 0, 0, 0};
  double inverse_spacing[3] = {0, 0, 0};
  // Share of the signal that K / (rho c_p) = 1 has: cfl gamma sum 1/h^2 over the limit of diffusive steps.
  double conduction_signal = 0;
  double shock_scale = 0, shock_signal = 0;  // c_s h^2; the share of zeta_s = 1
};

struct Case : systems::CentralCase {
  Physics physics;
};

// What is fixed at compile time, and the schedule on a GPU.
struct Choice {
  bool has_entropy = false, kinematic = false;
  Terms terms = Terms::plain;
  exec::CellSchedule schedule = exec::CellSchedule::direct;
};

std::unique_ptr<systems::CentralLoops> make_loops(Backend backend, Precision precision,
                                                  const Choice& choice, const Case& of);

// The loops of one back end and number type; variants.hpp defines it for the files that the build makes.
template <class BackEnd, class R>
struct Variants {
  static std::unique_ptr<systems::CentralLoops> make(const Choice& choice, const Case& of);
};

}  // namespace watersmeet::mhd
