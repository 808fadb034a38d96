#pragma once
// The launches of systems of central differences: their stages may read one field more, which passes over all cells make of the solution before
// (div u of the 19-point method, shock viscosity).

#include "exec/loops.hpp"
#include "exec/sample.hpp"
#include "schemes/shock.hpp"

namespace watersmeet::systems {

using schemes::Terms;

class CentralLoops : public exec::Loops {
 public:
  // Pass `p` before a stage: of `in` into `out`, a register of a state of one variable whose layout is `extra_layout`.
  virtual void pass(int p, const exec::Launch& launch) = 0;
};

// The signal that the last stage's finish measures, for the length of the first step. The field of a pass is the variable after the others.
template <class Finish, int variables, bool has_field>
struct MeasureSignal {
  static constexpr int sums = 0, maxima = 1, extra_index = has_field ? variables : -1;
  Finish finish;
  template <class S>
  WM_HD exec::Sample<typename S::value_type, 1, 1> operator()(const S& s) const {
    Vec<typename S::value_type, variables> value;
    for (int v = 0; v < variables; ++v) value[v] = s(v, 0, 0, 0);
    return {{}, {{finish.signal(value, s)}}};
  }
};

// The arrays of a pass.
template <class R>
exec::CellArrays<R> arrays_of_pass(const exec::Launch& l) {
  exec::CellArrays<R> arrays = exec::arrays_of<R>(l);
  arrays.out = static_cast<R*>(l.registers.out) + l.registers.extra_layout->first;
  return arrays;
}

}  // namespace watersmeet::systems
