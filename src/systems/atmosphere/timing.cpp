// The passes before a stage of the atmosphere and those after the stages, each timed separately.
#include "systems/atmosphere/system.hpp"

namespace watersmeet::atmosphere {

void AtmosphereSystem::time_ghosts(systems::KernelTimer& timer) {
  const double all = static_cast<double>(stages());
  if (globe_) {
    timer.time({.name = "edges of panels", .launches = all},
               [&] { couple_panels(launch(0, 1), 0); });
    return;
  }
  StagedSystem::time_ghosts(timer);
  timer.time({.name = "boundary conditions", .launches = all}, [&] { fill_behind_sides(0); });
}

void AtmosphereSystem::time_stages(systems::KernelTimer& timer) {
  StagedSystem::time_stages(timer);
  if (globe_ && globe_->has_sponge()) {
    timer.time({.name = "sponge"}, [&] { globe_->loops().damp(launch(1, 1)); });
  }
  for (const bool second : {false, true}) {
    if (!split()) break;
    timer.time({.name = second ? "columns 2" : "columns 1"},
               [&] { loops().solve_columns(launch(0, 1), split_call(second)); });
  }
}

}  // namespace watersmeet::atmosphere
