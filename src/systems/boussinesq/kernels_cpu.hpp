#pragma once
// CPU loops of the Boussinesq system for one precision; kernels_cpu_{f32,f64}.cpp instantiate them.

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "exec/box_ghosts_cpu.hpp"
#include "exec/cell_cpu.hpp"
#include "exec/cell_map_cpu.hpp"
#include "exec/reduce_cpu.hpp"
#include "systems/boussinesq/launch.hpp"

namespace watersmeet::boussinesq {

template <class R>
struct CpuLoops {
  static_assert(Pack<R>::size() <= Advanced<R>::widest_pack, "factors of a whole pack");

  static void begin_step(const exec::StepRule& rule, double t_limit, bool allowed,
                         exec::Clock* clock, const Queue&) {
    exec::begin_step(*clock, rule, t_limit, allowed);
  }

  template <int variables, Advection advection>
  static void stage(const FlowCall& call) {
    exec::cell_stage_cpu(arrays_of<R>(call), exec::rounded<R>(call.update),
                         right_hand_side_of<R, variables, advection>(call), NoFinish<R>{},
                         *call.clock, call.queue.threads);
  }

  template <int variables, Advection advection>
  static void advance_open(const FlowCall& call, const OpenCall& open) {
    if (!call.clock->active) return;
    const auto advance = advance_open_of<R, variables, advection>(call);
    const auto update =
        exec::settled<std::decay_t<decltype(advance)>>(exec::rounded<R>(call.update), *call.clock);
    const R dt = R(call.clock->dt);
    const OpenSides<R> sides = open_sides_of<R>(open);
    const std::int64_t faces = sides.faces();
#pragma omp parallel for num_threads(call.queue.threads) schedule(static) if (faces > 1024)
    for (std::int64_t f = 0; f < faces; ++f)
      advance(open_face(sides, f, advance.block.n), update, dt);
  }
  static void correct_open(const FlowCall& call, const OpenCall& open) {
    if (!call.clock->active) return;
    const CorrectOpen<R> correct = correct_open_of<R>(call);
    const OpenSides<R> sides = open_sides_of<R>(open);
    const std::int64_t faces = sides.faces();
    double largest = 0;
#pragma omp parallel num_threads(call.queue.threads) if (faces > 1024)
    {
      R mine = R(0);
#pragma omp for schedule(static)
      for (std::int64_t f = 0; f < faces; ++f)
        mine = max_or_nan(mine, correct(open_face(sides, f, correct.block.n)));
#pragma omp critical
      largest = max_or_nan(largest, double(mine));
    }
    if (call.last)
      call.clock->signal_bits = std::max(call.clock->signal_bits, exec::double_to_bits(largest));
  }
  template <int variables>
  static void fill_around_open(const FlowCall& call, const RulesCall& rules, const OpenCall& open) {
    const auto typed = rules_of<R, variables>(*call.layout, rules);
    const OpenSides<R> sides = open_sides_of<R>(open);
    const std::int64_t places = sides.faces_around();
#pragma omp parallel for num_threads(call.queue.threads) schedule(static) if (places > 1024)
    for (std::int64_t p = 0; p < places; ++p) boussinesq::fill_around_open(sides, typed, p);
  }

  static void divergence(const FlowCall& call) {
    exec::cell_store_cpu(pressure_arrays_of<R>(call), divergence_of<R>(call), *call.clock,
                         call.queue.threads);
  }

  static void project(const FlowCall& call) {
    exec::CellArrays<R> a = arrays_of<R>(call);
    a.in = a.out;
    exec::cell_change_cpu(a, projection_of<R>(call), *call.clock, call.queue.threads);
  }

  template <int variables>
  static void fill_ghosts(const FlowCall& call, const RulesCall& rules, bool faces_only) {
    const auto typed = rules_of<R, variables>(*call.layout, rules);
    exec::fill_box_ghosts_cpu(
        static_cast<R*>(call.out) + call.layout->first, typed,
        faces_only ? exec::face_ghosts(typed, *call.layout) : exec::all_ghosts(typed, *call.layout),
        call.queue);
  }
  static void guess(const FlowCall& call, const GuessCall& guess) {
    exec::cell_change_cpu(phi_arrays_of<R>(call), guess_of<R>(call, guess), *call.clock,
                          call.queue.threads);
  }
  static void fill_pressure_ghosts(const FlowCall& call, const RulesCall& rules) {
    const auto typed = rules_of<R, 1>(*call.pressure_layout, rules);
    exec::fill_box_ghosts_cpu(
        static_cast<R*>(const_cast<void*>(call.phi)) + call.pressure_layout->first, typed,
        exec::all_ghosts(typed, *call.pressure_layout), call.queue);
  }

  static void measure(const FlowCall& call, const DiagnoseParameters& parameters, double* largest) {
    exec::measure_cpu(arrays_of<R>(call), diagnose_of<R>(call, parameters), largest,
                      call.queue.threads);
  }
  static void count(const FlowCall& call, const DiagnoseParameters& parameters,
                    const exec::SumScale* scales, std::int64_t* high_low) {
    exec::count_cpu(arrays_of<R>(call), diagnose_of<R>(call, parameters), scales, high_low,
                    call.queue.threads);
  }

  static double signal(const FlowCall& call) {
    double result = 0;
    exec::measure_cpu(arrays_of<R>(call),
                      MeasureSignal<R>{metrics_of<R>(call), call.variables - first_scalar}, &result,
                      call.queue.threads);
    return result;
  }

  static void evaluate(const FlowCall& call, const DiagnoseParameters& parameters,
                       Quantity quantity, double inverse_dt, int components, void* packed) {
    exec::cell_pack_cpu(arrays_of<R>(call), evaluate_of<R>(call, parameters, quantity, inverse_dt),
                        exec::PackedTarget<R>{static_cast<R*>(packed), components},
                        call.queue.threads);
  }

  static exec::KernelReport describe() { return {.name = "cpu"}; }

  template <int variables, Advection advection>
  static Kernels table() {
    Kernels k;
    k.begin_step = begin_step;
    k.stage = stage<variables, advection>;
    k.advance_open = advance_open<variables, advection>;
    k.correct_open = correct_open;
    k.fill_around_open = fill_around_open<variables>;
    k.divergence = divergence;
    k.project = project;
    k.fill_ghosts = fill_ghosts<variables>;
    k.guess = guess;
    k.fill_pressure_ghosts = fill_pressure_ghosts;
    k.measure = measure;
    k.count = count;
    k.signal = signal;
    k.evaluate = evaluate;
    k.describe = describe;
    return k;
  }
  template <int variables>
  static Kernels table(Advection advection) {
    return advection == Advection::upwind ? table<variables, Advection::upwind>()
                                          : table<variables, Advection::centred>();
  }
  static Kernels table(int variables, Advection advection) {
    if (variables == 4) return table<4>(advection);
    if (variables == 5) return table<5>(advection);
    return table<6>(advection);
  }
};

}  // namespace watersmeet::boussinesq
