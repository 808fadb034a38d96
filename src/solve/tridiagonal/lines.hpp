#pragma once
// Tridiagonal systems along all lines of an axis, in place, of several variables at once:
//
//   (up + low + leak + mu d) x_k - low x_{k-1} - up x_{k+1} = mu d f_k,   mu = 1/(share dt)
//
// that is, x - share dt (second difference of x) = f, with the weights of a cell d, low, up and leak as in solve/poisson/columns.hpp. They are
// those of a variable, alike on all its lines, and so are the pivots. A periodic line closes on itself. A line is here as a whole.
// Runs in an active step alone. The loops: lines_cpu.hpp, lines_cuda.hpp.

#include <cstdint>

#include "solve/poisson/columns.hpp"

namespace watersmeet::solve {

// On a GPU the factors of a line lie in shared memory.
constexpr std::int64_t longest_line = 3072;
constexpr int most_line_variables = 12;

template <class R>
struct TridiagonalLines {
  R* values = nullptr;                    // cell (0, 0, 0) of variable 0
  const CellWeights<R>* cells = nullptr;  // `count` of each variable
  R share[most_line_variables] = {};      // of a variable; 0: its x is f
  int variables = 1;
  int count = 1;  // cells of a line
  // Lines lie side by side along an axis of `lanes`, the first of both others, and along one of `rows`.
  int lanes = 1, rows = 1;
  std::int64_t stride = 1, lane_stride = 1, row_stride = 1, stride_var = 0;
  bool periodic = false;
};

}  // namespace watersmeet::solve
