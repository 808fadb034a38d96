#pragma once
// CUDA loops of the atmosphere for one precision; kernels_{f32,f64}_cuda.cu instantiate them.

#include <cstdint>

#include "exec/boundary_cuda.hpp"
#include "exec/cell_map_cuda.hpp"
#include "exec/column_cuda.hpp"
#include "exec/face_sweep_cuda.hpp"
#include "exec/reduce_cuda.hpp"
#include "systems/atmosphere/launch.hpp"

namespace watersmeet::atmosphere {

// One thread.
static __global__ void begin_step_kernel(const exec::StepRule rule, const double t_limit,
                                         const bool allowed, exec::Clock* clock) {
  exec::begin_step(*clock, rule, t_limit, allowed);
}

template <class R, Variant variant>
struct CudaLoops {
  static void begin_step(const exec::StepRule& rule, double t_limit, bool allowed,
                         exec::Clock* clock, const Queue& queue) {
    begin_step_kernel<<<1, 1, 0, static_cast<cudaStream_t>(queue.stream)>>>(rule, t_limit, allowed,
                                                                            clock);
    exec::check_cuda(cudaGetLastError(), "cannot launch the beginning of a step");
  }

  static void stage(const StageCall& call) {
    exec::face_stage(exec::OnCuda{}, arrays_of<R>(call), exec::rounded<R>(call.update),
                     flow_of<R, variant>(call), finish_of<R, variant>(call), call.clock,
                     call.queue);
  }

  static void solve_columns(const StageCall& call, const SplitCall& split) {
    exec::column_loop<R>(exec::OnCuda{}, static_cast<int>(call.layout->n[0]),
                         static_cast<int>(call.layout->n[1]), 1,
                         columns_of<R, variant>(call, split), call.clock, call.queue);
  }

  static void diffuse(const StageCall& call, const DiffusionCall& diffusion) {
    run_diffusion<R>(call, diffusion, [&](const auto& arrays, const auto& f) {
      exec::cell_change(exec::OnCuda{}, arrays, f, call.clock, call.queue);
    });
  }

  static void fill_boundaries(const StageCall& call, const BoundaryCall& boundaries) {
    for_each_pass(boundaries, [&](int axis, int around) {
      exec::fill_boundaries(exec::OnCuda{}, static_cast<R*>(call.out), *call.layout,
                            exterior_of<R>(call, boundaries, axis, around), call.queue, around);
    });
  }

  static void measure(const StageCall& call, const DiagnoseParameters& parameters,
                      double* largest) {
    exec::measure(exec::OnCuda{}, arrays_of<R>(call), Diagnose<R>{probe_of<R>(call, parameters)},
                  largest, call.queue);
  }
  static void count(const StageCall& call, const DiagnoseParameters& parameters,
                    const exec::SumScale* scales, std::int64_t* high_low) {
    exec::count(exec::OnCuda{}, arrays_of<R>(call), Diagnose<R>{probe_of<R>(call, parameters)},
                scales, high_low, call.queue);
  }
  static double signal(const StageCall& call) {
    double largest = 0;
    exec::measure(exec::OnCuda{}, arrays_of<R>(call), signal_of<R, variant>(call), &largest,
                  call.queue);
    return largest;
  }

  static void evaluate(const StageCall& call, const DiagnoseParameters& parameters,
                       Quantity quantity, int components, void* packed) {
    exec::cell_pack(exec::OnCuda{}, arrays_of<R>(call),
                    Evaluate<R>{quantity, probe_of<R>(call, parameters)},
                    exec::PackedTarget<R>{static_cast<R*>(packed), components}, call.queue);
  }

  static std::vector<exec::KernelReport> describe() {
    using Scheme = Flow<R, variant>;
    return exec::face_reports<R, Scheme, Finish<Scheme>>(exec::OnCuda{});
  }

  static Kernels table() {
    Kernels k = {begin_step, stage, fill_boundaries, measure, count, signal, evaluate, describe};
    if constexpr (is_split(variant)) k.solve_columns = solve_columns;
    if constexpr (variant == Variant::terrain) k.diffuse = diffuse;
    return k;
  }
};

template <class R>
Kernels cuda_kernels(Variant variant) {
  if (variant == Variant::flat) return CudaLoops<R, Variant::flat>::table();
  if (variant == Variant::terrain) return CudaLoops<R, Variant::terrain>::table();
  if (variant == Variant::split_flat) return CudaLoops<R, Variant::split_flat>::table();
  if (variant == Variant::split_terrain) return CudaLoops<R, Variant::split_terrain>::table();
  return CudaLoops<R, Variant::viscous>::table();
}

}  // namespace watersmeet::atmosphere
