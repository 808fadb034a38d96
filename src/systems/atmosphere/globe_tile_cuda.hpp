#pragma once
// The stage of the atmosphere on a cubed sphere by marching tiles, instantiated by
// kernels_globe_{f32,f64}_tile_cuda.cu, and on stretched levels by
// kernels_globe_{f32,f64}_stretched_cuda.cu. A march goes on from the lid of a panel to the ground
// of the next: their cells see nothing of each other (globe_flow.hpp).

#include "exec/face_compact_cuda.hpp"
#include "systems/atmosphere/globe_variant_cuda.hpp"

namespace watersmeet::atmosphere {

// As exec::CompactTuning, for the longer formulas of the sphere. On an H200 `bench_globe_tiles 137
// 116 20` gives these 9.7 and 7.1 (double, flat and terrain) and 18.8 and 12.4 (single) G
// cell-stages/s; those of a box 9.6, 6.4, 18.4 and 11.8; bench/results/nvidia-h200/globe-tiles.txt
// has the other shapes.
template <class R>
struct GlobeTuning;
template <>
struct GlobeTuning<float> {
  static constexpr int rows = 12, blocks = 2;  // 74 KiB a block, 80 registers
  static constexpr bool split = true;
};
template <>
struct GlobeTuning<double> {
  static constexpr int rows = 12, blocks = 1;  // 137 KiB, 168 registers
  static constexpr bool split = true;
};

template <class R, GlobeVariant variant, Choices choices>
struct GlobeTileLoops {
  using Scheme = GlobeFlow<R, variant, choices>;
  using Ending = Finish<GlobeFlow<R, variant>>;
  using Shape = exec::CompactShape<R, Scheme, GlobeTuning<R>>;

  static void stage(const GlobeCall& call) {
    exec::face_stage_compact<R, Scheme, Ending, Shape>(
        arrays_of<R>(call), exec::rounded<R>(call.update), flow_of<R, variant, choices>(call),
        finish_of<R, variant>(call), call.clock, call.queue);
  }
  static std::vector<exec::KernelReport> describe() {
    return {exec::face_compact_report<R, Scheme, Ending, Shape>()};
  }
  static void put_into(GlobeKernels& kernels) {
    kernels.stage = stage;
    kernels.describe = describe;
    kernels.schedule = Schedule::tile;
    if constexpr (choices == Choices::transverse) kernels.couple = couple_transverse;
  }
  static void couple_transverse(const GlobeCall& call) {
    const auto body = couple_of<R, variant, true, Choices::transverse>(call);
    exec::index_loop(exec::OnCuda{}, body.count(), body, nullptr, true, call.queue);
  }
};

template <class R, GlobeVariant variant>
void set_globe_tile(GlobeKernels& kernels, Choices choices) {
  if (choices == Choices::usual) {
    GlobeTileLoops<R, variant, Choices::usual>::put_into(kernels);
    return;
  }
  // Split, there is no transverse term (split.cpp).
  if constexpr (!is_split(variant)) {
    if (choices == Choices::transverse) {
      GlobeTileLoops<R, variant, Choices::transverse>::put_into(kernels);
      return;
    }
  }
  GlobeTileLoops<R, variant, Choices::all>::put_into(kernels);
}

template <class R>
void use_globe_tile(GlobeKernels& kernels, GlobeVariant variant, Choices choices) {
  for_each_equal_variant([&]<GlobeVariant own>() {
    if (variant == own) set_globe_tile<R, own>(kernels, choices);
  });
}

template <class R>
void use_stretched_globe(GlobeKernels& kernels, GlobeVariant variant, Choices choices) {
  for_each_equal_variant([&]<GlobeVariant equal>() {
    constexpr GlobeVariant own = with_stretched_levels(equal);
    if (variant != own) return;
    GlobeVariantLoops<R, own>::put_into(kernels);
    set_globe_tile<R, own>(kernels, choices);
  });
}

}  // namespace watersmeet::atmosphere
