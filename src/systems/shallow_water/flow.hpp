#pragma once
// Shallow water as a flux scheme of the face form on a plane (exec/plane.hpp).
//
// Well-balanced by hydrostatic reconstruction (Audusse et al. 2004, SIAM J. Sci. Comput. 25, 2050):
// surface, velocity and bed are reconstructed with the same weights; the depths at a face are those
// above the higher of its two beds; each cell takes the flux of momentum less the pressure of its
// own depth there, and in its interior the force g h (eta_upper - eta_lower) of its own edges, h
// the mean depth of both. Every term vanishes where the surface is level. On a flat bed the sum is
// the conservative one: g (h_u + h_l)/2 (h_u - h_l) = g h_u^2/2 - g h_l^2/2.
//
//        bed higher in the cell above:             eta ~~~~~~~~|~~~~~~~~~~~~
//        both depths count from there                  h_left* | h_right*
//                                                  ............|############ b
//                                                  ############|############
//
// Wetting and drying: a cell that is dry or has a dry neighbour keeps its own values at its edges,
// and so does an edge that would fall dry.
// A cell never loses more water through a face in an Euler step than a share of what it holds,
//   c +- u at that face over the sum of these over all its faces (0 where negative),
// so that depths stay positive for any time step: flux and momentum are scaled down together, the
// pressure is not.

#include <cstdint>

#include "schemes/kappa.hpp"
#include "systems/shallow_water/riemann.hpp"

namespace watersmeet::shallow_water {

// What is fixed when the loops are compiled: the choices of most smooth flows (no limiter, Osher's
// solver, no dry cells) with the stencil of 9 points, the same with the transverse term and its 13,
// or nothing.
enum class Variant : int { points9, points13, general };

template <class R>
struct FlowParameters {
  R gravity = 0;
  R inverse_spacing[2] = {0, 0};  // 0 along an axis of one cell
  schemes::KappaWeights<R> kappa;
  // Variant::general only.
  bool transverse = false;
  schemes::Limiter limiter = schemes::Limiter::none;
  Riemann riemann = Riemann::osher;
  bool wet_dry = false;
  R dry_depth = 0;
  // Sources.
  R coriolis_first = 0, coriolis_step = 0;  // f in the first row of cells, and from row to row
  std::int64_t first_j = 0;                 // of the part in the whole
  Friction<R> friction;
  R euler_step = 1;  // Euler steps that a stage is a mean of, over the time step
};

template <class R, Variant variant>
struct Flow {
  static constexpr bool general = variant == Variant::general;
  static constexpr int variables = n_variables;
  static constexpr int states = n_states;
  static constexpr int edge_values = general ? n_edge_values : n_states;
  static constexpr int records = n_records;
  static constexpr int kept = 1;  // g h (eta_upper - eta_lower)
  static constexpr bool heavy = general;

  FlowParameters<R> p;

  template <class T>
  using Edge = Vec<T, edge_values>;

  WM_HD bool active(int axis) const { return p.inverse_spacing[axis] > R(0); }
  WM_HD bool transverse() const {
    return variant == Variant::points13 || (general && p.transverse);
  }
  WM_HD R dry_depth() const { return general ? p.dry_depth : R(0); }

  template <class T>
  WM_HD Point<T> state(const State<T>& stored, const T& bed) const {
    if constexpr (general) {
      return primitive_of(stored, bed, p.dry_depth);
    } else {
      const T inverse = rcp_(stored[s_eta] - bed);
      return {{stored[s_eta], stored[s_hu] * inverse, stored[s_hv] * inverse, bed}};
    }
  }

  // Both edges along `axis` of the middle cell of window(v, along, across).
  template <int axis, class T, class Window>
  WM_HD schemes::EdgeValues<Edge<T>> edges(const Window& window) const {
    schemes::EdgeValues<Edge<T>> e;
    const bool across = transverse() && active(1 - axis);
    for (int v = 0; v < states; ++v) {
      const T below = window(v, -1, 0), here = window(v, 0, 0), above = window(v, 1, 0);
      schemes::EdgeValues<T> both;
      if (general && p.limiter != schemes::Limiter::none) {
        both = schemes::limited_edges(below, here, above, p.kappa, p.limiter);
      } else {
        both = schemes::kappa_edges(below, here, above, p.kappa);
      }
      if (across) {
        const T term =
            schemes::transverse_term(T(window(v, 0, -1)), here, T(window(v, 0, 1)), p.kappa);
        both = {both.lower + term, both.upper + term};
      }
      e.lower[v] = both.lower;
      e.upper[v] = both.upper;
    }
    if constexpr (general) {
      if (p.wet_dry) keep_wet<axis>(window, e);
    }
    return e;
  }

  template <class T>
  WM_HD Vec<T, kept> keep(const schemes::EdgeValues<Edge<T>>& e) const {
    const T depths = (e.upper[w_eta] - e.upper[w_bed]) + (e.lower[w_eta] - e.lower[w_bed]);
    return {{(R(0.5) * p.gravity) * depths * (e.upper[w_eta] - e.lower[w_eta])}};
  }

  // Across `axis`, from the upper edge of the cell below and the lower edge of the cell above.
  template <int axis, class T>
  WM_HD Vec<T, records> flux(const Edge<T>& l, const Edge<T>& r, R dt) const {
    constexpr int normal = w_u + axis, along = w_v - axis;
    const T none = T(R(0));
    const T bed = max_(l[w_bed], r[w_bed]);
    FaceSides<T> sides = {max_(l[w_eta] - bed, none), max_(r[w_eta] - bed, none), l[normal],
                          r[normal]};
    FaceFlux<T> f;
    if constexpr (general) {
      if (p.wet_dry) sides = detail::with_dry_velocities(sides, p.gravity);
      f = p.riemann == Riemann::osher  ? osher_flux(sides, p.gravity)
          : p.riemann == Riemann::hllc ? hllc_flux(sides, p.gravity)
                                       : linearised_flux(sides, p.gravity);
      if (p.wet_dry) drain<axis>(f, l, r, dt);
    } else {
      f = osher_flux(sides, p.gravity);
    }
    (void)dt;
    return {{f.mass, f.below, f.above, f.mass * select(f.mass >= none, l[along], r[along])}};
  }

  // What an axis adds to the time derivative of a cell between two faces.
  template <int axis, class T>
  WM_HD State<T> gain(const Vec<T, records>& lower, const Vec<T, records>& upper,
                      const Vec<T, kept>& own) const {
    const R h = p.inverse_spacing[axis];
    State<T> rate;
    rate[s_eta] = (lower[r_mass] - upper[r_mass]) * h;
    rate[s_hu + axis] = ((lower[r_above] - upper[r_below]) - own[0]) * h;
    rate[s_hv - axis] = (lower[r_along] - upper[r_along]) * h;
    return rate;
  }

  // Coriolis force and friction in row j of this part. Friction is implicit in the Euler steps that
  // a stage is a mean of: (hu + dt R) / (1 + dt c_f) takes the place of hu + dt R, which is of
  // first order in time and never turns a flow around.
  template <class T>
  WM_HD void add_sources(State<T>& rate, const Point<T>& w, const State<T>& stored, int j,
                         R dt) const {
    if (p.coriolis_first != R(0) || p.coriolis_step != R(0)) {
      const R f = p.coriolis_first + p.coriolis_step * R(p.first_j + j);
      rate[s_hu] = rate[s_hu] + f * stored[s_hv];
      rate[s_hv] = rate[s_hv] - f * stored[s_hu];
    }
    if (p.friction.any()) {
      const T h = depth_of(w);
      const auto wet = h > T(dry_depth());
      const T c = friction_rate(select(wet, h, T(R(1))), speed_of(w), p.friction);
      const T inverse = rcp_(R(1) + (p.euler_step * dt) * c);
      for (int v = s_hu; v <= s_hv; ++v) {
        rate[v] = select(wet, (rate[v] - c * stored[v]) * inverse, rate[v]);
      }
    }
  }

  // After every stage: what is dry does not move.
  template <class T>
  WM_HD void settle(State<T>& value, const T& bed) const {
    if constexpr (general) {
      if (p.wet_dry) {
        const auto wet = value[s_eta] - bed > T(p.dry_depth);
        for (int v = s_hu; v <= s_hv; ++v) value[v] = select(wet, value[v], T(R(0)));
      }
    }
  }

  // After the last stage: the rate of the fastest waves over the cell, (|u| + c)/dx + (|v| + c)/dy.
  // Where dry cells are not allowed, a depth that is not positive makes the surface not a number,
  // which ends the run and names the cell.
  template <class T>
  WM_HD T finish(State<T>& value, const T& bed) const {
    const T h = value[s_eta] - bed;
    const auto wet = h > T(dry_depth());
    if (!(general && p.wet_dry)) {
      value[s_eta] = select(wet, value[s_eta], root_(T(R(-1))));
    }
    return signal(value, bed);
  }
  template <class T>
  WM_HD T signal(const State<T>& value, const T& bed) const {
    const Point<T> w = primitive_of(value, bed, dry_depth());
    const T h = depth_of(w);
    const auto wet = h > T(dry_depth());
    const T c = root_(p.gravity * select(wet, h, T(R(1))));
    T rate = T(R(0));
    for (int axis = 0; axis < 2; ++axis) {
      rate = rate + (abs_(w[w_u + axis]) + c) * p.inverse_spacing[axis];
    }
    return select(wet, rate, general && p.wet_dry ? T(R(0)) : root_(T(R(-1))));
  }

 private:
  // First order beside what is dry; and the room of an edge, the depth that may leave through it.
  template <int axis, class T, class Window>
  WM_HD void keep_wet(const Window& window, schemes::EdgeValues<Edge<T>>& e) const {
    const T none = T(R(0));
    const auto depth = [&](int along, int beside) {
      return T(window(w_eta, along, beside)) - T(window(w_bed, along, beside));
    };
    T least = min_(depth(0, 0), min_(depth(-1, 0), depth(1, 0)));
    if (active(1 - axis)) least = min_(least, min_(depth(0, -1), depth(0, 1)));
    const auto wet = least > T(p.dry_depth);
    const auto settle_edge = [&](Edge<T>& edge) {
      const auto good = and_(wet, edge[w_eta] - edge[w_bed] > none);
      for (int v = 0; v < states; ++v) edge[v] = select(good, edge[v], T(window(v, 0, 0)));
    };
    settle_edge(e.lower);
    settle_edge(e.upper);
    const T h = max_(depth(0, 0), none), c = detail::celerity_of(h, p.gravity);
    T leaving = none;
    for (int a = 0; a < 2; ++a) {
      const T u = window(w_u + a, 0, 0);
      if (active(a)) leaving = leaving + (max_(c - u, none) + max_(c + u, none));
    }
    const auto any = leaving > none;
    const T part = select(any, h * rcp_(select(any, leaving, T(R(1)))), none);
    const T u = window(w_u + axis, 0, 0);
    e.lower[e_room] = part * max_(c - u, none);
    e.upper[e_room] = part * max_(c + u, none);
  }

  template <int axis, class T>
  WM_HD void drain(FaceFlux<T>& f, const Edge<T>& l, const Edge<T>& r, R dt) const {
    const T one = T(R(1)), none = T(R(0));
    const T room = select(f.mass >= none, l[e_room], r[e_room]);
    const T most = room * (R(1) / (p.inverse_spacing[axis] * p.euler_step * dt));
    const T size = abs_(f.mass);
    const auto drained = size > most;
    const T scale = select(drained, most * rcp_(select(drained, size, one)), one);
    const T middle = R(0.5) * (f.below + f.above), half = R(0.5) * (f.below - f.above);
    f.mass = select(drained, f.mass * scale, f.mass);
    f.below = select(drained, middle * scale + half, f.below);
    f.above = select(drained, middle * scale - half, f.above);
  }
};

}  // namespace watersmeet::shallow_water
