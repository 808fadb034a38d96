#pragma once
// A program of coarse_program.hpp on the CPU: one node after the other. For tests; a CPU has no launches to save.

#include "exec/back_end.hpp"
#include "systems/aerodynamics/scheme/coarse_program.hpp"

namespace watersmeet::aerodynamics {

template <class R>
ProgramRoom program_room(exec::OnCpu) {
  return {};
}

template <class R>
void run_program(exec::OnCpu, const CoarseProgram<R>& program, std::span<const ProgramOp> ops,
                 std::size_t, exec::Clock* clock, const Queue&) {
  if (!clock->active) return;
  for (const ProgramOp& op : ops) {
    for (std::int32_t i = 0; i < program.grids[op.grid].nodes; ++i) {
      clock->events += program(op, program.point(op, i));
    }
  }
}

}  // namespace watersmeet::aerodynamics
