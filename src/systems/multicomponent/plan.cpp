// Estimates of a run of the multicomponent system before it starts: memory, traffic, work,
// step.
#include <algorithm>
#include <cmath>

#include "systems/multicomponent/system.hpp"
#include "systems/multicomponent/work.hpp"
#include "systems/tabulate.hpp"

namespace watersmeet::multicomponent {

systems::MemoryNeed MulticomponentSystem::memory_needed(const Index3& cells) const {
  systems::MemoryNeed need;
  need.working_bytes =
      memory::State::bytes_needed(shapes(cells), n_variables, registers, precision_);
  if (strict_) need.working_bytes += Limiter::bytes_needed(shapes(cells).front(), precision_);
  // Conditions of the sides: a state and a kind per cell.
  const auto& periodic = boundaries_.periodic();
  for (std::size_t a = 0; a < 3; ++a) {
    if (periodic[a]) continue;
    const std::int64_t side = cells[(a + 1) % 3] * cells[(a + 2) % 3];
    need.working_bytes +=
        2 * static_cast<std::size_t>(side) * (n_variables * size_of(precision_) + 1);
  }
  return need;
}

systems::Streaming MulticomponentSystem::streaming(const Index3& cells) const {
  if (strict_)
    return {"numerics.positivity = \"strict\" corrects a stage with cells of other planes", {}};
  return {"", demand_of(shapes(cells).front(), n_variables, registers)};
}

double MulticomponentSystem::flops_per_point_rhs() const {
  return work_of_stage(work_of_cell(variant_, flow_, finish_, scheme_), flow_).all;
}

double MulticomponentSystem::estimate_step(const config::Input&) const {
  const systems::GridCoordinates grid =
      systems::coarse_coordinates(systems::coordinates_of(grid_.cells, 0), 24);
  double largest = 0;
  for (const double z : grid.z) {
    for (const double y : grid.y) {
      for (const double x : grid.x) {
        const PointState s = initial_->state_at({x, y, z});
        const double signal = finish_.signal(scaled({{s.rho, s.u, s.v, s.w, s.p, s.Gamma, s.Pi}}));
        largest = std::max(largest, signal);
      }
    }
  }
  return step_of(largest);
}

}  // namespace watersmeet::multicomponent
