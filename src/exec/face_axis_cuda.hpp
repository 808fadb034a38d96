#pragma once
// A scheme of the face form with three cells to an edge (exec/face.hpp) with a launch an axis
// (exec/axis_cuda.hpp).

#include "exec/axis_cuda.hpp"
#include "exec/face_update_cuda.hpp"

namespace watersmeet::exec {

namespace detail {

// Three cells along an axis, and the sum of the second differences across it.
template <class R, int states>
struct AxisWindow {
  const Vec<R, states>&below, &here, &above;
  Vec<R, states> curvature;
  WM_HD R operator()(int v, int m) const { return m < 0 ? below[v] : m == 0 ? here[v] : above[v]; }
  WM_HD R across(int v) const { return curvature[v]; }
};

}  // namespace detail

template <class R, class Scheme, class Finish>
struct FaceByAxes {
  static constexpr int axes = 3, variables = Scheme::variables, states = Scheme::states;
  static constexpr int edge_values = Scheme::states, records = Scheme::records;
  static_assert(Scheme::edge_reach == 1 && !PlacedEdges<Scheme>,
                "edges from the cell and its two neighbours, wherever it is");

  Scheme scheme;
  Finish finish;

  bool active(int axis) const { return scheme.active(axis); }

  template <class Load>
  __device__ __forceinline__ Vec<R, states> state(const CellArrays<R>& a, const Load& load,
                                                  Place at) const {
    const std::int64_t offset = offset_of(a, at);
    Vec<R, variables> stored;
#pragma unroll
    for (int v = 0; v < variables; ++v) stored[v] = load(a.in + v * a.stride_var + offset);
    return state_at<R>(scheme, stored, at);
  }

  template <int axis, class Other>
  __device__ __forceinline__ schemes::EdgeValues<Vec<R, states>> edges(const Vec<R, states>& below,
                                                                       const Vec<R, states>& here,
                                                                       const Vec<R, states>& above,
                                                                       Place at,
                                                                       const Other& other) const {
    detail::AxisWindow<R, states> window{below, here, above, {}};
    if constexpr (LooksAcross<Scheme>) {
      // In the order of the tiles: x before y before z.
      constexpr int first = axis == 0 ? 1 : 0, second = 3 - axis - first;
      const auto pair = [&](const Vec<R, states>& l, const Vec<R, states>& u, int v) {
        return (l[v] - here[v]) + (u[v] - here[v]);
      };
      const Vec<R, states> l1 = other(detail::moved<first>(at, -1)),
                           u1 = other(detail::moved<first>(at, 1)),
                           l2 = other(detail::moved<second>(at, -1)),
                           u2 = other(detail::moved<second>(at, 1));
#pragma unroll
      for (int v = 0; v < states; ++v) window.curvature[v] = pair(l1, u1, v) + pair(l2, u2, v);
    }
    const auto both = scheme.template edges<R>(window);
    return {both.lower, both.upper};
  }

  template <int axis>
  __device__ __forceinline__ Vec<R, records> flux(const Vec<R, states>& l, const Vec<R, states>& r,
                                                  R, Place at) const {
    return flux_at<axis, R>(scheme, l, r, at);
  }

  template <int axis>
  __device__ __forceinline__ void add(Vec<R, variables>& rate, const Vec<R, records>& lower,
                                      const Vec<R, records>& upper,
                                      const schemes::EdgeValues<Vec<R, states>>& own,
                                      const Vec<R, states>& here, Place at) const {
    const Edges<R, states> edges{own.lower, own.upper, R(0)};
    add_at<axis>(scheme, rate, lower, upper, here, scheme.template keep<R>(edges, here), at);
  }

  __device__ __forceinline__ R close(const CellArrays<R>& a, const StageUpdate<R>& update,
                                     const Vec<R, variables>& rate, const Vec<R, states>&, Place at,
                                     R dt) const {
    const std::int64_t offset = offset_of(a, at);
    const R* const old_start = old_values(a, update.form);
    return update_cell(
        a, update, finish, dt, offset, at, rate,
        [&](int v) { return old_start[v * a.stride_var + offset]; },
        [&](int v) { return a.in[v * a.stride_var + offset]; });
  }
};

}  // namespace watersmeet::exec
