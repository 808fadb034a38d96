#pragma once
// What is watched over all nodes: a sampler of the reduce form (exec/reduce_cpu.hpp).

#include <cstdint>

#include "exec/sample.hpp"
#include "systems/aerodynamics/scheme/node_scheme.hpp"

namespace watersmeet::aerodynamics {

namespace diagnosis {
// (R/V)^2 per equation, supersonic nodes, and volume integrals (H-norm).
enum Sum : int { residual, supersonic = n_variables, mass, energy, entropy, n_sums };
enum Maximum : int { density_residual, enthalpy_error, n_maxima };
constexpr int sums = n_sums, maxima = n_maxima;
}  // namespace diagnosis

template <class R>
struct Diagnosis {
  static constexpr int sums = diagnosis::sums, maxima = diagnosis::maxima;
  static constexpr int extra_index = -1;

  FlowModel<R> model;
  TableAddress<R> residual;        // R, [variable][pitch]
  TableAddress<R> inverse_volume;  // 1/V
  TableAddress<R> node_volume;     // V H
  std::int64_t pitch = 0;
  R enthalpy = R(1);  // of the free stream

  template <class S>
  WM_HD auto operator()(const S& s) const {
    using T = typename S::value_type;
    const std::int64_t node = s.offset;
    const T inverse = load_as<T>(inverse_volume + node), weight = load_as<T>(node_volume + node);
    Conserved<T> w;
    exec::Sample<T, sums, maxima> sample;
    for (int v = 0; v < n_variables; ++v) {
      w[v] = s(v, 0, 0, 0);
      const T rate = inverse * load_as<T>(residual + v * pitch + node);
      sample.sum[diagnosis::residual + v] = rate * rate;
      if (v == s_rho) sample.maximum[diagnosis::density_residual] = abs_(rate);
    }
    const Primitive<T> f = primitive_of(w, model.gas);
    const auto fast = dot(f.u, f.u) > sound_speed2(f, model.gas);
    sample.sum[diagnosis::supersonic] = select(fast, T(R(1)), T(R(0)));
    sample.sum[diagnosis::mass] = weight * f.rho;
    sample.sum[diagnosis::energy] = weight * w[s_energy];
    sample.sum[diagnosis::entropy] = weight * entropy_density(f, model.gas);
    sample.maximum[diagnosis::enthalpy_error] =
        abs_(total_enthalpy(w, f) * (R(1) / enthalpy) - R(1));
    return sample;
  }
};

}  // namespace watersmeet::aerodynamics
