#pragma once
// CUDA loops of the multicomponent system for one precision; kernels_{f32,f64}_cuda.cu instantiate
// them, with the stages and the limiter's.

#include <cstdint>

#include "exec/cell_map_cuda.hpp"
#include "exec/reduce_cuda.hpp"
#include "systems/multicomponent/boundaries_cuda.hpp"
#include "systems/multicomponent/stage_cuda.hpp"

namespace watersmeet::multicomponent {

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

  static void measure(const StageCall& call, const DiagnoseParameters& parameters,
                      double* largest) {
    exec::measure(exec::OnCuda{}, arrays_of<R>(call), Diagnose<R>(parameters), largest, call.queue);
  }
  static void count(const StageCall& call, const DiagnoseParameters& parameters,
                    const exec::SumScale* scales, std::int64_t* high_low) {
    exec::count(exec::OnCuda{}, arrays_of<R>(call), Diagnose<R>(parameters), scales, high_low,
                call.queue);
  }

  template <class Sampler>
  static double largest_of(const StageCall& call, const Sampler& sampler) {
    double largest = 0;
    exec::measure(exec::OnCuda{}, arrays_of<R>(call), sampler, &largest, call.queue);
    return largest;
  }
  static double signal(const StageCall& call) {
    return largest_of(call, MeasureSignal<R>{finish_of<R>(call)});
  }
  static double steepest(const StageCall& call) { return largest_of(call, steepness_of<R>(call)); }

  static void evaluate(const StageCall& call, const EvaluateParameters& parameters, int components,
                       void* packed) {
    exec::cell_pack(exec::OnCuda{}, arrays_of<R>(call), Evaluate<R>(parameters),
                    exec::PackedTarget<R>{static_cast<R*>(packed), components}, call.queue);
  }

  static CudaStage stage_of(Variant variant, Schedule schedule) {
    if (variant == Variant::js) return cuda_stage<R, Variant::js>(schedule);
    if (variant == Variant::z) return cuda_stage<R, Variant::z>(schedule);
    return cuda_stage<R, Variant::general>(schedule);
  }
  static Kernels table(Variant variant, Schedule schedule) {
    const CudaStage s = stage_of(variant, schedule);
    return {begin_step,
            s.run,
            fill_boundaries_cuda<R>,
            measure,
            count,
            signal,
            steepest,
            evaluate,
            s.describe,
            schedule,
            s.count_boundaries,
            find_inadmissible_cuda<R>,
            limit_faces_cuda<R>,
            s.sweep};
  }
};

}  // namespace watersmeet::multicomponent
