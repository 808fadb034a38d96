#pragma once
// The two-fluid equations once more, one cell at a time in long double, written from the
// literature's plain formulas: WENO by its polynomials and smoothness indicators (Jiang and Shu
// 1996; Borges et al. 2008), HLLC by its star states (Toro et al. 1994), HLLC-LM by its centred form,
// HLL and Rusanov by their means, the transport of Gamma and Pi as divergence and source, energy in total form. Every flux
// is computed anew for each of its two cells. What the fused loops must match.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>

#include "core/types.hpp"
#include "systems/multicomponent/flow.hpp"

namespace watersmeet::multicomponent {

using Real = long double;
// Primitive: rho, u, v, w, p, Gamma, Pi. Conserved: rho, rho u, rho v, rho w, E, Gamma, Pi.
using Seven = std::array<Real, 7>;

struct TwoFluidReference {
  Index3 n{1, 1, 1};
  std::array<bool, 3> active{};
  std::array<Real, 3> h{1, 1, 1};
  std::function<Seven(const Index3&)> primitive;  // of any cell, ghosts included
  Reconstruction reconstruction = Reconstruction::weno5_js;
  Real epsilon = 1e-6L;  // multiplies scale^2
  Seven scale{1, 1, 1, 1, 1, 1, 1};
  Positivity positivity = Positivity::fallback;
  Real keep = 0;  // of density, Gamma and (Gamma + 1) p + Pi by scaling
  Riemann riemann = Riemann::hllc;
  bool roe_speeds = false, faces_source = false, axisymmetric = false, compaction = false;
  std::int64_t first_j = 0;
  Real gamma_g = 0, gamma_l = 0, pi_g = 0, pi_l = 0;

  static Real square(Real x) { return x * x; }
  static Real stiff(const Seven& w) { return (w[5] + 1) * w[4] + w[6]; }
  static bool admissible(const Seven& w) { return w[0] > 0 && w[5] > 0 && stiff(w) > 0; }
  static Real sound(const Seven& w) { return std::sqrt(stiff(w) / (w[5] * w[0])); }
  static Seven conserved(const Seven& w) {
    const Real kinetic = w[0] * (w[1] * w[1] + w[2] * w[2] + w[3] * w[3]) / 2;
    return {w[0], w[0] * w[1], w[0] * w[2], w[0] * w[3], w[5] * w[4] + w[6] + kinetic, w[5], w[6]};
  }
  // Flux along an axis, of Gamma and Pi by phi u.
  static Seven flux(const Seven& w, std::size_t axis) {
    const Seven u = conserved(w);
    const Real normal = w[1 + axis];
    Seven f;
    for (std::size_t v = 0; v < 7; ++v) f[v] = u[v] * normal;
    f[1 + axis] += w[4];
    f[4] += w[4] * normal;
    return f;
  }

  // Value at the edge of c towards d and f.
  Real edge(Real a, Real b, Real c, Real d, Real f, Real s) const {
    const Real eps = epsilon * s * s;
    if (reconstruction == Reconstruction::first_order) return c;
    if (reconstruction == Reconstruction::weno3) {
      const Real a0 = (1 / 3.0L) / square(eps + square(c - b));
      const Real a1 = (2 / 3.0L) / square(eps + square(d - c));
      return (a0 * (3 * c - b) / 2 + a1 * (c + d) / 2) / (a0 + a1);
    }
    const Real beta[3] = {13 / 12.0L * square(a - 2 * b + c) + square(a - 4 * b + 3 * c) / 4,
                          13 / 12.0L * square(b - 2 * c + d) + square(b - d) / 4,
                          13 / 12.0L * square(c - 2 * d + f) + square(3 * c - 4 * d + f) / 4};
    const Real q[3] = {(2 * a - 7 * b + 11 * c) / 6, (-b + 5 * c + 2 * d) / 6,
                       (2 * c + 5 * d - f) / 6};
    const Real linear[3] = {0.1L, 0.6L, 0.3L};
    Real sum = 0, value = 0;
    for (int k = 0; k < 3; ++k) {
      const Real alpha =
          linear[k] * (reconstruction == Reconstruction::weno5_z
                           ? 1 + square(std::fabs(beta[0] - beta[2]) / (eps + beta[k]))
                           : 1 / square(eps + beta[k]));
      sum += alpha;
      value += alpha * q[k];
    }
    return value / sum;
  }

  static Index3 moved(Index3 c, std::size_t axis, int m) {
    c[axis] += m;
    return c;
  }

  // State of a cell at its edge (side -1 or 1); says whether it was changed.
  Seven edge_state(const Index3& c, std::size_t axis, int side, bool* changed = nullptr) const {
    Seven w[5], e;
    for (int m = -2; m <= 2; ++m) w[m + 2] = primitive(moved(c, axis, side * m));
    for (std::size_t v = 0; v < 7; ++v) {
      e[v] = edge(w[0][v], w[1][v], w[2][v], w[3][v], w[4][v], scale[v]);
    }
    bool replaced = false;
    if (positivity == Positivity::fallback && !admissible(e)) {
      e = w[2];
      replaced = true;
    }
    if (positivity == Positivity::scaling) {
      const Real theta = scaling(w[2], e);
      replaced = theta < 1;
      for (std::size_t v = 0; v < 7; ++v) e[v] = w[2][v] + theta * (e[v] - w[2][v]);
    }
    if (changed) *changed = replaced;
    return e;
  }
  // The largest theta <= 1 for which rho, Gamma and the bound of (Gamma + 1) p + Pi by its negative
  // terms stay above `keep` of the cell's.
  Real scaling(const Seven& w, const Seven& e) const {
    Real theta = 1;
    for (const std::size_t v : {std::size_t{0}, std::size_t{5}}) {
      if (e[v] < keep * w[v]) theta = std::min(theta, (1 - keep) * w[v] / (w[v] - e[v]));
    }
    const Real first = (w[5] + 1) * (e[4] - w[4]) + w[4] * (e[5] - w[5]) + e[6] - w[6];
    const Real second = (e[5] - w[5]) * (e[4] - w[4]);
    const Real fall = -std::min(first, Real(0)) - std::min(second, Real(0));
    if (stiff(w) - fall < keep * stiff(w)) theta = std::min(theta, (1 - keep) * stiff(w) / fall);
    return theta;
  }

  // Fluxes, and the face velocity.
  struct Face {
    Seven flux;
    Real u;
  };
  std::array<Real, 2> speeds(const Seven& l, const Seven& r, std::size_t axis) const {
    const Real ul = l[1 + axis], ur = r[1 + axis], cl = sound(l), cr = sound(r);
    const Real wl = std::sqrt(l[0]), wr = std::sqrt(r[0]), sum = wl + wr;
    const Real u = (wl * ul + wr * ur) / sum;
    Real c;
    if (roe_speeds) {
      const Real gamma = (wl * l[5] + wr * r[5]) / sum, pi = (wl * l[6] + wr * r[6]) / sum;
      const Real rho = wl * wr;
      const Real p_rho =
          (wl * l[4] / l[0] + wr * r[4] / r[0]) / sum + rho * square((ur - ul) / sum) / 2;
      c = std::sqrt(p_rho * (1 + 1 / gamma) + pi / (gamma * rho));
    } else {
      c = std::sqrt((wl * cl * cl + wr * cr * cr) / sum +
                    wl * wr / square(sum) * square(ur - ul) / 2);
    }
    return {std::min(u - c, ul - cl), std::max(u + c, ur + cr)};
  }
  Face face(const Seven& l, const Seven& r, std::size_t axis) const {
    auto [sl, sr] = speeds(l, r, axis);
    const Seven ul = conserved(l), ur = conserved(r), fl = flux(l, axis), fr = flux(r, axis);
    const Real vl = l[1 + axis], vr = r[1 + axis];
    Face f;
    if (riemann == Riemann::hllc) {
      const Real ml = l[0] * (sl - vl), mr = r[0] * (sr - vr);
      const Real contact = (r[4] - l[4] + vl * ml - vr * mr) / (ml - mr);
      const bool left = contact >= 0;
      const Seven &w = left ? l : r, &u = left ? ul : ur;
      const Real s = left ? sl : sr, v = left ? vl : vr;
      const Real chi = (s - v) / (s - contact);
      Seven star;
      for (std::size_t q = 0; q < 7; ++q) star[q] = chi * u[q];
      star[1 + axis] = chi * w[0] * contact;
      star[4] = chi * (u[4] + (contact - v) * (w[0] * contact + w[4] / (s - v)));
      const Real outer = left ? std::min(s, Real(0)) : std::max(s, Real(0));
      for (std::size_t q = 0; q < 7; ++q) {
        f.flux[q] = (left ? fl : fr)[q] + outer * (star[q] - u[q]);
      }
      f.u = v + outer * (chi - 1);
      return f;
    }
    if (riemann == Riemann::hllc_lm) {
      // The centred form of Fleischmann, Adami and Adams (2020), equation by equation.
      const Real ml = l[0] * (sl - vl), mr = r[0] * (sr - vr);
      const Real contact = (r[4] - l[4] + vl * ml - vr * mr) / (ml - mr);
      const Real mach = std::max(std::fabs(vl) / sound(l), std::fabs(vr) / sound(r));
      const Real phi = std::sin(std::min(Real(1), mach / 0.1L) * std::acos(Real(-1)) / 2);
      const auto star = [&](const Seven& w, const Seven& u, Real s, Real v, Real& chi) {
        chi = (s - v) / (s - contact);
        Seven x;
        for (std::size_t q = 0; q < 7; ++q) x[q] = chi * u[q];
        x[1 + axis] = chi * w[0] * contact;
        x[4] = chi * (u[4] + (contact - v) * (w[0] * contact + w[4] / (s - v)));
        return x;
      };
      Real chi_l, chi_r;
      const Seven left = star(l, ul, sl, vl, chi_l), right = star(r, ur, sr, vr, chi_r);
      const Real outer_l = phi * sl, outer_r = phi * sr, middle = std::fabs(contact);
      if (sl >= 0 || sr <= 0) {
        f.flux = sl >= 0 ? fl : fr;
        f.u = sl >= 0 ? vl : vr;
        return f;
      }
      for (std::size_t q = 0; q < 7; ++q) {
        f.flux[q] = (fl[q] + fr[q] + outer_l * (left[q] - ul[q]) + middle * (left[q] - right[q]) +
                     outer_r * (right[q] - ur[q])) /
                    2;
      }
      f.u =
          (vl + vr + outer_l * (chi_l - 1) + middle * (chi_l - chi_r) + outer_r * (chi_r - 1)) / 2;
      return f;
    }
    if (riemann == Riemann::rusanov) {
      const Real s = std::max(std::fabs(vl) + sound(l), std::fabs(vr) + sound(r));
      for (std::size_t q = 0; q < 7; ++q) {
        f.flux[q] = (fl[q] + fr[q]) / 2 - s * (ur[q] - ul[q]) / 2;
      }
      f.u = (vl + vr) / 2;
      return f;
    }
    sl = std::min(sl, Real(0));
    sr = std::max(sr, Real(0));
    for (std::size_t q = 0; q < 7; ++q) {
      f.flux[q] = (sr * fl[q] - sl * fr[q] + sl * sr * (ur[q] - ul[q])) / (sr - sl);
    }
    f.u = (sr * vl - sl * vr) / (sr - sl);
    return f;
  }
  // The face above cell c.
  Face face_above(const Index3& c, std::size_t axis) const {
    return face(edge_state(c, axis, 1), edge_state(moved(c, axis, 1), axis, -1), axis);
  }

  // dU/dt of a cell in total form, and how many of its edges were changed.
  Seven rate(const Index3& c, int* changed = nullptr) const {
    const Seven w = primitive(c);
    Seven r{};
    Real div = 0;
    if (changed) *changed = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (!active[axis]) continue;
      const Face upper = face_above(c, axis), lower = face_above(moved(c, axis, -1), axis);
      // Areas of the faces over that of the cell's middle; rings about the axis have a radius.
      Real below = 1, above = 1;
      if (axisymmetric && axis == 1) {
        const Real middle = Real(first_j + c[1]) + 0.5L;
        below = (middle - 0.5L) / middle;
        above = (middle + 0.5L) / middle;
        r[2] += w[4] / (middle * h[1]);
      }
      for (std::size_t v = 0; v < 7; ++v) {
        r[v] -= (above * upper.flux[v] - below * lower.flux[v]) / h[axis];
      }
      const Real du = (above * upper.u - below * lower.u) / h[axis];
      Real gamma_edges = 0, pi_edges = 0;
      for (const int side : {-1, 1}) {
        bool replaced = false;
        const Seven e = edge_state(c, axis, side, &replaced);
        gamma_edges += e[5];
        pi_edges += e[6];
        if (changed) *changed += replaced ? 1 : 0;
      }
      r[5] += (faces_source ? gamma_edges / 2 : w[5]) * du;
      r[6] += (faces_source ? pi_edges / 2 : w[6]) * du;
      div += du;
    }
    if (compaction) {
      const Real k = compaction_of(w);
      r[5] += (gamma_g - gamma_l) * k * div;
      r[6] += (pi_g - pi_l) * k * div;
    }
    return r;
  }
  // Kapila's K of two fluids.
  Real compaction_of(const Seven& w) const {
    const Real share = std::clamp((w[5] - gamma_l) / (gamma_g - gamma_l), Real(0), Real(1));
    const auto stiffness = [&](Real gamma, Real pi) {  // adiabatic exponent times p + p_c
      return (1 + 1 / gamma) * (w[4] + pi / (gamma + 1));
    };
    const Real kg = stiffness(gamma_g, pi_g), kl = stiffness(gamma_l, pi_l);
    if (share * (1 - share) <= 1e-9L || kg <= 0 || kl <= 0) return 0;
    return share * (1 - share) * (kl - kg) / ((1 - share) * kg + share * kl);
  }
  // Largest wave speeds over the spacings.
  Real signal(const Seven& w) const {
    Real sum = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      if (active[a]) sum += (std::fabs(w[1 + a]) + sound(w)) / h[a];
    }
    return sum;
  }
};

}  // namespace watersmeet::multicomponent
