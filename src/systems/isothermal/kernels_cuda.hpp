#pragma once
// CUDA loops of the isothermal system for one precision; kernels_cuda.cu instantiates them.

#include <cstdint>

#include "exec/cell_cuda.hpp"
#include "exec/cell_map_cuda.hpp"
#include "exec/cell_ring_cuda.hpp"
#include "exec/reduce_cuda.hpp"
#include "systems/isothermal/forcing.hpp"
#include "systems/isothermal/launch.hpp"

namespace watersmeet::isothermal {

// One block: thread 0 moves the clock, then all threads write the forcing tables of the step.
template <class R>
__global__ void begin_step_kernel(const exec::StepRule rule, const double t_limit,
                                  const bool allowed, const ForcingCall forcing,
                                  exec::Clock* clock) {
  if (threadIdx.x == 0) exec::begin_step(*clock, rule, t_limit, allowed);
  __syncthreads();
  if (!clock->active || forcing.place == ForcingPlace::none) return;
  __shared__ DrawnWave wave;
  __shared__ double amplitude;
  if (threadIdx.x == 0) {
    wave = draw_wave(forcing, clock->step);
    amplitude = forcing_amplitude(forcing, wave, clock->dt);
    set_kick_work_unit(forcing, amplitude, *clock);
  }
  __syncthreads();
  const std::int64_t entries = forcing_entries(forcing);
  for (std::int64_t e = threadIdx.x; e < entries; e += blockDim.x) {
    write_forcing_entry<R>(forcing, wave, amplitude, e);
  }
}

template <class R>
struct CudaLoops {
  static void begin_step(const exec::StepRule& rule, double t_limit, bool allowed,
                         const ForcingCall* forcing, exec::Clock* clock, const Queue& queue) {
    begin_step_kernel<R><<<1, 512, 0, static_cast<cudaStream_t>(queue.stream)>>>(
        rule, t_limit, allowed, forcing ? *forcing : ForcingCall{}, clock);
    exec::check_cuda(cudaGetLastError(), "cannot launch the beginning of a step");
  }

  template <Method method, bool extended>
  static void stage_direct(const StageCall& call) {
    exec::cell_stage_direct(arrays_of<R>(call), exec::rounded<R>(call.update),
                            right_hand_side_of<R, method, extended>(call), finish_of<R>(call),
                            call.clock, call.queue);
  }
  template <Method method, bool extended>
  static void stage_ring(const StageCall& call) {
    exec::cell_stage_ring(arrays_of<R>(call), exec::rounded<R>(call.update),
                          right_hand_side_of<R, method, extended>(call), finish_of<R>(call),
                          call.clock, call.queue);
  }

  static void divergence(const StageCall& call) {
    exec::CellArrays<R> a = arrays_of<R>(call);
    a.out = static_cast<R*>(call.out) + call.extra_layout->first;
    exec::cell_store_cuda(a,
                          Divergence<R>{schemes::make_weights6<R>(call.physics->inverse_spacing)},
                          call.clock, call.queue);
  }

  static void measure(const StageCall& call, double* largest) {
    exec::measure_cuda(arrays_of<R>(call), diagnose_of<R>(call), largest, call.queue);
  }
  static void count(const StageCall& call, const exec::SumScale* scales, std::int64_t* high_low) {
    exec::count_cuda(arrays_of<R>(call), diagnose_of<R>(call), scales, high_low, call.queue);
  }

  static double signal(const StageCall& call) {
    double result = 0;
    exec::measure_cuda(arrays_of<R>(call), MeasureSignal<R>{finish_of<R>(call)}, &result,
                       call.queue);
    return result;
  }

  static void evaluate(const StageCall& call, Quantity quantity, int components, void* packed) {
    exec::cell_pack_cuda(arrays_of<R>(call), evaluate_of<R>(call, quantity),
                         exec::PackedTarget<R>{static_cast<R*>(packed), components}, call.queue);
  }

  template <Method method, bool extended, Schedule schedule>
  static exec::KernelReport describe() {
    using Rhs = RightHandSide<R, method, extended>;
    exec::KernelReport r = schedule == Schedule::ring
                               ? exec::ring_report<R, Rhs, Finish<R>>()
                               : exec::report_kernel(exec::cell_direct_kernel<R, Rhs, Finish<R>>,
                                                     exec::DirectTuning::threads, 0);
    r.name = name_of(schedule);
    return r;
  }

  template <Method method, bool extended>
  static Kernels table(Schedule schedule) {
    if (schedule == Schedule::ring) {
      return {begin_step, stage_ring<method, extended>,
              divergence, measure,
              count,      signal,
              evaluate,   describe<method, extended, Schedule::ring>,
              schedule};
    }
    return {begin_step, stage_direct<method, extended>,
            divergence, measure,
            count,      signal,
            evaluate,   describe<method, extended, Schedule::direct>,
            schedule};
  }
  static Kernels table(Method method, bool extended, Schedule schedule) {
    if (method == Method::points55) {
      return extended ? table<Method::points55, true>(schedule)
                      : table<Method::points55, false>(schedule);
    }
    return extended ? table<Method::points19, true>(schedule)
                    : table<Method::points19, false>(schedule);
  }
};

}  // namespace watersmeet::isothermal
