#pragma once
// The schedules of a stage on CUDA, and which one a level has. Each has
//   static constexpr bool joins                                   it does penalties itself where the pool lists nodes on faces
//   static bool launch(const LevelParameters&, const StageCall&)  returns whether it did
//   static KernelReport report(const LevelParameters&)

#include "exec/node_loops.hpp"
#include "systems/aerodynamics/functors.hpp"

namespace watersmeet::aerodynamics {

template <class R, Features features, int order>
struct CubeSchedule {
  using Pass = exec::CubePass<R, NodeScheme<R, features>, order>;
  static constexpr bool joins = false;

  static bool launch(const LevelParameters& level, const StageCall& c) {
    const auto body =
        rounded_to<FlowResidual<R, features, order>>(residual_of<features, order>(level, c));
    exec::node_cube_loop<exec::NodeReport::events, R>(
        exec::OnCuda{}, level.pool, Pass{body.arrays, body.scheme, body.parts},
        exec::operator_of<Pass::made_of.inner>(body.operators), body.epilogue, c.clock, c.always,
        c.summed, c.queue);
    return false;
  }
  static exec::KernelReport report(const LevelParameters&) {
    const auto kernel = exec::node_cube_kernel<exec::NodeReport::events, R, Pass, StageEpilogue<R>>;
    exec::allow_shared(kernel, Pass::shared_bytes, "cannot get shared memory for cubes of nodes");
    exec::KernelReport r = exec::report_kernel(kernel, exec::cube_threads, Pass::shared_bytes);
    r.name = features == Features::plain ? "cubes" : "cubes with a sensor";
    return r;
  }
};

// With the penalties where the level lists its nodes on faces. Gathered stencils have a kernel
// without: the code of penalties costs registers, and large grids time.
template <class R, Features features, int order>
struct DirectSchedule {
  static constexpr bool joins = true;
  using Shape = std::conditional_t<
      features == Features::matrix, exec::JoinedShape<256, 2>,
      std::conditional_t<gathers<features, order>, exec::JoinedShape<exec::largest_node_tile, 1>,
                         exec::JoinedShape<160, 3>>>;

  static bool launch(const LevelParameters& level, const StageCall& c) {
    if constexpr (gathers<features, order>) {
      if (!c.whole || !level.pool.sides) return launch_of<false>(level, c);
    }
    return launch_of<true>(level, c);
  }
  static exec::KernelReport report(const LevelParameters& level) {
    if constexpr (gathers<features, order>) {
      if (!level.pool.sides) return report_of<false>(level.pool.threads);
    }
    return report_of<true>(level.pool.threads);
  }

 private:
  template <bool penalises>
  using Stage = DirectStage<R, features, order, penalises>;

  template <bool penalises>
  static bool launch_of(const LevelParameters& level, const StageCall& c) {
    const bool joined = penalises && c.whole && level.pool.sides;
    const auto body =
        rounded_to<Stage<penalises>>(direct_stage_of<features, order, penalises>(level, c, joined));
    exec::node_joined_loop<Shape, R>(exec::OnCuda{}, level.pool, joined, body, c.clock, c.always,
                                     c.summed, c.queue);
    return joined;
  }
  template <bool penalises>
  static exec::KernelReport report_of(const exec::JoinedThreads& threads) {
    using Body = Stage<penalises>;
    exec::KernelReport r = exec::report_kernel(
        exec::node_joined_kernel<R, Body, Shape>, threads.tile + (penalises ? threads.more : 0),
        penalises ? exec::joined_shared_bytes<R, Body>(threads) : 0);
    r.name = features == Features::matrix  ? "gathered, matrix"
             : gathers<features, order>    ? "gathered"
             : features == Features::plain ? "direct"
                                           : "direct, general";
    return r;
  }
};

template <class R>
struct MarchSchedule {
  static constexpr bool joins = false;

  static bool launch(const LevelParameters& level, const StageCall& c) {
    using exec::MarchParts;
    if (c.update.form != StageForm::local) {
      launch_of<MarchParts::dissipation, false>(level, c);
    } else if (c.steps) {
      launch_of<MarchParts::radii, true>(level, c);
    } else if (parts_of(c.update).dissipation) {
      launch_of<MarchParts::dissipation, true>(level, c);
    } else {
      launch_of<MarchParts::fluxes, true>(level, c);
    }
    return false;
  }
  static exec::KernelReport report(const LevelParameters&) {
    exec::KernelReport r =
        exec::report_march<R, MarchedStage<R, exec::MarchParts::dissipation, true>>();
    r.name = "marched";
    return r;
  }

 private:
  template <exec::MarchParts parts, bool local>
  static void launch_of(const LevelParameters& level, const StageCall& c) {
    const auto body =
        rounded_to<MarchedStage<R, parts, local>>(marched_stage_of<parts, local>(level, c));
    exec::node_march_loop<R>(exec::OnCuda{}, level.pool, body, c.clock, c.always, c.summed,
                             c.queue);
  }
};

// Whether the current device has the shared memory that cubes take: up to 109 KiB, more than GPUs of
// compute capability 8.6 have.
template <class Schedule>
bool cubes_fit() {
  return Schedule::Pass::shared_bytes <= exec::most_shared_memory();
}

// make<Schedule>() of the schedule of a level. On large blocks of first order columns that march. Where
// dissipation is scalar, or of matrices alone with order 3, one thread a node that gathers its stencil;
// else cubes where the level asks for them, they fit and dissipation is scalar, or one thread a node,
// compiled for the order where all share it, or deciding node by node. With a sensor order 1 is what it
// is without.
template <class R, class Make>
auto with_schedule(const LevelParameters& level, const Make& make) {
  constexpr Features plain = Features::plain, general = Features::general;
  const Features features = features_of(level.model);
  const bool shocks = features == Features::shocks;
  if (!level.pool.columns.empty() && features != general)
    return make.template operator()<MarchSchedule<R>>();
  if (features == plain || (shocks && level.gathered_order == 1)) {
    if (level.gathered_order == 1) return make.template operator()<DirectSchedule<R, plain, 1>>();
    if (level.gathered_order == 2) return make.template operator()<DirectSchedule<R, plain, 2>>();
    if (level.gathered_order == 3) return make.template operator()<DirectSchedule<R, plain, 3>>();
  }
  if (matrix_alone(level.model) && level.gathered_order == 3)
    return make.template operator()<DirectSchedule<R, Features::matrix, 3>>();
  const auto of_order = [&]<int order>() {
    using WithSensor = CubeSchedule<R, order == 1 ? plain : Features::shocks, order>;
    const bool has_cubes = !level.pool.cubes.empty() && cubes_fit<WithSensor>();
    if (has_cubes && shocks) return make.template operator()<WithSensor>();
    if (has_cubes) return make.template operator()<CubeSchedule<R, plain, order>>();
    if (shocks && order != 1) return make.template operator()<DirectSchedule<R, general, 0>>();
    return make.template operator()<DirectSchedule<R, plain, order>>();
  };
  switch (features == general ? 0 : level.uniform_order) {
    case 1:
      return of_order.template operator()<1>();
    case 2:
      return of_order.template operator()<2>();
    case 3:
      return of_order.template operator()<3>();
    case 4:
      return of_order.template operator()<4>();
    case 5:
      return of_order.template operator()<5>();
    case 6:
      return of_order.template operator()<6>();
    default:
      return make.template operator()<DirectSchedule<R, general, 0>>();
  }
}

}  // namespace watersmeet::aerodynamics
