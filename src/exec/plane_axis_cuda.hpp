#pragma once
// A plane scheme (exec/plane.hpp) with a launch an axis (exec/axis_cuda.hpp).

#include "exec/axis_cuda.hpp"
#include "exec/plane_cuda.hpp"

namespace watersmeet::exec {

template <class R, class Scheme>
struct PlaneByAxes {
  static constexpr int axes = 2, variables = Scheme::variables, states = Scheme::states;
  static constexpr int edge_values = Scheme::edge_values, records = Scheme::records;
  static_assert(!HasRims<Scheme>, "schemes with records from elsewhere are not supported");

  Scheme scheme;

  bool active(int axis) const { return scheme.active(axis); }

  template <class Load>
  __device__ __forceinline__ Vec<R, states> state(const CellArrays<R>& a, const Load& load,
                                                  Place at) const {
    const std::int64_t offset = offset_of(a, at);
    Vec<R, variables> stored;
#pragma unroll
    for (int v = 0; v < variables; ++v) stored[v] = load(a.in + v * a.stride_var + offset);
    const R fixed = a.extra ? load(a.extra + offset) : R(0);
    return scheme.template state<R>(stored, fixed);
  }

  template <int axis, class Other>
  __device__ __forceinline__ schemes::EdgeValues<Vec<R, edge_values>> edges(
      const Vec<R, states>& below, const Vec<R, states>& here, const Vec<R, states>& above,
      Place at, const Other& other) const {
    Vec<R, states> left{}, right{};
    if (scheme.transverse()) {
      left = other(detail::moved<1 - axis>(at, -1));
      right = other(detail::moved<1 - axis>(at, 1));
    }
    return scheme.template edges<axis, R>([&](int v, int along, int across) {
      return along < 0    ? below[v]
             : along > 0  ? above[v]
             : across < 0 ? left[v]
             : across > 0 ? right[v]
                          : here[v];
    });
  }

  template <int axis>
  __device__ __forceinline__ Vec<R, records> flux(const Vec<R, edge_values>& l,
                                                  const Vec<R, edge_values>& r, R dt,
                                                  Place at) const {
    return scheme.template flux<axis, R>(l, r, dt, {at.i, at.j, at.k});
  }

  // Along x the gain is the rate: a march does not add it to 0 either.
  template <int axis>
  __device__ __forceinline__ void add(Vec<R, variables>& rate, const Vec<R, records>& lower,
                                      const Vec<R, records>& upper,
                                      const schemes::EdgeValues<Vec<R, edge_values>>& own,
                                      const Vec<R, states>&, Place at) const {
    static_assert(Scheme::rates == variables);
    const Vec<R, variables> gain =
        scheme.template gain<axis, R>(lower, upper, scheme.keep(own), {at.i, at.j, at.k});
#pragma unroll
    for (int v = 0; v < variables; ++v) rate[v] = axis == 0 ? gain[v] : rate[v] + gain[v];
  }

  __device__ __forceinline__ R close(const CellArrays<R>& a, const StageUpdate<R>& update,
                                     Vec<R, variables>& rate, const Vec<R, states>& here, Place at,
                                     R dt) const {
    const std::int64_t offset = offset_of(a, at);
    const PlanePlace place{at.i, at.j, at.k};
    const R* const old_start = old_values(a, update.form);
    detail::PlaneCell<R, variables> cell;
    Vec<R, variables> old{};
#pragma unroll
    for (int v = 0; v < variables; ++v) {
      cell.stored[v] = a.in[v * a.stride_var + offset];
      if (update.read_old) old[v] = old_start[v * a.stride_var + offset];
    }
    cell.fixed = fixed_value<R>(a, offset);
    scheme.add_sources(rate, here, cell.stored, place, dt);
    return detail::update_plane_cell(a, update, scheme, dt, place, offset, rate, old, cell);
  }
};

}  // namespace watersmeet::exec
