// Values of boundaries as expressions of the flow at their nodes: before every right-hand side of every grid they are computed from the state that
// it reads, and written into the tables that penalties look up.
#include "memory/rounded.hpp"
#include "systems/aerodynamics/solver/flow_solver.hpp"

namespace watersmeet::aerodynamics {

void Level::write_sides(std::span<const SideValues> sides, TableAddress<double> in,
                        std::int64_t first_place, double fraction, exec::Clock* clock,
                        const Queue& queue) {
  if (tables_.side_nodes.empty()) return;
  loops_->gather({in, parameters_.pitch, side_nodes_.as<std::int32_t>(), {side_states_.start()}},
                 static_cast<std::int64_t>(tables_.side_nodes.size()), queue);
  // The gathered states, [node][variable], as rows of one cell each.
  BlockLayout layout;
  layout.n[0] = layout.n[2] = layout.stride[0] = layout.stride_var = 1;
  layout.n[1] = static_cast<std::int64_t>(tables_.side_nodes.size());
  layout.stride[1] = n_variables;
  layout.stride[2] = 0;
  exec::Launch launch;
  launch.registers.layout = &layout;
  launch.registers.in = side_states_.start();
  launch.clock = clock;
  launch.queue = queue;
  const auto word = static_cast<std::int64_t>(size_of(precision_));
  const std::int64_t places = parameters_.surfaces.outside_pitch;
  for (const SideRun& run : tables_.side_runs) {
    launch.box = {{0, run.first, 0}, {1, run.first + run.count, 1}};
    exec::SideValues to;
    // Rows of the table are counted from that of the first node of all.
    to.stride[1] = run.outer ? 1 : given_numbers;
    to.table = run.outer ? places : 1;
    const std::int64_t first =
        run.outer ? outside_number_ * places * n_variables + run.row : run.row * given_numbers;
    to.start =
        (run.outer ? outside_ : given_).as<char>() + (first - run.first * to.stride[1]) * word;
    for (const SideValues& side : sides) {
      if (side.condition == run.condition)
        side.values->write_side(launch, {0, first_place, 0}, fraction, to);
    }
  }
}

void Level::read_sides(const Queue& queue) {
  if (tables_.side_nodes.empty()) return;
  const auto fetch = [&](const void* from, std::size_t count, double* to) {
    std::vector<char> there(count * size_of(precision_));
    copy_bytes(there.data(), from, there.size(), queue);
    synchronize(queue);
    for (std::size_t n = 0; n < count; ++n) {
      to[n] = precision_ == Precision::double_ ? reinterpret_cast<const double*>(there.data())[n]
                                               : reinterpret_cast<const float*>(there.data())[n];
    }
  };
  std::vector<double> outside(outside_host_.size()), numbers(given_host_.size() * given_numbers);
  fetch(parameters_.surfaces.outside.start, outside.size(), outside.data());
  fetch(given_.start(), numbers.size(), numbers.data());
  // Of these alone: others are here in double on all ranks.
  const std::size_t places = tables_.outer.size();
  for (const SideRun& run : tables_.side_runs) {
    for (auto at = static_cast<std::size_t>(run.row),
              end = at + static_cast<std::size_t>(run.count);
         at < end; ++at) {
      if (run.outer) {
        for (std::size_t v = 0; v < n_variables; ++v)
          outside_host_[v * places + at] = outside[v * places + at];
        continue;
      }
      const double* const of = numbers.data() + at * given_numbers;
      Given<double>& given = given_host_[at];
      given.reservoir.pressure = of[g_total_pressure];
      given.reservoir.sound2 = of[g_sound2];
      for (int m = 0; m < 3; ++m) given.reservoir.direction[m] = of[g_direction + m];
      given.pressure = of[g_pressure];
    }
  }
}

std::vector<Level*> FlowSolver::all_levels() const {
  std::vector<Level*> levels{fine_.get()};
  if (start_) levels.push_back(start_.get());
  for (const auto& grid : coarse_) levels.push_back(grid->level.get());
  return levels;
}

void FlowSolver::set_side_values(int condition, systems::UserSources& values) {
  const auto place = [&](const std::string& name) {
    systems::UserSources::Place of{{}, {0, 1, 0}};
    const auto axis = static_cast<std::size_t>(name[0] - 'x');
    for (const Level* level : all_levels())
      for (const Real3& x : level->tables().side_places) of.values.push_back(x[axis]);
    return of;
  };
  values.allocate(method_.precision, place, queue_);
  side_values_.push_back({condition, &values});
}

void FlowSolver::write_side_values(std::size_t l, TableAddress<double> in, double fraction) {
  if (side_values_.empty()) return;
  std::int64_t first = 0;
  for (const Level* other : all_levels()) {
    if (other == &level(l)) break;
    first += static_cast<std::int64_t>(other->tables().side_places.size());
  }
  level(l).write_sides(side_values_, in, first, fraction, clock(), queue_);
}

}  // namespace watersmeet::aerodynamics
