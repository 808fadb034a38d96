// What passes between parts, panels and sides before a stage of shallow water, timed by itself.
#include "systems/shallow_water/system.hpp"

namespace watersmeet::shallow_water {

void ShallowWaterSystem::time_ghosts(systems::KernelTimer& timer) {
  const double word = static_cast<double>(size_of(precision_));
  const double all = static_cast<double>(stages());
  if (sphere_) {
    const double cells_of_edges = 2.0 * static_cast<double>(case_.links.faces());
    // Both lines of cells on both sides are read, ghosts and records are written.
    const double words = 2 * strip_values + n_variables + n_rim_values;
    timer.time({.name = "panel edges",
                .bytes = cells_of_edges * words * word + double(sphere_->bytes_sent()),
                .launches = all},
               [&] { couple_panels(); });
  } else {
    StagedSystem::time_ghosts(timer);
  }
  if (tables_.sides().any) {
    timer.time({.name = "boundary conditions", .launches = all},
               [&] { loops_->fill_boundaries(launch(0, 0), tables_.sides()); });
  }
}

}  // namespace watersmeet::shallow_water
