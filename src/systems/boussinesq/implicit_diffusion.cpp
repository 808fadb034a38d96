// Tables of the lines along which diffusion is implicit.
#include "systems/boussinesq/implicit_diffusion.hpp"

#include <fmt/format.h>

#include "memory/rounded.hpp"
#include "solve/tridiagonal/lines.hpp"
#include "systems/prescribed_values.hpp"

namespace watersmeet::boussinesq {

std::string ImplicitDiffusion::names() const {
  std::string names;
  for (int axis = 0; axis < 3; ++axis) {
    if (along(axis)) names += "xyz"[axis];
  }
  return names;
}

std::string ImplicitDiffusion::refusal(const BoundaryConditions& conditions,
                                       const StaggeredGrid& grid, int axis, int variables) {
  const char name = "xyz"[axis];
  if (grid.flat(axis)) return fmt::format("the grid has one cell along {}", name);
  if (grid.cells()[static_cast<std::size_t>(axis)] > solve::longest_line)
    return fmt::format("it takes at most {} cells along {}", solve::longest_line, name);
  for (const int side : {2 * axis, 2 * axis + 1}) {
    if (!conditions.has(side)) continue;
    for (int v = 0; v < variables; ++v) {
      const AffineCondition& of = conditions.side(side).of[static_cast<std::size_t>(v)];
      const config::Expression e(of.expression, systems::place_variables(), conditions.constants());
      const std::string key = of.key.empty() ? conditions.side(side).path : of.key;
      if (e.depends_on("t")) return fmt::format("{} depends on t", key);
      if (!of.state.empty()) return fmt::format("{} depends on the state", key);
    }
  }
  return "";
}

double ImplicitDiffusion::words(int variables) const {
  if (!any()) return 0;
  // The passes before and after the lines: u in both, u* in and out of both, the rate in and out once, phi for three components.
  double words = 8.0 * variables + 2;
  for (const bool axis : axes_) words += axis ? 4.0 * variables : 0.0;
  return words;
}

std::size_t ImplicitDiffusion::bytes_needed(const Index3& part, int variables,
                                            Precision precision) const {
  std::size_t cells = 0;
  for (std::size_t a = 0; a < 3; ++a) cells += axes_[a] ? static_cast<std::size_t>(part[a]) : 0;
  return cells * static_cast<std::size_t>(variables) * 4 * size_of(precision);
}

void ImplicitDiffusion::allocate(const BoundaryConditions& conditions, const StaggeredGrid& grid,
                                 int variables, Precision precision, const Queue& queue,
                                 const Case& of) {
  if (!any()) return;
  loops_ = make_implicit_loops(queue.backend, precision, of);
  lines_.axis = axes_;
  for (int axis = 0; axis < 3; ++axis) {
    if (!along(axis)) continue;
    const auto a = static_cast<std::size_t>(axis);
    const std::int64_t n = grid.cells()[a];
    const bool periodic = lines_.periodic[a] = grid.periodic(axis);
    std::vector<double> weights;  // low, up, leak, width of solve::CellWeights
    for (int v = 0; v < variables; ++v) {
      const auto factor = [&](int side) {
        return conditions.side(side).of[static_cast<std::size_t>(v)].factor;
      };
      for (std::int64_t k = 0; k < n; ++k) {
        const bool on_faces = v == axis, first = !periodic && k == 0,
                   last = !periodic && k == n - 1;
        double low = 1 / (on_faces ? grid.width(axis, k - 1) : grid.distance(axis, k));
        double up = 1 / (on_faces ? grid.width(axis, k) : grid.distance(axis, k + 1));
        double leak = 0;
        if (first) {
          // The face on a wall keeps its value.
          if (on_faces) up = 0;
          if (!on_faces) leak += low * (1 - factor(2 * axis));
          low = 0;
        }
        if (last) {
          leak += on_faces ? up : up * (1 - factor(2 * axis + 1));
          up = 0;
        }
        weights.insert(weights.end(),
                       {low, up, leak, on_faces ? grid.distance(axis, k) : grid.width(axis, k)});
      }
    }
    tables_[a] = memory::rounded_buffer(weights, precision, queue);
    lines_.cells[a] = tables_[a].start();
  }
}

}  // namespace watersmeet::boussinesq
