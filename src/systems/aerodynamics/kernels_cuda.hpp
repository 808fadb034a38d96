#pragma once
// CUDA loops of aerodynamics for one precision; kernels_{f32,f64}_cuda.cu instantiate them.

#include "exec/index_cuda.hpp"
#include "exec/node_cube_cuda.hpp"
#include "exec/node_joined_cuda.hpp"
#include "exec/node_march_cuda.hpp"
#include "exec/reduce_cuda.hpp"
#include "systems/aerodynamics/coarse_program_cuda.hpp"
#include "systems/aerodynamics/launch.hpp"
#include "systems/aerodynamics/surface_sums_cuda.hpp"

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
    exec::node_loop_cuda<report, R>(l.blocks, l.tiles, l.tile_count, l.threads.tile, body,
                                    call.clock, call.always, call.queue);
  }

  static void local_step(const StageCall& call) {
    const LevelArrays& l = *call.level;
    if (!call.steps && l.pressure) {
      if (!call.pressures) {
        exec::index_loop(exec::OnCuda{}, l.nodes, pressures_of<R>(call), call.clock, call.always,
                         call.queue);
      }
      loop<exec::NodeReport::none>(call, sensor_of_pressures_of<R>(call));
      return;
    }
    const LocalStep<R> body = local_step_of<R>(call);
    if (call.signal) {
      loop<exec::NodeReport::signal>(call, body);
    } else {
      loop<exec::NodeReport::none>(call, body);
    }
  }

  template <Features features, int order>
  using Cubes = exec::CubePass<R, NodeScheme<R, features>, order>;

  template <Features features, int order>
  static bool cubes(const StageCall& call) {
    const LevelArrays& l = *call.level;
    const FlowResidual<R, features, order> body = residual_of<R, features, order>(call);
    using Pass = Cubes<features, order>;
    exec::node_cubes_cuda<exec::NodeReport::events, R>(
        l.blocks, l.cubes, l.cube_count, Pass{body.arrays, body.scheme, body.parts},
        exec::operator_of<Pass::made_of.inner>(body.operators), body.epilogue, call.clock,
        call.always, call.summed, call.queue);
    return false;
  }
  template <Features features, int order>
  static exec::KernelReport report_cubes(const LevelArrays&) {
    using Pass = Cubes<features, order>;
    const auto kernel = exec::node_cube_kernel<exec::NodeReport::events, R, Pass, StageEpilogue<R>>;
    exec::allow_shared(kernel, Pass::shared_bytes, "cannot get shared memory for cubes of nodes");
    exec::KernelReport r = exec::report_kernel(kernel, exec::cube_threads, Pass::shared_bytes);
    r.name = features == Features::plain ? "cubes" : "cubes with a sensor";
    return r;
  }
  // With the penalties where the level lists its nodes on faces. Gathered stencils have a kernel
  // without: the code of penalties costs registers, and large grids time.
  template <Features features, int order>
  using Shape = std::conditional_t<
      features == Features::matrix, exec::JoinedShape<256, 2>,
      std::conditional_t<gathers<features, order>, exec::JoinedShape<exec::largest_node_tile, 1>,
                         exec::JoinedShape<160, 3>>>;
  template <Features features, int order, bool penalises>
  static bool direct_of(const StageCall& call) {
    const LevelArrays& l = *call.level;
    const bool joined = penalises && call.whole && l.sides;
    exec::node_joined_cuda<Shape<features, order>, R>(
        l.blocks, l.tiles, l.tile_count, joined ? l.sides : nullptr,
        direct_stage_of<R, features, order, penalises>(call, joined), l.threads, call.clock,
        call.always, call.summed, call.queue);
    return joined;
  }
  template <Features features, int order>
  static bool direct(const StageCall& call) {
    if constexpr (gathers<features, order>) {
      if (!call.whole || !call.level->sides) return direct_of<features, order, false>(call);
    }
    return direct_of<features, order, true>(call);
  }
  template <Features features, int order, bool penalises>
  static exec::KernelReport report_direct_of(const exec::JoinedThreads& threads) {
    using Body = DirectStage<R, features, order, penalises>;
    exec::KernelReport r =
        exec::report_kernel(exec::node_joined_kernel<R, Body, Shape<features, order>>,
                            threads.tile + (penalises ? threads.more : 0),
                            penalises ? exec::joined_shared_bytes<R, Body>(threads) : 0);
    r.name = features == Features::matrix  ? "gathered, matrix"
             : gathers<features, order>    ? "gathered"
             : features == Features::plain ? "direct"
                                           : "direct, general";
    return r;
  }
  template <Features features, int order>
  static exec::KernelReport report_direct(const LevelArrays& l) {
    if constexpr (gathers<features, order>) {
      if (!l.sides) return report_direct_of<features, order, false>(l.threads);
    }
    return report_direct_of<features, order, true>(l.threads);
  }

  template <exec::MarchParts parts, bool local>
  static void marched_of(const StageCall& call) {
    const LevelArrays& l = *call.level;
    exec::node_march_cuda<R>(l.blocks, l.columns, l.column_count, l.column_work,
                             marched_stage_of<R, parts, local>(call), call.clock, call.always,
                             call.summed, call.queue);
  }
  static bool marched(const StageCall& call) {
    using exec::MarchParts;
    if (call.update.form != StageForm::local) {
      marched_of<MarchParts::dissipation, false>(call);
    } else if (call.steps) {
      marched_of<MarchParts::radii, true>(call);
    } else if (parts_of(call.update).dissipation) {
      marched_of<MarchParts::dissipation, true>(call);
    } else {
      marched_of<MarchParts::fluxes, true>(call);
    }
    return false;
  }
  static exec::KernelReport report_marched(const LevelArrays&) {
    exec::KernelReport r =
        exec::report_march<R, MarchedStage<R, exec::MarchParts::dissipation, true>>();
    r.name = "marched";
    return r;
  }

  // On large blocks of first order columns that march. Where dissipation is scalar, or of matrices
  // alone with order 3, one thread a node that gathers its stencil; else cubes where the level asks
  // for them and dissipation is scalar, or one thread a node, compiled for the order where all
  // share it, or deciding node by node. With a sensor order 1 is what it is without.
  struct Choice {
    bool (*stage)(const StageCall&);  // tells whether it did the penalties itself
    exec::KernelReport (*report)(const LevelArrays&);
    bool joins = true;  // it does where the level lists nodes on faces
  };
  template <int order>
  static Choice choice_of(const LevelArrays& level, bool shocks) {
    constexpr Features with_sensor = order > 1 ? Features::shocks : Features::plain;
    if (level.cubes && shocks) {
      return {cubes<with_sensor, order>, report_cubes<with_sensor, order>, false};
    }
    if (level.cubes) {
      return {cubes<Features::plain, order>, report_cubes<Features::plain, order>, false};
    }
    return {direct<Features::plain, order>, report_direct<Features::plain, order>};
  }
  static Choice choice_of(const StageCall& call) {
    const LevelArrays& level = *call.level;
    const Features features = features_of(*call.model);
    const bool shocks = features == Features::shocks;
    const bool sensed = shocks && level.uniform_order != 1;
    const bool general = features == Features::general || (sensed && !level.cubes);
    if (level.columns && (features == Features::plain || shocks)) return {marched, report_marched};
    if (features == Features::plain || (shocks && level.gathered_order == 1)) {
      if (level.gathered_order == 1)
        return {direct<Features::plain, 1>, report_direct<Features::plain, 1>};
      if (level.gathered_order == 2)
        return {direct<Features::plain, 2>, report_direct<Features::plain, 2>};
      if (level.gathered_order == 3)
        return {direct<Features::plain, 3>, report_direct<Features::plain, 3>};
    }
    if (matrix_alone(*call.model) && level.gathered_order == 3)
      return {direct<Features::matrix, 3>, report_direct<Features::matrix, 3>};
    switch (general ? 0 : level.uniform_order) {
      case 1:
        return choice_of<1>(level, shocks);
      case 2:
        return choice_of<2>(level, shocks);
      case 3:
        return choice_of<3>(level, shocks);
      case 4:
        return choice_of<4>(level, shocks);
      case 5:
        return choice_of<5>(level, shocks);
      case 6:
        return choice_of<6>(level, shocks);
      default:
        return {direct<Features::general, 0>, report_direct<Features::general, 0>};
    }
  }
  // Penalties belong to the launch where the schedule joins them; else their sums are made before,
  // where all states are on this rank.
  static bool stage(const StageCall& call) {
    const Choice choice = choice_of(call);
    const LevelArrays& level = *call.level;
    StageCall stage = call;
    if (call.whole && level.sum_entries && !(choice.joins && level.sides)) {
      surface_sums_cuda(surface_sums_of<R>(call), call.clock, call.always, call.queue);
      stage.summed = true;
    }
    return choice.stage(stage) || stage.summed;
  }
  static exec::KernelReport describe(const StageCall& call) {
    return choice_of(call).report(*call.level);
  }

  static void surfaces(const StageCall& call) {
    exec::index_loop(exec::OnCuda{}, call.level->surface_nodes, surface_stage_of<R>(call),
                     call.clock, call.always, call.queue);
  }

  static void gather(const StageCall& call, const std::int32_t* nodes, std::int64_t count,
                     void* packed) {
    exec::index_loop(exec::OnCuda{}, count,
                     Gather<R>{static_cast<const R*>(call.in), call.level->pitch, nodes,
                               static_cast<R*>(packed)},
                     call.clock, true, call.queue);
  }

  template <class Body>
  static void go_down(const TransferCall& call, const Body& body) {
    const LevelArrays& l = *call.coarse_level;
    exec::node_parts_cuda(l.blocks, l.rows, l.row_count, body, call.clock, call.queue);
  }
  static void inject(const TransferCall& call) { go_down(call, inject_of<R>(call)); }
  static void descend(const TransferCall& call) { go_down(call, descend_of<R>(call)); }
  static void correct(const TransferCall& call) {
    const LevelArrays& l = *call.fine_level;
    exec::node_visit_cuda(l.blocks, l.rows, l.row_count, correct_of<R>(call), call.clock,
                          call.queue);
  }

  static void program(const ProgramCall& call) {
    run_program_cuda(program_of<R>(call), call.ops, call.count, call.plan->bytes, call.clock,
                     call.queue);
  }
  static ProgramRoom program_room() { return program_room_cuda<R>(); }

  static void measure(const StageCall& call, const DiagnosisCall& wanted, double* largest) {
    for_each_part<R>(call, wanted, [&](const exec::CellArrays<R>& part, const Diagnosis<R>& d) {
      exec::measure(exec::OnCuda{}, part, d, largest, call.queue);
    });
  }
  static void count(const StageCall& call, const DiagnosisCall& wanted,
                    const exec::SumScale* scales, std::int64_t* high_low) {
    for_each_part<R>(call, wanted, [&](const exec::CellArrays<R>& part, const Diagnosis<R>& d) {
      exec::count(exec::OnCuda{}, part, d, scales, high_low, call.queue);
    });
  }

  static Kernels table() {
    return {begin_step, local_step, stage,        surfaces, gather, inject,  descend,
            correct,    program,    program_room, measure,  count,  describe};
  }
};

}  // namespace watersmeet::aerodynamics
