#include "systems/shallow_water/boundary/tables.hpp"

#include <fmt/format.h>

#include <cmath>

#include "systems/side_conditions.hpp"

namespace watersmeet::shallow_water {

BoundaryTables::BoundaryTables(const BoundaryConditions& conditions, const mesh::Uniform& geometry,
                               const Index3& cells, const Box& part, const Index3& ghosts,
                               const Ground& ground, Precision precision, bool edges,
                               const Queue& queue)
    : precision_(precision) {
  sides_.edges = edges;
  for (int side = 0; side < 4; ++side) {
    const std::size_t a = static_cast<std::size_t>(side / 2);
    if (conditions.side(side).kind == BoundaryKind::none) continue;
    if (!systems::at_border(part, cells, side)) continue;
    sides_.any = true;
    sides_.side[side].kind = conditions.side(side).kind;
    if (!conditions.side(side).prescribes()) continue;
    Table& table = table_[side];
    table.surface_place = conditions.side(side).surface_place;
    table.velocity_place = conditions.side(side).velocity_place;
    for (const std::string& text : conditions.side(side).values) {
      table.values.emplace_back(text, side_variables(), conditions.constants());
      table.live = table.live || table.values.back().depends_on("t");
    }
    table.beyond = ghosts[1 - a] > 0;
    table.faces = faces_of_side(geometry, part, side, table.beyond ? 1 : 0,
                                conditions.periodic()[1 - a] ? cells[1 - a] : 0);
    if (conditions.side(side).has_surface() && conditions.side(side).state[0].empty() &&
        !ground.may_be_dry) {
      table.bed = bed_before(table.faces, ground.bed, conditions.constants());
    }
    make_side(side, queue);
  }
}

void BoundaryTables::make_side(int side, const Queue& queue) {
  Table& table = table_[side];
  table.staged = systems::StagedTable(3 * table.faces.x.size(), precision_, table.live, queue);
  sides_.side[side].prescribed = {table.staged.start()};
  sides_.side[side].cells = static_cast<std::int64_t>(table.faces.x.size());
  sides_.side[side].beyond = table.beyond ? 1 : 0;
  live_ = live_ || table.live;
  tabulate(table, 0.0, queue);
  synchronize(queue);
}

exec::SideValues BoundaryTables::of_state(int side) const {
  exec::SideValues to;
  const Table& table = table_[side];
  if (table.values.empty()) return to;
  to.start = static_cast<std::byte*>(table.staged.start()) +
             (table.beyond ? size_of(precision_) : std::size_t{0});
  to.stride[1 - side / 2] = 1;
  to.table = sides_.side[side].cells;
  return to;
}

void BoundaryTables::check(const Table& table, const std::vector<double>& values, double t) {
  const std::size_t n = table.faces.x.size();
  const auto words = [&](const config::Fault& key, std::size_t c) {
    return fmt::format("{} is {} at x = {:g}, y = {:g}, t = {:g}", key.key,
                       config::shown(values[c]), table.faces.x[c % n], table.faces.y[c % n], t);
  };
  for (std::size_t c = 0; c < values.size(); ++c) {
    if (std::isfinite(values[c])) continue;
    const config::Fault& key = c < n ? table.surface_place : table.velocity_place;
    throw config::error_at(key, words(key, c), "the values must be finite numbers");
  }
  // Nothing flows through the faces beyond the ends of a side, so the bed there does not matter.
  for (std::size_t c = 0; c < table.bed.size(); ++c) {
    const bool end = table.beyond && (c == 0 || c + 1 == table.bed.size());
    if (end || values[c] > table.bed[c]) continue;
    throw config::error_at(
        table.surface_place,
        fmt::format("{}; the bed there is at {:g}", words(table.surface_place, c), table.bed[c]),
        "give a level above the bed, or set numerics.wet_dry = true");
  }
}

void BoundaryTables::tabulate(Table& table, double t, const Queue& queue) {
  const std::size_t n = table.faces.x.size();
  std::vector<double> values(3 * n), time(n, t);
  const double* const columns[3] = {table.faces.x.data(), table.faces.y.data(), time.data()};
  for (std::size_t v = 0; v < 3; ++v) table.values[v].evaluate_row(n, columns, &values[v * n]);
  check(table, values, t);
  table.staged.fill(values, queue);
}

void BoundaryTables::set_time(double t, const Queue& queue) {
  for (Table& table : table_) {
    if (table.live) tabulate(table, t, queue);
  }
}

}  // namespace watersmeet::shallow_water
