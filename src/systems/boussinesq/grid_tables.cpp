#include "systems/boussinesq/grid_tables.hpp"

#include <vector>

#include "memory/rounded.hpp"
#include "schemes/kappa.hpp"

namespace watersmeet::boussinesq {

namespace {
// The last pack of a row reads beyond its last cell; rows and planes one beyond the part are read too.
constexpr std::int64_t row_padding = 32, plane_padding = 4;

std::int64_t entries(const Index3& part, int axis) {
  return part[static_cast<std::size_t>(axis)] + (axis == 0 ? row_padding : plane_padding);
}

std::int64_t elements(const Index3& part, bool upwind) {
  std::int64_t sum = 2 * entries(part, 0) + entries(part, 1);
  for (int axis = 0; axis < 3; ++axis) sum += (upwind ? 7 : 3) * entries(part, axis);
  return sum;
}
}  // namespace

std::size_t TablesOfPart::bytes_needed(const Index3& part, bool upwind, Precision precision) {
  return static_cast<std::size_t>(elements(part, upwind)) * size_of(precision);
}

// Tables along an axis, of which the entry before that of cell 0 is that of cell -1.
void TablesOfPart::add_axis(const StaggeredGrid& grid, const Box& part, int axis,
                            std::vector<double>& values) {
  const auto a = static_cast<std::size_t>(axis);
  const Index3 n{part.size(0), part.size(1), part.size(2)};
  const auto length = static_cast<std::size_t>(entries(n, axis));
  const std::size_t first = values.size();
  values.resize(first + 3 * length, 0.0);
  width_[a] = first + 1;
  distance_[a] = width_[a] + length;
  weight_[a] = distance_[a] + length;
  const double mean = grid.length(axis) / static_cast<double>(grid.cells()[a]);
  for (std::int64_t i = -1; i <= n[a] + 1; ++i) {
    const std::size_t at = first + static_cast<std::size_t>(i + 1);
    const std::int64_t whole = part.lower[a] + i;
    if (!grid.flat(axis)) {
      values[at] = 1 / grid.width(axis, whole);
      values[at + length] = 1 / grid.distance(axis, whole);
    }
    values[at + 2 * length] = grid.stretched(axis) ? grid.width(axis, whole) / mean : 1.0;
  }
}

// Weights of the cells -1 .. n of the part (limited.hpp), as those before.
void TablesOfPart::add_upwind(const StaggeredGrid& grid, const Box& part, int axis,
                              std::vector<double>& values) {
  const auto a = static_cast<std::size_t>(axis);
  const auto length =
      static_cast<std::size_t>(entries({part.size(0), part.size(1), part.size(2)}, axis));
  const std::size_t first = values.size();
  values.resize(first + 4 * length, 0.0);
  for (std::size_t t = 0; t < 4; ++t) weights_[a][t] = first + t * length + 1;
  if (grid.flat(axis)) return;
  const std::int64_t cells = grid.cells()[a];
  for (std::int64_t i = -1; i <= part.size(axis); ++i) {
    const std::int64_t whole = part.lower[a] + i;
    const std::size_t at = first + static_cast<std::size_t>(i + 1);
    const auto set = [&](bool up, double toward, double away) {
      values[at + (up ? 0 : 2) * length] = toward;
      values[at + (up ? 1 : 3) * length] = away;
    };
    const auto w = schemes::uneven_kappa_weights(
        grid.width(axis, whole - 1), grid.width(axis, whole), grid.width(axis, whole + 1), 1.0 / 3);
    const bool sides = !grid.periodic(axis);
    const bool first_cell = sides && whole == 0, last_cell = sides && whole == cells - 1;
    // A ghost gives the value on the side; beside a side, away from it, the cell's own value counts.
    if (sides && whole < 0) {
      set(true, 0.5, 0);
    } else if (sides && whole >= cells) {
      set(false, 0.5, 0);
    } else {
      if (!first_cell) set(true, w.upper_up, w.upper_down);
      if (!last_cell) set(false, w.lower_down, w.lower_up);
    }
  }
}

TablesOfPart::TablesOfPart(const StaggeredGrid& grid, const Box& part, double beta, double y_0,
                           bool upwind, Precision precision, const Queue& queue)
    : word_(size_of(precision)), on_beta_plane_(beta != 0), upwind_(upwind) {
  const Index3 n{part.size(0), part.size(1), part.size(2)};
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(elements(n, upwind)));
  for (int axis = 0; axis < 3; ++axis) add_axis(grid, part, axis, values);
  for (int axis = 0; upwind && axis < 3; ++axis) add_upwind(grid, part, axis, values);
  const auto row = static_cast<std::size_t>(entries(n, 0));
  first_ = values.size();
  last_ = first_ + row;
  planetary_ = last_ + row;  // of face 0
  values.resize(static_cast<std::size_t>(elements(n, upwind)), 0.0);
  values[first_] = 1;
  values[last_ + static_cast<std::size_t>(n[0] - 1)] = 1;
  for (std::int64_t j = 0; j <= n[1]; ++j) {
    values[planetary_ + static_cast<std::size_t>(j)] =
        beta * (grid.face(1, part.lower[1] + j) - y_0);
  }
  buffer_ = memory::rounded_buffer(values, precision, queue);
}

const char* TablesOfPart::entry(std::size_t index) const {
  return buffer_.as<char>() + index * word_;
}

GridTables TablesOfPart::arrays() const {
  GridTables tables;
  for (std::size_t a = 0; a < 3; ++a) {
    tables.inverse_width[a] = entry(width_[a]);
    tables.inverse_distance[a] = entry(distance_[a]);
    tables.weight[a] = entry(weight_[a]);
    for (std::size_t t = 0; upwind_ && t < 2; ++t) {
      tables.up[a][t] = entry(weights_[a][t]);
      tables.down[a][t] = entry(weights_[a][2 + t]);
    }
  }
  tables.first_of_row = entry(first_);
  tables.last_of_row = entry(last_);
  if (on_beta_plane_) tables.planetary = entry(planetary_);
  return tables;
}

}  // namespace watersmeet::boussinesq
