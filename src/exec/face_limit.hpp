#pragma once
// The flux limiter of the face form, common part (after Hu, Adams and Shu, J. Comput. Phys. 242,
// 2013): a cell that a stage leaves outside the admissible set gets faces of first order, and so do
// its neighbours at these faces, so that what is conserved stays conserved. It follows a stage as a
// few passes over the new values, each of which
//
//   finds     the cells that are not acceptable and not flagged yet, and flags them with the number
//             of the pass;
//   corrects  every cell next to a face whose first flagged cell is of this pass: the change of its
//             rate, from the same edges and fluxes as in the stage, is added to what the update
//             made.
//
//        |   i-1   |   flagged   |   i+1   |
//                  ^             ^           faces between the cells' own values, by `low`
//
// `low` is the scheme once more with the fluxes that a cell can rely on: of first order, and of a
// Riemann solver that keeps states admissible.
// A later pass is for neighbours that the faces of an earlier one spoiled. The loops gather:
// nothing is added across cells, so that the result does not depend on an order. They are in
// face_limit_cpu.hpp and face_limit_cuda.hpp. A scheme needs, beside what face.hpp says,
//   mask acceptable<T>(const Vec<T, variables>& stored) const
//                                                        whether a run can continue with it
//   mask acceptable_after<T>(before, stored) const       and whether a stage may have led there

#include <cstdint>

#include "exec/face.hpp"

namespace watersmeet::exec {

// Passes that correct; one more only looks.
constexpr int limit_passes = 3;

// Where the kernels run.
struct LimitRecord {
  std::int64_t limited = 0;                             // cells flagged in all stages, on this rank
  std::int64_t found[limit_passes + 1] = {0, 0, 0, 0};  // inadmissible in each pass of this stage
};

// Flags of the cells, 0 or the number of the pass that found them; one ghost layer.
template <class R>
struct LimitFlags {
  R* cell = nullptr;  // of cell (0, 0, 0)
  std::int64_t stride_j = 0, stride_k = 0;
  WM_HD std::int64_t at(int i, int j, int k) const { return i + j * stride_j + k * stride_k; }
  WM_HD std::int64_t stride(int axis) const {
    return axis == 0 ? 1 : axis == 1 ? stride_j : stride_k;
  }
};

// The rows of cells along x in which a pass flagged some: passes after it leave out rows that have none nearby.
struct LimitRows {
  std::uint32_t* marks =
      nullptr;        // [pass - 1][k][j], not 0 where one is flagged; none: all rows are looked at
  int n[2] = {0, 0};  // rows along y, planes along z
  bool open[2][2] = {};  // [y or z][upper]: whether the ghosts there hold flags of other cells
  WM_HD std::uint32_t& mark(int pass, int j, int k) const {
    return marks[j + std::int64_t(n[0]) * (k + std::int64_t(n[1]) * (pass - 1))];
  }
  WM_HD bool flagged(int pass, int j, int k) const {
    if (j < 0 || j >= n[0]) return open[0][j < 0 ? 0 : 1];
    if (k < 0 || k >= n[1]) return open[1][k < 0 ? 0 : 1];
    return mark(pass, j, k) != 0;
  }
  // Whether passes `first` to `last` can have flagged a cell of this row or of one beside it.
  WM_HD bool nearby(int first, int last, int j, int k) const {
    if (marks == nullptr) return true;
    for (int pass = first; pass <= last; ++pass) {
      if (flagged(pass, j, k) || flagged(pass, j - 1, k) || flagged(pass, j + 1, k) ||
          flagged(pass, j, k - 1) || flagged(pass, j, k + 1))
        return true;
    }
    return false;
  }
};

// One pass of a stage.
template <class R>
struct LimitPass {
  LimitFlags<R> flags;
  LimitRows rows;
  LimitRecord* record = nullptr;
  int number = 1;     // limit_passes + 1 only looks
  bool alone = true;  // no other rank can have flagged a neighbour: nothing found, nothing to do
  // Whether that pass found nothing: then there is nothing to correct, nor to find later.
  WM_HD bool idle(int before) const {
    return alone && before > 0 && record->found[before - 1] == 0;
  }
};

// The number of the pass in which a face became one of first order; beyond any pass if never.
WM_HD int first_flag(double a, double b) {
  const int never = limit_passes + 1;
  const int x = a > 0 ? int(a) : never, y = b > 0 ? int(b) : never;
  return x < y ? x : y;
}

// Whether passes so far can have changed a cell or left it unacceptable: one of them flagged it or a neighbour at a face.
template <class R, class Scheme>
WM_HD bool flagged_nearby(const LimitFlags<R>& flags, const Scheme& scheme, int i, int j, int k) {
  const R* const flag = flags.cell + flags.at(i, j, k);
  bool any = *flag > R(0);
  for (int axis = 0; axis < 3; ++axis) {
    if (!scheme.active(axis)) continue;
    const std::int64_t step = flags.stride(axis);
    any = any || flag[step] > R(0) || flag[-step] > R(0);
  }
  return any;
}

// Whether passes `first` to `last` can concern cells of a row, from `lower` to before `upper`: its own flags, those beside it and behind its ends.
template <class R, class Scheme>
WM_HD bool row_concerned(const LimitPass<R>& pass, const Scheme& scheme, int first, int last,
                         int lower, int upper, int j, int k) {
  if (pass.rows.nearby(first, last, j, k)) return true;
  return scheme.active(0) && (pass.flags.cell[pass.flags.at(lower - 1, j, k)] > R(0) ||
                              pass.flags.cell[pass.flags.at(upper, j, k)] > R(0));
}

namespace detail {

// Stored values of the cell at `in` as a state.
template <class R, class Scheme>
WM_HD Vec<R, Scheme::states> state_at(const R* in, std::int64_t stride_var, const Scheme& scheme) {
  Vec<R, Scheme::variables> stored;
  for (int v = 0; v < Scheme::variables; ++v) stored[v] = in[v * stride_var];
  return scheme.template state<R>(stored);
}

// What one face gives to the rate of a cell next to it: the other face has a record of zeros.
template <int axis, class R, class Scheme>
WM_HD Vec<R, Scheme::variables> share_of_face(const Scheme& scheme,
                                              const Vec<R, Scheme::records>& record, bool upper,
                                              const Vec<R, Scheme::states>& w,
                                              const Edges<R, Scheme::states>& edges, int j) {
  const Vec<R, Scheme::records> nothing{};
  Vec<R, Scheme::variables> rate{};
  const Vec<R, Scheme::kept> own = scheme.template keep<R>(edges, w);
  if (upper) {
    scheme.template add<axis, R>(rate, nothing, record, w, own, j);
  } else {
    scheme.template add<axis, R>(rate, record, nothing, w, own, j);
  }
  return rate;
}

// Adds what the replacement of one face changes. in: the cell, along: elements to the next one.
template <int axis, class R, class Scheme>
WM_HD void replace_face(const R* in, std::int64_t along, std::int64_t stride_var,
                        const Scheme& scheme, const Scheme& low, bool upper, int j,
                        Vec<R, Scheme::variables>& change) {
  // The states -3 .. 2 of the cells around the face, from the lower one of its two on.
  const R* const left = in - (upper ? 0 : along);
  Vec<R, Scheme::states> w[6];
  for (int m = 0; m < 6; ++m) w[m] = state_at<R>(left + (m - 2) * along, stride_var, scheme);
  const auto edges_of = [&](int m) {
    return scheme.template edges<R>([&w, m](int v, int d) { return w[m + d][v]; });
  };
  const Edges<R, Scheme::states> below = edges_of(2), above = edges_of(3);
  const Vec<R, Scheme::states>& own = upper ? w[2] : w[3];
  const Vec<R, Scheme::variables> was =
      share_of_face<axis, R>(scheme, scheme.template flux<axis, R>(below.upper, above.lower), upper,
                             own, upper ? below : above, j);
  const Vec<R, Scheme::variables> is = share_of_face<axis, R>(
      low, low.template flux<axis, R>(w[2], w[3]), upper, own, {own, own, R(0)}, j);
  for (int v = 0; v < Scheme::variables; ++v) change[v] = change[v] + (is[v] - was[v]);
}

template <int axis, class R, class Scheme>
WM_HD bool replace_along(const CellArrays<R>& a, const Scheme& scheme, const Scheme& low,
                         const LimitPass<R>& pass, int i, int j, int k,
                         Vec<R, Scheme::variables>& change) {
  if (!scheme.active(axis)) return false;
  const R* const flag = pass.flags.cell + pass.flags.at(i, j, k);
  const std::int64_t step = pass.flags.stride(axis);
  bool changed = false;
  for (int upper = 0; upper < 2; ++upper) {
    if (first_flag(double(flag[0]), double(flag[upper ? step : -step])) != pass.number) continue;
    replace_face<axis, R>(a.in + i + j * a.stride_j + k * a.stride_k,
                          axis == 0   ? 1
                          : axis == 1 ? a.stride_j
                                      : a.stride_k,
                          a.stride_var, scheme, low, upper == 1, j, change);
    changed = true;
  }
  return changed;
}

}  // namespace detail

// Corrects one cell. True when its faces changed; `value` is what it holds then.
template <class R, class Scheme>
WM_HD bool correct_cell(const CellArrays<R>& a, const StageUpdate<R>& update, const Scheme& scheme,
                        const Scheme& low, const LimitPass<R>& pass, R dt, int i, int j, int k,
                        Vec<R, Scheme::variables>& value) {
  Vec<R, Scheme::variables> change{};
  const bool x = detail::replace_along<0>(a, scheme, low, pass, i, j, k, change);
  const bool y = detail::replace_along<1>(a, scheme, low, pass, i, j, k, change);
  const bool z = detail::replace_along<2>(a, scheme, low, pass, i, j, k, change);
  if (!x && !y && !z) return false;
  const std::int64_t at = i + j * a.stride_j + k * a.stride_k;
  for (int v = 0; v < Scheme::variables; ++v) {
    const std::int64_t place = at + v * a.stride_var;
    value[v] = fma_(update.b * dt, change[v], a.out[place]);
    if (update.form == UpdateForm::stored && update.write_increment) {
      a.increment[place] = fma_(dt, change[v], a.increment[place]);
    }
  }
  return true;
}

}  // namespace watersmeet::exec
