#pragma once
// What conjugate gradients do with vectors, on the arrays of a level; R is the number type of the
// problem, X that of another vector: of the problem's, or of the cycles'.

#include "solve/multigrid/outer.hpp"

namespace watersmeet::solve::detail {

// y.u <- x_factor x.u + y_factor y.u; ghosts along x of periodic rows too, on the CPU.
template <class R, class X>
void combine_cpu(const LevelArrays<R>& y, const LevelArrays<X>& x, double x_factor, double y_factor,
                 int threads);
// v <- L u
template <class R>
void apply_cpu(const LevelArrays<R>& a, int threads);
// Sum of x.u y.u times the volumes of the cells.
template <class R, class X>
double dot_cpu(const LevelArrays<R>& x, const LevelArrays<X>& y, const CellWidths& widths,
               int threads);
// to.f <- factor from.f
template <class R, class C>
void hand_over_cpu(const LevelArrays<R>& from, const LevelArrays<C>& to, double factor,
                   int threads);

// The same on the GPU; `result` has room for measure_blocks results more behind it.
template <class R, class X>
void combine_cuda(const LevelArrays<R>& y, const LevelArrays<X>& x, double x_factor,
                  double y_factor, const Queue& queue);
template <class R>
void apply_cuda(const LevelArrays<R>& a, const Queue& queue);
template <class R, class X>
void dot_cuda(const LevelArrays<R>& x, const LevelArrays<X>& y, const CellWidths& widths,
              Measured* result, const Queue& queue);
template <class R, class C>
void hand_over_cuda(const LevelArrays<R>& from, const LevelArrays<C>& to, double factor,
                    const Queue& queue);

}  // namespace watersmeet::solve::detail
