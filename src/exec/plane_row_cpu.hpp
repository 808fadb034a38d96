#pragma once
// What the face form on a plane does along one row of cells on the CPU, a pack at a time: states,
// edges, records, and the closing of cells with the update of the stage. Each is a function of its
// own, so that a cell sees the same instructions whatever its place. The last pack of a row
// computes into the padding, of which nothing is stored or reduced. Values of a row lie `pitch`
// elements apart. Part of exec/plane_cpu.hpp.

#include <cstdint>

#include "core/pack.hpp"
#include "exec/plane.hpp"

namespace watersmeet::exec::detail {

constexpr int plane_reach = 2;  // cells beside a cell whose states it depends on

template <class T>
constexpr int plane_width = Lanes<T>::count;

template <class T>
constexpr int whole_packs(int count) {
  return (count + plane_width<T> - 1) / plane_width<T> * plane_width<T>;
}

// Rows begin with whole packs for the two cells before their first one.
template <class T>
constexpr int plane_lead = whole_packs<T>(plane_reach);
template <class T>
int plane_pitch(int cells) {
  return plane_lead<T> + whole_packs<T>(cells + plane_reach) + 2 * plane_width<T>;
}

template <class R, class Scheme>
struct PlaneLaunchCpu {
  const CellArrays<R>& a;
  const StageUpdate<R>& update;
  const Scheme& scheme;
  R dt;
};

template <class R>
std::int64_t row_start(const CellArrays<R>& a, const PlanePlace& first) {
  return first.i + first.j * a.stride_j + first.k * a.stride_k;
}

template <class T, int n>
WM_HD Vec<T, n> row_values(const RealOf<T>* first, int pitch) {
  Vec<T, n> r;
  for (int v = 0; v < n; ++v) r[v] = load_as<T>(first + v * pitch);
  return r;
}
template <class T, int n>
WM_HD void store_row_values(RealOf<T>* first, int pitch, const Vec<T, n>& values) {
  for (int v = 0; v < n; ++v) store_all(first + v * pitch, values[v]);
}

// States of the cells -2 .. count + 1 from `first` on. Reads less than a pack past them, which the
// allocation of a register allows for.
template <class T, class R, class Scheme>
[[gnu::noinline]] void plane_state_row(const PlaneLaunchCpu<R, Scheme>& launch,
                                       const PlanePlace& first, int count, R* states, int pitch) {
  const CellArrays<R>& a = launch.a;
  const std::int64_t row = row_start(a, first);
  for (int i = -plane_reach; i < count + plane_reach; i += plane_width<T>) {
    Vec<T, Scheme::variables> stored;
    for (int v = 0; v < Scheme::variables; ++v) {
      stored[v] = load_as<T>(a.in + v * a.stride_var + row + i);
    }
    store_row_values(states + i, pitch, launch.scheme.state(stored, fixed_value<T>(a, row + i)));
  }
}

// Edges of the cells first <= i < count; rows[0 .. 2] are the states of the rows below, here,
// above.
template <int axis, class T, class R, class Scheme>
[[gnu::noinline]] void plane_edge_row(const Scheme& scheme, const R* const (&rows)[3], int pitch,
                                      int first, int count, R* lower, R* upper) {
  for (int i = first; i < count; i += plane_width<T>) {
    const auto window = [&](int v, int along, int across) {
      const int di = axis == 0 ? along : across, dj = axis == 0 ? across : along;
      return load_as<T>(rows[1 + dj] + v * pitch + i + di);
    };
    const PlaneEdges<T, Scheme> e = scheme.template edges<axis, T>(window);
    store_row_values(lower + i, pitch, e.lower);
    store_row_values(upper + i, pitch, e.upper);
  }
}

// Records of `count` faces between the upper edges `below` and the lower edges `above`; the first
// is the lower one of the cell `first`.
template <int axis, class T, class R, class Scheme>
[[gnu::noinline]] void plane_record_row(const Scheme& scheme, const R* below, const R* above,
                                        int pitch, const PlanePlace& first, int count, R dt,
                                        R* records) {
  constexpr int n = Scheme::edge_values;
  for (int i = 0; i < count; i += plane_width<T>) {
    store_row_values(records + i, pitch,
                     scheme.template flux<axis, T>(row_values<T, n>(below + i, pitch),
                                                   row_values<T, n>(above + i, pitch), dt,
                                                   {first.i + i, first.j, first.k}));
  }
}

// The same of a row of faces on the rim of the box.
template <class T, class R, class Scheme>
[[gnu::noinline]] void plane_rim_row(const Scheme& scheme, bool upper, int pitch,
                                     const PlanePlace& first, int count, R* records) {
  for (int i = 0; i < count; i += plane_width<T>) {
    store_row_values(records + i, pitch, scheme.template rim<1, T>(upper, first.i + i, first.k));
  }
}

// Where the cells of a row find what their faces along one axis bring: records, and their own
// edges. Null along an axis of one cell.
template <class R>
struct PlaneFaces {
  const R *lower = nullptr, *upper = nullptr, *lower_edge = nullptr, *upper_edge = nullptr;
};

template <int axis, class T, class Scheme>
WM_HD Vec<T, Scheme::rates> plane_gain(const Scheme& scheme, const PlaneFaces<RealOf<T>>& faces,
                                       int pitch, int i, const PlanePlace& place) {
  using R = RealOf<T>;
  constexpr int n = Scheme::edge_values, m = Scheme::records;
  if (!faces.lower) {
    Vec<T, Scheme::rates> none;
    for (int v = 0; v < Scheme::rates; ++v) none[v] = T(R(0));
    return none;
  }
  const PlaneEdges<T, Scheme> e = {row_values<T, n>(faces.lower_edge + i, pitch),
                                   row_values<T, n>(faces.upper_edge + i, pitch)};
  return scheme.template gain<axis, T>(row_values<T, m>(faces.lower + i, pitch),
                                       row_values<T, m>(faces.upper + i, pitch), scheme.keep(e),
                                       place);
}

// Rates and update of `count` cells from `first` on.
template <class T, class R, class Scheme>
[[gnu::noinline]] void plane_close_row(const PlaneLaunchCpu<R, Scheme>& launch,
                                       const PlanePlace& first, int count, const R* states,
                                       int pitch, const PlaneFaces<R>& x, const PlaneFaces<R>& y,
                                       T& signal) {
  constexpr int n = Scheme::variables;
  const CellArrays<R>& a = launch.a;
  const StageUpdate<R>& update = launch.update;
  const Scheme& scheme = launch.scheme;
  const std::int64_t row = row_start(a, first);
  const R* const old_start = old_values(a, update.form);
  for (int i = 0; i < count; i += plane_width<T>) {
    const int lanes = count - i;
    const PlanePlace place = {first.i + i, first.j, first.k};
    const Vec<T, Scheme::states> w = row_values<T, Scheme::states>(states + i, pitch);
    Vec<T, n> present, value;
    for (int v = 0; v < n; ++v) present[v] = load_as<T>(a.in + v * a.stride_var + row + i);
    const auto along_x = plane_gain<0, T>(scheme, x, pitch, i, place);
    const auto along_y = plane_gain<1, T>(scheme, y, pitch, i, place);
    Vec<T, Scheme::rates> rate;
    for (int v = 0; v < Scheme::rates; ++v) rate[v] = along_x[v] + along_y[v];
    scheme.add_sources(rate, w, present, place, launch.dt);
    for (int v = 0; v < n; ++v) {
      const std::int64_t at = v * a.stride_var + row + i;
      const T old = update.read_old ? load_as<T>(old_start + at) : T(R(0));
      const auto updated = advance_value(update, present[v], old, rate[v], launch.dt);
      value[v] = updated.value;
      if (update.form == UpdateForm::stored && update.write_increment) {
        store_pack(a.increment + at, updated.increment, lanes);
      }
    }
    const T fixed = fixed_value<T>(a, row + i);
    scheme.settle(value, fixed, place);
    if (update.last) {
      T mine = scheme.finish(value, fixed, place);
      Lanes<T>::clear_from(mine, lanes);
      signal = max_or_nan(signal, mine);
    }
    for (int v = 0; v < n; ++v) store_pack(a.out + v * a.stride_var + row + i, value[v], lanes);
  }
}

}  // namespace watersmeet::exec::detail
