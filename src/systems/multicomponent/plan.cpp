// What can be told of a run of the multicomponent system before it starts: memory, traffic, work,
// step.
#include <algorithm>
#include <cmath>

#include "systems/multicomponent/counted.hpp"
#include "systems/multicomponent/system.hpp"
#include "systems/tabulate.hpp"

namespace watersmeet::multicomponent {

std::vector<memory::BlockShape> MulticomponentSystem::shapes(const Index3& cells) const {
  memory::BlockShape shape{cells, {}};
  for (std::size_t a = 0; a < 3; ++a) {
    // x keeps its ghosts even with one cell: packs are loaded along x.
    shape.ghosts[a] = a > 0 && cells[a] == 1 ? 0 : radius;
  }
  return {shape};
}

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

double MulticomponentSystem::bytes_per_point_step() const {
  int words = 0;
  for (std::size_t s = 0; s < scheme_.stages.size(); ++s) {
    words += scheme_.words_of_stage(s) * n_variables;
  }
  return words * static_cast<double>(size_of(precision_));
}

namespace {
// What the formulas themselves do with numbers that count: each cell becomes a state, is
// reconstructed once an axis, makes one face and takes from two an axis, and is updated.
template <Variant variant>
double count_flops(const FlowParameters<double>& parameters, const TimeScheme& scheme) {
  long operations = 0;
  Flow<double, variant> flow;
  flow.p = parameters;
  // A gas, with slopes so that no case is special; the count depends on no value.
  const auto value = [&](int v, int m) {
    const double base[n_variables] = {1, 0.1, 0.2, 0.3, 1, 2.5, 0.1};
    return Counted(base[v] * (1 + 0.01 * m), &operations);
  };
  State<Counted> stored;
  for (int v = 0; v < n_variables; ++v) stored[v] = value(v, 0);
  const State<Counted> w = flow.state(stored);
  State<Counted> rate;
  const auto count_axis = [&]<int axis>() {
    if (!flow.active(axis)) return;
    const auto edges = flow.template edges<Counted>(value);
    const auto record = flow.template flux<axis, Counted>(edges.lower, edges.upper);
    flow.template add<axis, Counted>(rate, record, record, w, flow.keep(edges, w), 0);
  };
  count_axis.template operator()<0>();
  count_axis.template operator()<1>();
  count_axis.template operator()<2>();
  const double before = static_cast<double>(operations);
  operations = 0;
  for (const exec::StageUpdate<double>& update : scheme.stages) {
    for (int v = 0; v < n_variables; ++v) {
      exec::advance_value(update, stored[v], value(v, 1), value(v, 2), 1e-3);
    }
  }
  return before + static_cast<double>(operations) / static_cast<double>(scheme.stages.size());
}
}  // namespace

double MulticomponentSystem::flops_per_point_rhs() const {
  if (variant_ == Variant::js) return count_flops<Variant::js>(flow_, scheme_);
  if (variant_ == Variant::z) return count_flops<Variant::z>(flow_, scheme_);
  return count_flops<Variant::general>(flow_, scheme_);
}

double MulticomponentSystem::estimate_step(const config::Input&) const {
  const systems::GridCoordinates grid =
      systems::coarse_coordinates(systems::coordinates_of(*mesh_, 0), 24);
  exec::Clock clock;
  for (const double z : grid.z) {
    for (const double y : grid.y) {
      for (const double x : grid.x) {
        const PointState s = initial_->state_at({x, y, z});
        const double signal = finish_.signal(scaled({{s.rho, s.u, s.v, s.w, s.p, s.Gamma, s.Pi}}));
        clock.signal = std::max(clock.signal, signal);
      }
    }
  }
  exec::begin_step(clock, rule_, 1e300, true);
  return clock.dt;
}

}  // namespace watersmeet::multicomponent
