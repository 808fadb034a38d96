#pragma once
// The cell form, common part: what one launch needs, the direct accessor, and the stage update that
// follows the right-hand side as an epilogue, so that a stage reads and writes every field once.
// The CPU loop is in cell_cpu.hpp, the CUDA schedules in cell_cuda.hpp (direct, the reference) and
// cell_ring_cuda.hpp (shared-memory ring).
//
// A right-hand side is a functor with
//   static constexpr int inputs     variables read through the accessor
//   static constexpr int outputs    variables advanced (the first `outputs` inputs)
//   static constexpr int radius     reach of the stencil along an axis; ghosts that must be valid
//   static constexpr bool heavy     needs more registers than usual (a choice between tunings)
//   static constexpr bool history   optional; true: updated in the form `history`, and no other
//   static constexpr int velocity, vectors   optional; the first component of the first vector whose mixed derivatives the ring schedule may sum
//                                            (cell_ring.hpp), and how many vectors there are
//   Vec<T, outputs> operator()(const S& s) const
// and a finish is a functor called with the new values of the point, which it may change (a forcing
// kick after the last stage) and from which it returns the signal whose maximum sets the next time
// step, and the work of that change:
//   Finished<T> operator()(Vec<T, outputs>& value, const S& s) const

#include <cstdint>

#include "core/block_layout.hpp"
#include "core/finished.hpp"
#include "core/types.hpp"
#include "core/vec.hpp"
#include "exec/clock.hpp"

namespace watersmeet::exec {

// Ghosts of another GPU's block that are copies of cells of this one in planes begin .. end - 1 across an axis. From `out` on they lie at the
// offsets of these cells.
template <class R>
struct FarCells {
  R* out = nullptr;
  std::int64_t stride_var = 0;
  int begin = 0, end = 0;
};

// The same of a register that begins at `start`, in elements from there; below and above.
struct FarRegister {
  void* start = nullptr;
  std::int64_t first = 0, stride_var = 0;
  int begin = 0, end = 0;
};
struct FarRegisters {
  FarRegister side[2];
  int axis = 2;
};

// Element offsets of a launch: the box is given in cells of the block.
template <class R>
struct CellArrays {
  const R* in = nullptr;  // cell (0,0,0) of variable 0, ghosts valid
  const R* extra =
      nullptr;  // one more input variable in a congruent array (variable index `outputs`), or null
  R* out =
      nullptr;  // congruent with `in`; in the two-register form it still holds the stage before
  R* increment = nullptr;  // 2N increment w, or null
  std::int64_t stride_j = 0, stride_k = 0, stride_var = 0;
  int lower[3] = {0, 0, 0}, upper[3] = {0, 0, 0};  // box of cells to compute, half open
  // Cells of the block along axes whose ends the ring schedule joins itself; 0: what lies beyond an end is in the ghosts. Along z it reads the
  // other end; along x and y the ghosts of `in` are there, and the stage stores those of `out`, which are copies of its cells.
  int periods[3] = {0, 0, 0};
  // Where the stage stores its first and its last planes of `out` across `far_axis`, y or z, too: in blocks below and above this one. No plane
  // goes both ways. The ring schedule has z alone, and stores the copies of these planes there as well.
  FarCells<R> far[2];
  int far_axis = 2;
};

// How the form is computed on a GPU: each cell by a thread that reads its neighbours, or tiles that march with planes in shared memory
// (cell_ring_cuda.hpp). The CPU has one schedule.
enum class CellSchedule { direct, ring };
inline const char* name_of(CellSchedule schedule) {
  return schedule == CellSchedule::ring ? "ring" : "direct";
}

enum class UpdateForm : int {
  two,  // out <- u + a (u - out) + b dt R          a = b_s alpha_s / b_{s-1}: w recovered from two
        // solutions
  stored,  // w <- a w + dt R;  out <- u + b w         a = alpha_s
  base,    // out <- u + a (u0 - u) + b dt R; u0, the beginning of the step, in place of w
  history  // out <- u + dt (b R + a w);  w <- R       w: R of the stage or step before
};

template <class R>
struct StageUpdate {
  UpdateForm form = UpdateForm::two;
  R a = 0, b = 0;
  bool read_old = false;  // false in the first stage, where a = 0: neither `out` nor `w` is read
  bool write_increment = true;  // stored form: false in the last stage, after which w is dead
  bool last = false;            // last stage of the step: run the finish and reduce its signal
  // History form: second-order Adams-Bashforth, a = -r/2 and b = 1 + r/2 with the ratio r of this
  // step to the one before, which the clock has; Euler's step (r = 0) when it has none.
  bool adams_bashforth = false;
};

template <class Rhs>
concept KeepsHistory = requires {
  requires Rhs::history;
};

// The update with the weights that only the clock knows.
template <class Rhs, class R>
WM_HD StageUpdate<R> settled(const StageUpdate<R>& update, const Clock& clock) {
  StageUpdate<R> u = update;
  if constexpr (KeepsHistory<Rhs>) {
    if (update.adams_bashforth) {
      const double r = clock.dt_before > 0.0 ? clock.dt / clock.dt_before : 0.0;
      u.a = R(-0.5 * r);
      u.b = R(1.0 + 0.5 * r);
      u.read_old = r > 0.0;
    }
  }
  return u;
}

// The arrays of a block in registers that begin at these addresses; `out` and `increment` may be
// null.
template <class R>
CellArrays<R> cell_arrays(const BlockLayout& layout, const void* in, void* out, void* increment,
                          const Box& box) {
  CellArrays<R> a;
  a.in = static_cast<const R*>(in) + layout.first;
  if (out) a.out = static_cast<R*>(out) + layout.first;
  if (increment) a.increment = static_cast<R*>(increment) + layout.first;
  a.stride_j = layout.stride[1];
  a.stride_k = layout.stride[2];
  a.stride_var = layout.stride_var;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    a.lower[axis] = static_cast<int>(box.lower[axis]);
    a.upper[axis] = static_cast<int>(box.upper[axis]);
  }
  return a;
}

// In the precision of the loops.
template <class R>
StageUpdate<R> rounded(const StageUpdate<double>& u) {
  return {u.form, R(u.a), R(u.b), u.read_old, u.write_increment, u.last, u.adams_bashforth};
}

// Values read straight from memory at offsets from one cell. T is R or a pack of R.
template <class T>
struct Direct {
  using R = RealOf<T>;
  using value_type = T;
  const R* cell;        // variable 0 of this cell
  const R* extra_cell;  // the extra variable, index `extra_index`
  std::int64_t stride_j, stride_k, stride_var;
  int extra_index;
  int i, j, k;          // cell indices in the block
  std::int64_t offset;  // of this cell from cell (0, 0, 0)
  WM_HD T operator()(int var, int di, int dj, int dk) const {
    const std::int64_t shift = di + dj * stride_j + dk * stride_k;
    return load_as<T>(var == extra_index ? extra_cell + shift : cell + var * stride_var + shift);
  }
};

template <class T>
WM_HD Direct<T> direct_accessor(const CellArrays<RealOf<T>>& a, int extra_index, int i, int j,
                                int k) {
  const std::int64_t offset = i + j * a.stride_j + k * a.stride_k;
  return {a.in + offset,
          a.extra ? a.extra + offset : nullptr,
          a.stride_j,
          a.stride_k,
          a.stride_var,
          extra_index,
          i,
          j,
          k,
          offset};
}

// One value of the update. `old` is the stage before (two), the increment (stored) or the
// right-hand side before (history), ignored when not read.
template <class T>
struct Updated {
  T value, increment;
};
// What `old` gives to the update, known before the right-hand side: a (u - old), or a old.
template <class Rhs, class T, class R>
WM_HD T carried_over(const StageUpdate<R>& s, const T& u, const T& old) {
  if constexpr (!KeepsHistory<Rhs>) {
    if (s.form == UpdateForm::two) return s.a * (u - old);
  }
  return s.a * old;
}
// The update with it; `carried` is ignored when `old` is not read.
template <class Rhs, class T, class R>
WM_HD Updated<T> advance_with(const StageUpdate<R>& s, const T& u, const T& carried, const T& rhs,
                              R dt) {
  if constexpr (KeepsHistory<Rhs>) {
    return {u + dt * (s.b * rhs + carried), rhs};
  } else if (s.form == UpdateForm::two) {
    const T value = s.read_old ? u + (carried + (s.b * dt) * rhs) : u + (s.b * dt) * rhs;
    return {value, value};
  } else {
    const T increment = s.read_old ? carried + dt * rhs : dt * rhs;
    return {u + s.b * increment, increment};
  }
}
template <class Rhs, class T, class R>
WM_HD Updated<T> advance_point(const StageUpdate<R>& s, const T& u, const T& old, const T& rhs,
                               R dt) {
  return advance_with<Rhs>(s, u, carried_over<Rhs>(s, u, old), rhs, dt);
}
// Whether the increment (or history) is stored.
template <class Rhs, class R>
WM_HD bool writes_increment(const StageUpdate<R>& s) {
  if constexpr (KeepsHistory<Rhs>) return s.write_increment;
  return s.form == UpdateForm::stored && s.write_increment;
}

}  // namespace watersmeet::exec
