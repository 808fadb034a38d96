#pragma once
// The loops over a level for both back ends; R is float or double. Each of them writes a value
// once, whatever the threads, so that the bits do not depend on them. Ghosts along x of periodic
// rows are kept valid by all of them on the CPU; on the GPU neighbours are found by their indices.

#include "core/device.hpp"
#include "solve/multigrid/arrays.hpp"

namespace watersmeet::solve {

struct SolveControl;

// Kernels of a solve that decides on the device (control.hpp) return at once when it has ended, or
// needs fewer cycles for this residual than were queued. Without a control: always.
struct When {
  const SolveControl* control = nullptr;
  int cycle = 0;  // for this residual, from 0
};

// Cells of a level, to and from the places that they have in the whole level.
struct PartPlace {
  int first[3] = {0, 0, 0};  // the part's first cell
  int whole[3] = {1, 1, 1};  // cells of the level
};

namespace detail {

// u <- 0, ghosts included.
template <class R>
void clear_cpu(const LevelArrays<R>& a, int threads);
// The points of one colour.
template <class R>
void red_black_cpu(const LevelArrays<R>& a, int colour, int threads);
// One damped sweep u -> v; the caller exchanges the two.
template <class R>
void jacobi_cpu(const LevelArrays<R>& a, int threads);
// Lines along z of the columns of one colour (i + j); all columns, u -> v with damping, when
// colour < 0.
template <class R>
void lines_z_cpu(const LevelArrays<R>& a, int colour, int threads);
// coarse.f <- average of f - L u over the children, or of f alone.
template <class R>
void restrict_residual_cpu(const LevelArrays<R>& fine, const TransferArrays<R>& t,
                           const LevelArrays<R>& coarse, bool residual, int threads);
// u <- interpolated coarse.u, added or not.
template <class R>
void interpolate_cpu(const LevelArrays<R>& fine, const TransferArrays<R>& t,
                     const LevelArrays<R>& coarse, bool add, int threads);
// u <- exact solution for f.
template <class R>
void solve_bottom_cpu(const LevelArrays<R>& a, const BottomArrays<R>& bottom, int threads);
// words <- bit patterns of f at its places in the whole level; the rest is left.
template <class R>
void to_words_cpu(const LevelArrays<R>& part, const PartPlace& place, std::int64_t* words,
                  int threads);
// f <- words, of a whole level.
template <class R>
void from_words_cpu(const LevelArrays<R>& whole, const std::int64_t* words, int threads);
// part.u <- whole.u, ghosts included, as far as there is something.
template <class R>
void take_part_cpu(const LevelArrays<R>& part, const PartPlace& place, const LevelArrays<R>& whole,
                   int threads);

template <class R>
void clear_cuda(const LevelArrays<R>& a, const When& when, const Queue& queue);
template <class R>
void red_black_cuda(const LevelArrays<R>& a, int colour, const When& when, const Queue& queue);
template <class R>
void jacobi_cuda(const LevelArrays<R>& a, const When& when, const Queue& queue);
// The ratios of the elimination stand in w.
template <class R>
void lines_z_cuda(const LevelArrays<R>& a, int colour, const When& when, const Queue& queue);
template <class R>
void restrict_residual_cuda(const LevelArrays<R>& fine, const TransferArrays<R>& t,
                            const LevelArrays<R>& coarse, bool residual, const When& when,
                            const Queue& queue);
template <class R>
void interpolate_cuda(const LevelArrays<R>& fine, const TransferArrays<R>& t,
                      const LevelArrays<R>& coarse, bool add, const When& when, const Queue& queue);
template <class R>
void solve_bottom_cuda(const LevelArrays<R>& a, const BottomArrays<R>& bottom, const When& when,
                       const Queue& queue);
template <class R>
void to_words_cuda(const LevelArrays<R>& part, const PartPlace& place, std::int64_t* words,
                   const Queue& queue);
template <class R>
void from_words_cuda(const LevelArrays<R>& whole, const std::int64_t* words, const Queue& queue);
template <class R>
void take_part_cuda(const LevelArrays<R>& part, const PartPlace& place, const LevelArrays<R>& whole,
                    const Queue& queue);

}  // namespace detail

}  // namespace watersmeet::solve
