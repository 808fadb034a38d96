#pragma once
// Tridiagonal systems along lines on the CPU: a pack of neighbouring lines at a time. Included by CPU instantiation files only; lines_cuda.hpp
// has the same.

#include <algorithm>
#include <vector>

#include "core/device.hpp"
#include "core/pack.hpp"
#include "exec/back_end.hpp"
#include "exec/clock.hpp"
#include "solve/tridiagonal/lines.hpp"

namespace watersmeet::solve {

template <class R>
class LineWork {
  using T = Pack<R>;

 public:
  explicit LineWork(const TridiagonalLines<R>& lines)
      : l_(lines),
        inverse_(static_cast<std::size_t>(lines.count)),
        beside_(lines.lane_stride == 1 ? 0 : inverse_.size() * static_cast<std::size_t>(width)) {}

  void solve(int v, int row, int lane, int lanes, R dt) {
    if (!(l_.share[v] > R(0))) return;
    if (v != variable_) prepare(v, R(1) / (l_.share[v] * dt));
    R* const first = l_.values + v * l_.stride_var + row * l_.row_stride + lane * l_.lane_stride;
    const CellWeights<R>* const cells = l_.cells + std::int64_t{v} * l_.count;
    if (l_.lane_stride == 1) return solve(cells, first, l_.stride, lanes);
    // Loads and stores of a pack want neighbouring lines to be neighbours in memory.
    for (int n = 0; n < lanes; ++n) {
      for (int k = 0; k < l_.count; ++k) beside(k, n) = first[n * l_.lane_stride + k * l_.stride];
    }
    solve(cells, beside_.data(), width, width);
    for (int n = 0; n < lanes; ++n) {
      for (int k = 0; k < l_.count; ++k) first[n * l_.lane_stride + k * l_.stride] = beside(k, n);
    }
  }

 private:
  static constexpr int width = static_cast<int>(T::size());
  R& beside(int k, int lane) { return beside_[static_cast<std::size_t>(k * width + lane)]; }

  void solve(const CellWeights<R>* cells, R* first, std::int64_t stride, int lanes) {
    Pair<T> beyond{T(R(0)), T(R(0))};
    if (l_.periodic) beyond = at_closure(section(cells, first, stride));
    T y = beyond.lower;
    for (int k = 0; k < l_.count; ++k) {
      R* const at = first + k * stride;
      y = solve_again(cells[k], -mu_ * load_as<T>(at), y, T(inverse(k)));
      store_lanes(at, y, lanes);
    }
    T x = beyond.upper;
    for (int k = l_.count - 1; k >= 0; --k) {
      R* const at = first + k * stride;
      x = load_as<T>(at) + (inverse(k) * cells[k].up) * x;
      store_lanes(at, x, lanes);
    }
  }
  R& inverse(int k) { return inverse_[static_cast<std::size_t>(k)]; }
  // The pivots of a variable's lines.
  void prepare(int v, R mu) {
    const CellWeights<R>* const cells = l_.cells + std::int64_t{v} * l_.count;
    Elimination<R> e = begin_solve(cells[0], mu, R(0), R(0));
    inverse(0) = e.inverse;
    for (int k = 1; k < l_.count; ++k) {
      e = continue_solve(cells[k], mu, R(0), e);
      inverse(k) = e.inverse;
    }
    variable_ = v;
    mu_ = mu;
  }
  Section<T> section(const CellWeights<R>* cells, const R* first, std::int64_t stride) const {
    const T mu = T(mu_);
    const auto right = [&](int k) { return -mu_ * load_as<T>(first + k * stride); };
    Elimination<T> e = begin_column(cells[0], mu, right(0));
    SectionSum<T> sum = begin_section(e);
    for (int k = 1; k < l_.count; ++k) {
      e = continue_column(cells[k], mu, right(k), e);
      continue_section(sum, e);
    }
    return sum.s;
  }

  const TridiagonalLines<R>& l_;
  std::vector<R> inverse_, beside_;  // pivots of a line; lines of a pack
  int variable_ = -1;
  R mu_ = 0;
};

template <class R>
void solve_lines(exec::OnCpu, const TridiagonalLines<R>& lines, const exec::Clock* clock,
                 const Queue& queue) {
  if (!clock->active) return;
  constexpr int width = static_cast<int>(Pack<R>::size());
  const R dt = R(clock->dt);
#pragma omp parallel num_threads(queue.threads)
  {
    LineWork<R> work(lines);
#pragma omp for collapse(3) schedule(static)
    for (int v = 0; v < lines.variables; ++v) {
      for (int row = 0; row < lines.rows; ++row) {
        for (int lane = 0; lane < lines.lanes; lane += width)
          work.solve(v, row, lane, std::min(width, lines.lanes - lane), dt);
      }
    }
  }
}

}  // namespace watersmeet::solve
