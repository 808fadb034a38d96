#include "systems/multicomponent/initial/cell_average.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace watersmeet::multicomponent {
namespace {

// Simpson's weights times 6 of the sides -1, 0, 1.
constexpr double weight(int side) { return side == 0 ? 4 : 1; }
// Sides that count along an axis: -reach .. reach.
int sides(bool active) { return active ? 1 : 0; }
double along(int reach, int side) { return reach == 0 ? 1.0 : weight(side); }
double normalisation(const CellGrid& grid) {
  double sum = 1;
  for (std::size_t a = 0; a < 3; ++a) sum *= grid.active(a) ? 6 : 1;
  return sum;
}

// Where the centre is farther than this from the surface, no point of the cell lies in the smeared
// layer; the margin is for rounding.
double far(const CellGrid& grid, double half_width) {
  return (half_width + grid.half_diagonal()) * (1 + 1e-9);
}

// Half the width of the smeared layer in a cell.
double half_width_in(const CellGrid& grid, double half_width, const Index3& cell) {
  return grid.stretched() ? half_width * (grid.largest_spacing(cell) / grid.largest_spacing())
                          : half_width;
}

}  // namespace

double smeared(double distance, double half_width) {
  if (half_width == 0) return distance < 0 ? 1.0 : 0.0;
  if (distance <= -half_width) return 1.0;
  if (distance >= half_width) return 0.0;
  return 0.5 * (1 + std::cos(std::numbers::pi * ((distance + half_width) / (2 * half_width))));
}

void cover(const Shape& shape, double half_width, const CellGrid& grid, const Row& row, double* a) {
  const double beyond = far(grid, half_width);
  const int nx = sides(grid.active(0)), ny = sides(grid.active(1)), nz = sides(grid.active(2));
  const double total = normalisation(grid);
  const double y = grid.place(1, row.j, 0), z = grid.place(2, row.k, 0);
  for (std::int64_t i = row.begin; i < row.end; ++i, ++a) {
    const double d = shape.distance({grid.place(0, i, 0), y, z});
    if (half_width == 0) {
      *a = smeared(d, 0);
      continue;
    }
    if (std::abs(d) >= beyond) {
      *a = d < 0 ? 1.0 : 0.0;
      continue;
    }
    const double e = half_width_in(grid, half_width, {i, row.j, row.k});
    double sum = 0;
    for (int mz = -nz; mz <= nz; ++mz) {
      for (int my = -ny; my <= ny; ++my) {
        for (int mx = -nx; mx <= nx; ++mx) {
          const Real3 x{grid.place(0, i, mx), grid.place(1, row.j, my), grid.place(2, row.k, mz)};
          sum += along(nx, mx) * along(ny, my) * along(nz, mz) * smeared(shape.distance(x), e);
        }
      }
    }
    *a = sum / total;
  }
}

Row touched(const Shape& shape, double half_width, const CellGrid& grid, const Row& row) {
  const Bounds bounds = shape.bounds();
  const double margin = far(grid, half_width);
  Row part = row;
  for (std::size_t a = 1; a < 3; ++a) {
    const double centre = grid.place(a, a == 1 ? row.j : row.k, 0);
    if (centre < bounds.lower[a] - margin || centre > bounds.upper[a] + margin) {
      part.end = part.begin;
      return part;
    }
  }
  // In units of cells; one cell more on each side for rounding.
  const double low = grid.in_cells(0, bounds.lower[0] - margin) - 1.5;
  const double high = grid.in_cells(0, bounds.upper[0] + margin) + 1.5;
  const double first = static_cast<double>(row.begin), last = static_cast<double>(row.end);
  part.begin = static_cast<std::int64_t>(std::clamp(low, first, last));
  part.end = static_cast<std::int64_t>(std::clamp(high, first, last));
  return part;
}

CellExpression::CellExpression(const std::string& text, const config::Constants& constants)
    : expression_(text, {"x", "y", "z", "r"}, constants) {
  const char* const names[3] = {"x", "y", "z"};
  for (std::size_t a = 0; a < 3; ++a)
    varies_[a] = expression_.depends_on(names[a]) || expression_.depends_on("r");
}

double CellExpression::at(const Real3& x) {
  const double r = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  const double* const columns[4] = {&x[0], &x[1], &x[2], &r};
  double value = 0;
  expression_.evaluate_row(1, columns, &value);
  return value;
}

void CellExpression::evaluate_line(const CellGrid& grid, const Row& row, bool faces, double y,
                                   double z) {
  const auto n = static_cast<std::size_t>(row.end - row.begin);
  const std::size_t points = faces ? 2 * n + 1 : n;
  x_.resize(points);
  r_.resize(points);
  values_.resize(points);
  y_.assign(points, y);
  z_.assign(points, z);
  for (std::size_t p = 0; p < points; ++p) {
    const auto cell = static_cast<std::int64_t>(faces ? p / 2 : p);
    x_[p] = grid.place(0, row.begin + cell, faces && p % 2 == 0 ? -1 : 0);
    r_[p] = std::sqrt(x_[p] * x_[p] + y * y + z * z);
  }
  const double* const columns[4] = {x_.data(), y_.data(), z_.data(), r_.data()};
  expression_.evaluate_row(points, columns, values_.data());
}

template <class Map>
void CellExpression::average_of(const CellGrid& grid, const Row& row, double* out, const Map& map) {
  const auto n = static_cast<std::size_t>(row.end - row.begin);
  // Along axes on which the expression does not depend, one point is enough.
  const bool faces = grid.active(0) && varies_[0];
  const int ny = sides(grid.active(1) && varies_[1]), nz = sides(grid.active(2) && varies_[2]);
  const double total = (faces ? 6 : 1) * (ny > 0 ? 6 : 1) * (nz > 0 ? 6 : 1);
  std::fill(out, out + n, 0.0);
  for (int mz = -nz; mz <= nz; ++mz) {
    for (int my = -ny; my <= ny; ++my) {
      evaluate_line(grid, row, faces, grid.place(1, row.j, my), grid.place(2, row.k, mz));
      for (double& value : values_) value = map(value);
      const double w = along(ny, my) * along(nz, mz);
      for (std::size_t i = 0; i < n; ++i) {
        out[i] +=
            w * (faces ? values_[2 * i] + 4 * values_[2 * i + 1] + values_[2 * i + 2] : values_[i]);
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i) out[i] /= total;
}

void CellExpression::average(const CellGrid& grid, const Row& row, double* out) {
  average_of(grid, row, out, [](double value) { return value; });
}

void CellExpression::cover(const CellGrid& grid, const Row& row, double half_width, double* a) {
  constexpr double near = -1;
  const auto n = static_cast<std::size_t>(row.end - row.begin);
  evaluate_line(grid, row, false, grid.place(1, row.j, 0), grid.place(2, row.k, 0));
  const double beyond = half_width > 0 ? steepest * far(grid, half_width) : 0.0;
  for (std::size_t i = 0; i < n; ++i)
    a[i] = std::abs(values_[i]) < beyond ? near : values_[i] > 0 ? 1.0 : 0.0;
  // Runs of cells near the surface.
  for (std::size_t i = 0; i < n;) {
    if (a[i] != near) {
      ++i;
      continue;
    }
    Row run = row;
    run.begin = row.begin + static_cast<std::int64_t>(i);
    const std::size_t first = i;
    // Cells of different widths one by one.
    do ++i;
    while (!grid.stretched(0) && i < n && a[i] == near);
    run.end = row.begin + static_cast<std::int64_t>(i);
    const double e = half_width_in(grid, half_width, {run.begin, run.j, run.k});
    average_of(grid, run, a + first, [e](double value) { return smeared(-value, e); });
  }
}

}  // namespace watersmeet::multicomponent
