#pragma once
// What the face form on the CPU does along one row of cells, a pack at a time: states, edges,
// records, and the closing of cells with the update of the stage. Each is a function of its own, so
// that a cell sees the same instructions whatever its place. The last pack of a row computes into
// the padding, of which nothing is stored, counted or reduced. Values of a row lie `pitch` elements
// apart. Part of exec/face_cpu.hpp.

#include <algorithm>
#include <cstdint>

#include "core/pack.hpp"
#include "exec/face.hpp"

namespace watersmeet::exec::detail {

template <class R>
constexpr int pack_width = static_cast<int>(Pack<R>::size());

template <class R>
int round_to_packs(int count) {
  return (count + pack_width<R> - 1) / pack_width<R> * pack_width<R>;
}

// Rows of states begin a pack before their first cell; the last pack of the halo ends less than two
// packs behind the cells and edges it serves.
template <class R>
int face_pitch(int cells) {
  return round_to_packs<R>(cells + 2) + 3 * pack_width<R>;
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
template <class R, class Scheme, class Finish>
[[gnu::noinline]] void convert_row(const FaceLaunchCpu<R, Scheme, Finish>& launch, int i0, int j,
                                   int k, int halo, int count, R* states, int pitch) {
  using T = Pack<R>;
  const CellArrays<R>& a = launch.a;
  const R* const row = a.in + i0 + j * a.stride_j + k * a.stride_k;
  const int end = halo ? round_to_packs<R>(count + 2) + 1 : count;
  for (int i = -halo; i < end; i += pack_width<R>) {
    Vec<T, Scheme::variables> stored;
    for (int v = 0; v < Scheme::variables; ++v) {
      stored[v] = load_as<T>(row + v * a.stride_var + i);
    }
    const Vec<T, Scheme::states> w = launch.scheme.state(stored);
    for (int v = 0; v < Scheme::states; ++v) {
      w[v].copy_to(states + v * pitch + i, stdx::element_aligned);
    }
  }
}

// Edges of `count` cells; returns how many were replaced in the cells first <= i < last. rows[m]
// points at the states of the cells m - 2 away.
template <class R, class Scheme>
[[gnu::noinline]] std::int64_t edge_row(const Scheme& scheme, const R* const (&rows)[5], int pitch,
                                        int count, int first, int last, R* lower, R* upper) {
  using T = Pack<R>;
  const T lane([](auto l) { return R(int(l)); });
  T fallbacks = R(0);
  for (int i = 0; i < count; i += pack_width<R>) {
    const auto window = [&](int v, int m) { return load_as<T>(rows[m + 2] + v * pitch + i); };
    const Edges<T, Scheme::states> e = scheme.template edges<T>(window);
    for (int v = 0; v < Scheme::states; ++v) {
      e.lower[v].copy_to(lower + v * pitch + i, stdx::element_aligned);
      e.upper[v].copy_to(upper + v * pitch + i, stdx::element_aligned);
    }
    const T cell = lane + T(R(i));
    const auto counted = and_(cell >= T(R(first)), cell < T(R(last)));
    fallbacks = fallbacks + select(counted, e.fallbacks, T(R(0)));
  }
  return static_cast<std::int64_t>(stdx::reduce(fallbacks));
}

// Records of `count` faces between the upper edges `left` and the lower edges `right`.
template <int axis, class R, class Scheme>
[[gnu::noinline]] void record_row(const Scheme& scheme, const R* left, const R* right, int pitch,
                                  int count, R* records) {
  using T = Pack<R>;
  for (int i = 0; i < count; i += pack_width<R>) {
    Vec<T, Scheme::states> l, r;
    for (int v = 0; v < Scheme::states; ++v) {
      l[v] = load_as<T>(left + v * pitch + i);
      r[v] = load_as<T>(right + v * pitch + i);
    }
    const Vec<T, Scheme::records> f = scheme.template flux<axis>(l, r);
    for (int v = 0; v < Scheme::records; ++v) {
      f[v].copy_to(records + v * pitch + i, stdx::element_aligned);
    }
  }
}

// Where the cells of a row find what their faces along one axis bring: records, and the edges of
// the cells themselves. Null along an axis of one cell.
template <class R>
struct RowFaces {
  const R *lower = nullptr, *upper = nullptr, *lower_edge = nullptr, *upper_edge = nullptr;
};

template <int n, class R>
WM_HD Vec<Pack<R>, n> load_values(const R* first, int pitch) {
  Vec<Pack<R>, n> r;
  for (int v = 0; v < n; ++v) r[v] = load_as<Pack<R>>(first + v * pitch);
  return r;
}

template <int axis, class R, class Scheme>
WM_HD void add_faces(const Scheme& scheme, const RowFaces<R>& faces, int pitch, int i, int j,
                     const Vec<Pack<R>, Scheme::states>& w, Vec<Pack<R>, Scheme::variables>& rate) {
  using T = Pack<R>;
  if (!faces.lower) return;
  Vec<T, Scheme::kept> kept;
  if constexpr (Scheme::kept > 0) {
    const Edges<T, Scheme::states> e = {load_values<Scheme::states>(faces.lower_edge + i, pitch),
                                        load_values<Scheme::states>(faces.upper_edge + i, pitch),
                                        T(R(0))};
    kept = scheme.keep(e, w);
  }
  scheme.template add<axis>(rate, load_values<Scheme::records>(faces.lower + i, pitch),
                            load_values<Scheme::records>(faces.upper + i, pitch), w, kept, j);
}

// Rates and update of `count` cells from (i0, j, k) on.
template <class R, class Scheme, class Finish>
[[gnu::noinline]] void close_row(const FaceLaunchCpu<R, Scheme, Finish>& launch, int i0, int j,
                                 int k, int count, const R* states, int pitch,
                                 const RowFaces<R> (&faces)[3], Pack<R>& signal) {
  using T = Pack<R>;
  const CellArrays<R>& a = launch.a;
  const StageUpdate<R>& update = launch.update;
  const std::int64_t row = i0 + j * a.stride_j + k * a.stride_k;
  const R* const old_start = old_values(a, update.form);
  for (int i = 0; i < count; i += pack_width<R>) {
    const int lanes = count - i;
    const Vec<T, Scheme::states> w = load_values<Scheme::states>(states + i, pitch);
    Vec<T, Scheme::variables> rate;
    for (int v = 0; v < Scheme::variables; ++v) rate[v] = T(R(0));
    add_faces<0>(launch.scheme, faces[0], pitch, i, j, w, rate);
    add_faces<1>(launch.scheme, faces[1], pitch, i, j, w, rate);
    add_faces<2>(launch.scheme, faces[2], pitch, i, j, w, rate);
    Vec<T, Scheme::variables> value;
    for (int v = 0; v < Scheme::variables; ++v) {
      const std::int64_t at = v * a.stride_var + row + i;
      const T old = update.read_old ? load_as<T>(old_start + at) : T(R(0));
      const auto updated = advance_value(update, load_as<T>(a.in + at), old, rate[v], launch.dt);
      value[v] = updated.value;
      if (update.form == UpdateForm::stored && update.write_increment) {
        store_pack(a.increment + at, updated.increment, lanes);
      }
    }
    if (update.last) {
      T mine = launch.finish(value);
      for (int l = lanes; l < pack_width<R>; ++l) mine[static_cast<std::size_t>(l)] = R(0);
      signal = max_or_nan(signal, mine);
    }
    for (int v = 0; v < Scheme::variables; ++v) {
      store_pack(a.out + v * a.stride_var + row + i, value[v], lanes);
    }
  }
}

}  // namespace watersmeet::exec::detail
