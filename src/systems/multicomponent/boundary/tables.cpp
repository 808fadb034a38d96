// Tabulates kinds and prescribed states of the sides of a part.
#include "systems/multicomponent/boundary/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.hpp"

namespace watersmeet::multicomponent {

namespace {

const std::vector<std::string> variables = {"x", "y", "z", "r", "t"};

// Whether a primitive state lies inside the equation of state; the words say what does not.
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
Real3 centre_of(const mesh::Uniform& geometry, int side, const Index3& cell) {
  Real3 x = geometry.position(cell);
  const std::size_t a = static_cast<std::size_t>(side / 2);
  x[a] = geometry.lower[a] + static_cast<double>(cell[a] + side % 2) * geometry.spacing[a];
  return x;
}

double radius(const Real3& x) { return std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

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
    : geometry_(conditions.geometry()), part_(part), precision_(precision), scales_(scales) {
  for (int side = 0; side < 6; ++side) {
    const std::size_t a = static_cast<std::size_t>(side / 2);
    const bool at_end = side % 2 == 1 ? part.upper[a] == conditions.cells()[a] : part.lower[a] == 0;
    if (at_end && !conditions.periodic()[a]) make_side(conditions, initial, part, side, queue);
  }
}

void BoundaryTables::make_side(const BoundaryConditions& conditions, const CellStates& initial,
                               const Box& part, int side, const Queue& queue) {
  const auto axes = axes_of_side(side);
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
    const auto points = std::make_shared<Points>();
    for (std::size_t c = 0; c < cells; ++c) {
      if (condition_of[c] != n) continue;
      const std::int64_t width = layer.size(axes[0]), at = static_cast<std::int64_t>(c);
      mine->push_back(at);
      table.path_of[c] = static_cast<std::uint16_t>(table.path.size());
      Index3 cell = layer.lower;
      cell[a] += at % width;
      cell[b] += at / width;
      const Real3 x = centre_of(geometry_, side, cell);
      points->x.push_back(x[0]);
      points->y.push_back(x[1]);
      points->z.push_back(x[2]);
      points->r.push_back(radius(x));
    }
    table.path.push_back(condition.path);
    for (const PrescribedValue& value : condition.values) {
      Live live{value.key, value.variable,
                config::Expression(value.expression, variables, conditions.constants()), mine,
                points};
      evaluate(live, 0.0, queue, table);
      if (!live.expression.depends_on("t")) continue;
      table.live.push_back(std::move(live));
      depends_on_time_ = true;
    }
  }
  const std::size_t bytes = n_variables * cells * size_of(precision_);
  table.states_buffer = memory::Buffer(memory::working_space(queue.backend), bytes);
  for (Staging& staging : table.staging) {
    if (queue.backend == Backend::cpu) break;
    staging.buffer = memory::Buffer(memory::staging_space(queue.backend), bytes);
    staging.copied = Event(queue);
    if (table.live.empty()) break;  // used once
  }
  call_.side[side].states = table.states_buffer.start();
  check(side, 0.0);
  upload(side, queue);
  synchronize(queue);
}

void BoundaryTables::evaluate(Live& live, double t, const Queue& queue, Table& table) {
  const std::size_t cells = table.kind.size(), n = live.cells->size();
  double* const out = table.states.data() + static_cast<std::size_t>(live.variable) * cells;
  constexpr std::size_t chunk = 1024;  // cells that a thread evaluates at once
  const std::size_t chunks = (n + chunk - 1) / chunk;
#pragma omp parallel num_threads(queue.threads) if (chunks > 1)
  {
    config::Expression mine = live.expression;
    std::vector<double> time(chunk, t), values(chunk);
#pragma omp for schedule(static)
    for (std::size_t k = 0; k < chunks; ++k) {
      const std::size_t first = k * chunk, count = std::min(chunk, n - first);
      const Points& p = *live.points;
      const double* const columns[5] = {p.x.data() + first, p.y.data() + first, p.z.data() + first,
                                        p.r.data() + first, time.data()};
      mine.evaluate_row(count, columns, values.data());
      for (std::size_t i = 0; i < count; ++i) {
        out[static_cast<std::size_t>((*live.cells)[first + i])] = values[i];
      }
    }
  }
}

void BoundaryTables::check(int side, double t) const {
  const Table& table = table_[side];
  const std::size_t cells = table.kind.size();
  const auto axes = axes_of_side(side);
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
    const Real3 x = centre_of(geometry_, side, cell);
    throw Error(ErrorKind::user_input,
                fmt::format("{} prescribes a state outside the equation of state at x = {:g}, y = "
                            "{:g}, z = {:g}, t = {:g}: {}",
                            table.path[table.path_of[c]], x[0], x[1], x[2], t, fault));
  }
}

namespace {
template <class R>
void scale_states(const std::vector<double>& states, const InternalScales& scales, R* out) {
  const std::size_t cells = states.size() / n_variables;
  const double pressure = scales.density * scales.speed * scales.speed;
  const double unit[n_variables] = {scales.density, scales.speed, scales.speed, scales.speed,
                                    pressure,       1.0,          pressure};
  for (std::size_t v = 0; v < n_variables; ++v) {
    for (std::size_t c = 0; c < cells; ++c) {
      out[v * cells + c] = static_cast<R>(states[v * cells + c] / unit[v]);
    }
  }
}
}  // namespace

void BoundaryTables::upload(int side, const Queue& queue) {
  Table& table = table_[side];
  const bool on_device = queue.backend == Backend::cuda;
  Staging& staging = table.staging[table.next];
  if (on_device) staging.copied.wait();
  void* const to = on_device ? staging.buffer.start() : table.states_buffer.start();
  if (precision_ == Precision::double_) {
    scale_states(table.states, scales_, static_cast<double*>(to));
  } else {
    scale_states(table.states, scales_, static_cast<float*>(to));
  }
  if (!on_device) return;
  copy_bytes(table.states_buffer.start(), to, table.states_buffer.bytes(), queue);
  staging.copied.record(queue);
  if (!table.live.empty()) table.next = (table.next + 1) % staging_buffers;
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

void BoundaryTables::begin_step(const exec::Clock* clock, const Queue& queue) {
  if (depends_on_time_) times_.begin_step(clock, queue);
}

void BoundaryTables::set_stage(double fraction, const Queue& queue) {
  if (depends_on_time_) set_time(times_.at(fraction), queue);
}

void BoundaryTables::set_now(const exec::Clock* clock, const Queue& queue) {
  if (depends_on_time_) set_time(systems::solution_time(clock, queue), queue);
}

void BoundaryConditions::check(config::Input& input, const CellStates& initial) const {
  constexpr std::int64_t most = 24;  // sampled along each axis
  std::set<std::size_t> blamed;
  for (const Patch& patch : patches_) {
    const BoundaryCondition& condition = conditions_[patch.condition];
    if (!condition.prescribes() || blamed.count(patch.condition) > 0) continue;
    const auto axes = axes_of_side(patch.side);
    const std::size_t a = static_cast<std::size_t>(axes[0]), b = static_cast<std::size_t>(axes[1]);
    std::vector<config::Expression> expressions;
    for (const PrescribedValue& value : condition.values) {
      expressions.emplace_back(value.expression, variables, constants_);
    }
    const std::int64_t n[2] = {patch.upper[0] - patch.lower[0], patch.upper[1] - patch.lower[1]};
    const std::int64_t samples[2] = {std::min(n[0], most), std::min(n[1], most)};
    for (std::int64_t s = 0; s < samples[0] * samples[1]; ++s) {
      Index3 cell = layer_of({{0, 0, 0}, cells_}, patch.side).lower;
      cell[a] = patch.lower[0] + (s % samples[0]) * n[0] / samples[0];
      cell[b] = patch.lower[1] + (s / samples[0]) * n[1] / samples[1];
      Primitive<double> w;
      std::array<double*, n_variables> out{};
      for (std::size_t v = 0; v < out.size(); ++v) out[v] = &w[static_cast<int>(v)];
      initial(shifted({{0, 0, 0}, {1, 1, 1}}, cell), out);
      const Real3 x = centre_of(geometry_, patch.side, cell);
      const double r = radius(x), t = 0;
      const double* const columns[5] = {&x[0], &x[1], &x[2], &r, &t};
      for (std::size_t v = 0; v < expressions.size(); ++v) {
        expressions[v].evaluate_row(1, columns, &w[condition.values[v].variable]);
      }
      const std::string fault = fault_of(w);
      if (fault.empty()) continue;
      // The value to blame, where one is given.
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
      blamed.insert(patch.condition);
      break;
    }
  }
}

}  // namespace watersmeet::multicomponent
