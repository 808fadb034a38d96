#pragma once
// The atmosphere on a cubed sphere (globe_geometry.hpp) as a flux scheme of the face form. With the
// area element L of the unit sphere, T^ij = rho u^i u^j, heights z(alpha, beta, zeta) with slopes
// z_i along the panel, J = L z_zeta and m = rho (w - u^i z_i):
//
//   (J rho')_t    + (J rho u^i)_i                   + (L m)_zeta               = 0
//   (J rho u^i)_t + (J T^ij)_j + J g^ij (p'_j at z) + (L m u^i)_zeta           = -J (G^i_jk T^jk
//                                                                                    + f ...)
//   (J rho w)_t   + (J rho w u^j)_j                 + (L m w)_zeta + L p'_zeta = -J rho' g
//   (J E')_t      + (J (E + p) u^i)_i               + (L m (E + p)/rho)_zeta   = 0
//
// Across a lateral face along axis n the problem of riemann.hpp is solved with the physical
// velocity u^n/sqrt(g^nn); mass and energy cross it once for both cells. Its pressure acts through
// what it differs from that of each cell's own edge, g^in L (p* - p_own), and the cell adds the
// difference of its own two edges with the metric in its middle: (L g^ij)_j = 0 in the continuum,
// so that nothing else is left of the pressure, and every term is 0 where p' is. Between levels the
// normal is (-z_1, -z_2, 1), of length s, s^2 = 1 + g^ij z_i z_j, and its horizontal part is raised
// with g^ij. At rest every number stays exactly 0 over any terrain.
//
// Where sound across the levels is implicit (column.hpp), faces between two levels are those of
// split_levels.hpp.
//
// A deep atmosphere has r = a + z in place of the radius a. With r standing for r/a and u^i for r
// times the angular velocities, cells grow as r^2, lateral faces as r, those between levels as r^2:
//
//   (r^2 J rho')_t    + (r J rho u^i)_i + (r^2 L rho (w - u^i z_i/r))_zeta                   = 0
//
// and likewise energy and momentum, with gradients along the panel and G^i_jk T^jk over r, with
// - rho w u^i/(r a) and on rho w + rho |V_h|^2/(r a), the whole - 2 Omega x V, and gravity g/r^2
// with the potential g z/r in E. Of what acts between levels the momentum that crosses is divided
// by the r^2 of the cell that takes it, the pressure is not: as above, only its differences act.
// Split, the forces phi have the same r^2 as the fluxes, so that one stays the transpose of the
// other.
//
// The ground and the lid are walls as in flow.hpp; beyond them rho' and p' go on in a straight
// line, u and v stay, and w is such that nothing passes. The transverse term sees the same beyond
// them; beyond the sides of a panel it sees the ghosts, and never those behind its corners, since
// faces on the sides are made elsewhere (globe_edges.hpp).

#include "systems/atmosphere/globe_levels.hpp"
#include "systems/atmosphere/globe_turning.hpp"

namespace watersmeet::atmosphere {

template <class R, GlobeVariant variant, Choices choices = Choices::all>
struct GlobeFlow {
  static constexpr bool needs_index = true, edges_need_index = true;
  static constexpr bool terrain = over_terrain(variant), split = is_split(variant),
                        deep = is_deep(variant), equal = equal_levels(variant);
  static constexpr bool lmars_unlimited = choices == Choices::lmars_unlimited;
  static constexpr bool across = choices == Choices::transverse;
  static constexpr int variables = n_variables;
  using Held = GlobeHeld<variant>;
  static constexpr int states = Held::states;
  static constexpr int seen = n_primitives;
  static constexpr int records = Held::records;
  static constexpr int kept = 1;  // what p' of both edges pushes along the axis
  static constexpr int radius = 3;
  static constexpr int edge_reach = 1;
  static constexpr bool heavy = true;

  GlobeParameters<R, equal> p;

  WM_HD GlobePlaces<R, variant> places() const { return {p.geometry}; }
  WM_HD GlobeLevelFaces<R, variant, choices> level_faces() const { return {p}; }

  template <class T>
  using Edge = typename Held::template Edge<T>;
  template <class T>
  using Record = typename Held::template Record<T>;

  WM_HD bool active(int) const { return true; }

  template <class T>
  WM_HD Edge<T> state(const State<T>& stored, Place at) const {
    const auto& g = p.geometry;
    const Reference<T> r = places().template cell_reference<T>(g.column_place(at));
    const Point<T> w = primitive_on(g.template centre<T>(at), stored, r, p.gamma);
    Edge<T> all;
    for (int v = 0; v < n_primitives; ++v) all[v] = w[v];
    for (int v = n_primitives; v < states; ++v) all[v] = T(R(0));
    return all;
  }

  template <int axis, class T, class Window>
  WM_HD exec::Edges<T, states> edges(const Window& window, Place at) const {
    exec::Edges<T, states> e;
    bool ground = false, lid = false;
    int level = 0;
    if constexpr (axis == 2 || across) {
      level = p.geometry.level(at);
      ground = level == 0;
      lid = level == p.geometry.levels - 1;
    }
    for (int v = 0; v < n_primitives; ++v) {
      const T here = window(v, 0);
      T below = window(v, -1), above = window(v, 1);
      if constexpr (axis == 2) {
        if (ground) below = beyond_wall(v, here, above, window, at, true);
        if (lid) above = beyond_wall(v, here, below, window, at, false);
      }
      const schemes::EdgeValues<T> both = reconstructed<axis>(below, here, above, level);
      e.lower[v] = both.lower;
      e.upper[v] = both.upper;
      if constexpr (across) {
        const T curvature = curvature_across<axis, T>(v, window, at, ground, lid);
        e.lower[v] = fma_(T(p.kappa.transverse), curvature, e.lower[v]);
        e.upper[v] = fma_(T(p.kappa.transverse), curvature, e.upper[v]);
      }
    }
    for (int v = n_primitives; v < states; ++v) e.lower[v] = e.upper[v] = T(R(0));
    if constexpr (split && axis == 2) {
      const auto& g = p.geometry;
      const T rho = g.medium.template cell<terrain, T>(g.column_place(at)).rho;
      e.lower[Held::middle_whole] = e.upper[Held::middle_whole] = rho + window(w_rho, 0);
      e.lower[Held::middle_rho] = e.upper[Held::middle_rho] = window(w_rho, 0);
      e.lower[Held::middle_w] = e.upper[Held::middle_w] = window(w_w, 0);
      e.lower[Held::middle_p] = e.upper[Held::middle_p] = window(w_p, 0);
    }
    e.fallbacks = T(R(0));
    return e;
  }

  // The difference of p' along the levels, times the heights of the faces over terrain.
  template <int axis, class T>
  WM_HD Vec<T, kept> keep(const exec::Edges<T, states>& e, const Edge<T>&,
                          [[maybe_unused]] Place at) const {
    if constexpr (axis == 2) return {{T(R(0))}};
    if constexpr (!terrain) return {{e.upper[w_p] - e.lower[w_p]}};
    constexpr ColumnValue value = axis == 0 ? c_face_x : c_face_y;
    const auto& m = p.geometry.medium;
    const Place column = p.geometry.column_place(at);
    const Place next{column.i + (axis == 0 ? 1 : 0), column.j + (axis == 1 ? 1 : 0), column.k};
    return {{e.upper[w_p] * m.template thickness<T>(value, next) -
             e.lower[w_p] * m.template thickness<T>(value, column)}};
  }

  template <int axis, class T>
  WM_HD Record<T> flux(const Edge<T>& left, const Edge<T>& right, Place at) const {
    if constexpr (axis == 2) {
      return level_faces().flux(left, right, at);
    } else {
      Record<T> record = lateral_flux<axis>(left, right, at);
      take_rims<axis>(p, record, at);
      return record;
    }
  }

  // Without regard to rims.
  template <int axis, class T>
  WM_HD Record<T> lateral_flux(const Edge<T>& left, const Edge<T>& right, Place at) const {
    constexpr int normal = w_u + axis, along = w_v - axis;
    const Point<T> l = point_of(left), r = point_of(right);
    const auto& g = p.geometry;
    const Place column = g.column_place(at);
    const Reference<T> here = places().template face_reference<axis, T>(column);
    const auto m = g.template face<axis, T>(at);
    // The metric of gnomonic.hpp with one division: g_nn = d^2/(1 + X^2), g_12/g_nn, L.
    const T wx = R(1) + m.x * m.x, wy = R(1) + m.y * m.y;
    const T inverse_d2 = rcp_(m.d2), inverse_d = root_(m.d2) * inverse_d2;
    const T g_nn = axis == 0 ? m.g11() : m.g22();
    const T ratio = axis == 0 ? m.x * (m.y * m.cos2y) : m.y * (m.x * m.cos2x);
    const T length = root_(g_nn), inverse = length * (inverse_d2 * (axis == 0 ? wx : wy));
    const FaceSide<T> a = side_of(l, l[normal] * inverse, here, p.gamma);
    const FaceSide<T> b = side_of(r, r[normal] * inverse, here, p.gamma);
    const FaceFlux<T> f = solved<lmars_unlimited>(p, a, b, here);
    T area = (wx * wy) * (inverse_d2 * inverse_d);
    if constexpr (terrain) {
      area = area * g.medium.template thickness<T>(axis == 0 ? c_face_x : c_face_y, column);
    }
    if constexpr (deep) area = area * places().template face_radius<axis, T>(column);
    const T through = area * length, push = area * g_nn;
    const Carried<T> from = carried(f, a, b, l, r);
    const T mass = f.mass * through, beside = mass * from.w[along], aside = ratio * push;
    const T below = f.pressure - l[w_p], above = f.pressure - r[w_p];
    const T straight = mass * from.w[normal], kinetic = kinetic_on(m, from.w);
    const T specific = specific_energy(from.work, kinetic, here.gz, p.gamma);
    return {{mass, fma_(push, below, straight), fma_(push, above, straight),
             fma_(aside, below, beside), fma_(aside, above, beside), mass * from.w[w_w],
             fma_(f.work, through, mass * specific)}};
  }

  template <int axis, class T>
  WM_HD void add(State<T>& rate, const Record<T>& lower, const Record<T>& upper, const Edge<T>& w,
                 const Vec<T, kept>& own, Place at) const {
    const auto& g = p.geometry;
    const Place column = g.column_place(at);
    T h = T(inverse_width<axis>(column.k));
    if constexpr (terrain) h = h * rcp_(g.medium.template thickness<T>(c_middle, column));
    // What crosses faces is shared out over r^2, gradients along the panel are over r.
    T per_cell = h;
    if constexpr (deep) {
      const T inverse = rcp_(places().template cell_radius<T>(column));
      per_cell = h * (inverse * inverse);
      if constexpr (axis != 2) h = h * inverse;
    }
    if constexpr (axis == 2) {
      // The record above the lid is that of the ground of the next panel, but for l_w_below.
      const bool lid = column.k == g.levels - 1;
      constexpr int below_u = deep ? l_u_below : l_u, below_v = deep ? l_v_below : l_v;
      const T none = T(R(0)), u = lid ? none : upper[below_u], v = lid ? none : upper[below_v];
      rate[s_rho] = fma_(T(lower[l_mass] - upper[l_mass]), per_cell, rate[s_rho]);
      rate[s_mx] = fma_(T(lower[l_u] - u), h, rate[s_mx]);
      rate[s_my] = fma_(T(lower[l_v] - v), h, rate[s_my]);
      rate[s_mz] = fma_(T(lower[l_w_above] - upper[l_w_below]), h, rate[s_mz]);
      // Split, gravity is part of what acts through faces.
      if constexpr (!split) {
        T gravity = T(g.medium.gravity);
        if constexpr (deep) {
          const T inverse = rcp_(places().template cell_radius<T>(column));
          gravity = gravity * (inverse * inverse);
        }
        rate[s_mz] = fma_(T(-gravity), w[w_rho], rate[s_mz]);
      }
      rate[s_energy] = fma_(T(lower[l_energy] - upper[l_energy]), per_cell, rate[s_energy]);
      add_turning(places(), rate, w, at);
    } else {
      const auto m = g.template centre<T>(at);
      const T per_area = per_cell * m.inverse_area();
      const T force = own[0] * h;
      const T g_nn = axis == 0 ? m.g11() : m.g22();
      // As in flow.hpp fused along x alone, where it is added to 0.
      const auto gain = [&](int v, const T& through) {
        rate[v] = axis == 0 ? fma_(through, per_area, rate[v]) : rate[v] + through * per_area;
      };
      gain(s_rho, lower[g_mass] - upper[g_mass]);
      gain(s_mz, lower[g_w] - upper[g_w]);
      gain(s_energy, lower[g_energy] - upper[g_energy]);
      const T ahead = (lower[g_above] - upper[g_below]) * per_area,
              aside = (lower[g_along_above] - upper[g_along_below]) * per_area;
      rate[s_mx + axis] = rate[s_mx + axis] + fma_(T(-g_nn), force, ahead);
      rate[s_my - axis] = rate[s_my - axis] + fma_(T(-m.g12()), force, aside);
    }
  }

  // The rate of the fastest waves over a cell, not a number where rho or p is not positive:
  //   ((|u| + a sqrt(g^11)) + (|v| + a sqrt(g^22)))/(radius angle) + (|w - u^i z_i| + a s)/dz
  // where a split flow has less than s: what is left of sound, and sqrt(g^ij z_i z_j).
  template <class T>
  WM_HD T signal(const State<T>& stored, Place at) const {
    const auto& g = p.geometry;
    const Place column = g.column_place(at);
    const Reference<T> ref = places().template cell_reference<T>(column);
    const auto m = g.template centre<T>(at);
    const Point<T> w = primitive_on(m, stored, ref, p.gamma);
    const T rho = ref.rho + w[w_rho], pressure = ref.p + w[w_p];
    const auto good = and_(rho > T(R(0)), pressure > T(R(0)));
    const T a = root_(p.gamma * select(good, pressure, T(R(1))) * rcp_(select(good, rho, T(R(1)))));
    T lateral = (abs_(w[w_u]) + a * root_(m.g11())) + (abs_(w[w_v]) + a * root_(m.g22()));
    // Split, sound across levels counts with its share and with what slopes have of it.
    T upwards = abs_(w[w_w]) + a * level_faces().template share<T>(column),
      inverse_thickness = T(R(1));
    if constexpr (terrain) {
      // Slopes are steepest on the lower face.
      Slope<T> slope = g.medium.template slope<true, T>(column);
      if constexpr (deep) {
        const T inverse = rcp_(places().template cell_radius<T>(column));
        slope = {slope.x * inverse, slope.y * inverse};
        lateral = lateral * inverse;
      }
      upwards = abs_(w[w_w]) + abs_(w[w_u] * slope.x) + abs_(w[w_v] * slope.y) +
                a * (split ? level_faces().template share<T>(column) + slant(m, slope)
                           : slanted_area(m, slope));
      inverse_thickness = rcp_(g.medium.template thickness<T>(c_middle, column));
    }
    const T sum =
        lateral * p.inverse_spacing[0] + upwards * inverse_width<2>(column.k) * inverse_thickness;
    return select(good, sum, root_(T(R(-1))));
  }

 private:
  // One over the width of a cell of the flat mesh.
  template <int axis>
  WM_HD R inverse_width([[maybe_unused]] int level) const {
    if constexpr (axis == 2 && !equal) {
      return p.geometry.medium.stretch_value(level, t_inverse);
    } else {
      return p.inverse_spacing[axis];
    }
  }

  // Along the axis.
  template <int axis, class T>
  WM_HD schemes::EdgeValues<T> reconstructed(const T& below, const T& here, const T& above,
                                             [[maybe_unused]] int level) const {
    const bool limited = !lmars_unlimited && !across && p.limiter != schemes::Limiter::none;
    if constexpr (axis == 2 && !equal) {
      const auto& m = p.geometry.medium;
      const auto weights = level_weights(m, level);
      return limited ? schemes::limited_uneven_edges(
                           below, here, above, weights, m.stretch_value(level, t_share_up),
                           m.stretch_value(level, t_share_down), p.limiter)
                     : schemes::uneven_kappa_edges(below, here, above, weights);
    } else {
      return limited ? schemes::limited_edges(below, here, above, p.kappa, p.limiter)
                     : schemes::kappa_edges(below, here, above, p.kappa);
    }
  }

  template <class T, class Window>
  WM_HD T beyond_wall(int v, const T& here, const T& inside, const Window& window, Place at,
                      bool ground) const {
    if (v == w_u || v == w_v) return here;
    if (v == w_w) return R(2) * w_at_wall<T>(window, at, ground) - here;
    if constexpr (equal) {
      return R(2) * here - inside;
    } else {
      // As far beyond as the wall's own level is thick.
      const R steps =
          p.geometry.medium.stretch_value(p.geometry.level(at), ground ? t_share_up : t_share_down);
      return here + steps * (here - inside);
    }
  }
  // Such that nothing passes.
  template <class T, class Window>
  WM_HD T w_at_wall([[maybe_unused]] const Window& window, [[maybe_unused]] Place at,
                    [[maybe_unused]] bool ground) const {
    T through = T(R(0));
    if constexpr (terrain) {
      if (ground) {
        const auto& g = p.geometry;
        const Slope<T> z = places().template level_slope<T>(g.column_place(at));
        through = window(w_u, 0) * z.x + window(w_v, 0) * z.y;
      }
    }
    return through;
  }

  // The second differences along the two other axes; the levels, where they are among these, come
  // last. On stretched ones of the parabola through three of them, and it is a straight line that
  // goes on beyond a wall.
  template <int axis, class T, class Window>
  WM_HD T curvature_across(int v, const Window& window, Place at, bool ground, bool lid) const {
    const T first = window.step(v, 0, -1) + window.step(v, 0, 1);
    R up = R(1), down = R(1);
    if constexpr (axis != 2 && !equal) {
      const int level = p.geometry.level(at);
      up = p.geometry.medium.stretch_value(level, t_curve_up);
      down = p.geometry.medium.stretch_value(level, t_curve_down);
    }
    if (axis == 2 || !(ground || lid)) {
      return first + (down * window.step(v, 1, -1) + up * window.step(v, 1, 1));
    }
    if (v == w_rho || v == w_p) return first;
    const T inward = ground ? up * window.step(v, 1, 1) : down * window.step(v, 1, -1);
    if (v != w_w) return first + inward;
    const R outward = R(2) * (ground ? down : up);
    return first + (inward + outward * (w_at_wall<T>(window, at, ground) - window(v, 0)));
  }
};

}  // namespace watersmeet::atmosphere
