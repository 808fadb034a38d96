// Tabulates kinds and prescribed states of the sides of a part.
#include "systems/multicomponent/boundary/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.hpp"
#include "systems/side_conditions.hpp"

namespace watersmeet::multicomponent {

namespace {

// Whether a primitive state lies inside the equation of state; the text names the value that does not.
std::string fault_of(const Primitive<double>& w) {
  for (int v = 0; v < n_variables; ++v) {
    if (!std::isfinite(w[v])) return "it is not finite";
  }
  if (!(w[w_rho] > 0)) return fmt::format("density {:g} is not positive", w[w_rho]);
  if (!(stiff_pressure(w) > 0)) {
    return fmt::format("pressure {:g} is not above -p_c = {:g}", w[w_p],
                       -w[w_pi] / (w[w_gamma] + 1));
  }
  return "";
}

// Centre of a face of a side; `cell` in the indices of the whole.
Real3 centre_of(const CellGrid& grid, int side, const Index3& cell) {
  Real3 x = grid.centre(cell);
  const std::size_t a = static_cast<std::size_t>(side / 2);
  x[a] = grid.place(a, cell[a], side % 2 == 1 ? 1 : -1);
  return x;
}

// The layer of a box of cells in front of a side.
Box layer_of(const Box& box, int side) {
  const std::size_t a = static_cast<std::size_t>(side / 2);
  Box layer = box;
  if (side % 2 == 1) {
    layer.lower[a] = box.upper[a] - 1;
  } else {
    layer.upper[a] = box.lower[a] + 1;
  }
  return layer;
}

Box shifted(const Box& box, const Index3& by) {
  Box result = box;
  for (std::size_t a = 0; a < 3; ++a) {
    result.lower[a] += by[a];
    result.upper[a] += by[a];
  }
  return result;
}

}  // namespace

BoundaryTables::BoundaryTables(const BoundaryConditions& conditions, const CellStates& initial,
                               const Box& part, Precision precision, const InternalScales& scales,
                               const Queue& queue)
    : grid_(conditions.grid()), part_(part), precision_(precision), scales_(scales) {
  for (int side = 0; side < 6; ++side) {
    if (conditions.periodic()[static_cast<std::size_t>(side / 2)]) continue;
    if (systems::at_border(part, conditions.grid().cells, side)) {
      make_side(conditions, initial, part, side, queue);
    }
  }
}

void BoundaryTables::make_side(const BoundaryConditions& conditions, const CellStates& initial,
                               const Box& part, int side, const Queue& queue) {
  const auto axes = systems::axes_of_side(side);
  const std::size_t a = static_cast<std::size_t>(axes[0]), b = static_cast<std::size_t>(axes[1]);
  const Box layer = layer_of(part, side);
  const std::size_t cells = static_cast<std::size_t>(layer.count());
  Table& table = table_[side];

  // The last patch that covers a cell.
  std::vector<std::size_t> condition_of(cells, 0);
  std::set<std::size_t> used;
  for (std::size_t c = 0; c < cells; ++c) {
    const std::int64_t width = layer.size(axes[0]), at = static_cast<std::int64_t>(c);
    const std::int64_t first = layer.lower[a] + at % width, second = layer.lower[b] + at / width;
    for (const auto& patch : conditions.patches()) {
      if (patch.side == side && first >= patch.lower[0] && first < patch.upper[0] &&
          second >= patch.lower[1] && second < patch.upper[1]) {
        condition_of[c] = patch.condition;
      }
    }
    used.insert(condition_of[c]);
    table.kind.push_back(static_cast<std::uint8_t>(conditions.conditions()[condition_of[c]].kind));
  }
  table.kind_buffer = memory::Buffer(memory::working_space(queue.backend), cells);
  copy_bytes(table.kind_buffer.start(), table.kind.data(), cells, queue);
  synchronize(queue);
  call_.any = true;
  call_.side[side].kind = table.kind_buffer.as<std::uint8_t>();
  call_.side[side].cells = static_cast<std::int64_t>(cells);

  const bool prescribes = std::any_of(used.begin(), used.end(), [&](std::size_t n) {
    return conditions.conditions()[n].prescribes();
  });
  if (!prescribes) return;
  table.states.resize(n_variables * cells);
  std::array<double*, n_variables> columns{};
  for (std::size_t v = 0; v < columns.size(); ++v) columns[v] = table.states.data() + v * cells;
  initial(layer, columns);
  table.path_of.resize(cells);
  for (const std::size_t n : used) {
    const BoundaryCondition& condition = conditions.conditions()[n];
    const auto mine = std::make_shared<std::vector<std::int64_t>>();
    const auto points = std::make_shared<systems::Places>();
    for (std::size_t c = 0; c < cells; ++c) {
      if (condition_of[c] != n) continue;
      const std::int64_t width = layer.size(axes[0]), at = static_cast<std::int64_t>(c);
      mine->push_back(at);
      table.path_of[c] = static_cast<std::uint16_t>(table.path.size());
      Index3 cell = layer.lower;
      cell[a] += at % width;
      cell[b] += at / width;
      points->add(centre_of(grid_, side, cell));
    }
    table.path.push_back(condition.path);
    for (const PrescribedValue& value : condition.values) {
      if (value.reads_state) continue;  // the initial state, until it is computed
      Live live{
          value.key, value.variable,
          config::Expression(value.expression, systems::place_variables(), conditions.constants()),
          mine, points};
      evaluate(live, 0.0, queue, table);
      if (!live.expression.depends_on("t")) continue;
      table.live.push_back(std::move(live));
      depends_on_time_ = true;
    }
  }
  table.states_table =
      systems::StagedTable(n_variables * cells, precision_, !table.live.empty(), queue);
  call_.side[side].states = table.states_table.start();
  check(side, 0.0);
  upload(side, queue);
  synchronize(queue);
}

exec::SideValues BoundaryTables::of_state(int side) const {
  exec::SideValues to;
  const Table& table = table_[side];
  if (table.states.empty()) return to;
  const auto axes = systems::axes_of_side(side);
  to.start = table.states_table.start();
  to.stride[axes[0]] = 1;
  to.stride[axes[1]] = part_.size(axes[0]);
  to.table = static_cast<std::int64_t>(table.kind.size());
  return to;
}

void BoundaryTables::evaluate(Live& live, double t, const Queue& queue, Table& table) {
  const std::size_t cells = table.kind.size(), n = live.cells->size();
  double* const out = table.states.data() + static_cast<std::size_t>(live.variable) * cells;
  std::vector<double> values(n);
  systems::evaluate_at(live.expression, *live.points, t, queue.threads, values.data());
  for (std::size_t i = 0; i < n; ++i) out[static_cast<std::size_t>((*live.cells)[i])] = values[i];
}

void BoundaryTables::check(int side, double t) const {
  const Table& table = table_[side];
  const std::size_t cells = table.kind.size();
  const auto axes = systems::axes_of_side(side);
  const Box layer = layer_of(part_, side);
  for (std::size_t c = 0; c < cells; ++c) {
    const auto kind = static_cast<BoundaryKind>(table.kind[c]);
    if (kind != BoundaryKind::inflow && kind != BoundaryKind::nonreflecting) continue;
    Primitive<double> w;
    for (int v = 0; v < n_variables; ++v)
      w[v] = table.states[static_cast<std::size_t>(v) * cells + c];
    const std::string fault = fault_of(w);
    if (fault.empty()) continue;
    const std::int64_t width = layer.size(axes[0]), at = static_cast<std::int64_t>(c);
    Index3 cell = layer.lower;
    cell[static_cast<std::size_t>(axes[0])] += at % width;
    cell[static_cast<std::size_t>(axes[1])] += at / width;
    const Real3 x = centre_of(grid_, side, cell);
    throw Error(ErrorKind::user_input,
                fmt::format("{} prescribes a state outside the equation of state at x = {:g}, y = "
                            "{:g}, z = {:g}, t = {:g}: {}",
                            table.path[table.path_of[c]], x[0], x[1], x[2], t, fault));
  }
}

void BoundaryTables::upload(int side, const Queue& queue) {
  Table& table = table_[side];
  const std::size_t cells = table.kind.size();
  const double pressure = scales_.density * scales_.speed * scales_.speed;
  const double unit[n_variables] = {scales_.density, scales_.speed, scales_.speed, scales_.speed,
                                    pressure,        1.0,           pressure};
  std::vector<double> scaled(table.states);
  for (std::size_t n = 0; n < scaled.size(); ++n) scaled[n] /= unit[n / cells];
  table.states_table.fill(scaled, queue);
}

void BoundaryTables::set_time(double t, const Queue& queue) {
  for (int side = 0; side < 6; ++side) {
    Table& table = table_[side];
    if (table.live.empty()) continue;
    for (Live& live : table.live) evaluate(live, t, queue, table);
    check(side, t);
    upload(side, queue);
  }
}

void BoundaryConditions::check(config::Input& input, const CellStates& initial) const {
  constexpr std::int64_t most = 24;  // sampled along each axis
  std::set<std::size_t> reported;
  for (const Patch& patch : patches_) {
    const BoundaryCondition& condition = conditions_[patch.condition];
    if (!condition.prescribes() || reported.count(patch.condition) > 0) continue;
    const auto axes = systems::axes_of_side(patch.side);
    const std::size_t a = static_cast<std::size_t>(axes[0]), b = static_cast<std::size_t>(axes[1]);
    std::vector<config::Expression> expressions;
    std::vector<int> variables;
    for (const PrescribedValue& value : condition.values) {
      if (value.reads_state) continue;
      expressions.emplace_back(value.expression, systems::place_variables(), constants_);
      variables.push_back(value.variable);
    }
    const std::int64_t n[2] = {patch.upper[0] - patch.lower[0], patch.upper[1] - patch.lower[1]};
    const std::int64_t samples[2] = {std::min(n[0], most), std::min(n[1], most)};
    for (std::int64_t s = 0; s < samples[0] * samples[1]; ++s) {
      Index3 cell = layer_of({{0, 0, 0}, grid_.cells}, patch.side).lower;
      cell[a] = patch.lower[0] + (s % samples[0]) * n[0] / samples[0];
      cell[b] = patch.lower[1] + (s / samples[0]) * n[1] / samples[1];
      Primitive<double> w;
      std::array<double*, n_variables> out{};
      for (std::size_t v = 0; v < out.size(); ++v) out[v] = &w[static_cast<int>(v)];
      initial(shifted({{0, 0, 0}, {1, 1, 1}}, cell), out);
      const Real3 x = centre_of(grid_, patch.side, cell);
      systems::Places place;
      place.add(x);
      for (std::size_t v = 0; v < expressions.size(); ++v) {
        systems::evaluate_at(expressions[v], place, 0, 1, &w[variables[v]]);
      }
      const std::string fault = fault_of(w);
      if (fault.empty()) continue;
      // The key of the value that is not admissible, where one is given.
      const int variable = !(w[w_rho] > 0) ? w_rho : w_p;
      std::string key = condition.path;
      for (const PrescribedValue& value : condition.values) {
        if (value.variable == variable) key = value.key;
      }
      input.fault(
          config::FaultKind::range, key,
          fmt::format("the state at x = {:g}, y = {:g}, z = {:g} is outside the equation of "
                      "state: {}",
                      x[0], x[1], x[2], fault));
      reported.insert(patch.condition);
      break;
    }
  }
}

}  // namespace watersmeet::multicomponent
