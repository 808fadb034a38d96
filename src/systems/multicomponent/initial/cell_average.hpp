#pragma once
// Averages over cells by Simpson's rule: 3 points along every axis that has more than one cell, at
// the faces and the centre, weights 1/6, 2/3, 1/6. Also the share of a cell that a shape covers, with
// the interface smeared over the width 2 e:
//
//   a(d) = (1 + cos(pi min(1, max(0, (d + e)/(2 e)))))/2,   d the signed distance, e = m sqrt(3) h
//
// A sharp shape (m = 0) covers the whole of each cell whose centre lies inside.
//
// h is the largest width of the cell itself, so that the smeared layer is about as many cells thick
// everywhere. `half_width` is e of the widest cell. The weights are summed as whole numbers, so that
// the share of a cell inside is exactly 1.

#include <cstdint>
#include <vector>

#include "config/expression.hpp"
#include "systems/multicomponent/cell_grid.hpp"
#include "systems/multicomponent/initial/shapes.hpp"

namespace watersmeet::multicomponent {

// Cells begin <= i < end of the row (j, k).
struct Row {
  std::int64_t begin = 0, end = 0, j = 0, k = 0;
};

// The formula of the head; e = 0 is the sharp case.
double smeared(double distance, double half_width);

// a[i - begin] = covered share of the cells of a row.
void cover(const Shape& shape, double half_width, const CellGrid& grid, const Row& row, double* a);
// The part of the row that the shape can touch; empty (begin == end) when there is none.
Row touched(const Shape& shape, double half_width, const CellGrid& grid, const Row& row);

// An expression of x, y, z and r = sqrt(x^2 + y^2 + z^2). One copy per thread.
class CellExpression {
 public:
  CellExpression(const std::string& text, const config::Constants& constants);

  bool is_constant() const { return expression_.is_constant(); }
  double at(const Real3& x);
  // out[i - begin] = average over the cells of a row.
  void average(const CellGrid& grid, const Row& row, double* out);
  // a[i - begin] = average of a(-value): the expression is positive inside and approximately a
  // distance. Where |value| at the centre of a cell exceeds `steepest` times the bound for a distance,
  // the cell counts as inside or outside: a steeper expression has no smeared layer to resolve.
  void cover(const CellGrid& grid, const Row& row, double half_width, double* a);

 private:
  static constexpr double steepest = 4;

  // The values at a line of points: at the faces and centres of n cells in turn (2 n + 1), or at the
  // centres alone (n).
  void evaluate_line(const CellGrid& grid, const Row& row, bool faces, double y, double z);
  template <class Map>
  void average_of(const CellGrid& grid, const Row& row, double* out, const Map& map);

  config::Expression expression_;
  std::array<bool, 3> varies_{};  // whether the expression depends on the axis
  std::vector<double> x_, y_, z_, r_, values_;
};

}  // namespace watersmeet::multicomponent
