#pragma once
// Typed arrays and functor of a DeriveCall: common to the CPU and CUDA instantiation files.

#include "exec/cell_map.hpp"
#include "systems/aerodynamics/derive.hpp"

namespace watersmeet::aerodynamics {

template <class R>
exec::CellArrays<R> nodes_of(const DeriveCall& call) {
  return exec::cell_arrays<R>(*call.layout, const_cast<void*>(call.state), nullptr, nullptr,
                              {{0, 0, 0}, {call.nodes, 1, 1}});
}

template <class R>
Derive<R> functor_of(const DeriveCall& call) {
  const StreamScale<double>& s = call.scale;
  return {{R(call.gas.gamma), R(call.gas.smallest_c2)},
          {R(s.inverse_temperature), R(s.inverse_entropy), R(s.pressure), R(s.inverse_dynamic)},
          call.quantity};
}

template <class R>
exec::PackedTarget<R> target_of(const DeriveCall& call) {
  return {static_cast<R*>(call.packed), call.components};
}

}  // namespace watersmeet::aerodynamics
