#pragma once
// Rows of a level as packs along x, for its loops on the CPU. Included by CPU instantiation files
// only.

#include "core/pack.hpp"
#include "solve/multigrid/arrays.hpp"
#include "solve/multigrid/stencil.hpp"

namespace watersmeet::solve::detail {

// Fewer cells than this are not worth waking threads for.
constexpr std::int64_t cells_worth_threads = 4096;

template <class R>
bool worth_threads(const LevelArrays<R>& a) {
  return std::int64_t(a.n[0]) * a.n[1] * a.n[2] > cells_worth_threads;
}

// body(j, k) over all rows.
template <class R, class Body>
void for_rows(const LevelArrays<R>& a, int threads, const Body& body) {
#pragma omp parallel for collapse(2) schedule(static) num_threads(threads) if (worth_threads(a))
  for (int k = 0; k < a.n[2]; ++k) {
    for (int j = 0; j < a.n[1]; ++j) body(j, k);
  }
}

template <class R>
R* row_at(const LevelArrays<R>& a, R* array, std::int64_t j, std::int64_t k) {
  return array + j * a.stride[1] + k * a.stride[2];
}

// A row of cells and those around it.
template <class R>
struct Row {
  const R *own, *y_lower, *y_upper, *z_lower, *z_upper, *f;
  std::int64_t x_step;
  R wy_lower, wy_upper, wz_lower, wz_upper, diagonal_yz;
};

template <class R>
Row<R> make_row(const LevelArrays<R>& a, int j, int k) {
  const auto at = [&](std::int64_t jj, std::int64_t kk) { return row_at(a, a.u, jj, kk); };
  return {at(j, k),
          at(j > 0 ? j - 1 : a.below[1], k),
          at(j < a.n[1] - 1 ? j + 1 : a.above[1], k),
          at(j, k > 0 ? k - 1 : a.below[2]),
          at(j, k < a.n[2] - 1 ? k + 1 : a.above[2]),
          row_at(a, a.f, j, k),
          a.stride[0],
          a.lower[1][j],
          a.upper[1][j],
          a.lower[2][k],
          a.upper[2][k],
          a.diagonal[1][j] + a.diagonal[2][k]};
}

template <class T, class R>
PointWeights<T> weights_at(const LevelArrays<R>& a, const Row<R>& row, int i) {
  return {load_as<T>(a.lower[0] + i),
          load_as<T>(a.upper[0] + i),
          T(row.wy_lower),
          T(row.wy_upper),
          T(row.wz_lower),
          T(row.wz_upper),
          load_as<T>(a.diagonal[0] + i) + row.diagonal_yz};
}

template <class T, class R>
Neighbours<T> neighbours_at(const Row<R>& row, int i) {
  return {load_as<T>(row.own + i - row.x_step), load_as<T>(row.own + i + row.x_step),
          load_as<T>(row.y_lower + i),          load_as<T>(row.y_upper + i),
          load_as<T>(row.z_lower + i),          load_as<T>(row.z_upper + i)};
}

// Ghosts of a periodic row that ends on this rank.
template <class R>
void wrap_row(const LevelArrays<R>& a, R* row) {
  if (a.ghosts[0] == 0 || a.below[0] != a.n[0] - 1) return;
  row[-1] = row[a.n[0] - 1];
  row[a.n[0]] = row[0];
}

// Lanes of every second point, from lane `first` on.
template <class T>
typename T::mask_type every_second(int first) {
  using R = typename T::value_type;
  return T::of_lanes([&](int lane) { return R((lane ^ first) & 1); }) == T(R(0));
}

}  // namespace watersmeet::solve::detail
