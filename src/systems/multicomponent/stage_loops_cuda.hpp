#pragma once
// Definition of cuda_stage() for kernels_{f32,f64}_{js,z,general}_cuda.cu.

#include "exec/face_sweep_cuda.hpp"
#include "systems/multicomponent/stage_cuda.hpp"

namespace watersmeet::multicomponent {

template <class R, Variant variant>
void stage_sweeps(const StageCall& call) {
  exec::face_stage_sweeps(arrays_of<R>(call), update_of<R>(call), flow_of<R, variant>(call),
                          finish_of<R>(call), call.clock, call.queue);
}

template <class R, Variant variant>
CudaStage cuda_stage(Schedule) {
  return {stage_sweeps<R, variant>, exec::sweep_reports<R, Flow<R, variant>, Finish<R>>,
          Schedule::sweeps};
}

}  // namespace watersmeet::multicomponent
