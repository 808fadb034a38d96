#pragma once
// CPU loops of the atmosphere for one precision; kernels_cpu_{f32,f64}.cpp instantiate them.

#include <cstdint>

#include "core/gather_pack.hpp"
#include "exec/boundary_cpu.hpp"
#include "exec/cell_map_cpu.hpp"
#include "exec/column_cpu.hpp"
#include "exec/face_cpu.hpp"
#include "exec/reduce_cpu.hpp"
#include "systems/atmosphere/launch.hpp"

namespace watersmeet::atmosphere {

template <class R>
struct CpuLoops {
  static void begin_step(const exec::StepRule& rule, double t_limit, bool allowed,
                         exec::Clock* clock, const Queue&) {
    exec::begin_step(*clock, rule, t_limit, allowed);
  }

  template <Variant variant, Choices choices>
  static void stage(const StageCall& call) {
    exec::face_stage(exec::OnCpu{}, arrays_of<R>(call), exec::rounded<R>(call.update),
                     flow_of<R, variant, choices>(call), finish_of<R, variant, choices>(call),
                     call.clock, call.queue);
  }

  template <Variant variant>
  static void solve_columns(const StageCall& call, const SplitCall& split) {
    exec::column_loop<R>(exec::OnCpu{}, static_cast<int>(call.layout->n[0]),
                         static_cast<int>(call.layout->n[1]), 1,
                         columns_of<R, variant>(call, split), call.clock, call.queue);
  }

  static void diffuse(const StageCall& call, const DiffusionCall& diffusion) {
    run_diffusion<R>(call, diffusion, [&](const auto& arrays, const auto& f) {
      exec::cell_change(exec::OnCpu{}, arrays, f, call.clock, call.queue);
    });
  }

  static void fill_boundaries(const StageCall& call, const BoundaryCall& boundaries) {
    for_each_pass(boundaries, [&](int axis, int around) {
      exec::fill_boundaries(exec::OnCpu{}, static_cast<R*>(call.out), *call.layout,
                            exterior_of<R>(call, boundaries, axis, around), call.queue, around);
    });
  }

  static void measure(const StageCall& call, const DiagnoseParameters& parameters,
                      double* largest) {
    exec::measure(exec::OnCpu{}, arrays_of<R>(call), Diagnose<R>{probe_of<R>(call, parameters)},
                  largest, call.queue);
  }
  static void count(const StageCall& call, const DiagnoseParameters& parameters,
                    const exec::SumScale* scales, std::int64_t* high_low) {
    exec::count(exec::OnCpu{}, arrays_of<R>(call), Diagnose<R>{probe_of<R>(call, parameters)},
                scales, high_low, call.queue);
  }
  template <Variant variant>
  static double signal(const StageCall& call) {
    double largest = 0;
    exec::measure(exec::OnCpu{}, arrays_of<R>(call), signal_of<R, variant>(call), &largest,
                  call.queue);
    return largest;
  }

  static void evaluate(const StageCall& call, const DiagnoseParameters& parameters,
                       Quantity quantity, int components, void* packed) {
    exec::cell_pack(exec::OnCpu{}, arrays_of<R>(call),
                    Evaluate<R>{quantity, probe_of<R>(call, parameters)},
                    exec::PackedTarget<R>{static_cast<R*>(packed), components}, call.queue);
  }

  static std::vector<exec::KernelReport> describe() { return {{.name = "cpu"}}; }

  template <Variant variant>
  static Kernels table() {
    return {begin_step,      stage<variant, Choices::all>,
            fill_boundaries, measure,
            count,           signal<variant>,
            evaluate,        describe};
  }
  template <Variant variant>
  static Kernels table(Choices choices) {
    Kernels kernels = table<variant>();
    if (choices == Choices::transverse) kernels.stage = stage<variant, Choices::transverse>;
    if constexpr (variant == Variant::terrain) kernels.diffuse = diffuse;
    return kernels;
  }
  // Edges of split flows look along their axis alone.
  template <Variant variant>
  static Kernels split_table() {
    Kernels kernels = table<variant>();
    kernels.solve_columns = solve_columns<variant>;
    return kernels;
  }
  static Kernels table(Variant variant, Choices choices) {
    if (variant == Variant::flat) return table<Variant::flat>(choices);
    if (variant == Variant::terrain) return table<Variant::terrain>(choices);
    if (variant == Variant::split_flat) return split_table<Variant::split_flat>();
    if (variant == Variant::split_terrain) return split_table<Variant::split_terrain>();
    return table<Variant::viscous>(choices);
  }
};

}  // namespace watersmeet::atmosphere
