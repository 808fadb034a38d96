#pragma once
// Isothermal compressible Navier-Stokes equations for l = ln(rho / rho_0) and u, constant sound
// speed c, body force f:
//
//   (1)  dl/dt   = -(u.grad) l - div u
//   (2)  du_i/dt = -(u.grad) u_i - c^2 d_i l + f_i + nu [ lap u_i + 1/3 d_i div u + 2 S_ij d_j l ]
//                  + zeta [ d_i div u + (div u) d_i l ]
//   (3)  S_ij    = 1/2 (d_j u_i + d_i u_j) - 1/3 delta_ij div u
//
// Pekkila et al. (2017), Comput. Phys. Commun. 217, 11, with the optional bulk viscosity zeta. With
// (3) in (2) the two viscosities enter only as nu, nu/3 + zeta and zeta - 2 nu/3, so that bulk
// viscosity costs nothing (schemes/viscous.hpp).
//
// Two discretisations of grad div u, both of sixth order, differing by truncation error:
//   55-point: second derivatives on the diagonal, bidiagonal mixed derivatives off it, one pass;
//   19-point: D = div u stored in a pass before, its first derivatives here.
// The extended terms (upwinding, hyperviscosity, a body acceleration, forcing inside the right-hand
// side) are a separate instantiation, so that the plain kernels do not carry their registers; so is
// shock viscosity (schemes/shock.hpp), whose zeta_s is a field made before.

#include <cstdint>

#include "core/finished.hpp"
#include "core/math.hpp"
#include "core/vec.hpp"
#include "schemes/central.hpp"
#include "schemes/forcing_wave.hpp"
#include "schemes/shock.hpp"
#include "schemes/viscous.hpp"

namespace watersmeet::isothermal {

// The extra variable is div u of the 19-point method, or zeta_s.
enum Variables : int { lnrho, ux, uy, uz, n_variables, divergence = 4, shock_viscosity = 4 };
using schemes::ForcingWave;
using schemes::gradient6;
using schemes::Terms;

enum class Method : int { points55 = 0, points19 = 1 };

template <class R>
struct Coefficients {
  schemes::Weights6<R> w;
  R sound_speed_squared;
  R nu;             // kinematic viscosity
  R nu_divergence;  // nu/3 + zeta, on grad div u
  R nu_density;     // zeta - 2 nu/3, on div u grad l
  R signal_sound;   // c sqrt(sum 1/h^2)
};

template <class R>
struct ExtendedCoefficients {
  R upwind_density[3];  // 1/(60 h_a) or 0
  R upwind_velocity[3];
  R hyper[3];                       // nu_3 / h_a^6
  const R* acceleration = nullptr;  // three fields congruent with the state, or null
  std::int64_t acceleration_stride = 0;
  bool force_inside = false;  // forcing as a term of the equation instead of a kick after the step
};

template <class S, class R>
WM_HD typename S::value_type divergence_of_velocity(const S& s, const schemes::Weights6<R>& w) {
  return schemes::divergence6(s, ux, w);
}

// Upwinding, sum_a |u_a| U_a q, and hyperviscosity, nu_3 sum_a d_a^6 q, of one variable.
template <class S, class T, class R>
WM_HD T sixth_order_damping(const S& s, int var, const Vec<T, 3>& u,
                            const ExtendedCoefficients<R>& e) {
  const bool density = var == lnrho;
  const R* const up = density ? e.upwind_density : e.upwind_velocity;
  const R h0 = density ? R(0) : e.hyper[0], h1 = density ? R(0) : e.hyper[1],
          h2 = density ? R(0) : e.hyper[2];
  return (up[0] * abs_(u[0]) + h0) * schemes::sixth_difference<0>(s, var) +
         (up[1] * abs_(u[1]) + h1) * schemes::sixth_difference<1>(s, var) +
         (up[2] * abs_(u[2]) + h2) * schemes::sixth_difference<2>(s, var);
}

template <class R, Method method, Terms terms>
struct RightHandSide {
  static constexpr bool has_shock = terms == Terms::shock;
  static constexpr int outputs = n_variables;
  static constexpr int inputs =
      method == Method::points19 || has_shock ? n_variables + 1 : n_variables;
  static constexpr int radius = schemes::radius6;
  static constexpr int velocity = ux, vectors = 1;
  // Needs more registers than the plain equations.
  static constexpr bool heavy = terms != Terms::plain;
  static constexpr bool rings = !has_shock;  // 5 variables and diagonals: too many for its planes

  Coefficients<R> c;
  ExtendedCoefficients<R> e;
  ForcingWave<R> forcing;

  template <class S>
  WM_HD Vec<typename S::value_type, n_variables> operator()(const S& s) const {
    using T = typename S::value_type;
    const Vec<T, 3> u = {{s(ux, 0, 0, 0), s(uy, 0, 0, 0), s(uz, 0, 0, 0)}};
    const Vec<T, 3> grad_l = gradient6(s, lnrho, c.w);
    Vec<T, n_variables> r;
    r[lnrho] = -dot(u, grad_l);
    T nu_divergence = T(c.nu_divergence), nu_density = T(c.nu_density);
    if constexpr (has_shock) {
      const T zeta = s(shock_viscosity, 0, 0, 0);
      nu_divergence += zeta;
      nu_density += zeta;
    }
    constexpr bool mixed = method == Method::points55;
    schemes::VelocityTerms<T> t{};
    schemes::add_velocity<0, mixed>(t, s, ux, c.w, c.nu, nu_divergence, u, grad_l);
    schemes::add_velocity<1, mixed>(t, s, ux, c.w, c.nu, nu_divergence, u, grad_l);
    schemes::add_velocity<2, mixed>(t, s, ux, c.w, c.nu, nu_divergence, u, grad_l);
    r[lnrho] -= t.div;
    const T of_grad_l = nu_density * t.div - c.sound_speed_squared;
    for (int i = 0; i < 3; ++i) r[ux + i] = t.rate[i] + of_grad_l * grad_l[i];
    if constexpr (!mixed || has_shock) {
      // grad div u from the stored div u; the gradient of zeta_s.
      const Vec<T, 3> gradient = gradient6(s, n_variables, c.w);
      const T factor = has_shock ? t.div : nu_divergence;
      for (int i = 0; i < 3; ++i) r[ux + i] += factor * gradient[i];
    }
    if constexpr (terms != Terms::plain) add_extended_terms(s, u, r);
    return r;
  }

  template <class S, class T>
  WM_HD void add_extended_terms(const S& s, const Vec<T, 3>& u, Vec<T, n_variables>& r) const {
    for (int var = 0; var < n_variables; ++var) r[var] += sixth_order_damping(s, var, u, e);
    schemes::add_forces<ux>(s, e, forcing, r);
  }
};

// div u for the 19-point method's first pass.
template <class R>
struct Divergence {
  schemes::Weights6<R> w;
  template <class S>
  WM_HD typename S::value_type operator()(const S& s) const {
    return divergence_of_velocity(s, w);
  }
};

// After the last stage: the forcing kick, then the signal sum_a |u_a|/h_a + c sqrt(sum 1/h^2) of
// Pencil Code's time step, and the share of zeta_s, that of the last stage. 0 * l lets a density
// that is not finite spoil the signal, which is the health test.
template <class R, bool has_shock>
struct Finish {
  R inverse_spacing[3];
  R signal_sound;
  R signal_shock;  // cfl sum 1/h^2 over the limit of diffusive steps
  bool kick = false;
  ForcingWave<R> forcing;

  template <class T, class S>
  WM_HD Finished<T> operator()(Vec<T, n_variables>& value, const S& s) const {
    T work = T(R(0));
    if (kick) work = schemes::add_kick<ux>(value, forcing, s.i, s.j, s.k);
    return {signal(value, s), work};
  }
  template <class T, class S>
  WM_HD T signal(const Vec<T, n_variables>& value, const S& s) const {
    const T plain = inverse_spacing[0] * abs_(value[ux]) + inverse_spacing[1] * abs_(value[uy]) +
                    inverse_spacing[2] * abs_(value[uz]) + (signal_sound + R(0) * value[lnrho]);
    if constexpr (has_shock) return plain + signal_shock * s(shock_viscosity, 0, 0, 0);
    return plain;
  }
};

}  // namespace watersmeet::isothermal
