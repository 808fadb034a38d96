#pragma once
// The launches of the isothermal system, and what they are made of: the parameters of a case in double, and the variant that is chosen
// at set-up.

#include <memory>

#include "exec/loops.hpp"
#include "systems/central_case.hpp"
#include "systems/central_loops.hpp"
#include "systems/isothermal/diagnostics.hpp"
#include "systems/isothermal/equations.hpp"

namespace watersmeet::isothermal {

// Inverse spacing is 0 along an axis of one cell.
struct Physics {
  double sound_speed = 1.0, viscosity = 0.0, bulk_viscosity = 0.0, hyperviscosity = 0.0;
  double reference_density = 1.0;
  double shock_scale = 0.0, shock_signal = 0.0;  // c_s h^2; the share of zeta_s = 1 of the signal
  bool upwind_density = false, upwind_velocity = false;
  double inverse_spacing[3] = {0, 0, 0};
};

using systems::Forcing;
using systems::ForcingPlace;

struct Case : systems::CentralCase {
  Physics physics;
};

// What is fixed at compile time, and the schedule on a GPU.
struct Choice {
  Method method = Method::points55;
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

}  // namespace watersmeet::isothermal
