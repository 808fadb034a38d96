#pragma once
// CPU loops of shallow water for one precision; kernels_cpu_{f32,f64}.cpp instantiate them.

#include <cstdint>

#include "exec/boundary_cpu.hpp"
#include "exec/cell_map_cpu.hpp"
#include "exec/plane_cpu.hpp"
#include "exec/reduce_cpu.hpp"
#include "systems/shallow_water/launch.hpp"

namespace watersmeet::shallow_water {

template <class R>
struct CpuLoops {
  static void begin_step(const exec::StepRule& rule, double t_limit, bool allowed,
                         exec::Clock* clock, const Queue&) {
    exec::begin_step(*clock, rule, t_limit, allowed);
  }

  template <Variant variant>
  static void stage(const StageCall& call) {
    exec::plane_stage(exec::OnCpu{}, arrays_of<R>(call), exec::rounded<R>(call.update),
                      flow_of<R, variant>(call), call.clock, call.queue);
  }

  static void fill_boundaries(const StageCall& call, const BoundaryCall& boundaries) {
    for_each_pass(boundaries, [&](int axis, int around) {
      exec::fill_boundaries(exec::OnCpu{}, static_cast<R*>(call.out), *call.layout,
                            exterior_of<R>(call, boundaries, axis), call.queue, around);
    });
  }
  static void fill_bed(const StageCall& call, const BoundaryCall& boundaries) {
    for_each_pass(boundaries, [&](int axis, int around) {
      exec::fill_boundaries(exec::OnCpu{}, static_cast<R*>(call.out), *call.bed_layout,
                            bed_exterior_of<R>(boundaries, axis), call.queue, around);
    });
  }

  template <Variant variant>
  static void count_outflow(const StageCall& call, const BoundaryCall& boundaries,
                            const OutflowCall& ledger) {
    if (!call.clock->active) return;
    const auto outflow = outflow_of<R, variant>(call, boundaries, ledger);
    const R dt = R(call.clock->dt);
    for (int side = 0; side < 4; ++side) {
      const std::int64_t cells = outflow.sides.side[side].cells();
      const bool worth_threads = cells > 256;
#pragma omp parallel num_threads(call.queue.threads) if (worth_threads)
      {
        exec::WideCount mine;
#pragma omp for schedule(static)
        for (std::int64_t c = 0; c < cells; ++c) mine = exec::sum_of(mine, outflow(side, c, dt));
#pragma omp critical
        *ledger.total = exec::sum_of(*ledger.total, mine);
      }
    }
  }

  static void measure(const StageCall& call, const DiagnoseParameters& parameters,
                      double* largest) {
    exec::measure(exec::OnCpu{}, arrays_of<R>(call), Diagnose<R>{Probe<R>(parameters)}, largest,
                  call.queue);
  }
  static void count(const StageCall& call, const DiagnoseParameters& parameters,
                    const exec::SumScale* scales, std::int64_t* high_low) {
    exec::count(exec::OnCpu{}, arrays_of<R>(call), Diagnose<R>{Probe<R>(parameters)}, scales,
                high_low, call.queue);
  }
  static double signal(const StageCall& call) {
    double largest = 0;
    exec::measure(exec::OnCpu{}, arrays_of<R>(call), signal_of<R>(call), &largest, call.queue);
    return largest;
  }

  static void evaluate(const StageCall& call, const DiagnoseParameters& parameters,
                       Quantity quantity, int components, void* packed) {
    exec::cell_pack(exec::OnCpu{}, arrays_of<R>(call), Evaluate<R>{quantity, Probe<R>(parameters)},
                    exec::PackedTarget<R>{static_cast<R*>(packed), components}, call.queue);
  }

  static exec::KernelReport describe() { return {.name = "cpu"}; }

  template <Variant variant>
  static Kernels table() {
    return {begin_step, stage<variant>, fill_boundaries, fill_bed, count_outflow<variant>,
            measure,    count,          signal,          evaluate, describe};
  }
  static Kernels table(Variant variant) {
    if (variant == Variant::points9) return table<Variant::points9>();
    if (variant == Variant::points13) return table<Variant::points13>();
    return table<Variant::general>();
  }
};

}  // namespace watersmeet::shallow_water
