#pragma once
// The stage of the atmosphere as a launch an axis with a thread a cell (exec/axis_cuda.hpp);
// kernels_axes_cuda.cu instantiates it.

#include "exec/face_axis_cuda.hpp"
#include "systems/atmosphere/axes.hpp"
#include "systems/atmosphere/launch.hpp"

namespace watersmeet::atmosphere {

template <class R, Variant variant, Choices choices, class Stage>
struct AxisLoops {
  using Scheme = Flow<R, variant, choices>;
  using Form = exec::FaceByAxes<R, Scheme, Finish<Scheme>>;
  static void stage(const StageCall& call) {
    Stage::run(arrays_of<R>(call), exec::rounded<R>(call.update),
               Form{flow_of<R, variant, choices>(call), finish_of<R, variant, choices>(call)},
               call.clock, call.queue);
  }
  static std::vector<exec::KernelReport> describe() { return Stage::template reports<R, Form>(); }
};

template <class R, Variant variant, Choices choices>
void put_axes(Kernels& kernels, const exec::Strategy& choice) {
  exec::with_axis_stage(choice, [&](auto stage) {
    using Loops = AxisLoops<R, variant, choices, decltype(stage)>;
    kernels.stage = Loops::stage;
    kernels.describe = Loops::describe;
  });
}

}  // namespace watersmeet::atmosphere
