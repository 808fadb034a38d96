#pragma once
// Turns the untyped calls of kernels.hpp into typed functors: common to the CPU and CUDA
// instantiation files.

#include "systems/isothermal/kernels.hpp"

namespace watersmeet::isothermal {

template <class R>
exec::CellArrays<R> arrays_of(const StageCall& call) {
  auto a = exec::cell_arrays<R>(*call.layout, call.in, call.out, call.increment, call.box);
  if (call.extra) a.extra = static_cast<const R*>(call.extra) + call.extra_layout->first;
  return a;
}

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
ForcingWave<R> wave_of(const ForcingCall* f) {
  ForcingWave<R> w;
  if (!f || f->place == ForcingPlace::none) return w;
  const R* const t = static_cast<const R*>(f->table);
  w.vector = t;
  w.x_re = t + f->table_offset[0];
  w.x_im = w.x_re + f->table_size[0];
  w.y_re = t + f->table_offset[1];
  w.y_im = w.y_re + f->table_size[1];
  w.z_re = t + f->table_offset[2];
  w.z_im = w.z_re + f->table_size[2];
  return w;
}

template <class R>
ExtendedCoefficients<R> extended_of(const StageCall& call) {
  const Physics& p = *call.physics;
  ExtendedCoefficients<R> e{};
  for (int a = 0; a < 3; ++a) {
    const double g = p.inverse_spacing[a];
    e.upwind_density[a] = p.upwind_density ? R(g / 60.0) : R(0);
    e.upwind_velocity[a] = p.upwind_velocity ? R(g / 60.0) : R(0);
    e.hyper[a] = R(p.hyperviscosity * g * g * g * g * g * g);
  }
  if (call.acceleration) {
    e.acceleration = static_cast<const R*>(call.acceleration) + call.acceleration_layout->first;
    e.acceleration_stride = call.acceleration_layout->stride_var;
  }
  return e;
}

template <class R, Method method, bool extended>
RightHandSide<R, method, extended> right_hand_side_of(const StageCall& call) {
  RightHandSide<R, method, extended> rhs{};
  rhs.c = coefficients_of<R>(*call.physics);
  rhs.e = extended_of<R>(call);
  if (call.forcing && call.forcing->place == ForcingPlace::inside) {
    rhs.e.force_inside = true;
    rhs.forcing = wave_of<R>(call.forcing);
  }
  return rhs;
}

template <class R>
Finish<R> finish_of(const StageCall& call) {
  Finish<R> f{};
  for (int a = 0; a < 3; ++a) f.inverse_spacing[a] = R(call.physics->inverse_spacing[a]);
  f.signal_sound = R(signal_of_sound(*call.physics));
  if (call.forcing && call.forcing->place == ForcingPlace::kick) {
    f.kick = true;
    f.forcing = wave_of<R>(call.forcing);
  }
  return f;
}

template <class R>
Diagnose<R> diagnose_of(const StageCall& call) {
  Diagnose<R> d{};
  d.w = schemes::make_weights6<R>(call.physics->inverse_spacing);
  d.rho_0 = R(call.physics->reference_density);
  d.nu = R(call.physics->viscosity);
  d.zeta = R(call.physics->bulk_viscosity);
  d.e = extended_of<R>(call);
  d.numerical = call.physics->upwind_velocity || call.physics->hyperviscosity > 0;
  return d;
}

template <class R>
Evaluate<R> evaluate_of(const StageCall& call, Quantity quantity) {
  const Physics& p = *call.physics;
  return {schemes::make_weights6<R>(p.inverse_spacing), R(p.reference_density),
          R(p.sound_speed * p.sound_speed), quantity};
}

}  // namespace watersmeet::isothermal
