#include "systems/multicomponent/cell_tables.hpp"

#include <algorithm>

#include "memory/rounded.hpp"
#include "systems/multicomponent/cells.hpp"

namespace watersmeet::multicomponent {

namespace {
// Entries before the first cell: edges are asked for of ghosts too, and rows of packs begin before them. Behind the last cell of a row the last
// packs read up to two packs of padding.
constexpr std::int64_t lead = 4, row_padding = 40, plane_padding = 4;

std::int64_t entries(const Index3& part, std::size_t axis) {
  return lead + part[axis] + (axis == 0 ? row_padding : plane_padding);
}

// The width of a cell, or of one behind the sides of the grid.
double width_of(const CellGrid& grid, bool periodic, std::size_t axis, std::int64_t cell) {
  const std::int64_t n = grid.cells[axis];
  if (periodic) {
    cell = (cell % n + n) % n;
  } else if (cell < 0) {
    cell = -1 - cell;
  } else if (cell >= n) {
    cell = 2 * n - 1 - cell;
  }
  return grid.width(axis, std::clamp<std::int64_t>(cell, 0, n - 1));
}
}  // namespace

std::size_t CellTables::bytes_needed(const Index3& part, Precision precision) {
  std::int64_t elements = 0;
  for (std::size_t a = 0; a < 3; ++a) elements += int{cell_numbers} * entries(part, a);
  return static_cast<std::size_t>(elements) * size_of(precision);
}

CellTables::CellTables(const CellGrid& grid, const std::array<bool, 3>& periodic, const Box& part,
                       double speed, Precision precision, const Queue& queue)
    : word_(size_of(precision)) {
  const Index3 n{part.size(0), part.size(1), part.size(2)};
  std::vector<double> values;
  for (std::size_t a = 0; a < 3; ++a) {
    const std::int64_t length = entries(n, a);
    const std::size_t start = values.size();
    first_[a] = start + static_cast<std::size_t>(lead);
    pitch_[a] = length;
    values.resize(start + static_cast<std::size_t>(int{cell_numbers} * length));
    for (std::int64_t e = 0; e < length; ++e) {
      const std::int64_t cell = part.lower[a] - lead + e;
      double h[5], numbers[cell_numbers];
      for (std::int64_t m = 0; m < 5; ++m) h[m] = width_of(grid, periodic[a], a, cell + m - 2);
      schemes::weno_numbers_of(h, numbers);
      numbers[cell_inverse] = grid.active(a) ? speed / h[2] : 0.0;
      numbers[cell_weight] = grid.stretched(a) ? h[2] / grid.geometry.spacing[a] : 1.0;
      for (std::int64_t m = 0; m < cell_numbers; ++m)
        values[start + static_cast<std::size_t>(m * length + e)] = numbers[m];
    }
  }
  buffer_ = memory::rounded_buffer(values, precision, queue);
}

CellNumbers CellTables::numbers() const {
  CellNumbers numbers;
  for (std::size_t a = 0; a < 3; ++a) {
    numbers.start[a] = buffer_.as<char>() + first_[a] * word_;
    numbers.pitch[a] = pitch_[a];
  }
  return numbers;
}

}  // namespace watersmeet::multicomponent
