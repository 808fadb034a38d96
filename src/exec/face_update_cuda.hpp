#pragma once
// Code that all sweeps of the face form on CUDA share: how their work is cut, the record of
// replaced edges, and the update of a cell.

#include <cstdint>
#include <type_traits>

#include "exec/cell_map_cuda.hpp"
#include "exec/face.hpp"
#include "exec/sweep_plan.hpp"
#include "exec/tuning.hpp"

namespace watersmeet::exec {

// Which part of a stage a launch is, and how its work is cut.
struct Sweep {
  bool first = false;  // rates start at 0, else they are in `out`
  SweepPlan march;
  // Rows: segments of 32 cells in all of them, and how many a warp takes.
  std::int64_t segments = 0;
  int chunk = 1;
};

// Adds the edges of a cell that were replaced to the record of the run.
template <class R>
__device__ void count_events(Clock* clock, R fallbacks, bool own) {
  if (own && fallbacks > R(0)) {
    atomicAdd(reinterpret_cast<unsigned long long*>(&clock->events),
              static_cast<unsigned long long>(fallbacks));
  }
}

// The update of the cell at `place`, `at` elements from cell (0, 0, 0); its signal in the last
// stage, else 0. old(v) and present(v) are its values. The forms are distinguished once, not at every
// value.
template <class R, class Finish, int n, class Old, class Present>
__device__ R update_cell(const CellArrays<R>& a, const StageUpdate<R>& update, const Finish& finish,
                         R dt, std::int64_t at, Place place, const Vec<R, n>& rate, const Old& old,
                         const Present& present) {
  Vec<R, n> value;
  const auto advance = [&](auto form, auto reads) {
    StageUpdate<R> u = update;
    u.form = decltype(form)::value;
    u.read_old = decltype(reads)::value;
    Vec<R, n> increment;
#pragma unroll
    for (int v = 0; v < n; ++v) {
      const Updated<R> updated =
          advance_value(u, R(present(v)), u.read_old ? R(old(v)) : R(0), rate[v], dt);
      value[v] = updated.value;
      increment[v] = updated.increment;
    }
    if (u.form == UpdateForm::stored && update.write_increment) {
#pragma unroll
      for (int v = 0; v < n; ++v) a.increment[v * a.stride_var + at] = increment[v];
    }
  };
  using Stored = std::integral_constant<UpdateForm, UpdateForm::stored>;
  using Base = std::integral_constant<UpdateForm, UpdateForm::base>;
  if (update.form == UpdateForm::stored) {
    if (update.read_old) {
      advance(Stored{}, std::true_type{});
    } else {
      advance(Stored{}, std::false_type{});
    }
  } else if (update.read_old) {
    advance(Base{}, std::true_type{});
  } else {
    advance(Base{}, std::false_type{});
  }
  R signal = R(0);
  if (update.last) signal = finish_at(finish, value, place);
  const auto store = [&](R* out, std::int64_t stride_var) {
#pragma unroll
    for (int v = 0; v < n; ++v) out[v * stride_var + at] = value[v];
  };
  store(a.out, a.stride_var);
  store_far(a, a.far_axis == 1 ? place.j : place.k, store);
  return signal;
}

}  // namespace watersmeet::exec
