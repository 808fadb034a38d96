#pragma once
// Compressible magnetohydrodynamics for l = ln(rho / rho_0), u, the vector potential A and, with an energy equation, the specific entropy
// q = s / c_p of an ideal gas:
//
//   B       = B_0 + curl A,        j = mu_0 J = curl curl A = grad div A - lap A
//   Dl/Dt   = -div u
//   Du/Dt   = -c_s^2 grad(q + l) + j x B / (mu_0 rho) + nu [ lap u + 1/3 grad div u + 2 S.grad l ]
//             + zeta [ grad div u + (div u) grad l ] + g + f
//   dA/dt   = u x B - eta j        Weyl gauge, or with + eta lap A in place of - eta j: the two differ by grad(eta div A)
//   Dq/Dt   = (gamma - 1) / (rho c_s^2) [ eta j^2 / mu_0 + 2 rho nu S:S + zeta rho (div u)^2 ]
//             + chi [ lap lnT + grad lnT . (grad lnT + grad l) ]                      constant chi
//             + K / (rho c_p) [ lap lnT + grad lnT . grad lnT ]                       constant K
//   c_s^2   = c_0^2 exp[ gamma q + (gamma - 1) l ],   ln(T/T_0) = gamma q + (gamma - 1) l,   p = rho c_s^2 / gamma
//   S_ij    = 1/2 (d_j u_i + d_i u_j) - 1/3 delta_ij div u,   D/Dt = d/dt + u.grad
//
// Shock viscosity adds zeta_s to zeta, and (div u) grad zeta_s to Du/Dt (schemes/shock.hpp); zeta_s is the extra variable of the loops.
// Without the energy equation (isothermal flow) c_s = c_0 and q = 0. In a prescribed (kinematic) flow only A changes. Sources: Brandenburg (2003), "Computational aspects of astrophysical
// MHD and turbulence", sections 2 and 5; Pencil Code manual, chapter 6. All derivatives are central, of sixth order, second ones with
// stencils of their own; mixed ones are bidiagonal (schemes/central.hpp). div B = 0 to round-off with the first derivatives that make
// curl A, since these commute.

#include <cstdint>

#include "core/finished.hpp"
#include "core/hold_reads.hpp"
#include "core/math.hpp"
#include "core/vec.hpp"
#include "schemes/central.hpp"
#include "schemes/forcing_wave.hpp"
#include "schemes/shock.hpp"
#include "schemes/viscous.hpp"

namespace watersmeet::mhd {

using schemes::curl6;
using schemes::ForcingWave;
using schemes::gradient6;
using schemes::laplacian6;
using schemes::SecondDerivatives;
using schemes::Terms;

enum Variables : int { lnrho = 0, ux = 1, uy = 2, uz = 3, ax = 4, ay = 5, az = 6, entropy = 7 };
template <bool has_entropy>
constexpr int variables_of = has_entropy ? 8 : 7;

template <class R>
struct Coefficients {
  schemes::Weights6<R> w;
  R background[3];        // B_0
  R sound_speed_squared;  // c_0^2
  R gamma, gamma_1;       // gamma and gamma - 1
  R nu, zeta;             // shear and bulk viscosity
  R eta, eta_gauge;       // eta; the part of grad div A in dA/dt: eta in the Weyl gauge, else 0
  R inverse_mass_permeability;  // 1 / (mu_0 rho_0)
  R chi, conductivity;          // chi; K / (rho_0 c_p)
};

template <class R>
struct ExtendedCoefficients {
  R upwind[4][3];  // 1/(60 h_a) or 0, of l, u, A and q
  R hyper[4][3];   // nu_3, eta_3 and chi_3 over h_a^6, in the same places; none on l
  const R* acceleration = nullptr;  // three fields congruent with the state, or null
  std::int64_t acceleration_stride = 0;
  bool force_inside = false;  // forcing as a term of the equation instead of a kick after the step
};
WM_HD constexpr int group_of(int variable) {
  return variable == lnrho ? 0 : variable < ax ? 1 : variable < entropy ? 2 : 3;
}

// B_0 + curl A.
template <class S, class R>
WM_HD Vec<typename S::value_type, 3> magnetic_field(const S& s, const Coefficients<R>& c) {
  Vec<typename S::value_type, 3> b = curl6(s, ax, c.w);
  for (int a = 0; a < 3; ++a) b[a] += c.background[a];
  return b;
}

// c_s^2 of a cell. With an energy equation c_0^2 exp[gamma q + (gamma - 1) l].
template <bool has_entropy, class S, class R>
WM_HD typename S::value_type sound_speed_squared(const S& s, const Coefficients<R>& c) {
  using T = typename S::value_type;
  if constexpr (has_entropy)
    return c.sound_speed_squared *
           exp_(c.gamma * s(entropy, 0, 0, 0) + c.gamma_1 * s(lnrho, 0, 0, 0));
  return T(c.sound_speed_squared);
}

// S:S of the velocity gradients, which are added component by component: g[j] = d_j u_m.
template <class T>
class StrainSquared {
 public:
  template <int m>
  WM_HD void add(const Vec<T, 3>& g) {
    using R = RealOf<T>;
    diagonal_ += sq(g[m]);
    if constexpr (m == 0) {
      xy_ = g[1];
      xz_ = g[2];
    } else if constexpr (m == 1) {
      diagonal_ += R(0.5) * sq(xy_ + g[0]);
      yz_ = g[2];
    } else {
      diagonal_ += R(0.5) * (sq(xz_ + g[0]) + sq(yz_ + g[1]));
    }
  }
  WM_HD T of(const T& div) const { return diagonal_ - RealOf<T>(1.0 / 3.0) * sq(div); }

 private:
  T diagonal_{}, xy_{}, xz_{}, yz_{};
};

// Upwinding, sum_a |u_a| U_a f, and hyperviscosity, nu_3 sum_a d_a^6 f, of one variable.
template <class S, class T, class R>
WM_HD T sixth_order_damping(const S& s, int var, const Vec<T, 3>& u,
                            const ExtendedCoefficients<R>& e) {
  const R* const up = e.upwind[group_of(var)];
  const R* const hyper = e.hyper[group_of(var)];
  return (up[0] * abs_(u[0]) + hyper[0]) * schemes::sixth_difference<0>(s, var) +
         (up[1] * abs_(u[1]) + hyper[1]) * schemes::sixth_difference<1>(s, var) +
         (up[2] * abs_(u[2]) + hyper[2]) * schemes::sixth_difference<2>(s, var);
}

template <class T>
struct Magnetic {
  Vec<T, 3> b, j;  // B; mu_0 J
  Vec<T, 3> rate;  // dA/dt = u x B - eta j, or u x B + eta lap A
};

// All derivatives of A, component by component, before those of u begin: so few values are alive at a time. With all first derivatives in
// front the ring's kernels of full MHD spilled 428 bytes in single and 656 in double precision (nvcc 13.0, sm_90) and took 2.6 and 2.0
// times as long.
template <class S, class R>
WM_HD Magnetic<typename S::value_type> magnetic(const S& s, const Vec<typename S::value_type, 3>& u,
                                                const Coefficients<R>& c) {
  using T = typename S::value_type;
  using schemes::first6;
  SecondDerivatives<T> a{};
  Magnetic<T> m;
  for (int i = 0; i < 3; ++i) m.b[i] = T(c.background[i]);
  schemes::add_component<0>(a, s, ax, c.w);
  m.b[1] += first6<2>(s, ax, c.w);
  m.b[2] -= first6<1>(s, ax, c.w);
  hold_reads<S>();
  schemes::add_component<1>(a, s, ax, c.w);
  m.b[0] -= first6<2>(s, ay, c.w);
  m.b[2] += first6<0>(s, ay, c.w);
  hold_reads<S>();
  schemes::add_component<2>(a, s, ax, c.w);
  m.b[0] += first6<1>(s, az, c.w);
  m.b[1] -= first6<0>(s, az, c.w);
  hold_reads<S>();
  m.rate = cross(u, m.b);
  for (int i = 0; i < 3; ++i) {
    m.j[i] = a.grad_div[i] - a.laplacian[i];
    m.rate[i] = m.rate[i] + c.eta * a.laplacian[i] - c.eta_gauge * a.grad_div[i];
  }
  return m;
}

// In a prescribed flow: l and u stay as they are.
template <class R>
struct KinematicRightHandSide {
  static constexpr int outputs = variables_of<false>, inputs = outputs;
  static constexpr int radius = schemes::radius6;
  static constexpr int velocity = ux, vectors = 2;  // then the potential
  static constexpr bool heavy = false;
  static constexpr bool has_entropy = false, has_shock = false;

  Coefficients<R> c;
  ExtendedCoefficients<R> e;

  template <class S>
  WM_HD Vec<typename S::value_type, outputs> operator()(const S& s) const {
    using T = typename S::value_type;
    const Vec<T, 3> u = {{s(ux, 0, 0, 0), s(uy, 0, 0, 0), s(uz, 0, 0, 0)}};
    const Vec<T, 3> rate = magnetic(s, u, c).rate;
    Vec<T, outputs> r;
    for (int v = 0; v < ax; ++v) r[v] = T(R(0));
    for (int i = 0; i < 3; ++i) r[ax + i] = rate[i] + sixth_order_damping(s, ax + i, u, e);
    return r;
  }
};

template <class R, bool with_entropy, Terms terms>
struct RightHandSide {
  static constexpr bool has_entropy = with_entropy, has_shock = terms == Terms::shock;
  static constexpr int outputs = variables_of<has_entropy>, inputs = outputs + (has_shock ? 1 : 0);
  static constexpr int radius = schemes::radius6;
  static constexpr int velocity = ux, vectors = 2;  // then the potential
  static constexpr bool heavy = terms != Terms::plain;
  static constexpr bool rings = !has_shock;  // its planes have no room for one more variable

  Coefficients<R> c;
  ExtendedCoefficients<R> e;
  ForcingWave<R> forcing;

  template <class S>
  WM_HD Vec<typename S::value_type, outputs> operator()(const S& s) const {
    using T = typename S::value_type;
    const Vec<T, 3> u = {{s(ux, 0, 0, 0), s(uy, 0, 0, 0), s(uz, 0, 0, 0)}};
    const T inverse_rho = exp_(-s(lnrho, 0, 0, 0));  // rho_0 / rho
    Vec<T, outputs> r;
    const Magnetic<T> m = magnetic(s, u, c);
    const Vec<T, 3> lorentz = cross(m.j, m.b);
    const T j2 = dot(m.j, m.j);

    for (int i = 0; i < 3; ++i) r[ax + i] = m.rate[i];

    const Vec<T, 3> grad_l = gradient6(s, lnrho, c.w);
    T lap_l{};
    if constexpr (has_entropy) lap_l = laplacian6(s, lnrho, c.w);
    hold_reads<S>();
    const T bulk = bulk_viscosity(s);
    const T nu_divergence = R(1.0 / 3.0) * c.nu + bulk, nu_density = bulk - R(2.0 / 3.0) * c.nu;
    schemes::VelocityTerms<T> t{};
    for (int i = 0; i < 3; ++i) t.rate[i] = c.inverse_mass_permeability * inverse_rho * lorentz[i];
    StrainSquared<T> strain;
    strain.template add<0>(schemes::add_velocity<0>(t, s, ux, c.w, c.nu, nu_divergence, u, grad_l));
    strain.template add<1>(schemes::add_velocity<1>(t, s, ux, c.w, c.nu, nu_divergence, u, grad_l));
    strain.template add<2>(schemes::add_velocity<2>(t, s, ux, c.w, c.nu, nu_divergence, u, grad_l));
    r[lnrho] = -(dot(u, grad_l) + t.div);
    const T cs2 = sound_speed_squared<has_entropy>(s, c);
    Vec<T, 3> pressure = grad_l;  // grad(q + l)
    if constexpr (has_entropy) {
      const Vec<T, 3> grad_q = gradient6(s, entropy, c.w);
      for (int i = 0; i < 3; ++i) pressure[i] += grad_q[i];
      r[entropy] = -dot(u, grad_q) + heating(strain.of(t.div), t.div, bulk, j2, inverse_rho, cs2) +
                   conduction(grad_l, lap_l, grad_q, laplacian6(s, entropy, c.w), inverse_rho);
    }
    for (int i = 0; i < 3; ++i)
      r[ux + i] = t.rate[i] + nu_density * t.div * grad_l[i] - cs2 * pressure[i];
    if constexpr (has_shock) {
      const Vec<T, 3> gradient = gradient6(s, outputs, c.w);  // of zeta_s
      for (int i = 0; i < 3; ++i) r[ux + i] += t.div * gradient[i];
    }
    if constexpr (terms != Terms::plain) add_extended_terms(s, u, r);
    return r;
  }

  // zeta + zeta_s.
  template <class S>
  WM_HD typename S::value_type bulk_viscosity(const S& s) const {
    using T = typename S::value_type;
    if constexpr (has_shock) return c.zeta + s(outputs, 0, 0, 0);
    return T(c.zeta);
  }

  // What viscosity and resistance give to q. j2 = |j|^2.
  template <class T>
  WM_HD T heating(const T& strain_squared, const T& div, const T& bulk, const T& j2,
                  const T& inverse_rho, const T& cs2) const {
    const T power = R(2) * c.nu * strain_squared + bulk * sq(div) +
                    c.eta * c.inverse_mass_permeability * inverse_rho * j2;
    return c.gamma_1 * power / cs2;
  }

  template <class T>
  WM_HD T conduction(const Vec<T, 3>& grad_l, const T& lap_l, const Vec<T, 3>& grad_q,
                     const T& lap_q, const T& inverse_rho) const {
    Vec<T, 3> grad_t;  // of ln T
    for (int i = 0; i < 3; ++i) grad_t[i] = c.gamma * grad_q[i] + c.gamma_1 * grad_l[i];
    const T lap_t = c.gamma * lap_q + c.gamma_1 * lap_l;
    const T common = lap_t + dot(grad_t, grad_t);
    return c.chi * (common + dot(grad_t, grad_l)) + c.conductivity * inverse_rho * common;
  }

  template <class S, class T>
  WM_HD void add_extended_terms(const S& s, const Vec<T, 3>& u, Vec<T, outputs>& r) const {
    for (int var = 0; var < outputs; ++var) r[var] += sixth_order_damping(s, var, u, e);
    schemes::add_forces<ux>(s, e, forcing, r);
  }
};

// After the last stage: the forcing kick, then the signal sum_a |u_a|/h_a + sqrt(c_s^2 + v_A^2) sqrt(sum 1/h^2) of Pencil Code's time step,
// v_A^2 = B^2 / (mu_0 rho). B takes derivatives, and the new A of the cells beside is not known yet: sound and Alfven speed are those of
// the last stage's input. 0 * value lets a value that is not finite spoil the signal, which is the health test.
template <class R, bool has_entropy, bool has_shock>
struct Finish {
  static constexpr int variables = variables_of<has_entropy>;
  Coefficients<R> c;
  R inverse_spacing[3];
  R inverse_length;  // sqrt(sum 1/h^2); 0 in a prescribed flow, which carries no waves
  R conduction;  // what K / (rho_0 c_p) exp(-l) is multiplied by for its share of the signal, see functors.hpp
  R shock;  // the same for zeta_s
  bool kick = false;
  ForcingWave<R> forcing;

  template <class T, class S>
  WM_HD Finished<T> operator()(Vec<T, variables>& value, const S& s) const {
    T work = T(R(0));
    if (kick) work = schemes::add_kick<ux>(value, forcing, s.i, s.j, s.k);
    return {signal(value, s), work};
  }
  template <class T, class S>
  WM_HD T signal(const Vec<T, variables>& value, const S& s) const {
    const Vec<T, 3> b = magnetic_field(s, c);
    const T inverse_rho = exp_(-s(lnrho, 0, 0, 0));
    const T waves = sqrt_(sound_speed_squared<has_entropy>(s, c) +
                          c.inverse_mass_permeability * inverse_rho * dot(b, b));
    T health = value[lnrho];
    for (int v = ax; v < variables; ++v) health += value[v];
    T largest = inverse_spacing[0] * abs_(value[ux]) + inverse_spacing[1] * abs_(value[uy]) +
                inverse_spacing[2] * abs_(value[uz]) + inverse_length * waves;
    if constexpr (has_entropy) largest += conduction * inverse_rho;
    if constexpr (has_shock) largest += shock * s(variables, 0, 0, 0);
    return largest + R(0) * health;
  }
};

}  // namespace watersmeet::mhd
