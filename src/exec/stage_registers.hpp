#pragma once
// Registers of explicit stages that read the solution in 0 and write the next one to 1; of schemes
// of form `base` register 2 keeps the solution at the beginning of the step.

#include <cstddef>
#include <utility>
#include <vector>

#include "exec/cell.hpp"
#include "memory/state.hpp"

namespace watersmeet::exec {

// After a stage: what it wrote is the solution now, and the first one leaves the beginning in 2.
inline void turn_registers(memory::State& state, UpdateForm form, std::size_t stage) {
  state.swap(0, 1);
  if (stage == 0 && form == UpdateForm::base) state.swap(1, 2);
}

// Which registers the stages of some steps in a row use, where registers themselves are not swapped: the solution is in 0 at first.
struct StageRegisters {
  int in, out, increment;
};
inline std::vector<StageRegisters> stage_registers(UpdateForm form, int stages, int steps) {
  std::vector<StageRegisters> all;
  int order[3] = {0, 1, 2};
  for (int s = 0; s < stages * steps; ++s) {
    all.push_back({order[0], order[1], order[2]});
    std::swap(order[0], order[1]);
    if (s % stages == 0 && form == UpdateForm::base) std::swap(order[1], order[2]);
  }
  return all;
}

// All stages of a step backwards.
inline void turn_registers_back(memory::State& state, UpdateForm form, std::size_t stages) {
  for (std::size_t s = stages; s-- > 0;) {
    if (s == 0 && form == UpdateForm::base) state.swap(1, 2);
    state.swap(0, 1);
  }
  state.set_valid_ghosts(0, 0);
}

}  // namespace watersmeet::exec
