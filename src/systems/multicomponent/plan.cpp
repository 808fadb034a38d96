// Estimates of a run of the multicomponent system before it starts: memory, traffic, work,
// step.
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "systems/multicomponent/system.hpp"
#include "systems/multicomponent/work.hpp"

namespace watersmeet::multicomponent {

systems::MemoryNeed MulticomponentSystem::memory_needed(const Index3& cells) const {
  systems::MemoryNeed need;
  need.working_bytes =
      memory::State::bytes_needed(shapes(cells), n_variables, registers, precision_);
  if (strict_) need.working_bytes += Limiter::bytes_needed(shapes(cells).front(), precision_);
  if (variant_ == Variant::stretched)
    need.working_bytes += CellTables::bytes_needed(cells, precision_);
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
  stream::Demand demand = demand_of(shapes(cells).front(), n_variables, registers);
  if (strict_) demand.corrections = exec::limit_passes;
  demand.usual_fused_steps =
      4;  // its stages take two to three times as long a byte as those of others
  return {"", demand,
          strict_ ? "numerics.positivity = \"strict\" corrects what a stage wrote where its "
                    "right-hand sides are computed"
                  : ""};
}

double MulticomponentSystem::flops_per_point_rhs() const {
  return work_of_stage(work_of_cell(variant_, flow_, finish_, scheme_), flow_).all;
}

double MulticomponentSystem::estimate_step(const config::Input&) const {
  std::array<std::vector<std::int64_t>, 3> cells;
  for (std::size_t a = 0; a < 3; ++a) {
    const std::int64_t all = cell_grid_.cells[a], n = std::min<std::int64_t>(all, 24);
    for (std::int64_t i = 0; i < n; ++i) cells[a].push_back(i * all / n);
  }
  double largest = 0;
  for (const std::int64_t k : cells[2]) {
    for (const std::int64_t j : cells[1]) {
      for (const std::int64_t i : cells[0]) {
        const Index3 cell{i, j, k};
        const PointState s = initial_->state_at(cell_grid_.centre(cell));
        const double signal =
            finish_.signal_by(scaled({{s.rho, s.u, s.v, s.w, s.p, s.Gamma, s.Pi}}), [&](int a) {
              return scales_.speed / cell_grid_.width(static_cast<std::size_t>(a),
                                                      cell[static_cast<std::size_t>(a)]);
            });
        largest = std::max(largest, signal);
      }
    }
  }
  return step_of(largest);
}

}  // namespace watersmeet::multicomponent
