#pragma once
// The stage of the atmosphere on a cubed sphere by sweeps, with all else that a variant changes: a
// file each, kernels_globe_{f32,f64}_{,split_}{flat,terrain,deep}_cuda.cu, because it takes long to
// compile.

#include "exec/face_sweep_cuda.hpp"
#include "systems/atmosphere/globe_variant_cuda.hpp"

namespace watersmeet::atmosphere {

template <class R, GlobeVariant variant>
struct GlobeSweeps {
  static void stage(const GlobeCall& call) {
    exec::face_stage_sweeps(arrays_of<R>(call), exec::rounded<R>(call.update),
                            flow_of<R, variant>(call), finish_of<R, variant>(call), call.clock,
                            call.queue);
  }

  static void put_into(GlobeKernels& kernels) {
    GlobeVariantLoops<R, variant>::put_into(kernels);
    kernels.stage = stage;
    kernels.describe = exec::sweep_reports<R, GlobeFlow<R, variant>, Finish<GlobeFlow<R, variant>>>;
    kernels.schedule = Schedule::sweeps;
  }
};

}  // namespace watersmeet::atmosphere
