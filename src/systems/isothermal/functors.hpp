#pragma once
// The functors of the isothermal system, made of the parameters of a case and rounded once to the precision of the loops.

#include "systems/isothermal/loops.hpp"

namespace watersmeet::isothermal {

inline double signal_of_sound(const Physics& p) {
  const double* const g = p.inverse_spacing;
  return p.sound_speed * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
}

template <class R>
Coefficients<R> coefficients_of(const Physics& p) {
  Coefficients<R> c;
  c.w = schemes::make_weights6<R>(p.inverse_spacing);
  c.sound_speed_squared = R(p.sound_speed * p.sound_speed);
  c.nu = R(p.viscosity);
  c.nu_divergence = R(p.viscosity / 3.0 + p.bulk_viscosity);
  c.nu_density = R(p.bulk_viscosity - 2.0 * p.viscosity / 3.0);
  c.signal_sound = R(signal_of_sound(p));
  return c;
}

template <class R>
ExtendedCoefficients<R> extended_of(const Case& of) {
  const Physics& p = of.physics;
  ExtendedCoefficients<R> e{};
  for (int a = 0; a < 3; ++a) {
    const double g = p.inverse_spacing[a];
    e.upwind_density[a] = p.upwind_density ? R(g / 60.0) : R(0);
    e.upwind_velocity[a] = p.upwind_velocity ? R(g / 60.0) : R(0);
    e.hyper[a] = R(p.hyperviscosity * g * g * g * g * g * g);
  }
  if (of.acceleration) {
    e.acceleration = static_cast<const R*>(of.acceleration) + of.acceleration_layout->first;
    e.acceleration_stride = of.acceleration_layout->stride_var;
  }
  return e;
}

template <class Number, bool has_shock>
struct Functors {
  using real = Number;
  using R = Number;
  using Case = isothermal::Case;

  template <class Rhs>
  static Rhs right_hand_side(const Case& of) {
    Rhs rhs{};
    rhs.c = coefficients_of<R>(of.physics);
    rhs.e = extended_of<R>(of);
    if (of.forcing.place == ForcingPlace::inside) {
      rhs.e.force_inside = true;
      rhs.forcing = systems::wave_of<R>(of.forcing);
    }
    return rhs;
  }
  static Finish<R, has_shock> finish(const Case& of) {
    Finish<R, has_shock> f{};
    for (int a = 0; a < 3; ++a) f.inverse_spacing[a] = R(of.physics.inverse_spacing[a]);
    f.signal_sound = R(signal_of_sound(of.physics));
    f.signal_shock = R(of.physics.shock_signal);
    if (of.forcing.place == ForcingPlace::kick) {
      f.kick = true;
      f.forcing = systems::wave_of<R>(of.forcing);
    }
    return f;
  }
  static systems::PrepareForcing<R> preparation(const Case& of) { return {of.forcing}; }
  static Diagnose<R, has_shock> diagnose(const Case& of, const exec::Launch&) {
    const Physics& p = of.physics;
    return {schemes::make_weights6<R>(p.inverse_spacing),
            R(p.reference_density),
            R(p.viscosity),
            R(p.bulk_viscosity),
            extended_of<R>(of),
            p.upwind_velocity || p.hyperviscosity > 0};
  }
  static auto signal(const Case& of, const exec::Launch&) {
    return systems::MeasureSignal<Finish<R, has_shock>, n_variables, has_shock>{finish(of)};
  }
  static Evaluate<R, has_shock> evaluate(const Case& of, const exec::Launch& l, int quantity) {
    const double c = of.physics.sound_speed;
    return {diagnose(of, l), R(c * c), R(c > 0 ? 1 / c : 0), static_cast<Quantity>(quantity)};
  }
};

}  // namespace watersmeet::isothermal
