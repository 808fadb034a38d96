#pragma once
// What the face form on the CPU does along one row of cells, a pack at a time: states, edges,
// records, and the closing of cells with the update of the stage. Each is a function of its own, so
// that a cell sees the same instructions whatever its place. The last pack of a row computes into
// the padding, of which nothing is stored, counted or reduced. Values of a row lie `pitch` elements
// apart. T is the pack, or a scalar where the loop shall do without. Part of exec/face_cpu.hpp.

#include <cstdint>

#include "core/pack.hpp"
#include "exec/face.hpp"

namespace watersmeet::exec::detail {

template <class T>
constexpr int pack_width = Lanes<T>::count;

template <class T>
constexpr int round_to_packs(int count) {
  return (count + pack_width<T> - 1) / pack_width<T> * pack_width<T>;
}

// Rows of states begin with whole packs for the three cells before their first one; the last pack
// of the halo ends less than two packs behind the cells and edges it serves.
template <class T>
constexpr int row_lead = round_to_packs<T>(3);
template <class T>
int face_pitch(int cells) {
  return row_lead<T> + round_to_packs<T>(cells + 2) + 2 * pack_width<T>;
}

template <class R, class Scheme, class Finish>
struct FaceLaunchCpu {
  const CellArrays<R>& a;
  const StageUpdate<R>& update;
  const Scheme& scheme;
  const Finish& finish;
  R dt;
};

// States of the cells -halo .. count + halo from (i0, j, k) on, and of the padding that a pack of
// edges may read. That reads less than two packs past the halo, which the allocation of a register
// allows for.
template <class T, class R, class Scheme, class Finish>
[[gnu::noinline]] void convert_row(const FaceLaunchCpu<R, Scheme, Finish>& launch, int i0, int j,
                                   int k, int halo, int count, R* states, int pitch) {
  const CellArrays<R>& a = launch.a;
  const R* const row = a.in + i0 + j * a.stride_j + k * a.stride_k;
  const int end = halo ? round_to_packs<T>(count + 2) + 1 : count;
  for (int i = -halo; i < end; i += pack_width<T>) {
    Vec<T, Scheme::variables> stored;
    for (int v = 0; v < Scheme::variables; ++v) {
      stored[v] = load_as<T>(row + v * a.stride_var + i);
    }
    const Vec<T, Scheme::states> w = state_at<T>(launch.scheme, stored, Place{i0 + i, j, k});
    for (int v = 0; v < Scheme::states; ++v) {
      store_all(states + v * pitch + i, w[v]);
    }
  }
}

// States of the neighbours of the first cell along the two other axes, below and above; null along
// an axis of one cell.
template <class R>
struct RowsAcross {
  const R* of[2][2] = {{nullptr, nullptr}, {nullptr, nullptr}};
};

// States of the cells around a pack of cells, as Scheme::edges needs them.
template <class T, class R>
struct RowWindow {
  const R* const (&rows)[5];
  const RowsAcross<R>& others;
  int pitch, i;
  T operator()(int v, int m) const { return load_as<T>(rows[m + 2] + v * pitch + i); }
  T across(int v) const {
    const T here = (*this)(v, 0);
    T sum = T(R(0));
    for (const auto& axis : others.of) {
      if (!axis[0]) continue;
      sum = sum + ((load_as<T>(axis[0] + v * pitch + i) - here) +
                   (load_as<T>(axis[1] + v * pitch + i) - here));
    }
    return sum;
  }
  // To the neighbour m = +-1 along the n-th of the other axes.
  T step(int v, int n, int m) const {
    return load_as<T>(others.of[n][m < 0 ? 0 : 1] + v * pitch + i) - (*this)(v, 0);
  }
};

// Edges of `count` cells; returns how many were replaced in the cells first <= i < last. rows[m]
// points at the states of the cells m - 2 away. `axis` is -1 for schemes that do not use it, so
// that one function serves all axes.
template <int axis, class T, class R, class Scheme>
[[gnu::noinline]] std::int64_t edge_row(const Scheme& scheme, const R* const (&rows)[5],
                                        const RowsAcross<R>& others, int pitch, int count,
                                        int first, int last, Place at, R* lower, R* upper) {
  const T lane = Lanes<T>::number();
  T fallbacks = R(0);
  for (int i = 0; i < count; i += pack_width<T>) {
    const RowWindow<T, R> window{rows, others, pitch, i};
    const Edges<T, Scheme::states> e =
        edges_at<axis, T>(scheme, window, Place{at.i + i, at.j, at.k});
    for (int v = 0; v < Scheme::states; ++v) {
      store_all(lower + v * pitch + i, e.lower[v]);
      store_all(upper + v * pitch + i, e.upper[v]);
    }
    const T cell = lane + T(R(i));
    const auto counted = and_(cell >= T(R(first)), cell < T(R(last)));
    fallbacks = fallbacks + select(counted, e.fallbacks, T(R(0)));
  }
  return static_cast<std::int64_t>(Lanes<T>::sum(fallbacks));
}

// Records of `count` faces between the upper edges `left` and the lower edges `right`, those of the
// cells from `first` on.
template <int axis, class T, class R, class Scheme>
[[gnu::noinline]] void record_row(const Scheme& scheme, const R* left, const R* right, int pitch,
                                  int count, Place first, R* records) {
  for (int i = 0; i < count; i += pack_width<T>) {
    Vec<T, Scheme::states> l, r;
    for (int v = 0; v < Scheme::states; ++v) {
      l[v] = load_as<T>(left + v * pitch + i);
      r[v] = load_as<T>(right + v * pitch + i);
    }
    const Vec<T, Scheme::records> f =
        flux_at<axis, T>(scheme, l, r, Place{first.i + i, first.j, first.k});
    for (int v = 0; v < Scheme::records; ++v) {
      store_all(records + v * pitch + i, f[v]);
    }
  }
}

// Where the cells of a row find what their faces along one axis bring: records, and the edges of
// the cells themselves. Null along an axis of one cell.
template <class R>
struct RowFaces {
  const R *lower = nullptr, *upper = nullptr, *lower_edge = nullptr, *upper_edge = nullptr;
};

template <class T, int n>
WM_HD Vec<T, n> load_values(const RealOf<T>* first, int pitch) {
  Vec<T, n> r;
  for (int v = 0; v < n; ++v) r[v] = load_as<T>(first + v * pitch);
  return r;
}

template <int axis, class T, class Scheme>
WM_HD void add_faces(const Scheme& scheme, const RowFaces<RealOf<T>>& faces, int pitch, int i,
                     Place at, const Vec<T, Scheme::states>& w, Vec<T, Scheme::variables>& rate) {
  using R = RealOf<T>;
  if (!faces.lower) return;
  Vec<T, Scheme::kept> kept;
  if constexpr (Scheme::kept > 0) {
    const Edges<T, Scheme::states> e = {load_values<T, Scheme::states>(faces.lower_edge + i, pitch),
                                        load_values<T, Scheme::states>(faces.upper_edge + i, pitch),
                                        T(R(0))};
    kept = keep_at<axis, T>(scheme, e, w, at);
  }
  add_at<axis, T>(scheme, rate, load_values<T, Scheme::records>(faces.lower + i, pitch),
                  load_values<T, Scheme::records>(faces.upper + i, pitch), w, kept, at);
}

// Rates and update of `count` cells from (i0, j, k) on.
template <class T, class R, class Scheme, class Finish>
[[gnu::noinline]] void close_row(const FaceLaunchCpu<R, Scheme, Finish>& launch, int i0, int j,
                                 int k, int count, const R* states, int pitch,
                                 const RowFaces<R> (&faces)[3], T& signal) {
  const CellArrays<R>& a = launch.a;
  const StageUpdate<R>& update = launch.update;
  const std::int64_t row = i0 + j * a.stride_j + k * a.stride_k;
  const R* const old_start = old_values(a, update.form);
  for (int i = 0; i < count; i += pack_width<T>) {
    const int lanes = count - i;
    const Place at{i0 + i, j, k};
    const Vec<T, Scheme::states> w = load_values<T, Scheme::states>(states + i, pitch);
    Vec<T, Scheme::variables> rate;
    for (int v = 0; v < Scheme::variables; ++v) rate[v] = T(R(0));
    add_faces<0>(launch.scheme, faces[0], pitch, i, at, w, rate);
    add_faces<1>(launch.scheme, faces[1], pitch, i, at, w, rate);
    add_faces<2>(launch.scheme, faces[2], pitch, i, at, w, rate);
    Vec<T, Scheme::variables> value;
    for (int v = 0; v < Scheme::variables; ++v) {
      const std::int64_t value_at = v * a.stride_var + row + i;
      const T old = update.read_old ? load_as<T>(old_start + value_at) : T(R(0));
      const auto updated =
          advance_value(update, load_as<T>(a.in + value_at), old, rate[v], launch.dt);
      value[v] = updated.value;
      if (update.form == UpdateForm::stored && update.write_increment) {
        store_pack(a.increment + value_at, updated.increment, lanes);
      }
    }
    if (update.last) {
      T mine = finish_at(launch.finish, value, at);
      Lanes<T>::clear_from(mine, lanes);
      signal = max_or_nan(signal, mine);
    }
    for (int v = 0; v < Scheme::variables; ++v) {
      store_pack(a.out + v * a.stride_var + row + i, value[v], lanes);
    }
  }
}

}  // namespace watersmeet::exec::detail
