#pragma once
// Derived quantities of compressible flow for output: functors of the cell form over the row of all
// nodes. Entropy and temperature refer to the free stream, so that zero and one mean undisturbed.
//
//   entropy            (p / rho^gamma) / (p / rho^gamma)_inf - 1
//   temperature        (p / rho) / (p / rho)_inf
//   total enthalpy     H = (E + p) / rho
//   cp                 (p - p_inf) / (rho_inf |u_inf|^2 / 2)
//   total temperature  T (1 + (gamma - 1)/2 M^2) over that of the free stream, which is H / H_inf
//   total pressure     p (1 + (gamma - 1)/2 M^2)^(gamma/(gamma - 1)) over that of the free stream

#include "systems/aerodynamics/equations.hpp"

namespace watersmeet::aerodynamics {

enum class Quantity : int {
  density,
  velocity,
  pressure,
  mach,
  temperature,
  entropy,
  total_enthalpy,
  cp,
  speed,
  total_pressure,
  total_temperature
};

// Numbers of the free stream that quantities refer to.
template <class R>
struct StreamScale {
  R inverse_temperature;  // rho_inf / p_inf
  R inverse_entropy;      // rho_inf^gamma / p_inf
  R pressure;
  R inverse_dynamic;  // 1 / (rho_inf |u_inf|^2 / 2); 0 in a gas at rest
  R inverse_total_enthalpy, inverse_total_pressure;
};

template <class R>
struct Derive {
  Gas<R> gas;
  StreamScale<R> scale;
  Quantity quantity;

  template <class S>
  WM_HD auto operator()(const S& s) const {
    using T = typename S::value_type;
    Conserved<T> w;
    for (int v = 0; v < n_variables; ++v) w[v] = s(v, 0, 0, 0);
    return of(w);
  }

  // The same for every node, so the choice costs nothing.
  template <class T>
  WM_HD Vec<T, 3> of(const Conserved<T>& w) const {
    const Primitive<T> f = primitive_of(w, gas);
    Vec<T, 3> value{{f.rho, T(R(0)), T(R(0))}};
    switch (quantity) {
      case Quantity::density:
        break;
      case Quantity::velocity:
        value = f.u;
        break;
      case Quantity::pressure:
        value[0] = f.p;
        break;
      case Quantity::mach:
        value[0] = sqrt_(fused_dot(f.u, f.u) * rcp_(sound_speed2(f, gas)));
        break;
      case Quantity::temperature:
        value[0] = f.p * rcp_(f.rho) * scale.inverse_temperature;
        break;
      case Quantity::entropy:
        value[0] = fma_(f.p * pow_(f.rho, -gas.gamma), T(scale.inverse_entropy), T(R(-1)));
        break;
      case Quantity::total_enthalpy:
        value[0] = total_enthalpy(w, f);
        break;
      case Quantity::cp:
        value[0] = (f.p - scale.pressure) * scale.inverse_dynamic;
        break;
      case Quantity::speed:
        value[0] = sqrt_(fused_dot(f.u, f.u));
        break;
      case Quantity::total_pressure: {
        const T mach2 = fused_dot(f.u, f.u) * rcp_(sound_speed2(f, gas));
        const T ratio = fma_(mach2, T(R(0.5) * (gas.gamma - R(1))), T(R(1)));
        const R exponent = gas.gamma / (gas.gamma - R(1));
        value[0] = f.p * scale.inverse_total_pressure * pow_(ratio, exponent);
        break;
      }
      case Quantity::total_temperature:
        value[0] = total_enthalpy(w, f) * scale.inverse_total_enthalpy;
        break;
    }
    return value;
  }
};

}  // namespace watersmeet::aerodynamics
