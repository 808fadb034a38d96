#pragma once
// The atmosphere as a flux scheme of the face form (exec/face.hpp): finite volumes on the mesh of a
// box (box_mesh.hpp) or of a cubed sphere (sphere/panel_mesh.hpp). Departures from the reference are
// reconstructed along the axis and made whole with the reference at the middle of the face; fluxes
// of momentum carry p' alone and gravity acts on rho' alone, so that rest stays rest to the last bit
// over any terrain and any reference that is a function of z.
//
// With the area element L of a mesh (1 in a box), T^ij = rho u^i u^j, heights z(x^1, x^2, zeta) with
// slopes z_i along the levels, J = L z_zeta and m = rho (w - u^i z_i) equations.hpp reads
//
//   (1)  (J rho')_t    + (J rho u^i)_i                   + (L m)_zeta               = 0
//   (2)  (J rho u^i)_t + (J T^ij)_j + J g^ij (p'_j at z) + (L m u^i)_zeta           = sources
//        (J rho w)_t   + (J rho w u^j)_j                 + (L m w)_zeta + L p'_zeta = -J rho' g
//   (3)  (J E')_t      + (J (E + p) u^i)_i               + (L m (E + p)/rho)_zeta   = sources
//
// Across a lateral face the problem of riemann.hpp is solved with the physical velocity along its
// normal, u^n/sqrt(g^nn). Between levels the normal is (-z_1, -z_2, 1), of length s, s^2 = 1 + g^ij
// z_i z_j, and its horizontal part is raised with g^ij.
//
// A deep atmosphere has r = a + z in place of the radius a. With r standing for r/a and u^i for r
// times the angular velocities, cells grow as r^2, lateral faces as r, those between levels as r^2:
//
//   (r^2 J rho')_t    + (r J rho u^i)_i + (r^2 L rho (w - u^i z_i/r))_zeta                   = 0
//
// and likewise energy and momentum, with gradients along the panel and G^i_jk T^jk over r, with
// - rho w u^i/(r a) and on rho w + rho |V_h|^2/(r a), the whole - 2 Omega x V, and gravity g/r^2
// with the potential g z/r in E. Of what acts between levels the momentum that crosses is divided
// by the r^2 of the cell that takes it, the pressure is not: only its differences act. Split, the
// forces phi have the same r^2 as the fluxes, so that one stays the transpose of the other.
//
// The ground and the lid let nothing through; the pressure at them is that of the cell inside, with
// the acoustic relation p' + rho a u_out for flow against them.
//
// Where sound across the levels is implicit (column.hpp), faces between two levels are those of
// split_levels.hpp.

#include "systems/atmosphere/level_faces.hpp"
#include "systems/atmosphere/sources.hpp"

namespace watersmeet::atmosphere {

template <class R, Traits traits>
struct Flow {
  using Layout = FlowLayout<R, traits>;
  using Mesh = typename Layout::Mesh;
  static constexpr bool terrain = traits.terrain, split = traits.split, viscous = traits.viscous;
  static constexpr bool across = traits.transverse;
  static constexpr bool needs_index = true;
  // Weights between stretched levels depend on these, and so do walls between panels; split, densities.
  static constexpr bool edges_need_index = Mesh::sphere || !Mesh::equal || split;
  static constexpr bool columned = Mesh::columned;
  static constexpr int variables = n_variables;
  static constexpr int middle = Layout::middle, states = Layout::states, seen = Layout::seen,
                       records = Layout::records;
  static constexpr int kept = Mesh::kept;
  static constexpr int radius = 3;
  static constexpr int edge_reach = 1;
  static constexpr bool heavy = true;

  FlowParameters<R, Mesh> p;

  template <class T>
  using Edge = typename Layout::template Edge<T>;
  template <class T>
  using Record = typename Layout::template Record<T>;

  WM_HD bool active(int axis) const { return p.mesh.active(axis); }

  template <class T>
  WM_HD Edge<T> state(const Conserved<T>& stored, Place at) const {
    const Reference<T> r = p.mesh.template cell_reference<T>(p.mesh.table_place(at));
    const Primitive<T> w = primitive_of(p.mesh.template metric<T>(at), stored, r, p.gamma);
    Edge<T> all;
    for (int v = 0; v < n_primitives; ++v) all[v] = w[v];
    for (int v = n_primitives; v < states; ++v) all[v] = T(R(0));
    if constexpr (viscous) {
      for (int v = 0; v < 3; ++v) all[middle + v] = w[w_u + v];
      all[middle + 3] =
          theta_perturbation(w, r, T(p.mesh.medium.level_value(at.k, l_cell_theta)), p.gamma);
    }
    return all;
  }

  // Where every edge is made alike.
  template <class T, class Window>
  WM_HD exec::Edges<T, states> edges(const Window& window) const {
    return edges<0, T>(window, Place{0, 0, 0});
  }
  template <int axis, class T, class Window>
  WM_HD exec::Edges<T, states> edges(const Window& window, Place at) const {
    if constexpr (axis == 2 && !Mesh::equal) {
      if (p.mesh.stretched()) return reconstructed<axis, true, T>(window, at);
    }
    return reconstructed<axis, false, T>(window, at);
  }

  // What the pressures of a cell's own edges do to it.
  template <class T>
  WM_HD Vec<T, kept> keep(const exec::Edges<T, states>&, const Edge<T>&) const {
    return {};
  }
  template <int axis, class T>
  WM_HD Vec<T, kept> keep(const exec::Edges<T, states>& e, const Edge<T>&, Place at) const {
    return p.mesh.template keep<axis, T>(e.lower[w_p], e.upper[w_p], at);
  }

  template <int axis, class T>
  WM_HD auto column(Place at) const {
    return p.mesh.template column<axis, T>(at);
  }

  template <int axis, class T>
  WM_HD Record<T> flux(const Edge<T>& left, const Edge<T>& right, Place at) const {
    return flux<axis, T>(left, right, at, exec::column_at<axis, T>(*this, at));
  }
  template <int axis, class T, class Column>
  WM_HD Record<T> flux(const Edge<T>& left, const Edge<T>& right, Place at,
                       const Column& column) const {
    if constexpr (axis == 2) {
      return LevelFaces<R, traits>::flux(p, left, right, at, column);
    } else {
      const auto face = p.mesh.template face<axis, T>(at, column);
      Record<T> record = lateral_flux(face, primitive_part(left), primitive_part(right));
      if constexpr (viscous) add_viscous<axis, middle>(p, record, left, right, face.reference, at);
      p.mesh.template replace<axis>(record, at);
      return record;
    }
  }

  // Without regard to viscosity and rims of panels.
  template <class Face, class T>
  WM_HD Record<T> lateral_flux(const Face& face, const Primitive<T>& l,
                               const Primitive<T>& r) const {
    const FaceSide<T> a = side_of(l, face.normal_velocity(l), face.reference, p.gamma),
                      b = side_of(r, face.normal_velocity(r), face.reference, p.gamma);
    const FaceFlux<T> f =
        solved_flux<traits.lmars>(p.riemann, a, b, face.reference.p, p.least_mach);
    const Carried<T> from = carried_by(f, a, b, l, r);
    const T mass = f.mass * face.through();
    Record<T> record;
    for (int v = n_shared_records; v < records; ++v) record[v] = T(R(0));
    record[r_mass] = mass;
    face.push(record, mass, from.w, f.pressure, l[w_p], r[w_p]);
    record[r_w] = mass * from.w[w_w];
    record[r_energy] =
        energy_through(face.metric, mass, energy_of(from, face, p.gamma), f.work, face.through());
    return record;
  }

  template <int axis, class T>
  WM_HD void add(Conserved<T>& rate, const Record<T>& lower, const Record<T>& upper,
                 const Edge<T>& w, const Vec<T, kept>& own, Place at) const {
    add<axis, T>(rate, lower, upper, w, own, at, exec::column_at<2, T>(*this, at));
  }
  template <int axis, class T, class Column>
  WM_HD void add(Conserved<T>& rate, const Record<T>& lower, const Record<T>& upper,
                 const Edge<T>& w, const Vec<T, kept>& own, Place at, const Column& column) const {
    p.mesh.template close<axis, split>(rate, lower, upper, own, at, column);
    if constexpr (axis == 2) {
      // Split, gravity is part of what acts through faces.
      if constexpr (!split) {
        sources::gravity(rate, p.mesh.template gravity<T>(p.mesh.table_place(at)), w[w_rho]);
      }
      if constexpr (Mesh::sphere) {
        sources::rotation(p.mesh, rate, w, at);
      } else {
        add_sources(rate, primitive_part(w), at);
      }
    }
  }

  // The rate of the fastest waves over a cell, not a number where rho or p is not positive:
  //   (|u| + a)/dx + (|v| + a)/dy + (|w| + |u z_x| + |v z_y| + a s)/dz
  // with a sqrt(g^nn) for a along a panel, and what diffusion adds, 2 nu (1/dx^2 + 1/dy^2 + 1/dz^2).
  // Split, s becomes what is left of sound, and sqrt(g^ij z_i z_j).
  template <class T>
  WM_HD T signal(const Conserved<T>& stored, Place at) const {
    const Place table = p.mesh.table_place(at);
    const Reference<T> ref = p.mesh.template cell_reference<T>(table);
    const auto m = p.mesh.template metric<T>(at);
    const Primitive<T> w = primitive_of(m, stored, ref, p.gamma);
    const T a = sound_speed(w, ref, p.gamma);
    T slanted = LevelFaces<R, traits>::template share<T>(p, table), upwards = abs_(w[w_w]),
      inverse_thickness = T(R(1));
    if constexpr (terrain) {
      const Slope<T> z = p.mesh.template cell_slope<T>(table);
      const T steep = squared_slope(m, z);
      slanted = split ? slanted + sqrt_(max_(steep, T(R(0)))) : root_(R(1) + steep);
      upwards = upwards + abs_(w[w_u] * z.x) + abs_(w[w_v] * z.y);
      inverse_thickness = rcp_(p.mesh.medium.template thickness<T>(c_middle, table));
    }
    const R per_depth = p.mesh.template inverse_width<2>(table);
    T sum = p.mesh.lateral_signal(m, w, a, table) +
            (upwards + a * slanted) * per_depth * inverse_thickness;
    if constexpr (viscous) {
      R diffusion = R(0);
      for (int axis = 0; axis < 2; ++axis) diffusion += sq(p.mesh.inverse_spacing[axis]);
      diffusion += sq(per_depth);
      sum = sum + R(2) * p.viscosity * diffusion;
    }
    if constexpr (!Mesh::sphere && terrain && !split && !traits.lmars) {
      // Diffusion of its own pass (diffusion.hpp), whose cross terms never need a smaller step.
      if (p.viscosity > R(0)) {
        const T upright = inverse_thickness * per_depth;
        sum = sum + R(2) * p.viscosity *
                        (sq(p.mesh.inverse_spacing[0]) + sq(p.mesh.inverse_spacing[1]) +
                         sq(slanted * upright));
      }
    }
    return sum;
  }

 private:
  // Along the axis; `uneven`: it is that of stretched levels.
  template <int axis, bool uneven, class T, class Window>
  WM_HD exec::Edges<T, states> reconstructed(const Window& window, Place at) const {
    const bool limited = !traits.lmars && !across && p.limiter != schemes::Limiter::none;
    exec::Edges<T, states> e;
    for (int v = 0; v < n_primitives; ++v) {
      const T here = window(v, 0);
      const auto [below, above] = p.mesh.template beside<axis, T>(v, window, at);
      schemes::EdgeValues<T> both;
      if constexpr (uneven) {
        const auto& m = p.mesh.medium;
        const int k = p.mesh.table_place(at).k;
        const auto weights = level_weights(m, k);
        both = limited ? schemes::limited_uneven_edges(below, here, above, weights,
                                                       m.stretch_value(k, t_share_up),
                                                       m.stretch_value(k, t_share_down), p.limiter)
                       : schemes::uneven_kappa_edges(below, here, above, weights);
      } else {
        both = limited ? schemes::limited_edges(below, here, above, p.kappa, p.limiter)
                       : schemes::kappa_edges(below, here, above, p.kappa);
      }
      e.lower[v] = both.lower;
      e.upper[v] = both.upper;
      if constexpr (across) {
        const T curvature = p.mesh.template curvature<axis, T>(v, window, at);
        e.lower[v] = fma_(T(p.kappa.transverse), curvature, e.lower[v]);
        e.upper[v] = fma_(T(p.kappa.transverse), curvature, e.upper[v]);
      }
    }
    for (int v = n_primitives; v < states; ++v) {
      e.lower[v] = e.upper[v] = split ? T(R(0)) : window(v, 0);
    }
    if constexpr (split && axis == 2) {
      const T rho = p.mesh.medium.template cell<terrain, T>(p.mesh.table_place(at)).rho;
      Layout::put_middle(e.lower, rho, window(w_rho, 0), window(w_w, 0), window(w_p, 0));
      Layout::put_middle(e.upper, rho, window(w_rho, 0), window(w_w, 0), window(w_p, 0));
    }
    e.fallbacks = T(R(0));
    return e;
  }

  // Sources in a box.
  template <class T>
  WM_HD void add_sources(Conserved<T>& rate, const Primitive<T>& w, Place at) const {
    const bool damped = p.has_sponge();
    if (!damped && p.coriolis == R(0)) return;
    const Reference<T> r = p.mesh.template cell_reference<T>(at);
    const Conserved<T> s = conserved_of(FlatMetric{}, w, r, p.gamma);
    if (p.coriolis != R(0)) sources::coriolis(rate, s, w, r, p.coriolis, p.wind);
    if (damped) {
      T tau = T(R(0));
      if (p.sponge[0]) tau = tau + load_as<T>(p.sponge[0] + at.i);
      if (p.sponge[1]) tau = tau + T(p.sponge[1][at.j]);
      if (p.sponge[2]) tau = tau + T(p.sponge[2][at.k]);
      sources::sponge(rate, s, r, tau, p.wind);
    }
  }
};

}  // namespace watersmeet::atmosphere
