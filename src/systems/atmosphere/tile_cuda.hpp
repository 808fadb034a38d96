#pragma once
// The stage of the atmosphere by marching tiles; kernels_{f32,f64}_tile_cuda.cu instantiate it.

#include "exec/face_compact_cuda.hpp"
#include "systems/atmosphere/launch.hpp"

namespace watersmeet::atmosphere {

template <class R, Variant variant, Choices choices>
struct TileLoops {
  static void stage(const StageCall& call) {
    exec::face_stage_compact(arrays_of<R>(call), exec::rounded<R>(call.update),
                             flow_of<R, variant, choices>(call),
                             finish_of<R, variant, choices>(call), call.clock, call.queue);
  }
  static std::vector<exec::KernelReport> describe() {
    using Scheme = Flow<R, variant, choices>;
    return {exec::face_compact_report<R, Scheme, Finish<Scheme>>()};
  }
  static void put_into(Kernels& kernels) {
    kernels.stage = stage;
    kernels.describe = describe;
    kernels.schedule = Schedule::tile;
  }
};

template <class R, Variant variant>
void set_tile(Kernels& kernels, Choices choices) {
  if (choices == Choices::usual) {
    TileLoops<R, variant, Choices::usual>::put_into(kernels);
  } else if (choices == Choices::stretched) {
    TileLoops<R, variant, Choices::stretched>::put_into(kernels);
  } else if (choices == Choices::transverse) {
    TileLoops<R, variant, Choices::transverse>::put_into(kernels);
  } else {
    TileLoops<R, variant, Choices::all>::put_into(kernels);
  }
}

template <class R>
void use_tile(Kernels& kernels, Variant variant, Choices choices) {
  if (variant == Variant::flat) set_tile<R, Variant::flat>(kernels, choices);
  if (variant == Variant::terrain) set_tile<R, Variant::terrain>(kernels, choices);
}

}  // namespace watersmeet::atmosphere
