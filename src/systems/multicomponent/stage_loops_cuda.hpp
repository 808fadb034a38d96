#pragma once
// Definition of cuda_stage() for kernels_{f32,f64}_cuda.cu.

#include "exec/face_sweep_cuda.hpp"
#include "exec/face_tile_cuda.hpp"
#include "systems/multicomponent/ledger_cuda.hpp"
#include "systems/multicomponent/stage_cuda.hpp"

namespace watersmeet::multicomponent {

template <class R, Variant variant>
void stage_sweeps(const StageCall& call) {
  exec::face_stage_sweeps(arrays_of<R>(call), exec::rounded<R>(call.update),
                          flow_of<R, variant>(call), finish_of<R>(call), call.clock, call.queue);
}

template <class R, Variant variant>
void one_sweep(const StageCall& call, int axis) {
  exec::face_sweep(arrays_of<R>(call), exec::rounded<R>(call.update), flow_of<R, variant>(call),
                   finish_of<R>(call), call.clock, call.queue, axis);
}

template <class R, Variant variant>
void stage_tile(const StageCall& call) {
  exec::face_stage_tile(arrays_of<R>(call), exec::rounded<R>(call.update),
                        flow_of<R, variant>(call), finish_of<R>(call), call.clock, call.queue);
}

template <class R, Variant variant>
std::vector<exec::KernelReport> describe_tile() {
  exec::KernelReport r = exec::face_tile_report<R, Flow<R, variant>, Finish<R>>();
  r.name = name_of(Schedule::tile);
  return {r};
}

template <class R, Variant variant>
CudaStage cuda_stage(Schedule schedule) {
  if (schedule == Schedule::tile) {
    return {stage_tile<R, variant>, describe_tile<R, variant>, count_boundaries_cuda<R, variant>,
            nullptr};
  }
  return {stage_sweeps<R, variant>, exec::sweep_reports<R, Flow<R, variant>, Finish<R>>,
          count_boundaries_cuda<R, variant>, one_sweep<R, variant>};
}

}  // namespace watersmeet::multicomponent
