#pragma once
// CPU loops of the multicomponent system for one precision; kernels_cpu_{f32,f64}.cpp instantiate
// them.

#include <cstdint>

#include "exec/cell_map_cpu.hpp"
#include "exec/face_cpu.hpp"
#include "exec/face_limit_cpu.hpp"
#include "exec/reduce_cpu.hpp"
#include "systems/multicomponent/boundaries_cpu.hpp"
#include "systems/multicomponent/launch.hpp"
#include "systems/multicomponent/ledger_cpu.hpp"

namespace watersmeet::multicomponent {

template <class R>
struct CpuLoops {
  static void begin_step(const exec::StepRule& rule, double t_limit, bool allowed,
                         exec::Clock* clock, const Queue&) {
    exec::begin_step(*clock, rule, t_limit, allowed);
  }

  template <Variant variant>
  static void stage(const StageCall& call) {
    exec::face_stage(exec::OnCpu{}, arrays_of<R>(call), exec::rounded<R>(call.update),
                     flow_of<R, variant>(call), finish_of<R>(call), call.clock, call.queue);
  }

  static void measure(const StageCall& call, const DiagnoseParameters& parameters,
                      double* largest) {
    exec::measure(exec::OnCpu{}, arrays_of<R>(call), Diagnose<R>(parameters), largest, call.queue);
  }
  static void count(const StageCall& call, const DiagnoseParameters& parameters,
                    const exec::SumScale* scales, std::int64_t* high_low) {
    exec::count(exec::OnCpu{}, arrays_of<R>(call), Diagnose<R>(parameters), scales, high_low,
                call.queue);
  }

  template <class Sampler>
  static double largest_of(const StageCall& call, const Sampler& sampler) {
    double largest = 0;
    exec::measure(exec::OnCpu{}, arrays_of<R>(call), sampler, &largest, call.queue);
    return largest;
  }
  static double signal(const StageCall& call) {
    return largest_of(call, MeasureSignal<R>{finish_of<R>(call)});
  }
  static double steepest(const StageCall& call) { return largest_of(call, steepness_of<R>(call)); }

  static void evaluate(const StageCall& call, const EvaluateParameters& parameters, int components,
                       void* packed) {
    exec::cell_pack(exec::OnCpu{}, arrays_of<R>(call), Evaluate<R>(parameters),
                    exec::PackedTarget<R>{static_cast<R*>(packed), components}, call.queue);
  }

  static void find_inadmissible(const StageCall& call, const LimitCall& limit) {
    exec::limit_find(exec::OnCpu{}, arrays_of<R>(call), exec::rounded<R>(call.update),
                     flow_of<R, Variant::general>(call), pass_of<R>(limit), call.clock, call.queue);
  }
  static void limit_faces(const StageCall& call, const LimitCall& limit) {
    const auto flow = flow_of<R, Variant::general>(call);
    exec::limit_correct(exec::OnCpu{}, arrays_of<R>(call), exec::rounded<R>(call.update), flow,
                        flow.low(), finish_of<R>(call), pass_of<R>(limit), call.clock, call.queue);
  }

  static std::vector<exec::KernelReport> describe() { return {{.name = "cpu"}}; }

  template <Variant variant>
  static Kernels table() {
    return {begin_step,
            stage<variant>,
            fill_boundaries_cpu<R>,
            measure,
            count,
            signal,
            steepest,
            evaluate,
            describe,
            Schedule::tile,
            count_boundaries_cpu<R, variant>,
            find_inadmissible,
            limit_faces,
            nullptr};
  }
  static Kernels table(Variant variant) {
    if (variant == Variant::js) return table<Variant::js>();
    if (variant == Variant::z) return table<Variant::z>();
    return table<Variant::general>();
  }
};

}  // namespace watersmeet::multicomponent
