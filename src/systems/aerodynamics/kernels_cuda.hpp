#pragma once
// CUDA loops of aerodynamics for one precision; kernels_{f32,f64}_cuda.cu instantiate them.

#include "exec/index_cuda.hpp"
#include "exec/node_cuda.hpp"
#include "exec/reduce_cuda.hpp"
#include "systems/aerodynamics/launch.hpp"

namespace watersmeet::aerodynamics {

// One thread.
static __global__ void begin_step_kernel(const exec::StepRule rule, const double t_limit,
                                         const bool allowed, exec::Clock* clock) {
  exec::begin_step(*clock, rule, t_limit, allowed);
}

template <class R>
struct CudaLoops {
  static void begin_step(const exec::StepRule& rule, double t_limit, bool allowed,
                         exec::Clock* clock, const Queue& queue) {
    begin_step_kernel<<<1, 1, 0, static_cast<cudaStream_t>(queue.stream)>>>(rule, t_limit, allowed,
                                                                            clock);
    exec::check_cuda(cudaGetLastError(), "cannot launch the beginning of a step");
  }

  template <exec::NodeReport report, class Body>
  static void loop(const StageCall& call, const Body& body) {
    const LevelArrays& l = *call.level;
    exec::node_loop_cuda<report, R>(l.blocks, l.tiles, l.tile_count, body, call.clock, call.always,
                                    call.queue);
  }

  static void local_step(const StageCall& call) {
    const LocalStep<R> body = local_step_of<R>(call);
    if (call.signal) {
      loop<exec::NodeReport::signal>(call, body);
    } else {
      loop<exec::NodeReport::none>(call, body);
    }
  }

  template <bool plain, int fixed>
  static void stage_as(const StageCall& call) {
    loop<exec::NodeReport::events>(call, residual_of<R, plain, fixed>(call));
  }
  // Orders that blocks share are compiled by themselves, the rest decides node by node.
  static void stage(const StageCall& call) {
    if (!is_plain(*call.model)) return stage_as<false, 0>(call);
    switch (call.level->uniform_order) {
      case 1:
        return stage_as<true, 1>(call);
      case 2:
        return stage_as<true, 2>(call);
      case 3:
        return stage_as<true, 3>(call);
      case 4:
        return stage_as<true, 4>(call);
      case 5:
        return stage_as<true, 5>(call);
      case 6:
        return stage_as<true, 6>(call);
      default:
        return stage_as<false, 0>(call);
    }
  }
  static void surfaces(const StageCall& call) {
    exec::index_loop_cuda(call.level->surface_nodes, surface_stage_of<R>(call), call.clock,
                          call.always, call.queue);
  }

  static void gather(const StageCall& call, const std::int32_t* nodes, std::int64_t count,
                     void* packed) {
    exec::index_loop_cuda(count,
                          Gather<R>{static_cast<const R*>(call.in), call.level->pitch, nodes,
                                    static_cast<R*>(packed)},
                          call.clock, true, call.queue);
  }

  template <class Body>
  static void visit(const TransferCall& call, const LevelArrays& level, const Body& body) {
    exec::node_visit_cuda(level.blocks, level.tiles, level.tile_count, body, call.clock,
                          call.queue);
  }
  static void inject(const TransferCall& call) {
    visit(call, *call.coarse_level, inject_of<R>(call));
  }
  static void restrict_residual(const TransferCall& call) {
    visit(call, *call.coarse_level, restrict_of<R>(call));
  }
  static void correct(const TransferCall& call) {
    visit(call, *call.fine_level, correct_of<R>(call));
  }
  static void subtract(const StageCall& call) {
    exec::index_loop_cuda(call.level->nodes, subtract_of<R>(call), call.clock, call.always,
                          call.queue);
  }

  static void measure(const StageCall& call, const DiagnosisCall& wanted, double* largest) {
    for_each_part<R>(call, wanted, [&](const exec::CellArrays<R>& part, const Diagnosis<R>& d) {
      exec::measure_cuda(part, d, largest, call.queue);
    });
  }
  static void count(const StageCall& call, const DiagnosisCall& wanted,
                    const exec::SumScale* scales, std::int64_t* high_low) {
    for_each_part<R>(call, wanted, [&](const exec::CellArrays<R>& part, const Diagnosis<R>& d) {
      exec::count_cuda(part, d, scales, high_low, call.queue);
    });
  }

  template <bool plain, int fixed>
  static exec::KernelReport report() {
    exec::KernelReport r = exec::report_kernel(
        exec::node_kernel<exec::NodeReport::events, R, FlowResidual<R, plain, fixed>>,
        exec::node_tile_size, 0);
    r.name = plain ? "direct" : "direct, general";
    return r;
  }
  static exec::KernelReport describe(const StageCall& call) {
    if (!is_plain(*call.model)) return report<false, 0>();
    switch (call.level->uniform_order) {
      case 1:
        return report<true, 1>();
      case 2:
        return report<true, 2>();
      case 3:
        return report<true, 3>();
      case 4:
        return report<true, 4>();
      case 5:
        return report<true, 5>();
      case 6:
        return report<true, 6>();
      default:
        return report<false, 0>();
    }
  }

  static Kernels table() {
    return {begin_step,        local_step, stage,    surfaces, gather, inject,
            restrict_residual, correct,    subtract, measure,  count,  describe};
  }
};

}  // namespace watersmeet::aerodynamics
