#pragma once
// CPU loops of aerodynamics for one precision; kernels_cpu_{f32,f64}.cpp instantiate them.

#include "exec/index_cpu.hpp"
#include "exec/node_cpu.hpp"
#include "exec/reduce_cpu.hpp"
#include "systems/aerodynamics/launch.hpp"

namespace watersmeet::aerodynamics {

template <class R>
struct CpuLoops {
  static bool idle(const StageCall& call) { return !call.always && !call.clock->active; }

  static void begin_step(const exec::StepRule& rule, double t_limit, bool allowed,
                         exec::Clock* clock, const Queue&) {
    exec::begin_step(*clock, rule, t_limit, allowed);
  }

  static void local_step(const StageCall& call) {
    if (idle(call)) return;
    const exec::NodeNumbers numbers = exec::node_loop_cpu<R>(
        call.level->blocks, call.level->block_count, local_step_of<R>(call), call.queue.threads);
    if (!call.signal) return;
    const std::uint64_t bits = exec::double_to_bits(numbers.largest);
    if (bits > call.clock->signal_bits) call.clock->signal_bits = bits;
  }

  static void note_limited(const StageCall& call, std::int64_t limited) {
    call.clock->events += limited;
  }
  static bool stage(const StageCall& call) {
    if (idle(call)) return false;
    const FlowResidual<R, Features::general, 0> body = residual_of<R, Features::general, 0>(call);
    note_limited(call, static_cast<std::int64_t>(exec::node_loop_cpu<R>(call.level->blocks,
                                                                        call.level->block_count,
                                                                        body, call.queue.threads)
                                                     .sum));
    return false;
  }
  static void surfaces(const StageCall& call) {
    if (idle(call)) return;
    const SurfaceStage<R> body = surface_stage_of<R>(call);
    exec::index_loop(exec::OnCpu{}, call.level->surface_nodes, body, call.clock, call.always,
                     call.queue);
  }

  static void gather(const StageCall& call, const std::int32_t* nodes, std::int64_t count,
                     void* packed) {
    exec::index_loop(exec::OnCpu{}, count,
                     Gather<R>{static_cast<const R*>(call.in), call.level->pitch, nodes,
                               static_cast<R*>(packed)},
                     nullptr, true, call.queue);
  }

  static std::int64_t visit(const TransferCall& call, const LevelArrays& level, const auto& body) {
    if (!call.clock->active) return 0;
    return exec::node_visit_cpu(level.blocks, level.block_count, body, call.queue.threads);
  }
  static void inject(const TransferCall& call) {
    visit(call, *call.coarse_level, inject_of<R>(call));
  }
  static void descend(const TransferCall& call) {
    visit(call, *call.coarse_level, descend_of<R>(call));
  }
  static void correct(const TransferCall& call) {
    call.clock->events += visit(call, *call.fine_level, correct_of<R>(call));
  }

  // One node after the other: for tests, a CPU has no launches to save.
  static void program(const ProgramCall& call) {
    if (!call.clock->active) return;
    const CoarseProgram<R> program = program_of<R>(call);
    for (int n = 0; n < call.count; ++n) {
      const ProgramOp& op = call.ops[n];
      for (std::int32_t i = 0; i < program.grids[op.grid].nodes; ++i) {
        call.clock->events += program(op, program.point(op, i));
      }
    }
  }
  static ProgramRoom program_room() { return {}; }

  static void measure(const StageCall& call, const DiagnosisCall& wanted, double* largest) {
    for_each_part<R>(call, wanted, [&](const exec::CellArrays<R>& part, const Diagnosis<R>& d) {
      exec::measure(exec::OnCpu{}, part, d, largest, call.queue);
    });
  }
  static void count(const StageCall& call, const DiagnosisCall& wanted,
                    const exec::SumScale* scales, std::int64_t* high_low) {
    for_each_part<R>(call, wanted, [&](const exec::CellArrays<R>& part, const Diagnosis<R>& d) {
      exec::count(exec::OnCpu{}, part, d, scales, high_low, call.queue);
    });
  }

  static exec::KernelReport describe(const StageCall&) { return {.name = "cpu"}; }

  static Kernels table() {
    return {begin_step, local_step, stage,        surfaces, gather, inject,  descend,
            correct,    program,    program_room, measure,  count,  describe};
  }
};

}  // namespace watersmeet::aerodynamics
