#pragma once
// The loops of aerodynamics for one back end and number type, and the schedules of a stage that are built. Included by the files that the
// build makes of it.

#include "exec/index_loops.hpp"
#include "exec/node_loops.hpp"
#include "systems/aerodynamics/functors.hpp"
#if defined(__CUDACC__)
#include "systems/aerodynamics/scheme/coarse_program_cuda.hpp"
#include "systems/aerodynamics/scheme/schedules_cuda.hpp"
#include "systems/aerodynamics/surface/sums_cuda.hpp"
#else
#include "systems/aerodynamics/scheme/coarse_program_cpu.hpp"
#endif

namespace watersmeet::aerodynamics {

// All launches but the stage, which schedules are made for.
template <class BackEnd, class R>
class LevelLoops : public exec::CommonLoops<FlowLoops, BackEnd, Functors<R>> {
  using Common = exec::CommonLoops<FlowLoops, BackEnd, Functors<R>>;
  using Clock = exec::Clock;

 protected:
  using Common::back_end, Common::case_;

 public:
  using Common::Common;

  void local_step(const StageCall& c) override {
    using exec::NodeReport;
    if constexpr (BackEnd::device) {
      if (!c.steps && case_.pressure) {
        if (!c.pressures) {
          exec::index_loop(back_end, case_.nodes, rounded_to<Pressures<R>>(pressures_of(case_, c)),
                           c.clock, c.always, c.queue);
        }
        const auto body = rounded_to<SensorOfPressures<R>>(sensor_of_pressures_of(case_, c));
        exec::node_loop<NodeReport::none, R>(back_end, case_.pool, body, c.clock, c.always,
                                             c.queue);
        return;
      }
    }
    const auto body = rounded_to<LocalStep<R>>(local_step_of(case_, c));
    if (c.signal) {
      exec::node_loop<NodeReport::signal, R>(back_end, case_.pool, body, c.clock, c.always,
                                             c.queue);
    } else {
      exec::node_loop<NodeReport::none, R>(back_end, case_.pool, body, c.clock, c.always, c.queue);
    }
  }
  void surfaces(const StageCall& c) override {
    exec::index_loop(back_end, case_.surface_nodes,
                     rounded_to<SurfaceStage<R>>(surface_stage_of(case_, c)), c.clock, c.always,
                     c.queue);
  }
  void gather(const Gather<double>& body, std::int64_t count, const Queue& queue) override {
    exec::index_loop(back_end, count, rounded_to<Gather<R>>(body), nullptr, true, queue);
  }
  void inject(const Inject<double>& body, Clock* clock, const Queue& queue) override {
    exec::node_parts(back_end, case_.pool, rounded_to<Inject<R>>(body), clock, queue);
  }
  void descend(const Descend<double>& body, Clock* clock, const Queue& queue) override {
    exec::node_parts(back_end, case_.pool, rounded_to<Descend<R>>(body), clock, queue);
  }
  void correct(const Correct<double>& body, Clock* clock, const Queue& queue) override {
    exec::node_visit(back_end, case_.pool, rounded_to<Correct<R>>(body), clock, queue);
  }
  void program(const CoarseProgram<double>& body, std::span<const ProgramOp> ops, std::size_t bytes,
               Clock* clock, const Queue& queue) override {
    run_program(back_end, rounded_to<CoarseProgram<R>>(body), ops, bytes, clock, queue);
  }
  ProgramRoom program_room() const override { return aerodynamics::program_room<R>(back_end); }
};

#if defined(__CUDACC__)

template <class R, class Schedule>
class LoopsOf final : public LevelLoops<exec::OnCuda, R> {
  using Common = LevelLoops<exec::OnCuda, R>;
  using Common::back_end, Common::case_;

 public:
  using Common::Common;

  // Penalties belong to the launch where the schedule joins them; else their sums are made before,
  // where all states are on this rank.
  bool stage(const StageCall& c) override {
    StageCall call = c;
    if (c.whole && case_.sums.entries && !(Schedule::joins && case_.pool.sides)) {
      surface_sums(back_end, rounded_to<SurfaceSums<R>>(surface_sums_of(case_, c)), c.clock,
                   c.always, c.queue);
      call.summed = true;
    }
    return Schedule::launch(case_, call) || call.summed;
  }
  std::vector<exec::KernelReport> describe() const override { return {Schedule::report(case_)}; }
};

template <class BackEnd, class R>
std::unique_ptr<FlowLoops> Variants<BackEnd, R>::make(const LevelParameters& level) {
  return with_schedule<R>(level, [&]<class Schedule>() -> std::unique_ptr<FlowLoops> {
    return std::make_unique<LoopsOf<R, Schedule>>(level);
  });
}

#else

// Packs in central rows, for all orders and features.
template <class R>
class LoopsOf final : public LevelLoops<exec::OnCpu, R> {
  using Common = LevelLoops<exec::OnCpu, R>;
  using Common::back_end, Common::case_;

 public:
  using Common::Common;

  bool stage(const StageCall& c) override {
    using Residual = FlowResidual<R, Features::general, 0>;
    const auto body = rounded_to<Residual>(residual_of<Features::general, 0>(case_, c));
    exec::node_loop<exec::NodeReport::events, R>(back_end, case_.pool, body, c.clock, c.always,
                                                 c.queue);
    return false;
  }
  std::vector<exec::KernelReport> describe() const override { return {{.name = "cpu"}}; }
};

template <class BackEnd, class R>
std::unique_ptr<FlowLoops> Variants<BackEnd, R>::make(const LevelParameters& level) {
  return std::make_unique<LoopsOf<R>>(level);
}

#endif

}  // namespace watersmeet::aerodynamics
