#pragma once
// The flux limiter's loops on CUDA; kernels_{f32,f64}_cuda.cu instantiate them.

#include "exec/face_limit_cuda.hpp"
#include "systems/multicomponent/launch.hpp"

namespace watersmeet::multicomponent {

template <class R>
void find_inadmissible_cuda(const StageCall& call, const LimitCall& limit) {
  exec::limit_find(exec::OnCuda{}, arrays_of<R>(call), exec::rounded<R>(call.update),
                   flow_of<R, Variant::general>(call), pass_of<R>(limit), call.clock, call.queue);
}

template <class R>
void limit_faces_cuda(const StageCall& call, const LimitCall& limit) {
  const auto flow = flow_of<R, Variant::general>(call);
  exec::limit_correct(exec::OnCuda{}, arrays_of<R>(call), exec::rounded<R>(call.update), flow,
                      flow.low(), finish_of<R>(call), pass_of<R>(limit), call.clock, call.queue);
}

}  // namespace watersmeet::multicomponent
