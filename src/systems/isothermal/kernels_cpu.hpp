#pragma once
// CPU loops of the isothermal system for one precision; kernels_cpu_{f32,f64}.cpp instantiate them.

#include <cstdint>

#include "exec/cell_cpu.hpp"
#include "exec/cell_map_cpu.hpp"
#include "exec/reduce_cpu.hpp"
#include "systems/isothermal/forcing.hpp"
#include "systems/isothermal/launch.hpp"

namespace watersmeet::isothermal {

template <class R>
struct CpuLoops {
  static void begin_step(const exec::StepRule& rule, double t_limit, bool allowed,
                         const ForcingCall* forcing, exec::Clock* clock, const Queue&) {
    exec::begin_step(*clock, rule, t_limit, allowed);
    if (!clock->active || !forcing || forcing->place == ForcingPlace::none) return;
    const DrawnWave wave = draw_wave(*forcing, clock->step);
    const double amplitude = forcing_amplitude(*forcing, wave, clock->dt);
    set_kick_work_unit(*forcing, amplitude, *clock);
    const std::int64_t entries = forcing_entries(*forcing);
    for (std::int64_t e = 0; e < entries; ++e) write_forcing_entry<R>(*forcing, wave, amplitude, e);
  }

  template <Method method, bool extended>
  static void stage(const StageCall& call) {
    exec::cell_stage_cpu(arrays_of<R>(call), exec::rounded<R>(call.update),
                         right_hand_side_of<R, method, extended>(call), finish_of<R>(call),
                         *call.clock, call.queue.threads);
  }

  static void divergence(const StageCall& call) {
    exec::CellArrays<R> a = arrays_of<R>(call);
    a.out = static_cast<R*>(call.out) + call.extra_layout->first;
    exec::cell_store_cpu(a, Divergence<R>{schemes::make_weights6<R>(call.physics->inverse_spacing)},
                         *call.clock, call.queue.threads);
  }

  static void measure(const StageCall& call, double* largest) {
    exec::measure_cpu(arrays_of<R>(call), diagnose_of<R>(call), largest, call.queue.threads);
  }
  static void count(const StageCall& call, const exec::SumScale* scales, std::int64_t* high_low) {
    exec::count_cpu(arrays_of<R>(call), diagnose_of<R>(call), scales, high_low, call.queue.threads);
  }

  static double signal(const StageCall& call) {
    double result = 0;
    exec::measure_cpu(arrays_of<R>(call), MeasureSignal<R>{finish_of<R>(call)}, &result,
                      call.queue.threads);
    return result;
  }

  static void evaluate(const StageCall& call, Quantity quantity, int components, void* packed) {
    exec::cell_pack_cpu(arrays_of<R>(call), evaluate_of<R>(call, quantity),
                        exec::PackedTarget<R>{static_cast<R*>(packed), components},
                        call.queue.threads);
  }

  static exec::KernelReport describe() { return {.name = "cpu"}; }

  template <Method method, bool extended>
  static Kernels table() {
    return {begin_step, stage<method, extended>, divergence, measure, count, signal, evaluate,
            describe,   Schedule::direct};
  }
  static Kernels table(Method method, bool extended) {
    if (method == Method::points55) {
      return extended ? table<Method::points55, true>() : table<Method::points55, false>();
    }
    return extended ? table<Method::points19, true>() : table<Method::points19, false>();
  }
};

}  // namespace watersmeet::isothermal
