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
inline constexpr std::size_t measure_bytes = (1 + measure_blocks) * sizeof(Measured);

// Largest magnitudes of a residual and of the solution it belongs to.
struct Residual {
  double largest = 0, largest_solution = 0;
};

// The loops on one back end. `room`: measure_bytes of device memory on the GPU, not used on the CPU.
// What returns a number waits for it; nothing else waits.
template <class R, class C>
class OuterLoops {
 public:
  virtual ~OuterLoops() = default;
  // Measures phi, or the right-hand side.
  virtual Measured measure(const LevelArrays<R>& a, const CellWidths& widths, bool right_side,
                           void* room, const Queue& queue) const = 0;
  // Adds the values times volumes as whole numbers, so that their sum does not depend on threads or
  // ranks (exec/exact_sum.hpp).
  virtual void count(const LevelArrays<R>& a, const CellWidths& widths, bool right_side,
                     const exec::SumScale& scale, std::int64_t* high_low, void* room,
                     const Queue& queue) const = 0;
  // phi <- phi + scale * correction, or 0 when `reset`; with neither only the ghosts along x of
  // periodic rows are made.
  virtual void correct(const LevelArrays<R>& a, const LevelArrays<C>& correction, double scale,
                       bool add, bool reset, const Queue& queue) const = 0;
  // cycle.f <- (f - mean - L phi) / scale
  virtual Residual residual(const LevelArrays<R>& a, double mean, double scale,
                            const LevelArrays<C>& cycle, void* room, const Queue& queue) const = 0;
  // phi <- phi - mean
  virtual void shift(const LevelArrays<R>& a, double mean, const Queue& queue) const = 0;

  // What conjugate gradients do with vectors.
  // y.u <- x_factor x.u + y_factor y.u; ghosts along x of periodic rows too, on the CPU.
  virtual void combine(const LevelArrays<R>& y, const LevelArrays<C>& x, double x_factor,
                       double y_factor, const Queue& queue) const = 0;
  // v <- L u
  virtual void apply(const LevelArrays<R>& a, const Queue& queue) const = 0;
  // Sum of x.u y.u times the volumes of the cells.
  virtual double dot(const LevelArrays<R>& x, const LevelArrays<C>& y, const CellWidths& widths,
                     void* room, const Queue& queue) const = 0;
  // to.f <- factor from.f
  virtual void hand_over(const LevelArrays<R>& from, const LevelArrays<C>& to, double factor,
                         const Queue& queue) const = 0;
};

// For (float, float), (double, float) and (double, double).
template <class R, class C>
const OuterLoops<R, C>& outer_loops_cpu();
// Error{unsupported} in a build without CUDA.
template <class R, class C>
const OuterLoops<R, C>& outer_loops_cuda();
template <class R, class C>
const OuterLoops<R, C>& outer_loops(Backend backend) {
  return backend == Backend::cuda ? outer_loops_cuda<R, C>() : outer_loops_cpu<R, C>();
}

}  // namespace watersmeet::solve
