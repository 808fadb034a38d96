#pragma once
// CUDA loops of shallow water for one precision; kernels_cuda.cu instantiates them.

#include <cstdint>

#include "exec/boundary_cuda.hpp"
#include "exec/cell_map_cuda.hpp"
#include "exec/plane_cuda.hpp"
#include "exec/reduce_cuda.hpp"
#include "exec/wide_count_cuda.hpp"
#include "systems/shallow_water/launch.hpp"

namespace watersmeet::shallow_water {

// One thread.
static __global__ void begin_step_kernel(const exec::StepRule rule, const double t_limit,
                                         const bool allowed, exec::Clock* clock) {
  exec::begin_step(*clock, rule, t_limit, allowed);
}

template <class R, class Outflow>
__global__ void __launch_bounds__(exec::side_threads)
    count_outflow_kernel(const Outflow outflow, const exec::Clock* clock) {
  if (!clock->active) return;
  const R dt = R(clock->dt);
  exec::WideCount mine;
  for (std::int64_t c = std::int64_t(blockIdx.x) * exec::side_threads + threadIdx.x;
       c < outflow.sides.cells; c += std::int64_t(gridDim.x) * exec::side_threads) {
    const exec::CellOfSide at = exec::cell_of_side(outflow.sides, c);
    mine = exec::sum_of(mine, outflow(at.side, at.cell, dt));
  }
  const exec::WideCount all = exec::warp_sum(mine);
  if (threadIdx.x % 32 == 0) exec::add_to(outflow.ledger.total, all);
}

template <class R>
struct CudaLoops {
  static void begin_step(const exec::StepRule& rule, double t_limit, bool allowed,
                         exec::Clock* clock, const Queue& queue) {
    begin_step_kernel<<<1, 1, 0, static_cast<cudaStream_t>(queue.stream)>>>(rule, t_limit, allowed,
                                                                            clock);
    exec::check_cuda(cudaGetLastError(), "cannot launch the beginning of a step");
  }

  template <Variant variant>
  static void stage(const StageCall& call) {
    exec::plane_stage(exec::OnCuda{}, arrays_of<R>(call), exec::rounded<R>(call.update),
                      flow_of<R, variant>(call), call.clock, call.queue);
  }
  template <Variant variant>
  static exec::KernelReport describe() {
    exec::KernelReport report = exec::plane_report<R, Flow<R, variant>>(exec::OnCuda{});
    report.name = "march";
    return report;
  }

  static void fill_boundaries(const StageCall& call, const BoundaryCall& boundaries) {
    for_each_pass(boundaries, [&](int axis, int around) {
      exec::fill_boundaries(exec::OnCuda{}, static_cast<R*>(call.out), *call.layout,
                            exterior_of<R>(call, boundaries, axis), call.queue, around);
    });
  }
  static void fill_bed(const StageCall& call, const BoundaryCall& boundaries) {
    for_each_pass(boundaries, [&](int axis, int around) {
      exec::fill_boundaries(exec::OnCuda{}, static_cast<R*>(call.out), *call.bed_layout,
                            bed_exterior_of<R>(boundaries, axis), call.queue, around);
    });
  }

  template <Variant variant>
  static void count_outflow(const StageCall& call, const BoundaryCall& boundaries,
                            const OutflowCall& ledger) {
    const auto outflow = outflow_of<R, variant>(call, boundaries, ledger);
    if (outflow.sides.cells == 0) return;
    count_outflow_kernel<R><<<exec::side_blocks(outflow.sides), exec::side_threads, 0,
                              static_cast<cudaStream_t>(call.queue.stream)>>>(outflow, call.clock);
    exec::check_cuda(cudaGetLastError(), "cannot launch the ledger of the sides");
  }

  static void measure(const StageCall& call, const DiagnoseParameters& parameters,
                      double* largest) {
    exec::measure(exec::OnCuda{}, arrays_of<R>(call), Diagnose<R>{Probe<R>(parameters)}, largest,
                  call.queue);
  }
  static void count(const StageCall& call, const DiagnoseParameters& parameters,
                    const exec::SumScale* scales, std::int64_t* high_low) {
    exec::count(exec::OnCuda{}, arrays_of<R>(call), Diagnose<R>{Probe<R>(parameters)}, scales,
                high_low, call.queue);
  }
  static double signal(const StageCall& call) {
    double largest = 0;
    exec::measure(exec::OnCuda{}, arrays_of<R>(call), signal_of<R>(call), &largest, call.queue);
    return largest;
  }

  static void evaluate(const StageCall& call, const DiagnoseParameters& parameters,
                       Quantity quantity, int components, void* packed) {
    exec::cell_pack(exec::OnCuda{}, arrays_of<R>(call), Evaluate<R>{quantity, Probe<R>(parameters)},
                    exec::PackedTarget<R>{static_cast<R*>(packed), components}, call.queue);
  }

  template <Variant variant>
  static Kernels table() {
    return {begin_step, stage<variant>, fill_boundaries, fill_bed, count_outflow<variant>,
            measure,    count,          signal,          evaluate, describe<variant>};
  }
  static Kernels table(Variant variant) {
    if (variant == Variant::points9) return table<Variant::points9>();
    if (variant == Variant::points13) return table<Variant::points13>();
    return table<Variant::general>();
  }
};

}  // namespace watersmeet::shallow_water
