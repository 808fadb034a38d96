#pragma once
// CUDA loops of aerodynamics for one precision; kernels_{f32,f64}_cuda.cu instantiate them.

#include "exec/index_cuda.hpp"
#include "exec/node_cube_cuda.hpp"
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

  template <int order>
  using Cubes = exec::CubePass<R, NodeScheme<R, true>, order>;

  // Blocks of one order in all directions, with plain dissipation.
  template <int order>
  static void plain_stage(const StageCall& call) {
    const LevelArrays& l = *call.level;
    const FlowResidual<R, true, order> body = residual_of<R, true, order>(call);
    if (l.cubes == nullptr) return loop<exec::NodeReport::events>(call, body);
    const Cubes<order> pass{body.arrays, body.scheme, body.parts};
    exec::node_cubes_cuda<exec::NodeReport::events, R>(
        l.blocks, l.cubes, l.cube_count, pass,
        exec::operator_of<Cubes<order>::made_of.inner>(body.operators), body.epilogue, call.clock,
        call.always, call.queue);
  }
  template <int order>
  static exec::KernelReport plain_report(const StageCall& call) {
    using Body = FlowResidual<R, true, order>;
    exec::KernelReport r;
    if (call.level->cubes == nullptr) {
      r = exec::report_kernel(exec::node_kernel<exec::NodeReport::events, R, Body>,
                              exec::node_tile_size, 0);
      r.name = "direct";
      return r;
    }
    const auto kernel =
        exec::node_cube_kernel<exec::NodeReport::events, R, Cubes<order>, StageEpilogue<R>>;
    exec::allow_shared(kernel, Cubes<order>::shared_bytes, "cannot get shared memory for cubes");
    r = exec::report_kernel(kernel, exec::cube_threads, Cubes<order>::shared_bytes);
    r.name = "cubes";
    return r;
  }
  static void general_stage(const StageCall& call) {
    loop<exec::NodeReport::events>(call, residual_of<R, false, 0>(call));
  }
  static exec::KernelReport general_report(const StageCall&) {
    exec::KernelReport r = exec::report_kernel(
        exec::node_kernel<exec::NodeReport::events, R, FlowResidual<R, false, 0>>,
        exec::node_tile_size, 0);
    r.name = "direct, general";
    return r;
  }

  // Orders that all blocks share are compiled by themselves, the rest decides node by node.
  static int plain_order(const StageCall& call) {
    return is_plain(*call.model) ? call.level->uniform_order : 0;
  }
  static void stage(const StageCall& call) {
    static constexpr void (*by_order[])(const StageCall&) = {
        general_stage,  plain_stage<1>, plain_stage<2>, plain_stage<3>,
        plain_stage<4>, plain_stage<5>, plain_stage<6>};
    by_order[plain_order(call)](call);
  }
  static exec::KernelReport describe(const StageCall& call) {
    static constexpr exec::KernelReport (*by_order[])(const StageCall&) = {
        general_report,  plain_report<1>, plain_report<2>, plain_report<3>,
        plain_report<4>, plain_report<5>, plain_report<6>};
    return by_order[plain_order(call)](call);
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

  static Kernels table() {
    return {begin_step,        local_step, stage,    surfaces, gather, inject,
            restrict_residual, correct,    subtract, measure,  count,  describe};
  }
};

}  // namespace watersmeet::aerodynamics
