#pragma once
// CUDA loops of shallow water on a cubed sphere for one precision; kernels_sphere_cuda.cu
// instantiates them.

#include <cstdint>

#include "exec/cell_map_cuda.hpp"
#include "exec/index_cuda.hpp"
#include "exec/plane_cuda.hpp"
#include "exec/reduce_cuda.hpp"
#include "systems/shallow_water/sphere_launch.hpp"

namespace watersmeet::shallow_water {

template <class R>
struct SphereCudaLoops {
  template <Variant variant>
  static void stage(const StageCall& call, const SphereCall& s) {
    exec::plane_stage(exec::OnCuda{}, arrays_of<R>(call), exec::rounded<R>(call.update),
                      sphere_flow_of<R, variant>(call, s), call.clock, call.queue);
  }
  template <Variant variant>
  static exec::KernelReport describe() {
    exec::KernelReport report =
        exec::plane_report<R, Flow<R, variant, SphereGeometry>>(exec::OnCuda{});
    report.name = "march";
    return report;
  }
  template <Variant variant>
  static void couple(const StageCall& call, const SphereCall& s, bool bed_alone) {
    exec::index_loop(exec::OnCuda{}, std::int64_t{s.edges} * s.part.n,
                     couple_of<R, variant>(call, s, bed_alone), nullptr, true, call.queue);
  }
  static void pack(const StageCall& call, const SphereCall& s, void* message) {
    exec::index_loop(exec::OnCuda{}, s.strips.count_here,
                     pack_of<R, Variant::general>(call, s, message), nullptr, true, call.queue);
  }
  static void unpack(const StageCall& call, const SphereCall& s, const void* message) {
    exec::index_loop(exec::OnCuda{}, s.strips.count_there, unpack_of<R>(s, message), nullptr, true,
                     call.queue);
  }

  static void measure(const StageCall& call, const SphereCall& s,
                      const SphereProbeParameters& parameters, double* largest) {
    exec::measure(exec::OnCuda{}, arrays_of<R>(call),
                  DiagnoseSphere<R>{{parameters, geometry_of<R>(s)}}, largest, call.queue);
  }
  static void count(const StageCall& call, const SphereCall& s,
                    const SphereProbeParameters& parameters, const exec::SumScale* scales,
                    std::int64_t* high_low) {
    exec::count(exec::OnCuda{}, arrays_of<R>(call),
                DiagnoseSphere<R>{{parameters, geometry_of<R>(s)}}, scales, high_low, call.queue);
  }
  static double signal(const StageCall& call, const SphereCall& s) {
    double largest = 0;
    exec::measure(exec::OnCuda{}, arrays_of<R>(call), sphere_signal_of<R>(call, s), &largest,
                  call.queue);
    return largest;
  }
  static void evaluate(const StageCall& call, const SphereCall& s,
                       const SphereProbeParameters& parameters, SphereQuantity quantity,
                       int components, void* packed) {
    exec::cell_pack(exec::OnCuda{}, arrays_of<R>(call),
                    EvaluateSphere<R>{quantity, {parameters, geometry_of<R>(s)}},
                    exec::PackedTarget<R>{static_cast<R*>(packed), components}, call.queue);
  }

  template <Variant variant>
  static SphereKernels table() {
    return {stage<variant>, couple<variant>, pack,     unpack,           measure,
            count,          signal,          evaluate, describe<variant>};
  }
  static SphereKernels table(Variant variant) {
    if (variant == Variant::points9) return table<Variant::points9>();
    if (variant == Variant::points13) return table<Variant::points13>();
    return table<Variant::general>();
  }
};

}  // namespace watersmeet::shallow_water
