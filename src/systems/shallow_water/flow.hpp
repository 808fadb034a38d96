#pragma once
// Shallow water as a flux scheme of the face form on planes (exec/plane.hpp): equations (1) to (3)
// and (4) to (6) of equations.hpp are one flow over the meshes of mesh.hpp.
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
//   - After an Euler step u^2/2 + g b of a cell is no more than the largest (|u| + 2 c)^2/2 + g b of
//     the cell and its four neighbours that were wet before it: |u| + 2 c is the speed of the front
//     of water that runs out over dry ground (Ritter 1892), and the sum with g b is what water keeps
//     that slides. Of a depth that is less than a quarter of the largest difference of the beds
//     there, c counts as 0: such films slide, and 2 c in every step would add up. Momentum above
//     that is dropped; water that drains away leaves momentum behind that would make a film of what
//     remains faster than any wave. Volume is not touched.
//
// On a panel of a sphere the equations across a face along axis n are those of the plane with the
// gravity g g^nn, and what the flow carries along the face is v - r u, r = g^12/g^nn, a multiple of
// the covariant component, which the waves leave alone; the momentum along the face is that and r
// times the one across. The cell's own force is that of the plane for g^11 and g^12, or g^12 and
// g^22.

#include "schemes/kappa.hpp"
#include "systems/shallow_water/mesh.hpp"
#include "systems/shallow_water/riemann.hpp"
#include "systems/shallow_water/traits.hpp"

namespace watersmeet::shallow_water {

template <class R>
struct FlowParameters {
  R gravity = 0;
  Friction<R> friction;
  schemes::KappaWeights<R> kappa;
  // Traits::general only.
  schemes::Limiter limiter = schemes::Limiter::none;
  Riemann riemann = Riemann::osher;
  R dry_depth = 0;   // Traits::wet_dry only
  R euler_step = 1;  // Euler steps that a stage is a mean of, over the time step
};

template <class R, Traits traits>
struct Flow {
  using Mesh = MeshOf<R, traits.sphere>;
  static constexpr bool general = traits.general, curved = traits.sphere;
  static constexpr bool rims = curved;
  static constexpr int variables = n_variables;
  static constexpr int states = n_states;
  static constexpr bool films = traits.wet_dry;  // dry cells are possible
  static constexpr bool limits = general && !traits.transverse;
  static constexpr bool winds = general && curved;  // prescribed ones
  static_assert(!films || (general && !curved));
  static constexpr int edge_values = films ? n_edge_values : int{n_states};
  static constexpr int rates = films ? n_rates : int{n_variables};
  static constexpr int records = curved ? n_curved_records : n_records;
  static constexpr int kept = films ? 2 : 1;  // g h (eta_upper - eta_lower), the head
  // With the usual registers these would spill 44 to 204 bytes (nvcc 13 -Xptxas -v, sm_90), on a
  // sphere 124 to 192; no other choice has been timed.
  static constexpr bool heavy = sizeof(R) < sizeof(double)
                                    ? general || curved
                                    : films || (curved && (general || traits.transverse));

  FlowParameters<R> p;
  Mesh mesh;

  template <class T>
  using Edge = Vec<T, edge_values>;

  WM_HD bool active(int axis) const { return mesh.active(axis); }
  WM_HD static constexpr bool transverse() { return traits.transverse; }
  WM_HD R dry_depth() const { return films ? p.dry_depth : R(0); }

  template <class T>
  WM_HD Primitive<T> state(const Conserved<T>& stored, const T& bed) const {
    if constexpr (general) {
      return primitive_of(stored, bed, dry_depth());
    } else {
      const T inverse = rcp_(stored[s_eta] - bed);
      return {{stored[s_eta], stored[s_hu] * inverse, stored[s_hv] * inverse, bed}};
    }
  }

  // Both edges along `axis` of the middle cell of window(v, along, across).
  template <int axis, class T, class Window>
  WM_HD schemes::EdgeValues<Edge<T>> edges(const Window& window) const {
    schemes::EdgeValues<Edge<T>> e;
    // Asked once for all values: with a branch for each they would wait for each other's divisions.
    const auto reconstruct = [&](schemes::Limiter limiter) {
      const bool limited = limiter != schemes::Limiter::none;
      const bool across = transverse() && active(1 - axis);
      for (int v = 0; v < states; ++v) {
        const T below = window(v, -1, 0), here = window(v, 0, 0), above = window(v, 1, 0);
        auto both = limited ? schemes::limited_edges(below, here, above, p.kappa, limiter)
                            : schemes::kappa_edges(below, here, above, p.kappa);
        if (across) {
          const T term =
              schemes::transverse_term(T(window(v, 0, -1)), here, T(window(v, 0, 1)), p.kappa);
          both = {both.lower + term, both.upper + term};
        }
        e.lower[v] = both.lower;
        e.upper[v] = both.upper;
      }
    };
    using enum schemes::Limiter;
    if (limits && p.limiter == van_leer) {
      reconstruct(van_leer);
    } else if (limits && p.limiter == minmod) {
      reconstruct(minmod);
    } else if (limits && p.limiter == tvd) {
      reconstruct(tvd);
    } else {
      reconstruct(none);
    }
    if constexpr (films) keep_wet<axis>(window, e);
    return e;
  }

  template <class T>
  WM_HD Vec<T, kept> keep(const schemes::EdgeValues<Edge<T>>& e) const {
    Vec<T, kept> own;
    own[0] = pressure_and_bed_slope(e.lower, e.upper, p.gravity);
    if constexpr (films) own[1] = e.lower[e_head];
    return own;
  }

  // Across `axis`, from the upper edge of the cell below and the lower edge of the cell above.
  template <int axis, class T>
  WM_HD Vec<T, records> flux(const Edge<T>& l, const Edge<T>& r, R dt,
                             const exec::PlanePlace& place = {}) const {
    constexpr int normal = w_u + axis, along = w_v - axis;
    const T none = T(R(0));
    const T bed = max_(l[w_bed], r[w_bed]);
    FaceSides<T> sides = {max_zero(l[w_eta] - bed), max_zero(r[w_eta] - bed), l[normal], r[normal]};
    (void)dt;
    const auto m = mesh.template face<axis, T>(place);
    if constexpr (winds) {
      if (mesh.advection) {
        const T u = mesh.wind_at(m, place)[axis];
        const T mass = u * select(u >= none, sides.h_left, sides.h_right);
        return {{m.area() * mass, none, none, none, none}};
      }
    }
    const auto metric = across<axis>(m);
    if constexpr (films) sides = detail::with_dry_velocities(sides, p.gravity);
    FaceFlux<T> f = solved(sides, p.gravity * metric.g_nn, R(1) / p.gravity * metric.inverse_g_nn);
    if constexpr (films) drain<axis>(f, l, r, dt);
    const auto skewness = metric.skewness;  // r
    const T carried = f.mass * select(f.mass >= none, l[along] - skewness * sides.u_left,
                                      r[along] - skewness * sides.u_right);
    Vec<T, records> record;
    record[r_mass] = f.mass * metric.length;
    record[r_below] = f.below * metric.length;
    record[r_above] = f.above * metric.length;
    record[r_along] = (carried + skewness * f.below) * metric.length;
    if constexpr (curved) {
      record[r_along_above] = (carried + skewness * f.above) * metric.length;
    }
    return record;
  }

  // Where the rims of a panel lie across an axis, and the record of a face there.
  WM_HD int rim_face(int axis, bool upper) const { return mesh.rim_face[axis][upper ? 1 : 0]; }
  template <int axis, class T>
  WM_HD Vec<T, records> rim(bool upper, int along, int k) const {
    const auto value = [&](int v) {
      return load_as<T>(mesh.rim(2 * axis + (upper ? 1 : 0), v, k) + along);
    };
    const T normal = value(rim_across), beside = value(rim_along);
    return {{value(rim_mass), normal, normal, beside, beside}};
  }

  // What an axis adds to the time derivative of a cell between two faces.
  template <int axis, class T>
  WM_HD Vec<T, rates> gain(const Vec<T, records>& lower, const Vec<T, records>& upper,
                           const Vec<T, kept>& own, const exec::PlanePlace& place = {}) const {
    const R h = mesh.inverse_spacing[axis];
    const auto m = mesh.template centre<T>(place);
    const auto per_area = h * m.inverse_area();
    Vec<T, rates> rate;
    rate[s_eta] = (lower[r_mass] - upper[r_mass]) * per_area;
    if constexpr (curved) {
      const T force = h * own[0], g_nn = axis == 0 ? m.g11() : m.g22();
      rate[s_hu + axis] = (lower[r_above] - upper[r_below]) * per_area - g_nn * force;
      rate[s_hv - axis] = (lower[r_along_above] - upper[r_along]) * per_area - m.g12() * force;
    } else {
      rate[s_hu + axis] = ((lower[r_above] - upper[r_below]) - own[0]) * h;
      rate[s_hv - axis] = (lower[r_along] - upper[r_along]) * h;
    }
    if constexpr (films) rate[g_head] = own[1];
    return rate;
  }

  // Coriolis force, on a sphere also what its curvature does; friction, implicit in the Euler steps
  // that a stage is a mean of.
  template <class T>
  WM_HD void add_sources(Vec<T, rates>& rate, const Primitive<T>& w, const Conserved<T>& stored,
                         const exec::PlanePlace& place, R dt) const {
    mesh.turn(rate, w, stored, place);
    if (p.friction.any()) {
      const T h = depth_of(w), speed = speed_of(mesh.template centre<T>(place), w);
      const auto wet = h > T(dry_depth());
      const T c = friction_rate(h, speed, p.friction);
      const ImplicitFriction<T> with_friction(c, p.euler_step * dt);
      for (int v = s_hu; v <= s_hv; ++v) {
        rate[v] = select(wet, with_friction(rate[v], stored[v]), rate[v]);
      }
    }
    if constexpr (films) hold_film(rate, depth_of(w), stored, dt);
  }

  // After every stage: what is dry does not move; a prescribed wind stays what it is.
  template <class T>
  WM_HD void settle(Conserved<T>& value, const T& bed, const exec::PlanePlace& place = {}) const {
    (void)place;
    if constexpr (winds) {
      if (mesh.advection) {
        const auto u = mesh.wind_at(mesh.template centre<T>(place), place);
        value[s_hu] = (value[s_eta] - bed) * u[0];
        value[s_hv] = (value[s_eta] - bed) * u[1];
      }
    }
    if constexpr (films) {
      const auto wet = value[s_eta] - bed > T(p.dry_depth);
      for (int v = s_hu; v <= s_hv; ++v) value[v] = select(wet, value[v], T(R(0)));
    }
  }

  // After the last stage: the rate of the fastest waves over the cell.
  // Where dry cells are not allowed, a depth that is not positive makes the surface not a number,
  // which ends the run and names the cell.
  template <class T>
  WM_HD T finish(Conserved<T>& value, const T& bed, const exec::PlanePlace& place = {}) const {
    const T h = value[s_eta] - bed;
    const auto wet = h > T(dry_depth());
    if constexpr (!films) value[s_eta] = select(wet, value[s_eta], root_(T(R(-1))));
    return signal(value, bed, place);
  }
  template <class T>
  WM_HD T signal(const Conserved<T>& value, const T& bed,
                 const exec::PlanePlace& place = {}) const {
    const Primitive<T> w = primitive_of(value, bed, dry_depth());
    const T h = depth_of(w);
    const auto wet = h > T(dry_depth());
    const T rate = mesh.signal(w, root_(p.gravity * h), place);
    return select(wet, rate, films ? T(R(0)) : root_(T(R(-1))));
  }

 private:
  template <class T, class G>
  WM_HD FaceFlux<T> solved(const FaceSides<T>& sides, const G& g, const G& inverse_g) const {
    if constexpr (general) {
      if (p.riemann == Riemann::hllc) return hllc_flux(sides, g);
      if (p.riemann == Riemann::linearised) return linearised_flux(sides, g);
    }
    // On a sphere the branch of osher_flux() costs spilled registers and was not faster (watersmeet
    // bench shallow_water, 1672 x 1672 x 6, single).
    if constexpr (curved) return detail::sampled_osher_flux(sides, g, inverse_g);
    return osher_flux(sides, g, inverse_g);
  }

  // Momentum that would make the water of an Euler step faster than its head allows.
  template <class T>
  WM_HD void hold_film(Vec<T, rates>& rate, const T& h, const Conserved<T>& stored, R dt) const {
    using detail::all_of;
    const R step = p.euler_step * dt;
    const T later = max_zero(fma_(T(step), rate[s_eta], h));
    const T most = later * root_of_positive(R(2) * rate[g_head]);
    const T x = fma_(T(step), rate[s_hu], stored[s_hu]);
    const T y = fma_(T(step), rate[s_hv], stored[s_hv]);
    const T square = x * x + y * y;
    const auto over = square > most * most, normal = square >= T(least_normal<R>);
    if (all_of(not_(over))) return;
    const T scale = select(normal, most * rcp_(root_(square)), T(R(0)));
    for (int v = s_hu; v <= s_hv; ++v) {
      const T held = (scale * (v == s_hu ? x : y) - stored[v]) * (R(1) / step);
      rate[v] = select(over, held, rate[v]);
    }
  }

  // The edges where cells may be dry; the room of an edge, the depth that may leave through it; and
  // the head of the cell.
  template <int axis, class T, class Window>
  WM_HD void keep_wet(const Window& window, schemes::EdgeValues<Edge<T>>& e) const {
    using detail::all_of;
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
    if (!all_of(not_(film))) {
      const schemes::Limiter limiter =
          p.limiter == schemes::Limiter::none ? schemes::Limiter::van_leer : p.limiter;
      const auto depths = schemes::limited_edges(below, own, above, p.kappa, limiter);
      e.lower[w_eta] = select(film, e.lower[w_bed] + depths.lower, e.lower[w_eta]);
      e.upper[w_eta] = select(film, e.upper[w_bed] + depths.upper, e.upper[w_eta]);
    }
    for (int v = 0; v < states; ++v) {
      const T here = window(v, 0, 0);
      e.lower[v] = select(wet, e.lower[v], here);
      e.upper[v] = select(wet, e.upper[v], here);
    }
    const T h = max_zero(own), c = celerity_of(h, p.gravity);
    T leaving = none;
    for (int a = 0; a < 2; ++a) {
      const T u = window(w_u + a, 0, 0);
      if (active(a)) leaving = leaving + (max_zero(c - u) + max_zero(c + u));
    }
    const T part = select(leaving >= T(least_normal<R>), h * rcp_(leaving), none);
    const T u = window(w_u + axis, 0, 0);
    e.lower[e_room] = part * max_zero(c - u);
    e.upper[e_room] = part * max_zero(c + u);
    // The same along both axes, so that one of them has it.
    e.lower[e_head] = e.upper[e_head] = axis == 0 || !active(0) ? head_of<axis, T>(window) : none;
  }

  // The largest head of the cell and its neighbours, over its bed.
  template <int axis, class T, class Window>
  WM_HD T head_of(const Window& window) const {
    const T none = T(R(0)), bed = window(w_bed, 0, 0);
    const auto rise = [&](int along, int beside) { return T(window(w_bed, along, beside)) - bed; };
    T steepest = max_(abs_(rise(-1, 0)), abs_(rise(1, 0)));
    if (active(1 - axis)) steepest = max_(steepest, max_(abs_(rise(0, -1)), abs_(rise(0, 1))));
    // (|u| + 2 c)^2/2 = |u|^2/2 + 2 (c^2 + c |u|)
    const auto head = [&](int along, int beside) {
      const T u_there = window(w_u, along, beside), v_there = window(w_v, along, beside);
      const T deep = T(window(w_eta, along, beside)) - T(window(w_bed, along, beside));
      const T square = u_there * u_there + v_there * v_there;
      const T c2 = p.gravity * max_zero(deep - R(0.25) * steepest);
      const T waves = R(2) * (c2 + root_of_positive(c2 * square));
      const T all = (R(0.5) * square + waves) + p.gravity * rise(along, beside);
      return select(deep > T(p.dry_depth), all, none);
    };
    T most = max_(max_zero(head(0, 0)), max_(head(-1, 0), head(1, 0)));
    if (active(1 - axis)) most = max_(most, max_(head(0, -1), head(0, 1)));
    return most;
  }

  template <int axis, class T>
  WM_HD void drain(FaceFlux<T>& f, const Edge<T>& l, const Edge<T>& r, R dt) const {
    using detail::all_of;
    const T one = T(R(1)), none = T(R(0));
    const T room = select(f.mass >= none, l[e_room], r[e_room]);
    const T most = room * (R(1) / (mesh.inverse_spacing[axis] * p.euler_step * dt));
    const T size = abs_(f.mass);
    const auto drained = size > most, normal = size >= T(least_normal<R>);
    if (all_of(not_(drained))) return;
    const T part = select(normal, most * rcp_(size), none);
    const T scale = select(drained, part, one);
    const T scaled = scale * select(f.mass >= none, f.above, f.below), step = f.below - f.above;
    f.below = select(drained, select(f.mass >= none, scaled + step, scaled), f.below);
    f.above = select(drained, select(f.mass >= none, scaled, scaled - step), f.above);
    f.mass = select(drained, f.mass * scale, f.mass);
  }
};

}  // namespace watersmeet::shallow_water
