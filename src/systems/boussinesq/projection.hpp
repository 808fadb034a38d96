#pragma once
// The projection of a velocity u* onto fields without divergence: rhs = D u*, L phi = rhs with
// L = D G (solve/poisson), u = u* - G phi on the faces that are advanced. Faces of walls keep what
// they have been given, and G phi is absent from L there. With phi = dt p the gradient of the
// pressure is in no other term, so that steady states carry no splitting error.

#include <cstdint>

#include "exec/cell_map.hpp"
#include "exec/sample.hpp"
#include "systems/boussinesq/equations.hpp"

namespace watersmeet::boussinesq {

// An array of another layout than that of a loop, at the loop's cells.
template <class R>
struct OtherArray {
  const R* first = nullptr;  // cell (0, 0, 0) of variable 0
  std::int64_t stride_j = 0, stride_k = 0, stride_var = 0;
  int step_x = 1;  // to the neighbour along x, 0 where x has one cell
  template <class T, class S>
  WM_HD T at(const S& s, int var, int di, int dj, int dk) const {
    return load_as<T>(first + var * stride_var + (s.i + di * step_x) + (s.j + dj) * stride_j +
                      (s.k + dk) * stride_k);
  }
};

// D u, of the cells of a loop over the pressure's arrays. Upper faces of the normal velocity must
// be valid (exec::face_ghosts).
template <class R, class M = Metrics<R>>
struct Divergence {
  M m;
  OtherArray<R> velocity;
  template <class S>
  WM_HD typename S::value_type operator()(const S& s) const {
    using T = typename S::value_type;
    const auto v = [&](int var, int di, int dj, int dk) {
      return velocity.template at<T>(s, var, di, dj, dk);
    };
    return (v(0, 1, 0, 0) - v(0, 0, 0, 0)) * m.template over_width<0>(s) +
           (v(1, 0, 1, 0) - v(1, 0, 0, 0)) * m.template over_width<1>(s) +
           (v(2, 0, 0, 1) - v(2, 0, 0, 0)) * m.template over_width<2>(s);
  }
};

// sum_a |u_a| / h_a, the advective signal of the time step.
template <class M, class T, class S>
WM_HD T advective_signal(const M& m, const Vec<T, 3>& u, const S& s) {
  return abs_(u[0]) * m.template over_width<0>(s) + abs_(u[1]) * m.template over_width<1>(s) +
         abs_(u[2]) * m.template over_width<2>(s);
}

// The same with the faster of both faces of a cell along each axis: half the sum over all faces of a
// cell is never larger, by which advection of scalars is bounded (limited.hpp).
template <class M, class S>
WM_HD typename S::value_type signal_of_both_faces(const M& m, const S& s) {
  return max_(abs_(s(0, 0, 0, 0)), abs_(s(0, 1, 0, 0))) * m.template over_width<0>(s) +
         max_(abs_(s(1, 0, 0, 0)), abs_(s(1, 0, 1, 0))) * m.template over_width<1>(s) +
         max_(abs_(s(2, 0, 0, 0)), abs_(s(2, 0, 0, 1))) * m.template over_width<2>(s);
}

// u* - G phi in place. Lower ghosts of phi must be valid.
template <class R, class M = Metrics<R>>
struct Projection {
  static constexpr int outputs = 3;
  M m;
  Advanced<R> advanced;
  OtherArray<R> phi;
  bool last = true;  // of the step: the signal counts
  // Scalars whose health rides on the signal: where they do not drive the velocity, a value that is
  // not a number would stay unseen.
  int watched_scalars = 0;

  template <class S>
  WM_HD exec::Changed<typename S::value_type, 3> operator()(const S& s) const {
    using T = typename S::value_type;
    const T here = phi.template at<T>(s, 0, 0, 0, 0);
    exec::Changed<T, 3> c;
    c.value[0] = s(0, 0, 0, 0) - (here - phi.template at<T>(s, 0, -1, 0, 0)) *
                                     (m.template over_distance<0>(s) * advanced.along_x(s));
    c.value[1] = s(1, 0, 0, 0) - (here - phi.template at<T>(s, 0, 0, -1, 0)) *
                                     (m.template over_distance<1>(s) * advanced.along_y(s));
    c.value[2] = s(2, 0, 0, 0) - (here - phi.template at<T>(s, 0, 0, 0, -1)) *
                                     (m.template over_distance<2>(s) * advanced.along_z(s));
    c.signal = T(R(0));
    if (last) {
      c.signal = advective_signal(m, c.value, s);
      for (int n = 0; n < watched_scalars; ++n) c.signal += R(0) * s(first_scalar + n, 0, 0, 0);
    }
    return c;
  }
};

// The guess of an iterative solver from the solves before: phi_1 and phi_2 act over the steps of
// dt_1 and before; with r = dt/dt_1 and steps before of one length, p = phi/dt extrapolates to
//
//   phi = r (phi_1 + (phi_1 - phi_2) (1 + r)/2)
//
// In place of phi_2.
template <class R>
struct GuessPressure {
  static constexpr int outputs = 1;
  OtherArray<R> before;  // phi_1
  const exec::Clock* clock = nullptr;
  R ratio = R(1);           // of the parts of a step that this stage and the one before act for
  bool extrapolate = true;  // else phi_1 alone
  bool first = true;        // stage of the step
  template <class S>
  WM_HD exec::Changed<typename S::value_type, 1> operator()(const S& s) const {
    using T = typename S::value_type;
    const T phi_1 = before.template at<T>(s, 0, 0, 0, 0);
    const bool known = first && clock->dt_before > 0.0;
    const R r = (known ? R(clock->dt / clock->dt_before) : R(1)) * ratio;
    const R slope = extrapolate && known ? r * (R(0.5) * (R(1) + r)) : R(0);
    return {{{r * phi_1 + slope * (phi_1 - s(0, 0, 0, 0))}}, T(R(0))};
  }
};

// Signal of a state: the largest before the first step, and of limited scalars after every step.
template <class R, class M = Metrics<R>>
struct MeasureSignal {
  static constexpr int sums = 0, maxima = 1, extra_index = -1;
  M m;
  int scalars = 1;
  bool both_faces = false;
  R of_diffusion = 0;
  template <class S>
  WM_HD typename S::value_type signal(const S& s) const {
    using T = typename S::value_type;
    T signal;
    if (both_faces) {
      signal = signal_of_both_faces(m, s) + of_diffusion;
    } else {
      signal = advective_signal(m, Vec<T, 3>{{s(0, 0, 0, 0), s(1, 0, 0, 0), s(2, 0, 0, 0)}}, s);
    }
    for (int n = 0; n < scalars; ++n) signal += R(0) * s(first_scalar + n, 0, 0, 0);
    return signal;
  }
  template <class S>
  WM_HD exec::Sample<typename S::value_type, 1, 1> operator()(const S& s) const {
    return {{}, {{signal(s)}}};
  }
};

// That of the cells of a block by their number, for the loops of exec/index_*.hpp.
template <class R, class M>
struct SignalOfCells {
  MeasureSignal<R, M> measure;
  exec::CellArrays<R> arrays;
  int n[3] = {1, 1, 1};
  WM_HD R operator()(std::int64_t cell) const {
    const std::int64_t row = cell / n[0], k = row / n[1];
    return measure.signal(
        exec::direct_accessor<R>(arrays, -1, int(cell - row * n[0]), int(row - k * n[1]), int(k)));
  }
};

}  // namespace watersmeet::boussinesq
