#pragma once
// CUDA loops of the Boussinesq system for one precision; kernels_cuda.cu instantiates them.

#include <cstdint>

#include "exec/box_ghosts_cuda.hpp"
#include "exec/cell_cuda.hpp"
#include "exec/cell_map_cuda.hpp"
#include "exec/cell_ring_cuda.hpp"
#include "exec/reduce_cuda.hpp"
#include "systems/boussinesq/launch.hpp"

namespace watersmeet::boussinesq {

// One thread.
static __global__ void begin_step_kernel(const exec::StepRule rule, const double t_limit,
                                         const bool allowed, exec::Clock* clock) {
  exec::begin_step(*clock, rule, t_limit, allowed);
}

// Loops over the faces of open sides, a thread each.
constexpr int open_threads = 128;
inline unsigned open_blocks(std::int64_t places) {
  return unsigned((places + open_threads - 1) / open_threads);
}

template <class R, class Advance>
__global__ void __launch_bounds__(open_threads)
    advance_open_kernel(const __grid_constant__ Advance advance,
                        const __grid_constant__ OpenSides<R> sides,
                        const exec::StageUpdate<R> update, const exec::Clock* clock) {
  const std::int64_t f = std::int64_t(blockIdx.x) * open_threads + threadIdx.x;
  if (!clock->active || f >= sides.faces()) return;
  advance(open_face(sides, f, advance.block.n), exec::settled<Advance>(update, *clock),
          R(clock->dt));
}
template <class R>
__global__ void __launch_bounds__(open_threads)
    correct_open_kernel(const __grid_constant__ CorrectOpen<R> correct,
                        const __grid_constant__ OpenSides<R> sides, const bool last,
                        exec::Clock* clock) {
  if (!clock->active) return;
  const std::int64_t f = std::int64_t(blockIdx.x) * open_threads + threadIdx.x;
  R signal = R(0);
  if (f < sides.faces()) signal = correct(open_face(sides, f, correct.block.n));
  if (last) exec::report_block(clock, signal, std::uint64_t{0});
}
template <class R, int variables>
__global__ void __launch_bounds__(open_threads)
    fill_around_open_kernel(const __grid_constant__ OpenSides<R> sides,
                            const __grid_constant__ exec::BoxRules<R, variables> rules) {
  const std::int64_t p = std::int64_t(blockIdx.x) * open_threads + threadIdx.x;
  if (p < sides.faces_around()) fill_around_open(sides, rules, p);
}

template <class R>
struct CudaLoops {
  static void begin_step(const exec::StepRule& rule, double t_limit, bool allowed,
                         exec::Clock* clock, const Queue& queue) {
    begin_step_kernel<<<1, 1, 0, static_cast<cudaStream_t>(queue.stream)>>>(rule, t_limit, allowed,
                                                                            clock);
    exec::check_cuda(cudaGetLastError(), "cannot launch the beginning of a step");
  }

  template <int variables, Advection advection>
  static void stage_direct(const FlowCall& call) {
    exec::cell_stage_direct(arrays_of<R>(call), exec::rounded<R>(call.update),
                            right_hand_side_of<R, variables, advection>(call), NoFinish<R>{},
                            call.clock, call.queue);
  }
  template <int variables>
  static void stage_ring(const FlowCall& call) {
    exec::cell_stage_ring(arrays_of<R>(call), exec::rounded<R>(call.update),
                          right_hand_side_of<R, variables, Advection::centred>(call), NoFinish<R>{},
                          call.clock, call.queue);
  }

  template <int variables, Advection advection>
  static void advance_open(const FlowCall& call, const OpenCall& open) {
    const OpenSides<R> sides = open_sides_of<R>(open);
    const auto advance = advance_open_of<R, variables, advection>(call);
    advance_open_kernel<<<open_blocks(sides.faces()), open_threads, 0,
                          static_cast<cudaStream_t>(call.queue.stream)>>>(
        advance, sides, exec::rounded<R>(call.update), call.clock);
    exec::check_cuda(cudaGetLastError(), "cannot launch the advance of open sides");
  }
  static void correct_open(const FlowCall& call, const OpenCall& open) {
    const OpenSides<R> sides = open_sides_of<R>(open);
    correct_open_kernel<<<open_blocks(sides.faces()), open_threads, 0,
                          static_cast<cudaStream_t>(call.queue.stream)>>>(
        correct_open_of<R>(call), sides, call.last, call.clock);
    exec::check_cuda(cudaGetLastError(), "cannot launch the projection of open sides");
  }
  template <int variables>
  static void fill_around_open(const FlowCall& call, const RulesCall& rules, const OpenCall& open) {
    const OpenSides<R> sides = open_sides_of<R>(open);
    fill_around_open_kernel<<<open_blocks(sides.faces_around()), open_threads, 0,
                              static_cast<cudaStream_t>(call.queue.stream)>>>(
        sides, rules_of<R, variables>(*call.layout, rules));
    exec::check_cuda(cudaGetLastError(), "cannot launch the surroundings of open sides");
  }

  static void divergence(const FlowCall& call) {
    exec::cell_store_cuda(pressure_arrays_of<R>(call), divergence_of<R>(call), call.clock,
                          call.queue);
  }

  static void project(const FlowCall& call) {
    exec::CellArrays<R> a = arrays_of<R>(call);
    a.in = a.out;
    exec::cell_change_cuda(a, projection_of<R>(call), call.clock, call.queue);
  }

  template <int variables>
  static void fill_ghosts(const FlowCall& call, const RulesCall& rules, bool faces_only) {
    const auto typed = rules_of<R, variables>(*call.layout, rules);
    exec::fill_box_ghosts_cuda(
        static_cast<R*>(call.out) + call.layout->first, typed,
        faces_only ? exec::face_ghosts(typed, *call.layout) : exec::all_ghosts(typed, *call.layout),
        call.queue);
  }
  static void guess(const FlowCall& call, const GuessCall& guess) {
    exec::cell_change_cuda(phi_arrays_of<R>(call), guess_of<R>(call, guess), call.clock,
                           call.queue);
  }
  static void fill_pressure_ghosts(const FlowCall& call, const RulesCall& rules) {
    const auto typed = rules_of<R, 1>(*call.pressure_layout, rules);
    exec::fill_box_ghosts_cuda(
        static_cast<R*>(const_cast<void*>(call.phi)) + call.pressure_layout->first, typed,
        exec::all_ghosts(typed, *call.pressure_layout), call.queue);
  }

  static void measure(const FlowCall& call, const DiagnoseParameters& parameters, double* largest) {
    exec::measure_cuda(arrays_of<R>(call), diagnose_of<R>(call, parameters), largest, call.queue);
  }
  static void count(const FlowCall& call, const DiagnoseParameters& parameters,
                    const exec::SumScale* scales, std::int64_t* high_low) {
    exec::count_cuda(arrays_of<R>(call), diagnose_of<R>(call, parameters), scales, high_low,
                     call.queue);
  }

  static double signal(const FlowCall& call) {
    double result = 0;
    exec::measure_cuda(arrays_of<R>(call),
                       MeasureSignal<R>{metrics_of<R>(call), call.variables - first_scalar},
                       &result, call.queue);
    return result;
  }

  static void evaluate(const FlowCall& call, const DiagnoseParameters& parameters,
                       Quantity quantity, double inverse_dt, int components, void* packed) {
    exec::cell_pack_cuda(arrays_of<R>(call), evaluate_of<R>(call, parameters, quantity, inverse_dt),
                         exec::PackedTarget<R>{static_cast<R*>(packed), components}, call.queue);
  }

  template <int variables, Advection advection>
  static exec::KernelReport describe_direct() {
    using Rhs = RightHandSide<R, variables, advection>;
    exec::KernelReport r = exec::report_kernel(exec::cell_direct_kernel<R, Rhs, NoFinish<R>>,
                                               exec::DirectTuning::threads, 0);
    r.name = "direct";
    return r;
  }
  template <int variables>
  static exec::KernelReport describe_ring() {
    exec::KernelReport r =
        exec::ring_report<R, RightHandSide<R, variables, Advection::centred>, NoFinish<R>>();
    r.name = "ring";
    return r;
  }

  template <int variables>
  static Kernels table(Advection advection, Schedule schedule) {
    const bool upwind = advection == Advection::upwind;
    const bool ring = schedule == Schedule::ring && !upwind;
    Kernels k;
    k.begin_step = begin_step;
    k.stage = ring     ? stage_ring<variables>
              : upwind ? stage_direct<variables, Advection::upwind>
                       : stage_direct<variables, Advection::centred>;
    k.advance_open = upwind ? advance_open<variables, Advection::upwind>
                            : advance_open<variables, Advection::centred>;
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
    k.describe = ring     ? describe_ring<variables>
                 : upwind ? describe_direct<variables, Advection::upwind>
                          : describe_direct<variables, Advection::centred>;
    k.schedule = ring ? Schedule::ring : Schedule::direct;
    return k;
  }
  static Kernels table(int variables, Advection advection, Schedule schedule) {
    if (variables == 4) return table<4>(advection, schedule);
    if (variables == 5) return table<5>(advection, schedule);
    return table<6>(advection, schedule);
  }
};

}  // namespace watersmeet::boussinesq
