#pragma once
// Numerical fluxes through an area vector from the two states of an interface or a boundary, and
// the |A| d of matrix dissipation:
//
//   central    (F_l + F_r)/2
//   Roe        (F_l + F_r)/2 - |A(Roe average)| (W_r - W_l)/2         Roe (1981)
//   HLLE       (b+ F_l - b- F_r + b+ b- (W_r - W_l))/(b+ - b-)        Einfeldt (1988)
//   Rusanov    (F_l + F_r)/2 - max(lambda_l, lambda_r) (W_r - W_l)/2
//
// Roe's |A| d is the sum of alpha_i |lambda_i| K_i over the waves of d (Toro 2009, section 11.2):
//   lambda  = U - c, U, U + c                     with the unit normal n, U = n . u, H of the mean
//   alpha_1 = (dp - rho c dU) / (2 c^2)           K_1 = (1, u - c n, H - c U)
//   alpha_2 = drho - dp / c^2                     K_2 = (1, u, |u|^2 / 2)
//   alpha_3 = (dp + rho c dU) / (2 c^2)           K_3 = (1, u + c n, H + c U)
//   shear     rho (du - dU n)                     (0, rho (du - dU n), rho u . (du - dU n))
// Below the sums over the two acoustic waves stand first, which is the same in exact arithmetic.
//
// All of them are odd under an exchange of the states together with the sign of the area vector, in
// exact arithmetic and, with the sums grouped as below, to the last bit where the compiler does not
// contract products and sums: what one block loses the other gains.

#include "systems/aerodynamics/entropy.hpp"

namespace watersmeet::aerodynamics {

// Where the Jacobian is taken.
template <class T>
struct Mean {
  Vec<T, 3> u;
  T enthalpy;  // H
  T q2;        // |u|^2 / 2
  T c2, c;
};

namespace detail {

template <class T>
WM_HD Mean<T> mean_of(const Vec<T, 3>& u, const T& enthalpy, const Gas<RealOf<T>>& gas) {
  using R = RealOf<T>;
  Mean<T> mean;
  mean.u = u;
  mean.enthalpy = enthalpy;
  mean.q2 = R(0.5) * dot(u, u);
  mean.c2 = max_((gas.gamma - R(1)) * (enthalpy - mean.q2), T(gas.smallest_c2));
  mean.c = root_(mean.c2);
  return mean;
}

// Length of an area vector, and the vector of length 1; both zero on a degenerate face.
template <class T>
struct Normal {
  T length;
  Vec<T, 3> a;
};
template <class T>
WM_HD Normal<T> normal_of(const Area<T>& area) {
  using R = RealOf<T>;
  Normal<T> n;
  n.length = sqrt_(dot(area, area));
  const T inverse = rcp_(max_(n.length, T(R(1e-30))));
  for (int m = 0; m < 3; ++m) n.a[m] = area[m] * inverse;
  return n;
}

}  // namespace detail

// Roe's average: weights sqrt(rho). |A| at it maps the jump of a single wave to itself.
template <class T>
WM_HD Mean<T> roe_mean(const Conserved<T>& wl, const Primitive<T>& l, const Conserved<T>& wr,
                       const Primitive<T>& r, const Gas<RealOf<T>>& gas) {
  const T weight_l = root_(l.rho), weight_r = root_(r.rho);
  const T share = rcp_(weight_l + weight_r);
  Vec<T, 3> u;
  for (int m = 0; m < 3; ++m) u[m] = (weight_l * l.u[m] + weight_r * r.u[m]) * share;
  const T h = (weight_l * total_enthalpy(wl, l) + weight_r * total_enthalpy(wr, r)) * share;
  return detail::mean_of(u, h, gas);
}

// The state in the middle of a stencil, for matrix dissipation.
template <class T>
WM_HD Mean<T> mean_at(const Conserved<T>& w, const Gas<RealOf<T>>& gas) {
  const Primitive<T> f = primitive_of(w, gas);
  return detail::mean_of(f.u, total_enthalpy(w, f), gas);
}

// Floors of |eigenvalue| as shares of |U| + c |S|: of the acoustic ones, and of the threefold U.
template <class R>
struct EigenvalueFloors {
  R acoustic, linear;
};

// |A(mean; area)| d by the waves of d, which holds conserved values.
template <class T>
WM_HD Conserved<T> absolute_jacobian(const Mean<T>& mean, const Area<T>& area,
                                     const Conserved<T>& d, const Gas<RealOf<T>>& gas,
                                     const EigenvalueFloors<RealOf<T>>& floors) {
  using R = RealOf<T>;
  const detail::Normal<T> n = detail::normal_of(area);
  const Vec<T, 3> dm{{d[s_mx], d[s_my], d[s_mz]}};
  const T u = dot(n.a, mean.u);
  const T radius = abs_(u) + mean.c;
  const T l1 = max_(abs_(u - mean.c), floors.acoustic * radius) * n.length;
  const T l2 = max_(abs_(u), floors.linear * radius) * n.length;
  const T l3 = max_(abs_(u + mean.c), floors.acoustic * radius) * n.length;
  // Strengths of the waves: acoustic a1 and a3, entropy a2, shear t.
  const T dp = (gas.gamma - R(1)) * (mean.q2 * d[s_rho] - dot(mean.u, dm) + d[s_energy]);
  const T du = dot(n.a, dm) - u * d[s_rho];  // rho times the jump of the normal velocity
  const T inverse_c2 = rcp_(mean.c2);
  const T half = R(0.5) * inverse_c2;
  const T la1 = l1 * (half * (dp - mean.c * du));
  const T la3 = l3 * (half * (dp + mean.c * du));
  const T a2 = d[s_rho] - dp * inverse_c2;
  // Exchanging the sides exchanges the two acoustic waves: only their sum and difference appear.
  const T both = la1 + la3, push = mean.c * (la3 - la1);
  Conserved<T> result;
  result[s_rho] = both + l2 * a2;
  T shear_work = T(R(0));
  for (int m = 0; m < 3; ++m) {
    const T t = dm[m] - mean.u[m] * d[s_rho] - n.a[m] * du;
    shear_work = shear_work + mean.u[m] * t;
    result[s_mx + m] = (mean.u[m] * both + n.a[m] * push) + l2 * (a2 * mean.u[m] + t);
  }
  result[s_energy] = (mean.enthalpy * both + u * push) + l2 * (a2 * mean.q2 + shear_work);
  return result;
}

// The last two add no dissipation: for tests of conservation.
enum class Upwinding : int { roe, hlle, rusanov, central, entropy_conservative };

template <class T>
WM_HD Conserved<T> central_flux(const Conserved<T>& fl, const Conserved<T>& fr) {
  using R = RealOf<T>;
  Conserved<T> f;
  for (int v = 0; v < n_variables; ++v) f[v] = R(0.5) * (fl[v] + fr[v]);
  return f;
}

template <class T>
WM_HD Conserved<T> hlle_flux(const Conserved<T>& wl, const Primitive<T>& l, const Conserved<T>& wr,
                             const Primitive<T>& r, const Area<T>& area,
                             const Gas<RealOf<T>>& gas) {
  using R = RealOf<T>;
  const Mean<T> mean = roe_mean(wl, l, wr, r, gas);
  const detail::Normal<T> n = detail::normal_of(area);
  const T u = dot(n.a, mean.u), none = T(R(0));
  const T lowest = min_(u - mean.c, dot(n.a, l.u) - sqrt_(sound_speed2(l, gas)));
  const T highest = max_(u + mean.c, dot(n.a, r.u) + sqrt_(sound_speed2(r, gas)));
  const T lower = min_(lowest, none), upper = max_(highest, none);
  const T share = rcp_(upper - lower);
  const Conserved<T> fl = flux(wl, l, area), fr = flux(wr, r, area);
  const T weight_l = upper * share, weight_r = -lower * share;
  const T jump = upper * lower * share * n.length;
  Conserved<T> f;
  for (int v = 0; v < n_variables; ++v) {
    f[v] = (weight_l * fl[v] + weight_r * fr[v]) + jump * (wr[v] - wl[v]);
  }
  return f;
}

// Numerical flux from the left state to the right one; the area vector points from left to right.
// entropy_fix: smallest |eigenvalue| of Roe's flux as a share of |U| + c |S|.
template <class T>
WM_HD Conserved<T> numerical_flux(Upwinding upwinding, const Conserved<T>& wl,
                                  const Conserved<T>& wr, const Area<T>& area,
                                  const Gas<RealOf<T>>& gas, RealOf<T> entropy_fix) {
  using R = RealOf<T>;
  const Primitive<T> l = primitive_of(wl, gas), r = primitive_of(wr, gas);
  if (upwinding == Upwinding::hlle) return hlle_flux(wl, l, wr, r, area, gas);
  if (upwinding == Upwinding::entropy_conservative) {
    return entropy_conservative_flux(l, r, area, gas);
  }
  Conserved<T> f = central_flux(flux(wl, l, area), flux(wr, r, area));
  if (upwinding == Upwinding::central) return f;
  Conserved<T> jump;
  for (int v = 0; v < n_variables; ++v) jump[v] = wr[v] - wl[v];
  if (upwinding == Upwinding::rusanov) {
    const T radius = max_(spectral_radius(l, area, gas), spectral_radius(r, area, gas));
    for (int v = 0; v < n_variables; ++v) f[v] = f[v] - R(0.5) * (radius * jump[v]);
    return f;
  }
  const Conserved<T> upwind =
      absolute_jacobian(roe_mean(wl, l, wr, r, gas), area, jump, gas, {entropy_fix, entropy_fix});
  for (int v = 0; v < n_variables; ++v) f[v] = f[v] - R(0.5) * upwind[v];
  return f;
}

}  // namespace watersmeet::aerodynamics
