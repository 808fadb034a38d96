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
// Wetting and drying, where cells may be dry:
//   - A cell that is dry or has a dry neighbour keeps its own values at its edges.
//   - The bed of other edges is the mean of the beds of both cells, so that it is the same on both
//     sides of a face: a step there would block water that is thinner than the step, but not the
//     force of the slope on it. Where the reconstructed surface would lie below that bed, or where it
//     falls by more than the depth within half a cell and the depth at an edge would be more than
//     twice that of the cell, the water is a film on a slope: the depth is reconstructed in place of
//     the surface (Audusse et al. 2004, section 4.3; Kurganov and Petrova 2007, Commun. Math. Sci. 5,
//     133, continuous beds). Water at rest is never such a film.
//   - A cell never loses more water through a face in an Euler step than a share of what it holds,
//       c +- u at that face over the sum of these over all its faces (0 where negative),
//     so that depths stay positive for any time step. The flux of momentum less the pressure of the
//     side that the water runs to is scaled down with the flux of water: nothing pushes a film that
//     receives no water.
//   - After an Euler step no component of a velocity exceeds |u| + 2 c of the fastest of the cell
//     and its four neighbours before it, the speed of the front of water that runs out over dry
//     ground (Ritter 1892), and what the slope of the cell's own surface adds meanwhile. Momentum
//     above that is dropped; water that drains away leaves momentum behind that would make a film
//     of what remains faster than any wave. Volume is not touched.
//
// On a panel of a sphere u and v are contravariant components. Across a face along axis n the
// equations are those of the plane with the gravity g g^nn, and what the flow carries along the
// face is v - r u, r = g^12/g^nn, a multiple of the covariant component, which the waves leave
// alone; the momentum along the face is that and r times the one across. With L the area element,
//   h_t + (1/L)(L h u^j)_j = 0
//   (h u^i)_t + (1/L)(L (h u^i u^j + g^ij P))_j = -g h g^ij b_j - G^i_jk h u^j u^k - f L (...)
// where the pressure has no part in the Christoffel term since (L g^ij)_j = 0. The cell's own force
// is that of the plane for g^11 and g^12, or g^12 and g^22.

#include <cstdint>

#include "schemes/kappa.hpp"
#include "systems/shallow_water/geometry.hpp"
#include "systems/shallow_water/riemann.hpp"

namespace watersmeet::shallow_water {

// What is fixed when the loops are compiled: the choices of most smooth flows (no limiter, Osher's
// solver, no dry cells) with the stencil of 9 points, the same with the transverse term and its 13,
// or nothing.
enum class Variant : int { points9, points13, general };

template <class R>
struct FlowParameters {
  R gravity = 0;
  Vec<R, 2> inverse_spacing{};  // 0 along an axis of one cell
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

template <class R, Variant variant, template <class> class Geometry = PlaneGeometry>
struct Flow {
  static constexpr bool general = variant == Variant::general;
  static constexpr bool curved = Geometry<R>::curved;
  static constexpr bool rims = curved;
  static constexpr int variables = n_variables;
  static constexpr int states = n_states;
  static constexpr bool films = general && !curved;  // dry cells are possible
  static constexpr int edge_values = films ? n_edge_values : int{n_states};
  static constexpr int rates = films ? n_rates : int{n_variables};
  static constexpr int records = curved ? n_curved_records : n_records;
  static constexpr int kept = films ? 2 : 1;  // g h (eta_upper - eta_lower), the reach
  // On a sphere all but 9 points in double would not fit into the usual registers (nvcc 13 -Xptxas
  // -v, sm_90: 124 to 192 bytes spilled); no other choice has been timed.
  static constexpr bool heavy =
      general || (curved && (variant == Variant::points13 || sizeof(R) < sizeof(double)));

  FlowParameters<R> p;
  Geometry<R> geometry = {};

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
    if constexpr (films) {
      if (p.wet_dry) keep_wet<axis>(window, e);
    }
    return e;
  }

  template <class T>
  WM_HD Vec<T, kept> keep(const schemes::EdgeValues<Edge<T>>& e) const {
    Vec<T, kept> own;
    own[0] = pressure_and_bed_slope(e.lower, e.upper, p.gravity);
    if constexpr (films) own[1] = p.wet_dry ? e.lower[e_reach] : T(R(0));
    return own;
  }

  // Across `axis`, from the upper edge of the cell below and the lower edge of the cell above.
  template <int axis, class T>
  WM_HD Vec<T, records> flux(const Edge<T>& l, const Edge<T>& r, R dt,
                             const exec::PlanePlace& place = {}) const {
    constexpr int normal = w_u + axis, along = w_v - axis;
    const T none = T(R(0));
    const T bed = max_(l[w_bed], r[w_bed]);
    FaceSides<T> sides = {max_(l[w_eta] - bed, none), max_(r[w_eta] - bed, none), l[normal],
                          r[normal]};
    (void)dt, (void)place;
    if constexpr (curved) return curved_flux<axis>(sides, l[along], r[along], place);
    FaceFlux<T> f;
    if constexpr (general) {
      if (p.wet_dry) sides = detail::with_dry_velocities(sides, p.gravity);
      f = solved(sides, p.gravity, R(1) / p.gravity);
      if (p.wet_dry) drain<axis>(f, l, r, dt);
    } else {
      f = solved(sides, p.gravity, R(1) / p.gravity);
    }
    return {{f.mass, f.below, f.above, f.mass * select(f.mass >= none, l[along], r[along])}};
  }

  // Where the rims of a panel lie across an axis, and the record of a face there.
  WM_HD int rim_face(int axis, bool upper) const { return geometry.rim_face[axis][upper ? 1 : 0]; }
  template <int axis, class T>
  WM_HD Vec<T, records> rim(bool upper, int along, int k) const {
    const auto value = [&](int v) {
      const R* const row = geometry.rim(2 * axis + (upper ? 1 : 0), v, k);
      return load_as<T>(row + along);
    };
    const T across = value(rim_across), beside = value(rim_along);
    return {{value(rim_mass), across, across, beside, beside}};
  }

  // What an axis adds to the time derivative of a cell between two faces.
  template <int axis, class T>
  WM_HD Vec<T, rates> gain(const Vec<T, records>& lower, const Vec<T, records>& upper,
                           const Vec<T, kept>& own, const exec::PlanePlace& place = {}) const {
    const R h = p.inverse_spacing[axis];
    Vec<T, rates> rate;
    if constexpr (curved) {
      const auto c = geometry.template centre<T>(place);
      const T per_area = h * c.inverse_area(), force = h * own[0];
      const T g_nn = axis == 0 ? c.g11() : c.g22();
      rate[s_eta] = (lower[r_mass] - upper[r_mass]) * per_area;
      rate[s_hu + axis] = (lower[r_above] - upper[r_below]) * per_area - g_nn * force;
      rate[s_hv - axis] = (lower[r_along_above] - upper[r_along]) * per_area - c.g12() * force;
      return rate;
    }
    rate[s_eta] = (lower[r_mass] - upper[r_mass]) * h;
    rate[s_hu + axis] = ((lower[r_above] - upper[r_below]) - own[0]) * h;
    rate[s_hv - axis] = (lower[r_along] - upper[r_along]) * h;
    if constexpr (films) {
      // The same along both axes, so that the sum of the gains needs it of one.
      rate[g_reach] = axis == 0 || !active(0) ? own[1] : T(R(0));
      rate[g_pull] = abs_(own[0]) * h;
    }
    return rate;
  }

  // Coriolis force, on a sphere also what its curvature does; friction, implicit in the Euler steps that a stage is a mean of.
  template <class T>
  WM_HD void add_sources(Vec<T, rates>& rate, const Point<T>& w, const State<T>& stored,
                         const exec::PlanePlace& place, R dt) const {
    if constexpr (curved) {
      turn_on_sphere(rate, w, stored, place);
    } else if (p.coriolis_first != R(0) || p.coriolis_step != R(0)) {
      const Vec<T, 2> force =
          coriolis(stored, p.coriolis_first + p.coriolis_step * R(p.first_j + place.j));
      for (int a = 0; a < 2; ++a) rate[s_hu + a] = rate[s_hu + a] + force[a];
    }
    if (p.friction.any()) {
      const T h = depth_of(w);
      const auto wet = h > T(dry_depth());
      const T c = friction_rate(select(wet, h, T(R(1))), speed(w, place), p.friction);
      const ImplicitFriction<T> with_friction(c, p.euler_step * dt);
      for (int v = s_hu; v <= s_hv; ++v) {
        rate[v] = select(wet, with_friction(rate[v], stored[v]), rate[v]);
      }
    }
    if constexpr (films) {
      if (p.wet_dry) hold_film(rate, w, stored, dt);
    }
  }

  template <class T>
  WM_HD T speed(const Point<T>& w, const exec::PlanePlace& place) const {
    if constexpr (curved) {
      return sqrt_(schemes::squared_length(geometry.template centre<T>(place), w[w_u], w[w_v]));
    } else {
      (void)place;
      return speed_of(w);
    }
  }

  // After every stage: what is dry does not move; a prescribed wind stays what it is.
  template <class T>
  WM_HD void settle(State<T>& value, const T& bed, const exec::PlanePlace& place = {}) const {
    (void)place;
    if constexpr (general && curved) {
      if (geometry.advection) {
        const auto u = schemes::rotation_components(geometry.template centre<T>(place),
                                                    geometry.wind_of(place.k));
        value[s_hu] = (value[s_eta] - bed) * u[0];
        value[s_hv] = (value[s_eta] - bed) * u[1];
      }
    } else if constexpr (general) {
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
  WM_HD T finish(State<T>& value, const T& bed, const exec::PlanePlace& place = {}) const {
    const T h = value[s_eta] - bed;
    const auto wet = h > T(dry_depth());
    if (!(general && p.wet_dry)) {
      value[s_eta] = select(wet, value[s_eta], root_(T(R(-1))));
    }
    return signal(value, bed, place);
  }
  template <class T>
  WM_HD T signal(const State<T>& value, const T& bed, const exec::PlanePlace& place = {}) const {
    (void)place;
    const Point<T> w = primitive_of(value, bed, dry_depth());
    const T h = depth_of(w);
    const auto wet = h > T(dry_depth());
    const T c = root_(p.gravity * select(wet, h, T(R(1))));
    T rate = T(R(0));
    if constexpr (curved) {
      const auto m = geometry.template centre<T>(place);
      const T waves = geometry.advection ? T(R(0)) : c;
      rate = ((abs_(w[w_u]) + waves * root_(m.g11())) + (abs_(w[w_v]) + waves * root_(m.g22()))) *
             p.inverse_spacing[0];
    } else {
      for (int axis = 0; axis < 2; ++axis) {
        rate = rate + (abs_(w[w_u + axis]) + c) * p.inverse_spacing[axis];
      }
    }
    return select(wet, rate, general && p.wet_dry ? T(R(0)) : root_(T(R(-1))));
  }

 private:
  template <class T, class G>
  WM_HD FaceFlux<T> solved(const FaceSides<T>& sides, const G& g, const G& inverse_g) const {
    if constexpr (general) {
      if (p.riemann == Riemann::hllc) return hllc_flux(sides, g);
      if (p.riemann == Riemann::linearised) return linearised_flux(sides, g);
    }
    // On a sphere the branch of osher_flux() costs spilled registers and has not paid (watersmeet
    // bench shallow_water, 1672 x 1672 x 6, single).
    if constexpr (curved) return detail::sampled_osher_flux(sides, g, inverse_g);
    return osher_flux(sides, g, inverse_g);
  }

  template <int axis, class T>
  WM_HD Vec<T, records> curved_flux(const FaceSides<T>& sides, const T& v_left, const T& v_right,
                                    const exec::PlanePlace& place) const {
    const T none = T(R(0));
    const auto m = geometry.template face<axis, T>(place);
    const T length = m.area();
    if constexpr (general) {
      if (geometry.advection) {
        const T u = schemes::rotation_components(m, geometry.wind_of(place.k))[axis];
        const T mass = u * select(u >= none, sides.h_left, sides.h_right);
        return {{length * mass, none, none, none, none}};
      }
    }
    // g^nn and its inverse; r = g^12/g^nn.
    const T inverse_d2 = rcp_(m.d2), t = axis == 0 ? m.x : m.y;
    const T cos2 = axis == 0 ? m.cos2x : m.cos2y;
    const T g = p.gravity * (m.d2 * cos2);
    const T inverse_g = (R(1) / p.gravity) * (inverse_d2 * (R(1) + t * t));
    const T r = axis == 0 ? m.x * (m.y * m.cos2y) : m.y * (m.x * m.cos2x);
    const FaceFlux<T> f = solved(sides, g, inverse_g);
    const T beside = select(f.mass >= none, v_left - r * sides.u_left, v_right - r * sides.u_right);
    const T carried = f.mass * beside;
    return {{length * f.mass, length * f.below, length * f.above, length * (carried + r * f.below),
             length * (carried + r * f.above)}};
  }

  // With f = 2 Omega.r: f L (g^12 hu - g^11 hv) and G^1_11 h u u + 2 G^1_12 h u v have the factor
  // (X Y hu - (1 + Y^2) hv)/d^2 in common, those of the other component (1 + X^2) hu - X Y hv.
  template <class T>
  WM_HD void turn_on_sphere(Vec<T, rates>& rate, const Point<T>& w, const State<T>& stored,
                            const exec::PlanePlace& place) const {
    const auto m = geometry.template centre<T>(place);
    const Vec<R, 3>& rotation = geometry.rotation[geometry.first_panel + place.k];
    const T f = rotation[2] + (m.x * rotation[0] + m.y * rotation[1]);
    const T xy = m.x * m.y, inverse_d2 = rcp_(m.d2);
    const T left = (R(1) + m.y * m.y) * stored[s_hv] - xy * stored[s_hu];
    const T right = (R(1) + m.x * m.x) * stored[s_hu] - xy * stored[s_hv];
    rate[s_hu] = rate[s_hu] + inverse_d2 * left * (f + geometry.curvature * (m.y * w[w_u]));
    rate[s_hv] = rate[s_hv] - inverse_d2 * right * (f - geometry.curvature * (m.x * w[w_v]));
  }

  // Momentum that would make the water of an Euler step faster than its waves and its slope can.
  template <class T>
  WM_HD void hold_film(Vec<T, rates>& rate, const Point<T>& w, const State<T>& stored, R dt) const {
    const R step = p.euler_step * dt;
    const T h = depth_of(w), none = T(R(0)), one = T(R(1));
    const auto wet = h > T(p.dry_depth);
    const T pull = select(wet, step * rate[g_pull] * rcp_(select(wet, h, one)), none);
    const T later = max_(fma_(T(step), rate[s_eta], h), none);
    const T most = later * (rate[g_reach] + pull);
    for (int v = s_hu; v <= s_hv; ++v) {
      const T momentum = fma_(T(step), rate[v], stored[v]);
      const T held = (select(momentum > none, most, -most) - stored[v]) * (R(1) / step);
      rate[v] = select(abs_(momentum) > most, held, rate[v]);
    }
  }

  // The edges where cells may be dry; the room of an edge, the depth that may leave through it; and
  // how fast the water may become.
  template <int axis, class T, class Window>
  WM_HD void keep_wet(const Window& window, schemes::EdgeValues<Edge<T>>& e) const {
    const T none = T(R(0));
    const auto depth = [&](int along, int beside) {
      return T(window(w_eta, along, beside)) - T(window(w_bed, along, beside));
    };
    const T own = depth(0, 0), below = depth(-1, 0), above = depth(1, 0);
    T least = min_(own, min_(below, above));
    if (active(1 - axis)) least = min_(least, min_(depth(0, -1), depth(0, 1)));
    const auto wet = least > T(p.dry_depth);
    const T bed = window(w_bed, 0, 0), eta = window(w_eta, 0, 0);
    e.lower[w_bed] = R(0.5) * (T(window(w_bed, -1, 0)) + bed);
    e.upper[w_bed] = R(0.5) * (T(window(w_bed, 1, 0)) + bed);
    const T off_lower = (e.lower[w_eta] - e.lower[w_bed]) - own;
    const T off_upper = (e.upper[w_eta] - e.upper[w_bed]) - own;
    const T fall = max_(abs_(e.lower[w_eta] - eta), abs_(e.upper[w_eta] - eta));
    const auto film =
        or_(min_(off_lower, off_upper) < -own, and_(max_(off_lower, off_upper) > own, fall > own));
    const schemes::Limiter limiter =
        p.limiter == schemes::Limiter::none ? schemes::Limiter::van_leer : p.limiter;
    const auto depths = schemes::limited_edges(below, own, above, p.kappa, limiter);
    e.lower[w_eta] = select(film, e.lower[w_bed] + depths.lower, e.lower[w_eta]);
    e.upper[w_eta] = select(film, e.upper[w_bed] + depths.upper, e.upper[w_eta]);
    for (int v = 0; v < states; ++v) {
      const T here = window(v, 0, 0);
      e.lower[v] = select(wet, e.lower[v], here);
      e.upper[v] = select(wet, e.upper[v], here);
    }
    const T h = max_(own, none), c = detail::celerity_of(h, p.gravity);
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
    const auto reach = [&](int along, int beside) {
      const T speed =
          max_(abs_(T(window(w_u, along, beside))), abs_(T(window(w_v, along, beside))));
      return speed + R(2) * detail::celerity_of(max_(depth(along, beside), none), p.gravity);
    };
    T most = max_(reach(0, 0), max_(reach(-1, 0), reach(1, 0)));
    if (active(1 - axis)) most = max_(most, max_(reach(0, -1), reach(0, 1)));
    e.lower[e_reach] = e.upper[e_reach] = most;
  }

  template <int axis, class T>
  WM_HD void drain(FaceFlux<T>& f, const Edge<T>& l, const Edge<T>& r, R dt) const {
    const T one = T(R(1)), none = T(R(0));
    const T room = select(f.mass >= none, l[e_room], r[e_room]);
    const T most = room * (R(1) / (p.inverse_spacing[axis] * p.euler_step * dt));
    const T size = abs_(f.mass);
    const auto drained = size > most;
    const T scale = select(drained, most * rcp_(select(drained, size, one)), one);
    const T scaled = scale * select(f.mass >= none, f.above, f.below), step = f.below - f.above;
    f.below = select(drained, select(f.mass >= none, scaled + step, scaled), f.below);
    f.above = select(drained, select(f.mass >= none, scaled, scaled - step), f.above);
    f.mass = select(drained, f.mass * scale, f.mass);
  }
};

}  // namespace watersmeet::shallow_water
