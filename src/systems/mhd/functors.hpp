#pragma once
// The functors of the MHD system, made of the parameters of a case and rounded once to the precision of the loops.

#include <cmath>

#include "systems/mhd/loops.hpp"

namespace watersmeet::mhd {

template <class R>
Coefficients<R> coefficients_of(const Physics& p) {
  Coefficients<R> c;
  c.w = schemes::make_weights6<R>(p.inverse_spacing);
  for (int a = 0; a < 3; ++a) c.background[a] = R(p.background[a]);
  c.sound_speed_squared = R(p.sound_speed * p.sound_speed);
  c.gamma = R(p.gamma);
  c.gamma_1 = R(p.gamma - 1);
  c.nu = R(p.viscosity);
  c.zeta = R(p.bulk_viscosity);
  c.eta = R(p.resistivity);
  c.eta_gauge = p.resistive_gauge ? R(0) : R(p.resistivity);
  c.inverse_mass_permeability = R(1.0 / (p.permeability * p.reference_density));
  c.chi = R(p.thermal_diffusivity);
  c.conductivity = R(p.conductivity / (p.reference_density * p.heat_capacity));
  return c;
}

template <class R>
ExtendedCoefficients<R> extended_of(const Case& of) {
  const Physics& p = of.physics;
  ExtendedCoefficients<R> e{};
  for (int a = 0; a < 3; ++a) {
    const double g = p.inverse_spacing[a];
    for (int group = 0; group < 4; ++group) {
      e.upwind[group][a] = p.upwind[group] ? R(g / 60.0) : R(0);
      e.hyper[group][a] = R(p.hyper[group] * g * g * g * g * g * g);
    }
  }
  if (of.acceleration) {
    e.acceleration = static_cast<const R*>(of.acceleration) + of.acceleration_layout->first;
    e.acceleration_stride = of.acceleration_layout->stride_var;
  }
  return e;
}

template <class Number, bool has_entropy, bool has_shock>
struct Functors {
  using real = Number;
  using R = Number;
  using Case = mhd::Case;

  template <class Rhs>
  static Rhs right_hand_side(const Case& of) {
    Rhs rhs{};
    rhs.c = coefficients_of<R>(of.physics);
    rhs.e = extended_of<R>(of);
    if constexpr (requires { rhs.forcing; }) {
      if (of.forcing.place == systems::ForcingPlace::inside) {
        rhs.e.force_inside = true;
        rhs.forcing = systems::wave_of<R>(of.forcing);
      }
    }
    return rhs;
  }
  static Finish<R, has_entropy, has_shock> finish(const Case& of) {
    const Physics& p = of.physics;
    const double* const g = p.inverse_spacing;
    Finish<R, has_entropy, has_shock> f{};
    f.shock = R(p.shock_signal);
    f.c = coefficients_of<R>(p);
    for (int a = 0; a < 3; ++a) f.inverse_spacing[a] = R(g[a]);
    f.inverse_length = p.kinematic ? R(0) : R(std::sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]));
    f.conduction =
        R(p.conduction_signal * p.conductivity / (p.reference_density * p.heat_capacity));
    if (of.forcing.place == systems::ForcingPlace::kick) {
      f.kick = true;
      f.forcing = systems::wave_of<R>(of.forcing);
    }
    return f;
  }
  static systems::PrepareForcing<R> preparation(const Case& of) { return {of.forcing}; }
  static Diagnose<R, has_entropy, has_shock> diagnose(const Case& of, const exec::Launch&) {
    return {coefficients_of<R>(of.physics), R(of.physics.reference_density),
            R(of.physics.permeability)};
  }
  static auto signal(const Case& of, const exec::Launch&) {
    return systems::MeasureSignal<Finish<R, has_entropy, has_shock>, variables_of<has_entropy>,
                                  has_shock>{finish(of)};
  }
  static Evaluate<R, has_entropy, has_shock> evaluate(const Case& of, const exec::Launch& l,
                                                      int quantity) {
    const Physics& p = of.physics;
    return {diagnose(of, l), R(p.sound_speed * p.sound_speed / ((p.gamma - 1) * p.heat_capacity)),
            static_cast<Quantity>(quantity)};
  }
};

}  // namespace watersmeet::mhd
