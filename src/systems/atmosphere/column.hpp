#pragma once
// Implicit sound across the levels of a column, for time steps that the depth of a level does not
// bound. A step is that of ARS(2,3,2) (Ascher, Ruuth and Spiteri 1997, Appl. Numer. Math. 25, 151):
// with the whole right-hand side R(q), its linear part F about the beginning q of the step, and
// gamma = 1 - 1/sqrt(2), delta = -2 sqrt(2)/3,
//
//   (1 - gamma dt F) (y2 - q) = gamma dt R(q)
//   (1 - gamma dt F) (y3 - q) = gamma dt R(q) + (1 - delta) dt R(y2) + (delta/gamma - 1) (y2 - q)
//   q(t + dt) = q + dt ((1 - gamma) R(y2) + gamma R(y3))
//
// which is that scheme after F(y2) and F(q) have been replaced by what the equations before say of
// them. R is conservative and the last line has no F: so is a step.
//
// F: what the momentum m = rho w of both cells carries through their face, M, and what p' and rho'
// of both exert on it, phi, with the weights of split_levels.hpp (face_weight) and with velocities
// V, enthalpies H = (E + p)/rho and kinetic energies K of q:
//
//   M = (a_below m_below + a_above m_above)/2
//   F(rho') = -dM/dz,  F(rho V_h) = -d(M V_h)/dz,  F(E') = -d(M H)/dz
//   F(m) = (phi/a of the face below + phi/a of that above)/(2 dz),  phi = -[p'] - g dz mean(rho')
//   p' = (kappa - 1)(E' - g z rho' - V_h.(rho V_h) + K rho')
//
// In a deep atmosphere (flow.hpp) M and phi stand for r^2 times these on their face, and what
// they do to a cell is over its own r^2.
//
// All changes of a column follow from M and phi of its faces, which are tied to those of the faces
// beside them: a block tridiagonal system of two unknowns a face, solved by elimination from the
// ground upwards and back. At the ground and the lid M is 0 and phi does not act.

#include <cstdint>

#include "systems/atmosphere/sphere/panel_mesh.hpp"
#include "systems/atmosphere/split_levels.hpp"

namespace watersmeet::atmosphere {

// On box_mesh.hpp or sphere/panel_mesh.hpp.
template <class R, class Mesh>
struct SolveColumns {
  static constexpr bool terrain = Mesh::terrain, deep = Mesh::deep;
  Mesh mesh;
  R gas_gamma = R(1.4);
  int levels = 1;          // of a column
  R gamma = 0, delta = 0;  // of the step, as above
  bool second = false;     // y3 is solved for, else y2
  const R* q = nullptr;    // cell (0, 0, 0) of congruent registers
  R* y = nullptr;          // y2 is read if `second`; written
  R* first_sum = nullptr;  // q + gamma dt R(q); if `second` written: q + (1 - gamma) dt R(y2)
  const R* second_sum = nullptr;  // that + (1 - delta) dt R(y2)
  R* elimination = nullptr;
  std::int64_t stride_j = 0, stride_k = 0, stride_var = 0;

  template <class T>
  WM_HD void operator()(int i, int j, int block, int lanes, R dt) const {
    const auto& medium = mesh.medium;
    const int k0 = block * levels;
    const Place bottom{i, j, k0};
    const auto metric = mesh.template metric<T>(bottom);
    T thickness = T(R(1));
    if constexpr (terrain) {
      thickness = medium.template thickness<T>(c_middle, mesh.table_place(bottom));
    }
    const T per_thickness = rcp_(thickness);
    const T even_tau = T(gamma * dt * mesh.inverse_spacing[2]) * per_thickness;
    const T even_weight = (R(0.5) * medium.gravity * medium.spacing_zeta) * thickness;
    // gamma dt over the thickness of a level; half of g dz between the middles around its lower
    // face.
    const auto tau_of = [&](int k) {
      if (!medium.stretched()) return even_tau;
      return T(gamma * dt * medium.stretch_value(k, t_inverse)) * per_thickness;
    };
    const auto weight_of = [&](int k) {
      if (!medium.stretched()) return even_weight;
      return (R(0.5) * medium.gravity * medium.distance_zeta(k)) * thickness;
    };
    const T none = T(R(0));

    // Upwards. Face k lies below level k; `under` and `over` are the levels on its sides. What is stored of a level is loaded while the
    // one before it is worked on: a GPU has few columns, a thread each, and their loads take as long as a level.
    const auto stored_above = [&](int k) {
      return stored<T>({i, j, k0 + (k < levels ? k : levels - 1)});
    };
    const Stored<T> lowest = stored_above(0), above_it = stored_above(1);
    Level<T> under = level(metric, bottom, lowest), over = level(metric, {i, j, k0 + 1}, above_it);
    Conserved<T> r_under = change(lowest), r_over = change(above_it);
    T p_under = pressure_of(r_under, under);
    Stored<T> coming = stored_above(2);
    T reach_under = none;  // what m of `under` takes of the force on its lower face
    T down_under = none;   // what mass through that face does to p' of `under`
    T c11 = none, c12 = none, c21 = none, c22 = none, s1 = none, s2 = none;
    for (int k = 1; k < levels; ++k) {
      const bool last = k == levels - 1;
      const Place at{i, j, k0 + k};
      const Stored<T> come = coming;
      coming = stored_above(k + 2);
      const T p_over = pressure_of(r_over, over);
      const Level<T> next = last ? over : level(metric, {i, j, k0 + k + 1}, come);
      const T w_under = face_weight(under.rho, over.rho), w_over = face_weight(over.rho, under.rho);
      const T v_over = face_weight(over.rho, next.rho);  // of the face above
      const T reach_1 = T(R(face_share(k == 1))) * rcp_(w_under);
      const T reach_2 = T(R(face_share(last))) * rcp_(w_over);
      const T reach_3 = last ? none : R(0.5) * rcp_(v_over);
      // Rows of M and phi: `a` times the face below, `b` this one, `n` the one above.
      const R half = R(0.5);
      T area = T(R(1)), weight = weight_of(k), tau_under = tau_of(k - 1), tau_over = tau_of(k);
      if constexpr (deep) {
        const T radius = mesh.template face_radius<2, T>(mesh.table_place(at));
        area = radius * radius;
        weight = weight * rcp_(area);
        tau_under = tau_under * under.share;
        tau_over = tau_over * over.share;
      }
      const T up_under = carried(under, under, over), down_over = carried(over, under, over);
      const T a12 = -(half * area) * (tau_under * w_under * reach_under);
      const T b12 = -(half * area) * (tau_under * w_under * reach_1 + tau_over * w_over * reach_2);
      const T n12 = -(half * area) * (tau_over * w_over * reach_3);
      const T a21 = k == 1 ? none : area * tau_under * (weight - down_under);
      const T b21 = area * (tau_under * (up_under - weight) + tau_over * (down_over + weight));
      const T n21 = last ? none : -(area * tau_over) * (weight + carried(over, over, next));
      const T start_1 = area * (half * (w_under * r_under[s_mz] + w_over * r_over[s_mz]));
      const T start_2 = area * ((p_under - p_over) - weight * (r_under[s_rho] + r_over[s_rho]));
      const T right_1 = start_1 - a12 * s2, right_2 = start_2 - a21 * s1;
      const T d11 = R(1) - a12 * c21, d12 = b12 - a12 * c22;
      const T d21 = b21 - a21 * c11, d22 = R(1) - a21 * c12;
      const T inverse = rcp_(d11 * d22 - d12 * d21);
      s1 = inverse * (d22 * right_1 - d12 * right_2);
      s2 = inverse * (d11 * right_2 - d21 * right_1);
      c11 = -inverse * (d12 * n21);
      c12 = inverse * (d22 * n12);
      c21 = inverse * (d11 * n21);
      c22 = -inverse * (d21 * n12);
      const T kept[elimination_values] = {c11, c12, c21, c22, s1, s2};
      R* const to = elimination + element(at);
      for (int v = 0; v < elimination_values; ++v) store_lanes(to + v * stride_var, kept[v], lanes);
      reach_under = reach_2;
      down_under = down_over;
      under = over;
      over = next;
      r_under = r_over;
      p_under = p_over;
      if (!last) r_over = change(come);
    }

    // Back down, level by level: `upper` is its upper face, `here` lies above its lower one.
    const auto stored_below = [&](int k) { return stored<T>({i, j, k0 + (k > 0 ? k : 0)}); };
    const auto eliminated_at = [&](int k) { return eliminated<T>({i, j, k0 + (k > 1 ? k : 1)}); };
    Face<T> upper{none, none, none, none, none};
    Level<T> here = under;
    Conserved<T> r = r_under;
    Unknowns<T> x{none, none};
    Stored<T> own = stored_below(levels - 1);
    coming = stored_below(levels - 2);
    Eliminated<T> coming_face = eliminated_at(levels - 1);
    for (int k = levels - 1; k >= 0; --k) {
      const Place at{i, j, k0 + k};
      const Stored<T> come = coming;
      const Eliminated<T> face = coming_face;
      coming = stored_below(k - 2);
      coming_face = eliminated_at(k - 1);
      Face<T> lower{none, none, none, none, none};
      Level<T> below = here;
      T push = upper.push_below;
      if (k > 0) {
        below = level(metric, {i, j, k0 + k - 1}, come);
        x = solved(face, x);
        lower = through(below, here, x.mass);
        push = push +
               T(R(face_share(k == levels - 1))) * x.force * rcp_(face_weight(here.rho, below.rho));
        lower.push_below =
            T(R(face_share(k == 1))) * x.force * rcp_(face_weight(below.rho, here.rho));
      }
      const std::int64_t to = element(at);
      T part = tau_of(k);
      if constexpr (deep) part = part * here.share;
      const Conserved<T> d{{r[s_rho] + part * (lower.mass - upper.mass),
                            r[s_mx] + part * (lower.u - upper.u),
                            r[s_my] + part * (lower.v - upper.v), r[s_mz] + part * push,
                            r[s_energy] + part * (lower.energy - upper.energy)}};
      for (int v = 0; v < n_variables; ++v) {
        const std::int64_t n = to + v * stride_var;
        store_lanes(y + n, own.q[v] + d[v], lanes);
        if (second) {
          const T sum = load_as<T>(first_sum + n);
          const R later = (R(1) - gamma) / (R(1) - delta);
          store_lanes(first_sum + n, own.q[v] + later * (own.sum[v] - sum), lanes);
        }
      }
      upper = lower;
      here = below;
      own = come;
      r = change(come);
    }
  }

 private:
  // A level of the state q.
  template <class T>
  struct Level {
    T rho, u, v, enthalpy, kinetic, gz;
    T share;            // deep: 1/r^2
    Vec<T, 2> lowered;  // covariant u, v
  };
  template <class T>
  struct Face {
    T mass, u, v, energy;
    T push_below;  // the force on the level below
  };
  template <class T>
  struct Unknowns {  // of a face
    T mass, force;
  };

  WM_HD std::int64_t element(Place at) const { return at.i + at.j * stride_j + at.k * stride_k; }

  // Of a cell: q, the sum whose distance from q the solution begins with, and y2.
  template <class T>
  struct Stored {
    Conserved<T> q, sum, y;
  };
  template <class T>
  WM_HD Stored<T> stored(Place at) const {
    Stored<T> s;
    const R* const of = second ? second_sum : first_sum;
    for (int v = 0; v < n_variables; ++v) {
      const std::int64_t n = element(at) + v * stride_var;
      s.q[v] = load_as<T>(q + n);
      s.sum[v] = load_as<T>(of + n);
      // Overwritten on the way down, after it is read last.
      s.y[v] = second ? load_as<T>(y + n) : s.q[v];
    }
    return s;
  }

  template <class T, class Metric>
  WM_HD Level<T> level(const Metric& metric, Place at, const Stored<T>& s) const {
    const Reference<T> r = mesh.template cell_reference<T>(mesh.table_place(at));
    const Primitive<T> w = primitive_of(metric, s.q, r, gas_gamma);
    Level<T> l;
    l.share = T(R(1));
    if constexpr (deep) {
      const T inverse = rcp_(mesh.template cell_radius<T>(mesh.table_place(at)));
      l.share = inverse * inverse;
    }
    l.u = w[w_u];
    l.v = w[w_v];
    l.rho = r.rho + w[w_rho];
    l.kinetic = kinetic_of(metric, w);
    l.gz = r.gz;
    const T t = (r.p + w[w_p]) * rcp_(l.rho);
    l.enthalpy = gas_gamma / (gas_gamma - R(1)) * t + l.kinetic + r.gz;
    l.lowered = covariant(metric, w[w_u], w[w_v]);
    return l;
  }

  // The explicit side of the equations.
  template <class T>
  WM_HD Conserved<T> change(const Stored<T>& s) const {
    Conserved<T> r;
    for (int v = 0; v < n_variables; ++v) {
      r[v] = s.sum[v] - s.q[v];
      if (second) r[v] = r[v] + (delta / gamma - R(1)) * (s.y[v] - s.q[v]);
    }
    return r;
  }

  // What mass through the face between two levels does to p' of `own`.
  template <class T>
  WM_HD T carried(const Level<T>& own, const Level<T>& low, const Level<T>& high) const {
    const R half = R(0.5), ratio = gas_gamma - R(1);
    const T u = half * (low.u + high.u), v = half * (low.v + high.v);
    return ratio * ((half * (low.enthalpy + high.enthalpy) - own.gz) + own.kinetic -
                    (own.lowered[0] * u + own.lowered[1] * v));
  }
  template <class T>
  WM_HD Face<T> through(const Level<T>& low, const Level<T>& high, const T& mass) const {
    const T half = R(0.5) * mass;
    return {mass, half * (low.u + high.u), half * (low.v + high.v),
            half * (low.enthalpy + high.enthalpy), T(R(0))};
  }

  // What the elimination left of a face.
  template <class T>
  using Eliminated = Vec<T, elimination_values>;
  template <class T>
  WM_HD Eliminated<T> eliminated(Place at) const {
    Eliminated<T> e;
    for (int v = 0; v < elimination_values; ++v)
      e[v] = load_as<T>(elimination + element(at) + v * stride_var);
    return e;
  }
  // The unknowns of the lower face of a level, from those of its upper face.
  template <class T>
  WM_HD static Unknowns<T> solved(const Eliminated<T>& e, const Unknowns<T>& above) {
    return {e[4] - (e[0] * above.mass + e[1] * above.force),
            e[5] - (e[2] * above.mass + e[3] * above.force)};
  }

  // p' of the explicit side; what w does to it is left there.
  template <class T>
  WM_HD T pressure_of(const Conserved<T>& r, const Level<T>& l) const {
    return (gas_gamma - R(1)) * (r[s_energy] + (l.kinetic - l.gz) * r[s_rho] -
                                 (l.lowered[0] * r[s_mx] + l.lowered[1] * r[s_my]));
  }
};

}  // namespace watersmeet::atmosphere
