#pragma once
// The loops over a level behind one interface; R is float or double. Each of them writes a value
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

// The loops over a level on one back end.
template <class R>
class LevelLoops {
 public:
  virtual ~LevelLoops() = default;
  // u <- 0, ghosts included.
  virtual void clear(const LevelArrays<R>& a, const When& when, const Queue& queue) const = 0;
  // The points of one colour.
  virtual void red_black(const LevelArrays<R>& a, int colour, const When& when,
                         const Queue& queue) const = 0;
  // One damped sweep u -> v; the caller exchanges the two.
  virtual void jacobi(const LevelArrays<R>& a, const When& when, const Queue& queue) const = 0;
  // Lines along z of the columns of one colour (i + j); all columns, u -> v with damping, when
  // colour < 0. On the GPU the ratios of the elimination are in w.
  virtual void lines_z(const LevelArrays<R>& a, int colour, const When& when,
                       const Queue& queue) const = 0;
  // coarse.f <- average of f - L u over the children.
  virtual void restrict_residual(const LevelArrays<R>& fine, const TransferArrays<R>& t,
                                 const LevelArrays<R>& coarse, const When& when,
                                 const Queue& queue) const = 0;
  // u <- u + interpolated coarse.u
  virtual void add_interpolated(const LevelArrays<R>& fine, const TransferArrays<R>& t,
                                const LevelArrays<R>& coarse, const When& when,
                                const Queue& queue) const = 0;
  // u <- exact solution for f.
  virtual void solve_bottom(const LevelArrays<R>& a, const BottomArrays<R>& bottom,
                            const When& when, const Queue& queue) const = 0;
  // words <- bit patterns of f at its places in the whole level; the rest is left.
  virtual void to_words(const LevelArrays<R>& part, const PartPlace& place, std::int64_t* words,
                        const Queue& queue) const = 0;
  // f <- words, of a whole level.
  virtual void from_words(const LevelArrays<R>& whole, const std::int64_t* words,
                          const Queue& queue) const = 0;
  // part.u <- whole.u, ghosts included, as far as there is something.
  virtual void take_part(const LevelArrays<R>& part, const PartPlace& place,
                         const LevelArrays<R>& whole, const Queue& queue) const = 0;
};

template <class R>
const LevelLoops<R>& level_loops_cpu();
// Error{unsupported} in a build without CUDA.
template <class R>
const LevelLoops<R>& level_loops_cuda();
template <class R>
const LevelLoops<R>& level_loops(Backend backend) {
  return backend == Backend::cuda ? level_loops_cuda<R>() : level_loops_cpu<R>();
}

}  // namespace watersmeet::solve
