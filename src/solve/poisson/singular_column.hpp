#pragma once
// The column of the constant horizontal mode where no side is a Dirichlet one: mu = 0, so that the
// equation says that the flux F between cells grows by the right-hand side less its mean,
//
//   F_{k+1} = F_k + d_k (f_k - mean f),   x_{k+1} = x_k + dc_{k+1} F_{k+1},
//
// two sums. F_0 = 0 at a Neumann side; on a periodic axis F_0 is what brings x back to its value
// after one turn. Means weigh cells by their width d; x is left with mean zero. In double
// precision whatever the fields are: there is one such column.

#include <cstdint>

#include "core/host_device.hpp"

namespace watersmeet::solve {

// f and x may be the same array. widths: n, distances: n + 1 (problem.hpp).
WM_HD void solve_singular_column(double* x, const double* f, const double* widths,
                                 const double* distances, std::int64_t n, bool periodic) {
  double length = 0, mean = 0;
  for (std::int64_t k = 0; k < n; ++k) {
    length += widths[k];
    mean += widths[k] * f[k];
  }
  mean /= length;
  double flux = 0, turn = 0, turned = 0;
  for (std::int64_t k = 0; periodic && k < n; ++k) {
    flux += widths[k] * (f[k] - mean);
    turn += distances[k + 1] * flux;
    turned += distances[k + 1];
  }
  flux = periodic ? -turn / turned : 0.0;
  double value = 0, sum = 0;
  for (std::int64_t k = 0; k < n; ++k) {
    flux += widths[k] * (f[k] - mean);
    x[k] = value;
    sum += widths[k] * value;
    value += distances[k + 1] * flux;
  }
  mean = sum / length;
  for (std::int64_t k = 0; k < n; ++k) x[k] -= mean;
}

}  // namespace watersmeet::solve
