#pragma once
// The stage of shallow water as a launch an axis (exec/axis_cuda.hpp);
// kernels_axes_cuda.cu instantiates it.

#include "core/error.hpp"
#include "exec/plane_axis_cuda.hpp"
#include "systems/shallow_water/axes.hpp"
#include "systems/shallow_water/launch.hpp"

namespace watersmeet::shallow_water {

template <class R, Variant variant, class Stage>
struct AxisLoops {
  using Form = exec::PlaneByAxes<R, Flow<R, variant>>;
  static void stage(const StageCall& call) {
    Stage::run(arrays_of<R>(call), exec::rounded<R>(call.update), Form{flow_of<R, variant>(call)},
               call.clock, call.queue);
  }
  static exec::KernelReport describe() {
    return exec::emptiest(Stage::template reports<R, Form>());
  }
};

template <class R, Variant variant>
void put_axes(Kernels& kernels, const exec::Strategy& choice) {
  exec::with_axis_stage(choice, [&](auto stage) {
    using Loops = AxisLoops<R, variant, decltype(stage)>;
    kernels.stage = Loops::stage;
    kernels.describe = Loops::describe;
  });
}

template <class R>
void put_axes(Kernels& kernels, Variant variant, const exec::Strategy& choice) {
  require(variant != Variant::general, "launches an axis have neither limiters nor dry cells");
  if (variant == Variant::points9) put_axes<R, Variant::points9>(kernels, choice);
  if (variant == Variant::points13) put_axes<R, Variant::points13>(kernels, choice);
}

}  // namespace watersmeet::shallow_water
