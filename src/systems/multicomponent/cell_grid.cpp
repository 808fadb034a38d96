#include "systems/multicomponent/cell_grid.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace watersmeet::multicomponent {

void CellGrid::stretch(std::size_t axis, std::vector<double> axis_faces) {
  faces[axis] = std::move(axis_faces);
  narrowest[axis] = widest[axis] = width(axis, 0);
  for (std::int64_t i = 1; i < cells[axis]; ++i) {
    narrowest[axis] = std::min(narrowest[axis], width(axis, i));
    widest[axis] = std::max(widest[axis], width(axis, i));
  }
}

double CellGrid::in_cells(std::size_t axis, double x) const {
  const double uniform = (x - geometry.lower[axis]) / geometry.spacing[axis];
  if (!stretched(axis) || x < lower(axis)) return uniform;
  const std::vector<double>& all = faces[axis];
  if (x >= all.back())
    return static_cast<double>(cells[axis]) + (x - all.back()) / geometry.spacing[axis];
  const auto next = std::upper_bound(all.begin() + 1, all.end() - 1, x);
  const auto cell = next - all.begin() - 1;
  return static_cast<double>(cell) + (x - *(next - 1)) / (*next - *(next - 1));
}

double CellGrid::largest_spacing(const Index3& cell) const {
  double largest = 0;
  for (std::size_t a = 0; a < 3; ++a)
    if (active(a)) largest = std::max(largest, width(a, cell[a]));
  return largest;
}

double CellGrid::largest_spacing() const {
  double largest = 0;
  for (std::size_t a = 0; a < 3; ++a)
    if (active(a)) largest = std::max(largest, largest_width(a));
  return largest;
}

double CellGrid::half_diagonal() const {
  double sum = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    if (!active(a)) continue;
    const double h = largest_width(a);
    sum += h * h;
  }
  return 0.5 * std::sqrt(sum);
}

}  // namespace watersmeet::multicomponent
