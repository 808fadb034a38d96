#pragma once
// What explicit sources of a flow, sponges and rotation, do to the step that a Courant number
// chooses: where they are strong they bound it (schemes/kappa_stability.hpp), and not where the
// flow does so by itself.

#include "config/input.hpp"
#include "exec/clock.hpp"
#include "exec/time_scheme.hpp"
#include "schemes/kappa_stability.hpp"

namespace watersmeet::systems {

struct SteppedFlow {
  const exec::TimeScheme& scheme;
  double kappa = 0;
  double limit = 0;      // of time.cfl, beyond which the flow itself is unstable
  double diffusion = 0;  // dt times the largest eigenvalue of diffusion
};

// Sets rule.longest, after rule.cfl and rule.fixed. Faults: a prescribed step at which the sources
// grow, and a Courant number so close to its limit that decays have no room beside it.
void bound_by_sources(config::Input& input, exec::StepRule& rule, const SteppedFlow& flow,
                      const schemes::SourceRates& rates);

}  // namespace watersmeet::systems
