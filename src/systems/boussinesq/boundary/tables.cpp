// Tabulates what is prescribed on the sides of a part.
#include "systems/boussinesq/boundary/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "systems/prescribed_values.hpp"
#include "systems/tabulate.hpp"

namespace watersmeet::boussinesq {

BoundaryTables::BoundaryTables(const BoundaryConditions& conditions, const StaggeredGrid& grid,
                               const Box& part, bool alone, Precision precision, const Queue& queue)
    : conditions_(&conditions), part_(part), precision_(precision) {
  for (int side = 0; side < 6; ++side) {
    const int axis = side / 2;
    const std::size_t a = static_cast<std::size_t>(axis);
    const bool at_end = side % 2 == 1 ? part.upper[a] == grid.cells()[a] : part.lower[a] == 0;
    exec::SideKind kind = exec::SideKind::linked;
    if (grid.periodic(axis)) {
      if (alone) kind = exec::SideKind::periodic;
    } else if (at_end) {
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
              {},
              {},
              {},
              {},
              {}};
  const std::size_t a = side / 2 == 0 ? 1 : 0, b = side / 2 == 2 ? 1 : 2;
  // The cells of the part's side and one around them.
  Index3 at{0, 0, 0};
  for (at[b] = part_.lower[b] - 1; at[b] <= part_.upper[b]; ++at[b]) {
    for (at[a] = part_.lower[a] - 1; at[a] <= part_.upper[a]; ++at[a]) {
      const Real3 x = place_on_side(grid, side, variable, at);
      table.x.push_back(x[0]);
      table.y.push_back(x[1]);
      table.z.push_back(x[2]);
      table.r.push_back(std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]));
    }
  }
  table.values.resize(table.x.size());
  const bool live = table.expression.depends_on("t");
  table.staged = systems::StagedTable(table.values.size(), precision_, live, queue);
  rules_.table[side][variable] = table.staged.start();
  evaluate(table, 0.0, queue);
  if (live) live_.push_back(tables_.size());
  tables_.push_back(std::move(table));
}

void BoundaryTables::evaluate(Table& table, double t, const Queue& queue) {
  const std::size_t n = table.values.size();
  constexpr std::size_t chunk = 1024;  // places that a thread evaluates at once
  const std::size_t chunks = (n + chunk - 1) / chunk;
#pragma omp parallel num_threads(queue.threads) if (chunks > 1)
  {
    config::Expression mine = table.expression;
    const std::vector<double> time(chunk, t);
#pragma omp for schedule(static)
    for (std::size_t c = 0; c < chunks; ++c) {
      const std::size_t first = c * chunk;
      const double* const columns[5] = {table.x.data() + first, table.y.data() + first,
                                        table.z.data() + first, table.r.data() + first,
                                        time.data()};
      mine.evaluate_row(std::min(chunk, n - first), columns, table.values.data() + first);
    }
  }
  systems::require_finite(table.place, table.values, [&](std::size_t p) {
    return fmt::format("x = {:g}, y = {:g}, z = {:g}, t = {:g}", table.x[p], table.y[p], table.z[p],
                       t);
  });
  for (double& value : table.values) value *= table.scale;
  table.staged.fill(table.values, queue);
}

void BoundaryTables::set_time(double t, const Queue& queue) {
  if (t == tabulated_at_) return;
  tabulated_at_ = t;
  for (const std::size_t n : live_) evaluate(tables_[n], t, queue);
}

}  // namespace watersmeet::boussinesq
