#include "systems/shallow_water/boundary_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace watersmeet::shallow_water {

BoundaryTables::BoundaryTables(const BoundaryConditions& conditions, const mesh::Uniform& geometry,
                               const Index3& cells, const Box& part, const Index3& ghosts,
                               Precision precision, bool edges, const Queue& queue)
    : precision_(precision) {
  call_.edges = edges;
  for (int side = 0; side < 4; ++side) {
    const std::size_t a = static_cast<std::size_t>(side / 2);
    const bool at_end = side % 2 == 1 ? part.upper[a] == cells[a] : part.lower[a] == 0;
    if (!at_end || conditions.side(side).kind == BoundaryKind::none) continue;
    call_.any = true;
    call_.side[side].kind = conditions.side(side).kind;
    if (!conditions.side(side).prescribes()) continue;
    Table& table = table_[side];
    table.path = conditions.side(side).path;
    for (const std::string& text : conditions.side(side).values) {
      table.values.emplace_back(text, std::vector<std::string>{"x", "y", "t"},
                                conditions.constants());
      table.live = table.live || table.values.back().depends_on("t");
    }
    make_side(geometry, part, ghosts[1 - a] > 0, side, queue);
  }
}

void BoundaryTables::make_side(const mesh::Uniform& geometry, const Box& part, bool beyond,
                               int side, const Queue& queue) {
  Table& table = table_[side];
  const std::size_t a = static_cast<std::size_t>(side / 2), b = 1 - a;
  const std::int64_t more = beyond ? 1 : 0;
  const double face =
      geometry.lower[a] +
      static_cast<double>(side % 2 == 1 ? part.upper[a] : part.lower[a]) * geometry.spacing[a];
  for (std::int64_t n = part.lower[b] - more; n < part.upper[b] + more; ++n) {
    const double along = geometry.coordinate(static_cast<int>(b), n);
    table.x.push_back(a == 0 ? face : along);
    table.y.push_back(a == 0 ? along : face);
  }
  const std::size_t bytes = 3 * table.x.size() * size_of(precision_);
  table.buffer = memory::Buffer(memory::working_space(queue.backend), bytes);
  for (Staging& staging : table.staging) {
    if (queue.backend == Backend::cpu) break;
    staging.buffer = memory::Buffer(memory::staging_space(queue.backend), bytes);
    staging.copied = Event(queue);
    if (!table.live) break;  // used once
  }
  call_.side[side].prescribed = table.buffer.start();
  call_.side[side].cells = static_cast<std::int64_t>(table.x.size());
  call_.side[side].beyond = beyond ? 1 : 0;
  live_ = live_ || table.live;
  tabulate(table, 0.0, queue);
  synchronize(queue);
}

namespace {
template <class R>
void round_to(const std::vector<double>& values, R* out) {
  std::transform(values.begin(), values.end(), out, [](double v) { return static_cast<R>(v); });
}
}  // namespace

void BoundaryTables::tabulate(Table& table, double t, const Queue& queue) {
  const std::size_t n = table.x.size();
  std::vector<double> values(3 * n), time(n, t);
  const double* const columns[3] = {table.x.data(), table.y.data(), time.data()};
  for (std::size_t v = 0; v < 3; ++v) table.values[v].evaluate_row(n, columns, &values[v * n]);
  for (std::size_t c = 0; c < values.size(); ++c) {
    if (std::isfinite(values[c])) continue;
    throw Error(ErrorKind::user_input,
                fmt::format("{} prescribes {} = {:g} at x = {:g}, y = {:g}, t = {:g}; it must be "
                            "finite",
                            table.path, c < n ? "surface" : "velocity", values[c], table.x[c % n],
                            table.y[c % n], t));
  }
  const bool on_device = queue.backend == Backend::cuda;
  Staging& staging = table.staging[table.next];
  if (on_device) staging.copied.wait();
  void* const to = on_device ? staging.buffer.start() : table.buffer.start();
  if (precision_ == Precision::double_) {
    round_to(values, static_cast<double*>(to));
  } else {
    round_to(values, static_cast<float*>(to));
  }
  if (!on_device) return;
  copy_bytes(table.buffer.start(), to, table.buffer.bytes(), queue);
  staging.copied.record(queue);
  if (table.live) table.next = (table.next + 1) % staging_buffers;
}

void BoundaryTables::set_time(double t, const Queue& queue) {
  for (Table& table : table_) {
    if (table.live) tabulate(table, t, queue);
  }
}

void BoundaryTables::begin_step(const exec::Clock* clock, const Queue& queue) {
  if (live_) times_.begin_step(clock, queue);
}

void BoundaryTables::set_stage(double fraction, const Queue& queue) {
  if (live_) set_time(times_.at(fraction), queue);
}

void BoundaryTables::set_now(const exec::Clock* clock, const Queue& queue) {
  if (live_) set_time(systems::solution_time(clock, queue), queue);
}

}  // namespace watersmeet::shallow_water
