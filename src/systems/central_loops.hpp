#pragma once
// The launches of systems of central differences: their stages may read one field more, which passes over all cells make of the solution before
// (div u of the 19-point method, shock viscosity).

#include "exec/loops.hpp"
#include "schemes/shock.hpp"

namespace watersmeet::systems {

using schemes::Terms;

class CentralLoops : public exec::Loops {
 public:
  // Pass `p` before a stage: of `in` into `out`, a register of a state of one variable whose layout is `extra_layout`.
  virtual void pass(int p, const exec::Launch& launch) = 0;
};

// The arrays of a pass.
template <class R>
exec::CellArrays<R> arrays_of_pass(const exec::Launch& l) {
  exec::CellArrays<R> arrays = exec::arrays_of<R>(l);
  arrays.out = static_cast<R*>(l.registers.out) + l.registers.extra_layout->first;
  return arrays;
}

}  // namespace watersmeet::systems
