#pragma once
// The loops around the cycles, on the arrays of the caller: what the correction is added to, and
// the residual that the next correction is for. R is the number type of the problem, C that of the
// cycles: double and float by default, since a correction needs no more digits than it corrects.
// In LevelArrays<R> of the problem, u is phi and f the right-hand side, which is only read.

#include <cstdint>

#include "core/device.hpp"
#include "exec/exact_sum.hpp"
#include "solve/multigrid/arrays.hpp"

namespace watersmeet::solve {

// Widths of the cells along the axes, for means over the volume.
struct CellWidths {
  const double* along[3] = {};
};

// What one pass found: the largest magnitude, and that of value times volume (NaN if any is). On
// the GPU also the sum of the latter, by a fixed number of thread blocks.
struct Measured {
  double largest = 0, largest_term = 0, sum = 0;
};

// Thread blocks of a reduction on the GPU, and as many partial results: eight of them on each of an
// H200's multiprocessors, since what a reduction waits for is memory.
inline constexpr int measure_blocks = 1024;

// Largest magnitudes of a residual and of the solution it belongs to.
struct Residual {
  double largest = 0, largest_solution = 0;
};

namespace detail {

// Of phi, or of the right-hand side.
template <class R>
Measured measure_cpu(const LevelArrays<R>& a, const CellWidths& widths, bool right_side,
                     int threads);
// Adds the values times volumes as whole numbers, so that neither threads nor ranks leave a trace
// in their sum (exec/exact_sum.hpp).
template <class R>
void count_cpu(const LevelArrays<R>& a, const CellWidths& widths, bool right_side,
               const exec::SumScale& scale, std::int64_t* high_low, int threads);
// phi <- phi + scale * correction, or 0 when `reset`; with neither only the ghosts along x of
// periodic rows are made.
template <class R, class C>
void correct_cpu(const LevelArrays<R>& a, const LevelArrays<C>& correction, double scale, bool add,
                 bool reset, int threads);
// cycle.f <- (f - mean - L phi) / scale
template <class R, class C>
Residual residual_cpu(const LevelArrays<R>& a, double mean, double scale,
                      const LevelArrays<C>& cycle, int threads);
// phi <- phi - mean
template <class R>
void shift_cpu(const LevelArrays<R>& a, double mean, int threads);

// The same on the GPU; none of them waits. `result` is in device memory, with room for
// measure_blocks results more behind it.
template <class R>
void measure_cuda(const LevelArrays<R>& a, const CellWidths& widths, bool right_side,
                  Measured* result, const Queue& queue);
// high_low: in device memory, 0 before.
template <class R>
void count_cuda(const LevelArrays<R>& a, const CellWidths& widths, bool right_side,
                const exec::SumScale& scale, std::int64_t* high_low, const Queue& queue);
template <class R, class C>
void correct_cuda(const LevelArrays<R>& a, const LevelArrays<C>& correction, double scale, bool add,
                  bool reset, const Queue& queue);
template <class R, class C>
void residual_cuda(const LevelArrays<R>& a, double mean, double scale, const LevelArrays<C>& cycle,
                   Residual* largest, const Queue& queue);
template <class R>
void shift_cuda(const LevelArrays<R>& a, double mean, const Queue& queue);

}  // namespace detail

}  // namespace watersmeet::solve
