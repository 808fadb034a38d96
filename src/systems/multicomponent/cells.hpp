#pragma once
// How wide cells are, as pointwise code sees them: all alike along an axis, or by tables (cell_tables.hpp).

#include "exec/face.hpp"
#include "schemes/weno_stretched.hpp"

namespace watersmeet::multicomponent {

// What a table has of each cell along an axis: the numbers of the reconstruction (schemes/weno_stretched.hpp), 1 over the width
// (scaled as FlowParameters::inverse_spacing), and the width over the mean one.
enum CellNumber : int { cell_inverse = schemes::weno_numbers, cell_weight, cell_numbers };

// Central difference of f(di, dj, dk) along an axis; 0 along one of a single cell, where there are no neighbours.
template <class R>
struct EqualCells {
  static constexpr bool stretched = false;
  Vec<R, 3> inverse_spacing{};  // as in FlowParameters

  template <int axis, class T, class F>
  WM_HD T slope(const F& f, exec::Place) const {
    constexpr int di = axis == 0, dj = axis == 1, dk = axis == 2;
    if (!(inverse_spacing[axis] > R(0))) return T(R(0));
    return (f(di, dj, dk) - f(-di, -dj, -dk)) * (R(0.5) * inverse_spacing[axis]);
  }
};

template <class R>
struct StretchedCells {
  static constexpr bool stretched = true;
  Vec<R, 3> inverse_spacing{};        // of the mean width; 0 along an axis of one cell
  const R* start[3] = {};             // number 0 of cell 0 of the launch
  std::int64_t pitch[3] = {0, 0, 0};  // elements to the next number

  // A number of the cell at a place; of a pack along x those of its cells.
  template <class T>
  WM_HD T number(int axis, int n, exec::Place at) const {
    const R* const numbers = start[axis] + n * pitch[axis];
    return axis == 0 ? load_as<T>(numbers + at.i) : T(numbers[axis == 1 ? at.j : at.k]);
  }
  // The volume of a cell over the mean one.
  template <class T>
  WM_HD T weight(exec::Place at) const {
    return number<T>(0, cell_weight, at) *
           (number<T>(1, cell_weight, at) * number<T>(2, cell_weight, at));
  }
  // The slope at the centre of the parabola with the averages of the cell and its two neighbours.
  template <int axis, class T, class F>
  WM_HD T slope(const F& f, exec::Place at) const {
    constexpr int di = axis == 0, dj = axis == 1, dk = axis == 2, middle = schemes::weno_slope + 2;
    if (!(inverse_spacing[axis] > R(0))) return T(R(0));
    const T here = f(0, 0, 0), below = here - f(-di, -dj, -dk), above = f(di, dj, dk) - here;
    const T twice =
        fma_(number<T>(axis, middle, at), below, number<T>(axis, middle + 1, at) * above);
    return twice * (R(0.5) * number<T>(axis, cell_inverse, at));
  }
};

}  // namespace watersmeet::multicomponent
