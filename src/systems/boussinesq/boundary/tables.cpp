// Tabulates what is prescribed on the sides of a part.
#include "systems/boussinesq/boundary/tables.hpp"

#include <fmt/format.h>

#include "systems/side_conditions.hpp"
#include "systems/tabulate.hpp"

namespace watersmeet::boussinesq {

BoundaryTables::BoundaryTables(const BoundaryConditions& conditions, const StaggeredGrid& grid,
                               const Box& part, bool alone, Precision precision, const Queue& queue)
    : conditions_(&conditions), part_(part), precision_(precision) {
  for (int side = 0; side < 6; ++side) {
    const int axis = side / 2;
    exec::SideKind kind = exec::SideKind::linked;
    if (grid.periodic(axis)) {
      if (alone) kind = exec::SideKind::periodic;
    } else if (systems::at_border(part, grid.cells(), side)) {
      kind = exec::SideKind::affine;
    }
    rules_.kind[side] = pressure_rules_.kind[side] = kind;
    if (kind != exec::SideKind::affine) continue;
    const bool open = conditions.open(side);
    if (open) rules_.kind[side] = exec::SideKind::open;
    pressure_rules_.factor[side][0] = open ? -1 : 1;
    const std::vector<AffineCondition>& of = conditions.side(side).of;
    for (std::size_t v = 0; v < of.size(); ++v) {
      rules_.factor[side][v] = of[v].factor;
      if (!of[v].state.empty()) {
        const auto axes = systems::axes_of_side(side);
        const auto numbers =
            static_cast<std::size_t>((part.size(axes[0]) + 2) * (part.size(axes[1]) + 2));
        of_state_.emplace_back(numbers, precision, false, queue);
        of_state_.back().fill(std::vector<double>(numbers, 0.0), queue);
        rules_.table[side][v] = of_state_.back().start();
        continue;
      }
      const config::Expression e(of[v].expression, systems::place_variables(),
                                 conditions.constants());
      if (e.is_constant()) {
        rules_.constant[side][v] = of[v].scale * e.constant();
      } else {
        make_table(of[v], side, static_cast<int>(v), grid, queue);
      }
    }
  }
  synchronize(queue);
}

void BoundaryTables::make_table(const AffineCondition& condition, int side, int variable,
                                const StaggeredGrid& grid, const Queue& queue) {
  Table table{side,
              variable,
              condition.scale,
              condition.place,
              config::Expression(condition.expression, systems::place_variables(),
                                 conditions_->constants()),
              {},
              {}};
  const std::size_t a = side / 2 == 0 ? 1 : 0, b = side / 2 == 2 ? 1 : 2;
  // The cells of the part's side and one around them.
  Index3 at{0, 0, 0};
  for (at[b] = part_.lower[b] - 1; at[b] <= part_.upper[b]; ++at[b]) {
    for (at[a] = part_.lower[a] - 1; at[a] <= part_.upper[a]; ++at[a]) {
      table.places.add(place_on_side(grid, side, variable, at));
    }
  }
  const bool live = table.expression.depends_on("t");
  table.staged = systems::StagedTable(table.places.size(), precision_, live, queue);
  rules_.table[side][variable] = table.staged.start();
  evaluate(table, 0.0, queue);
  if (live) live_.push_back(tables_.size());
  tables_.push_back(std::move(table));
}

exec::SideValues BoundaryTables::of_state(int side, int variable) const {
  exec::SideValues to;
  if (rules_.kind[side] != exec::SideKind::affine && rules_.kind[side] != exec::SideKind::open)
    return to;
  const auto axes = systems::axes_of_side(side);
  const std::int64_t row = part_.size(axes[0]) + 2;
  to.start = static_cast<std::byte*>(const_cast<void*>(rules_.table[side][variable])) +
             static_cast<std::size_t>(row + 1) * size_of(precision_);
  to.stride[axes[0]] = 1;
  to.stride[axes[1]] = row;
  return to;
}

void BoundaryTables::evaluate(Table& table, double t, const Queue& queue) {
  const systems::Places& at = table.places;
  std::vector<double> values(at.size());
  systems::evaluate_at(table.expression, at, t, queue.threads, values.data());
  systems::require_finite(table.place, values, [&](std::size_t p) {
    return fmt::format("x = {:g}, y = {:g}, z = {:g}, t = {:g}", at.x[p], at.y[p], at.z[p], t);
  });
  for (double& value : values) value *= table.scale;
  table.staged.fill(values, queue);
}

void BoundaryTables::set_time(double t, const Queue& queue) {
  if (t == tabulated_at_) return;
  tabulated_at_ = t;
  for (const std::size_t n : live_) evaluate(tables_[n], t, queue);
}

}  // namespace watersmeet::boussinesq
