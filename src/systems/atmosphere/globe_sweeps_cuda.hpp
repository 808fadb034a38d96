#pragma once
// The stage of the atmosphere on a cubed sphere by sweeps, with all else that a variant changes;
// kernels_globe_{f32,f64}_sweeps_cuda.cu instantiate it.

#include "exec/face_sweep_cuda.hpp"
#include "systems/atmosphere/globe_variant_cuda.hpp"

namespace watersmeet::atmosphere {

template <class R, GlobeVariant variant>
struct GlobeSweeps {
  static void stage(const GlobeCall& call) {
    exec::face_stage(exec::OnCuda{}, arrays_of<R>(call), exec::rounded<R>(call.update),
                     flow_of<R, variant>(call), finish_of<R, variant>(call), call.clock,
                     call.queue);
  }

  static std::vector<exec::KernelReport> describe() {
    using Scheme = GlobeFlow<R, variant>;
    return exec::face_reports<R, Scheme, Finish<Scheme>>(exec::OnCuda{});
  }

  static void put_into(GlobeKernels& kernels) {
    GlobeVariantLoops<R, variant>::put_into(kernels);
    kernels.stage = stage;
    kernels.describe = describe;
    kernels.schedule = Schedule::sweeps;
  }
};

template <class R>
void use_globe_sweeps(GlobeKernels& kernels, GlobeVariant variant) {
  for_each_equal_variant([&]<GlobeVariant own>() {
    if (variant == own) GlobeSweeps<R, own>::put_into(kernels);
  });
}

}  // namespace watersmeet::atmosphere
