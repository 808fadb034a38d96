#pragma once
// The atmosphere as a flux scheme of the face form (exec/face.hpp): finite volumes whose faces are
// those of medium.hpp. Departures from the reference are reconstructed along the axis and made
// whole with the reference at the middle of the face; fluxes of momentum carry p' alone and gravity
// acts on rho' alone, so that rest stays rest to the last bit over any terrain and any reference
// that is a function of z.
//
// A record is the flux through a face times its area over that of the flat mesh, a cell divides by
// its volume over that of the flat mesh.
//
// The ground and the lid let nothing through; the pressure at them is that of the cell inside, with
// the acoustic relation p' + rho a u_out for flow against them.
//
// On stretched levels edges between them have weights of their own (schemes/kappa.hpp).
//
// Viscosity (over flat ground; over terrain it has a pass of its own, diffusion.hpp): the flux -rho
// nu grad V of momentum with its work, so that what motion loses is heat, and -rho c_p nu Pi grad
// theta' of energy, Pi the Exner function of the reference.
//
// Where sound across the levels is implicit (column.hpp), faces between two levels are those of
// split_levels.hpp: then their record has the vertical momentum of the cell above and, as one value
// more, that of the cell below.
//
// Sources: the Coriolis force acts on departures from the wind V_b of the case, which a pressure
// gradient that is not part of the flow balances; sponges draw density, momentum and energy towards
// the reference that moves with V_b, at a rate that adds up over the tables along the axes.

#include "systems/atmosphere/flow_parameters.hpp"
#include "systems/atmosphere/split_levels.hpp"

namespace watersmeet::atmosphere {

template <class R, Variant variant, Choices choices = Choices::all>
struct Flow {
  static constexpr bool needs_index = true;
  static constexpr bool lmars_unlimited =
      choices == Choices::lmars_unlimited || choices == Choices::stretched;
  static constexpr bool equal = equal_levels(choices);
  static constexpr bool edges_need_index = !equal;  // weights between levels depend on these
  static constexpr bool across = choices == Choices::transverse;
  static constexpr bool terrain = over_terrain(variant), split = is_split(variant);
  static constexpr bool columned = terrain;
  static constexpr bool viscous = variant == Variant::viscous;
  static constexpr int variables = n_variables;
  // With viscosity an edge also holds what its cell has in the middle: velocity and theta'.
  static constexpr int middle = n_primitives;
  // Split: rho, rho', w and p' there.
  static constexpr int states = viscous || split ? n_primitives + 4 : n_primitives;
  static constexpr int mz_below = n_variables;  // momentum along z of the cell below, where split
  static constexpr int records = split ? n_variables + 1 : n_variables;
  static constexpr int kept = 0;
  static constexpr int radius = 3;
  static constexpr int edge_reach = 1;
  static constexpr bool heavy = true;

  FlowParameters<R, equal> p;

  template <class T>
  using Edge = Vec<T, states>;
  template <class T>
  using Record = Vec<T, records>;

  WM_HD bool active(int axis) const { return p.inverse_spacing[axis] > R(0); }

  template <class T>
  WM_HD Edge<T> state(const State<T>& stored, Place at) const {
    const Reference<T> r = p.medium.template cell<terrain, T>(at);
    const Point<T> w = primitive_of(stored, r, p.gamma);
    Edge<T> all;
    for (int v = 0; v < n_primitives; ++v) all[v] = w[v];
    if constexpr (viscous) {
      for (int v = 0; v < 3; ++v) all[middle + v] = w[w_u + v];
      all[middle + 3] =
          theta_perturbation(w, r, T(p.medium.level_value(at.k, l_cell_theta)), p.gamma);
    }
    if constexpr (split) {
      all[middle] = r.rho + w[w_rho];
      all[middle + 1] = w[w_rho];
      all[middle + 2] = w[w_w];
      all[middle + 3] = w[w_p];
    }
    return all;
  }

  template <class T, class Window>
  WM_HD exec::Edges<T, states> edges(const Window& window) const {
    exec::Edges<T, states> e;
    for (int v = 0; v < n_primitives; ++v) {
      const T below = window(v, -1), here = window(v, 0), above = window(v, 1);
      const schemes::EdgeValues<T> both =
          lmars_unlimited || across || p.limiter == schemes::Limiter::none
              ? schemes::kappa_edges(below, here, above, p.kappa)
              : schemes::limited_edges(below, here, above, p.kappa, p.limiter);
      e.lower[v] = both.lower;
      e.upper[v] = both.upper;
      if constexpr (across) {
        const T curvature = window.across(v);
        e.lower[v] = fma_(T(p.kappa.transverse), curvature, e.lower[v]);
        e.upper[v] = fma_(T(p.kappa.transverse), curvature, e.upper[v]);
      }
    }
    for (int v = n_primitives; v < states; ++v) e.lower[v] = e.upper[v] = window(v, 0);
    e.fallbacks = T(R(0));
    return e;
  }
  // Where levels may be stretched.
  template <int axis, class T, class Window>
  WM_HD exec::Edges<T, states> edges(const Window& window, Place at) const {
    if constexpr (axis == 2) {
      if (p.medium.stretched()) return level_edges<T>(window, at.k);
    }
    return edges<T>(window);
  }

  template <class T>
  WM_HD Vec<T, kept> keep(const exec::Edges<T, states>&, const Edge<T>&) const {
    return {};
  }
  template <int axis, class T>
  WM_HD Vec<T, kept> keep(const exec::Edges<T, states>&, const Edge<T>&, Place) const {
    return {};
  }

  // Over terrain: what no level of a column changes.
  template <int axis, class T>
  WM_HD auto column(Place at) const {
    return p.medium.template column_of<axis, T>(at);
  }

  template <int axis, class T>
  WM_HD Record<T> flux(const Edge<T>& left, const Edge<T>& right, Place at) const {
    return flux<axis, T>(left, right, at, exec::column_at<axis, T>(*this, at));
  }
  template <int axis, class T, class Column>
  WM_HD Record<T> flux(const Edge<T>& left, const Edge<T>& right, Place at,
                       const Column& column) const {
    if constexpr (split && axis == 2) {
      return level_flux(left, right, at);
    } else {
      return whole(solved_flux<axis>(left, right, at, column));
    }
  }

  template <int axis, class T, class Column>
  WM_HD State<T> solved_flux(const Edge<T>& left, const Edge<T>& right, Place at,
                             [[maybe_unused]] const Column& column) const {
    const Point<T> l = point_of(left), r = point_of(right);
    const Reference<T> here = [&] {
      if constexpr (terrain) {
        return p.medium.template face<axis, T>(at, column);
      } else {
        return p.medium.template face<false, axis, T>(at);
      }
    }();
    // Normal of the face times its area over that of the flat mesh.
    Vec<T, 3> n{{T(R(0)), T(R(0)), T(R(0))}};
    T area = T(R(1));
    if constexpr (terrain && axis == 2) {
      const Slope<T> slope = p.medium.template slope<T>(at, column);
      n = {{-slope.x, -slope.y, T(R(1))}};
      area = root_(R(1) + slope.x * slope.x + slope.y * slope.y);
    } else {
      if constexpr (terrain) area = p.medium.thickness_of(column[0]);
      n[axis] = area;
    }
    const T un_l = normal_velocity<axis>(l, n, area), un_r = normal_velocity<axis>(r, n, area);
    const FaceSide<T> a = side_of(l, un_l, here, p.gamma), b = side_of(r, un_r, here, p.gamma);
    if constexpr (axis == 2) {
      if (at.k == p.ground) return pushed(b.p - b.rho * b.a * b.un, n);
      if (at.k == p.lid) return pushed(a.p + a.rho * a.a * a.un, n);
    }
    const FaceFlux<T> f = lmars_unlimited || p.riemann == Riemann::lmars ? lmars_flux(a, b)
                          : p.riemann == Riemann::ausm ? ausm_flux(a, b, here.p, p.least_mach)
                                                       : hllc_flux(a, b);
    const auto from_left = f.mass >= T(R(0));
    const T mass = f.mass * area;
    State<T> record = pushed(f.pressure, n);
    record[s_rho] = mass;
    // The energy of one side alone is computed, the one that the mass comes from.
    Point<T> from;
    for (int v = 0; v < 3; ++v) {
      from[w_u + v] = select(from_left, l[w_u + v], r[w_u + v]);
      record[s_mx + v] = fma_(mass, from[w_u + v], record[s_mx + v]);
    }
    const T specific =
        specific_energy(select(from_left, a.work, b.work), kinetic_of(from), here.gz, p.gamma);
    record[s_energy] = fma_(mass, specific, f.work * area);
    if constexpr (viscous) add_viscous<axis>(record, left, right, here, at);
    return record;
  }

  template <int axis, class T>
  WM_HD void add(State<T>& rate, const Record<T>& lower, const Record<T>& upper, const Edge<T>& w,
                 const Vec<T, kept>& own, Place at) const {
    add<axis, T>(rate, lower, upper, w, own, at, exec::column_at<2, T>(*this, at));
  }
  template <int axis, class T, class Column>
  WM_HD void add(State<T>& rate, const Record<T>& lower, const Record<T>& upper, const Edge<T>& w,
                 const Vec<T, kept>&, Place at, [[maybe_unused]] const Column& column) const {
    T h = T(inverse_width<axis>(at));
    if constexpr (terrain) h = h * rcp_(p.medium.thickness_of(column[0]));
    for (int v = 0; v < n_variables; ++v) {
      const T gain = lower[v] - upper[split && axis == 2 && v == s_mz ? mz_below : v];
      // Not fused along y, so that x and y may change places to the last bit: along x it is added
      // to 0.
      rate[v] = axis == 1 ? rate[v] + gain * h : fma_(gain, h, rate[v]);
    }
    if constexpr (axis == 2) {
      // Split, gravity is part of what acts through faces.
      if constexpr (!split) rate[s_mz] = fma_(T(-p.medium.gravity), w[w_rho], rate[s_mz]);
      add_sources(rate, point_of(w), at);
    }
  }

  // The rate of the fastest waves over a cell, not a number where rho or p is not positive:
  //   (|u| + a)/dx + (|v| + a)/dy + (|w| + |u z_x| + |v z_y| + a |S|)/dz
  // and what diffusion adds, 2 nu (1/dx^2 + 1/dy^2 + 1/dz^2). Split, a |S| becomes
  // a (share + |(z_x, z_y)|).
  template <class T>
  WM_HD T signal(const State<T>& stored, Place at) const {
    const Reference<T> ref = p.medium.template cell<terrain, T>(at);
    const Point<T> w = primitive_of(stored, ref, p.gamma);
    const T rho = ref.rho + w[w_rho], pressure = ref.p + w[w_p];
    const auto good = and_(rho > T(R(0)), pressure > T(R(0)));
    const T a = root_(p.gamma * select(good, pressure, T(R(1))) * rcp_(select(good, rho, T(R(1)))));
    T sum = T(R(0)), slanted = share<T>(at), vertical = abs_(w[w_w]), inverse_thickness = T(R(1));
    if constexpr (terrain) {
      // Slopes are steepest on the lower face.
      const Slope<T> slope = p.medium.template slope<true, T>(at);
      const T steep = slope.x * slope.x + slope.y * slope.y;
      slanted = split ? slanted + sqrt_(steep) : root_(R(1) + steep);
      vertical = vertical + abs_(w[w_u] * slope.x) + abs_(w[w_v] * slope.y);
      inverse_thickness = rcp_(p.medium.template thickness<T>(c_middle, at));
    }
    R diffusion = R(0);
    for (int axis = 0; axis < 2; ++axis) {
      sum = sum + (abs_(w[w_u + axis]) + a) * p.inverse_spacing[axis];
    }
    sum = sum + (vertical + a * slanted) * inverse_width<2>(at) * inverse_thickness;
    if constexpr (viscous) {
      for (int axis = 0; axis < 2; ++axis) diffusion += sq(p.inverse_spacing[axis]);
      diffusion += sq(inverse_width<2>(at));
    }
    sum = sum + R(2) * p.viscosity * diffusion;
    if constexpr (variant == Variant::terrain && !lmars_unlimited) {
      // Diffusion of its own pass (diffusion.hpp), whose cross terms never need a smaller step.
      if (p.viscosity > R(0)) {
        const T upright = inverse_thickness * inverse_width<2>(at);
        sum =
            sum + R(2) * p.viscosity *
                      (sq(p.inverse_spacing[0]) + sq(p.inverse_spacing[1]) + sq(slanted * upright));
      }
    }
    return select(good, sum, root_(T(R(-1))));
  }

  // Of the acoustic dissipation across levels, what remains where the flow is split: as fast as
  // sound along them. At a cell.
  template <class T>
  WM_HD T share(Place at) const {
    return share_of<T>(at, p.medium.thickness_zeta(at.k));
  }
  // At its lower face, for the thinner of both cells.
  template <class T>
  WM_HD T face_share_of(Place at) const {
    const R here = p.medium.thickness_zeta(at.k);
    return share_of<T>(at,
                       p.medium.stretched() ? min_(here, p.medium.thickness_zeta(at.k - 1)) : here);
  }

 private:
  template <class T>
  WM_HD T share_of([[maybe_unused]] Place at, [[maybe_unused]] R depth) const {
    if constexpr (split) {
      const R lateral = max_(p.inverse_spacing[0], p.inverse_spacing[1]);
      T h = T(R(0.5) * lateral * depth);
      if constexpr (terrain) h = h * p.medium.template thickness<T>(c_middle, at);
      return min_(h, T(R(1)));
    } else {
      return T(R(1));
    }
  }

  // One over the width of a cell of the flat mesh.
  template <int axis>
  WM_HD R inverse_width([[maybe_unused]] Place at) const {
    if constexpr (axis == 2) {
      if (p.medium.stretched()) return p.medium.stretch_value(at.k, t_inverse);
    }
    return p.inverse_spacing[axis];
  }

  template <class T, class Window>
  WM_HD exec::Edges<T, states> level_edges(const Window& window, int k) const {
    const auto& m = p.medium;
    const auto weights = level_weights(m, k);
    exec::Edges<T, states> e;
    for (int v = 0; v < n_primitives; ++v) {
      const T below = window(v, -1), here = window(v, 0), above = window(v, 1);
      const schemes::EdgeValues<T> both =
          lmars_unlimited || p.limiter == schemes::Limiter::none
              ? schemes::uneven_kappa_edges(below, here, above, weights)
              : schemes::limited_uneven_edges(below, here, above, weights,
                                              m.stretch_value(k, t_share_up),
                                              m.stretch_value(k, t_share_down), p.limiter);
      e.lower[v] = both.lower;
      e.upper[v] = both.upper;
    }
    for (int v = n_primitives; v < states; ++v) e.lower[v] = e.upper[v] = window(v, 0);
    e.fallbacks = T(R(0));
    return e;
  }

  template <class T>
  WM_HD static Point<T> point_of(const Edge<T>& edge) {
    Point<T> w;
    for (int v = 0; v < n_primitives; ++v) w[v] = edge[v];
    return w;
  }

  template <int axis, class T>
  WM_HD static T normal_velocity(const Point<T>& w, const Vec<T, 3>& n, const T& area) {
    if constexpr (terrain && axis == 2) {
      return (w[w_w] + (n[0] * w[w_u] + n[1] * w[w_v])) * rcp_(area);
    } else {
      return w[w_u + axis];
    }
  }

  template <class T>
  WM_HD static Record<T> whole(const State<T>& lateral) {
    if constexpr (split) {
      Record<T> record;
      for (int v = 0; v < n_variables; ++v) record[v] = lateral[v];
      record[mz_below] = T(R(0));
      return record;
    } else {
      return lateral;
    }
  }

  // Between two levels, split.
  template <class T>
  WM_HD Record<T> level_flux(const Edge<T>& left, const Edge<T>& right, Place at) const {
    const Point<T> l = point_of(left), r = point_of(right);
    const Reference<T> here = p.medium.template face<terrain, 2, T>(at);
    const Slope<T> slope = p.medium.template slope<terrain, T>(at);
    const Vec<T, 3> n{{-slope.x, -slope.y, T(R(1))}};
    T area = T(R(1)), depth = T(p.medium.distance_zeta(at.k));
    if constexpr (terrain) {
      area = root_(R(1) + slope.x * slope.x + slope.y * slope.y);
      depth = depth * p.medium.template thickness<T>(c_middle, at);
    }
    const FaceSide<T> a = side_of(l, normal_velocity<2>(l, n, area), here, p.gamma);
    const FaceSide<T> b = side_of(r, normal_velocity<2>(r, n, area), here, p.gamma);
    const T part = face_share_of<T>(at);
    Record<T> record;
    const auto wall = [&](const T& pressure, const T& drag) {
      record = whole(pushed(pressure, n));
      record[s_mz] = record[mz_below] = drag;
      return record;
    };
    if (at.k == p.ground) {
      const T drag = part * (b.rho * b.a * b.un);
      return wall(b.p - drag, T(-drag));
    }
    if (at.k == p.lid) {
      const T drag = part * (a.rho * a.a * a.un);
      return wall(a.p + drag, drag);
    }
    const LevelMiddle<T> low = middle_of(left), high = middle_of(right);
    T through = mean_through(low, high);
    if constexpr (terrain) {
      const auto along = [&](const Point<T>& w, const FaceSide<T>& side) {
        return side.rho * (w[w_u] * slope.x + w[w_v] * slope.y);
      };
      through = (through - R(0.5) * (along(l, a) + along(r, b))) * rcp_(area);
    }
    T drag;
    const FaceFlux<T> f = mean_flux(through, low, high, a, b, part, drag);
    const auto from_left = f.mass >= T(R(0));
    const T mass = f.mass * area;
    record = whole(pushed(f.pressure, n));
    record[s_rho] = mass;
    Point<T> from;
    for (int v = 0; v < 3; ++v) from[w_u + v] = select(from_left, l[w_u + v], r[w_u + v]);
    record[s_mx] = fma_(mass, from[w_u], record[s_mx]);
    record[s_my] = fma_(mass, from[w_v], record[s_my]);
    const ForceShares<T> force = shared_force(force_between(low, high, depth, p.medium.gravity),
                                              low, high, at.k == p.ground + 1, at.k == p.lid - 1);
    const T carried = fma_(mass, from[w_w], drag);
    record[s_mz] = carried + force.above;
    record[mz_below] = carried - force.below;
    const T specific =
        specific_energy(select(from_left, a.work, b.work), kinetic_of(from), here.gz, p.gamma);
    record[s_energy] = fma_(mass, specific, f.work * area);
    return record;
  }
  template <class T>
  WM_HD static LevelMiddle<T> middle_of(const Edge<T>& e) {
    return {e[middle], e[middle + 1], e[middle + 2], e[middle + 3]};
  }

  // Of a face that nothing passes.
  template <class T>
  WM_HD static State<T> pushed(const T& pressure, const Vec<T, 3>& n) {
    return {{T(R(0)), pressure * n[0], pressure * n[1], pressure * n[2], T(R(0))}};
  }

  template <int axis, class T>
  WM_HD void add_viscous(State<T>& record, const Edge<T>& l, const Edge<T>& r,
                         const Reference<T>& here, Place at) const {
    const T rho = here.rho + R(0.5) * (l[w_rho] + r[w_rho]);
    R inverse_distance = p.inverse_spacing[axis];
    if constexpr (axis == 2) {
      if (p.medium.stretched()) inverse_distance = p.medium.stretch_value(at.k, t_inverse_distance);
    }
    const T factor = rho * (p.viscosity * inverse_distance);
    T work = T(R(0));
    for (int v = 0; v < 3; ++v) {
      const T stress = factor * (r[middle + v] - l[middle + v]);
      record[s_mx + v] = record[s_mx + v] - stress;
      work = work + stress * (R(0.5) * (l[middle + v] + r[middle + v]));
    }
    // Lateral faces lie as high as the middle of the cell, whose Exner function is T/theta.
    const T exner = axis == 2 ? T(p.medium.level_value(at.k, l_face_exner))
                              : here.p * rcp_(here.rho * theta_times_gas(at.k));
    record[s_energy] =
        record[s_energy] - work - factor * (p.c_p * exner) * (r[middle + 3] - l[middle + 3]);
  }
  // theta_r R_d in the middle of a level.
  WM_HD R theta_times_gas(int k) const {
    return p.medium.level_value(k, l_cell_theta) * (p.c_p * (R(1) - R(1) / p.gamma));
  }

  template <class T>
  WM_HD void add_sources(State<T>& rate, const Point<T>& w, Place at) const {
    const bool damped = has_sponge(p);
    if (!damped && p.coriolis == R(0)) return;
    const Reference<T> r = p.medium.template cell<terrain, T>(at);
    const State<T> s = stored_of(w, r, p.gamma);
    const R u = p.wind[0], v = p.wind[1];
    if (p.coriolis != R(0)) {
      rate[s_mx] = rate[s_mx] + p.coriolis * (s[s_my] - r.rho * v);
      rate[s_my] = rate[s_my] - p.coriolis * (s[s_mx] - r.rho * u);
      rate[s_energy] = rate[s_energy] + p.coriolis * r.rho * (w[w_v] * u - w[w_u] * v);
    }
    if (damped) {
      T tau = T(R(0));
      if (p.sponge[0]) tau = tau + load_as<T>(p.sponge[0] + at.i);
      if (p.sponge[1]) tau = tau + T(p.sponge[1][at.j]);
      if (p.sponge[2]) tau = tau + T(p.sponge[2][at.k]);
      rate[s_rho] = rate[s_rho] - tau * s[s_rho];
      rate[s_mx] = rate[s_mx] - tau * (s[s_mx] - r.rho * u);
      rate[s_my] = rate[s_my] - tau * (s[s_my] - r.rho * v);
      rate[s_mz] = rate[s_mz] - tau * s[s_mz];
      rate[s_energy] = rate[s_energy] - tau * (s[s_energy] - (R(0.5) * (u * u + v * v)) * r.rho);
    }
  }
};

}  // namespace watersmeet::atmosphere
