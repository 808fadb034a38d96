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
// F: what the momentum rho w of both cells carries through their face, and p' of both cells pushing
// (globe_flow.hpp), with velocities V, enthalpies H = (E + p)/rho and kinetic energies K of q:
//
//   M = (m_below + m_above)/2,  F(rho') = -dM/dz,  F(rho V_h) = -d(M V_h)/dz,  F(E') = -d(M H)/dz
//   F(m) = -dp'/dz - g rho',    p' = (kappa - 1)(E' - g z rho' - V.(rho V) + K rho')
//
// with the changes of rho', rho V_h and E' put into those of m and p' there remain two unknowns a
// level, each tied to the levels beside it: a block tridiagonal system, solved by elimination from
// the ground upwards and back. At the ground and the lid M is 0 and p' goes on in a straight line.

#include <cstdint>

#include "systems/atmosphere/globe_flow.hpp"

namespace watersmeet::atmosphere {

// What an elimination leaves of a level: the 2 x 2 matrix that the level above is multiplied with,
// and the right-hand side.
constexpr int elimination_values = 6;

template <class R, GlobeVariant variant>
struct SolveColumns {
  static constexpr bool terrain = over_terrain(variant);
  GlobeFlow<R, variant> flow;
  R gamma = 0, delta = 0;  // of the step, as above
  bool second = false;     // y3 is solved for, else y2
  const R* q = nullptr;    // cell (0, 0, 0) of congruent registers
  R* y = nullptr;          // y2 is read if `second`; written
  R* first_sum = nullptr;  // q + gamma dt R(q); if `second` written: q + (1 - gamma) dt R(y2)
  const R* second_sum = nullptr;  // that + (1 - delta) dt R(y2)
  R* elimination = nullptr;
  std::int64_t stride_j = 0, stride_k = 0, stride_var = 0;

  template <class T>
  WM_HD void operator()(int i, int j, int panel, int lanes, R dt) const {
    const GlobeGeometry<R>& g = flow.p.geometry;
    const int k0 = panel * g.levels, levels = g.levels;
    const Place bottom{i, j, k0};
    const auto metric = g.template centre<T>(bottom);
    T thickness = T(R(1));
    if constexpr (terrain) {
      thickness = g.medium.template thickness<T>(c_middle, g.column_place(bottom));
    }
    const T tau = T(gamma * dt * flow.p.inverse_spacing[2]) * rcp_(thickness);
    const R fall = gamma * dt * g.medium.gravity;
    const R ratio = flow.p.gamma - R(1);

    // Upwards. `here` stands on level k, `above` on the next one.
    Level<T> below, here = level<T>(metric, bottom), above;
    T c11 = T(R(0)), c12 = c11, c21 = c11, c22 = c11, s1 = c11, s2 = c11;
    for (int k = 0; k < levels; ++k) {
      const bool ground = k == 0, lid = k == levels - 1;
      if (!lid) above = level<T>(metric, {i, j, k0 + k + 1});
      const State<T> r = change<T>({i, j, k0 + k});
      const T r_p = ratio * (r[s_energy] + (here.kinetic - here.gz) * r[s_rho] -
                             (here.lowered[0] * r[s_mx] + here.lowered[1] * r[s_my]));
      const R half = R(0.5);
      // Rows of m and p': `a` times the level below, `b` this one, `c` the one above.
      const T t = half * tau, fall_t = fall * t;
      const T up = lid ? T(R(0)) : t * carried(here, here, above);
      const T down = ground ? T(R(0)) : t * carried(here, below, here);
      T a11 = fall_t, a12 = -t, a21 = -down;
      T b11 = T(R(1)), b12 = T(R(0)), b21 = ratio * here.w + (up - down), b22 = T(R(1));
      T n11 = -fall_t, n12 = t, n21 = up;
      if (ground) {
        b11 = b11 - fall_t;
        b12 = -tau;
        n12 = tau;
        a11 = a12 = a21 = T(R(0));
      }
      if (lid) {
        b11 = b11 + fall_t;
        b12 = tau;
        a12 = -tau;
        n11 = n12 = n21 = T(R(0));
      }
      const T right_1 = (r[s_mz] - fall * r[s_rho]) - (a11 * s1 + a12 * s2);
      const T right_2 = r_p - a21 * s1;
      b11 = b11 - (a11 * c11 + a12 * c21);
      b12 = b12 - (a11 * c12 + a12 * c22);
      b21 = b21 - a21 * c11;
      b22 = b22 - a21 * c12;
      const T inverse = rcp_(b11 * b22 - b12 * b21);
      s1 = inverse * (b22 * right_1 - b12 * right_2);
      s2 = inverse * (b11 * right_2 - b21 * right_1);
      c11 = inverse * (b22 * n11 - b12 * n21);
      c21 = inverse * (b11 * n21 - b21 * n11);
      c12 = inverse * (b22 * n12);
      c22 = -inverse * (b21 * n12);
      const T kept[elimination_values] = {c11, c12, c21, c22, s1, s2};
      R* const to = elimination + element({i, j, k0 + k});
      for (int v = 0; v < elimination_values; ++v) store_lanes(to + v * stride_var, kept[v], lanes);
      below = here;
      here = above;
    }

    // Back down: what passes the faces above and below each level follows from m of both cells.
    T p_above = T(R(0));
    const T none = T(R(0));
    const Face<T> wall{none, none, none, none};
    Face<T> upper = wall;
    Level<T> there = level<T>(metric, {i, j, k0 + levels - 1});
    T m_here = solved<T>({i, j, k0 + levels - 1}, none, p_above);
    for (int k = levels - 1; k >= 0; --k) {
      const Place at{i, j, k0 + k};
      Face<T> lower = wall;
      Level<T> under;
      T m_under = T(R(0));
      if (k > 0) {
        under = level<T>(metric, {i, j, k0 + k - 1});
        m_under = solved<T>({i, j, k0 + k - 1}, m_here, p_above);
        lower = through(under, there, R(0.5) * (m_under + m_here));
      }
      const State<T> r = change<T>(at);
      const std::int64_t from = element(at);
      State<T> d;
      d[s_rho] = r[s_rho] + tau * (lower.mass - upper.mass);
      d[s_mx] = r[s_mx] + tau * (lower.u - upper.u);
      d[s_my] = r[s_my] + tau * (lower.v - upper.v);
      d[s_mz] = m_here;
      d[s_energy] = r[s_energy] + tau * (lower.energy - upper.energy);
      for (int v = 0; v < n_variables; ++v) {
        const std::int64_t n = from + v * stride_var;
        const T start = load_as<T>(q + n);
        store_lanes(y + n, start + d[v], lanes);
        if (second) {
          const T sum = load_as<T>(first_sum + n), whole = load_as<T>(second_sum + n);
          const R part = (R(1) - gamma) / (R(1) - delta);
          store_lanes(first_sum + n, start + part * (whole - sum), lanes);
        }
      }
      upper = lower;
      there = under;
      m_here = m_under;
    }
  }

 private:
  // Of q.
  template <class T>
  struct Level {
    T u, v, w, enthalpy, kinetic, gz;
    Vec<T, 2> lowered;  // covariant u, v
  };
  template <class T>
  struct Face {
    T mass, u, v, energy;
  };

  WM_HD std::int64_t element(Place at) const { return at.i + at.j * stride_j + at.k * stride_k; }

  template <class T>
  WM_HD Level<T> level(const schemes::PanelPoint<T>& metric, Place at) const {
    const GlobeGeometry<R>& g = flow.p.geometry;
    const Reference<T> r = g.medium.template cell<terrain, T>(g.column_place(at));
    State<T> s;
    for (int v = 0; v < n_variables; ++v) s[v] = load_as<T>(q + element(at) + v * stride_var);
    const Point<T> w = primitive_on(metric, s, r, flow.p.gamma);
    Level<T> l;
    l.u = w[w_u];
    l.v = w[w_v];
    l.w = w[w_w];
    l.kinetic = kinetic_on(metric, w);
    l.gz = r.gz;
    const T t = (r.p + w[w_p]) * rcp_(r.rho + w[w_rho]);
    l.enthalpy = flow.p.gamma / (flow.p.gamma - R(1)) * t + l.kinetic + r.gz;
    l.lowered = schemes::covariant(metric, w[w_u], w[w_v]);
    return l;
  }

  // The explicit side of the equations.
  template <class T>
  WM_HD State<T> change(Place at) const {
    State<T> r;
    for (int v = 0; v < n_variables; ++v) {
      const std::int64_t n = element(at) + v * stride_var;
      const T start = load_as<T>(q + n);
      if (second) {
        // y is overwritten on the way down, a level after it is read last.
        r[v] = (load_as<T>(second_sum + n) - start) +
               (delta / gamma - R(1)) * (load_as<T>(y + n) - start);
      } else {
        r[v] = load_as<T>(first_sum + n) - start;
      }
    }
    return r;
  }

  // What mass through the face between two levels does to p' of `own`.
  template <class T>
  WM_HD T carried(const Level<T>& own, const Level<T>& low, const Level<T>& high) const {
    const R half = R(0.5), ratio = flow.p.gamma - R(1);
    const T u = half * (low.u + high.u), v = half * (low.v + high.v);
    return ratio * ((half * (low.enthalpy + high.enthalpy) - own.gz) + own.kinetic -
                    (own.lowered[0] * u + own.lowered[1] * v));
  }
  template <class T>
  WM_HD Face<T> through(const Level<T>& low, const Level<T>& high, const T& mass) const {
    const T half = R(0.5) * mass;
    return {mass, half * (low.u + high.u), half * (low.v + high.v),
            half * (low.enthalpy + high.enthalpy)};
  }

  // m of a level from those of the one above; p becomes that of this level.
  template <class T>
  WM_HD T solved(Place at, const T& m_above, T& p) const {
    const R* const from = elimination + element(at);
    const auto value = [&](int v) { return load_as<T>(from + v * stride_var); };
    const T m = value(4) - (value(0) * m_above + value(1) * p);
    p = value(5) - (value(2) * m_above + value(3) * p);
    return m;
  }
};

}  // namespace watersmeet::atmosphere
