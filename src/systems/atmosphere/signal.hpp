#pragma once
// What a stage ends with and a run begins with, of a box and of a sphere: the signal of each cell,
// by which steps are chosen.
#include "exec/face.hpp"
#include "exec/sample.hpp"
#include "systems/atmosphere/equations.hpp"

namespace watersmeet::atmosphere {

// After the last stage. What the run cannot continue with is made not a number, which ends the run and
// names the cell.
template <class AnyFlow>
struct Finish {
  static constexpr bool needs_index = true;
  AnyFlow flow;
  template <class T>
  WM_HD T operator()(Conserved<T>& value, exec::Place at) const {
    const T signal = flow.signal(value, at);
    value[s_rho] = select(signal == signal, value[s_rho], signal);
    return signal;
  }
};

// Largest signal of a state, before the first step.
template <class AnyFlow>
struct MeasureSignal {
  static constexpr int sums = 0, maxima = 1, extra_index = -1;
  AnyFlow flow;
  template <class S>
  WM_HD exec::Sample<typename S::value_type, 1, 1> operator()(const S& s) const {
    Conserved<typename S::value_type> stored;
    for (int v = 0; v < n_variables; ++v) stored[v] = s(v, 0, 0, 0);
    return {{}, {{flow.signal(stored, exec::Place{s.i, s.j, s.k})}}};
  }
};

}  // namespace watersmeet::atmosphere
