#pragma once
// The stage of the atmosphere on a cubed sphere by marching tiles, for the headers of its variants. A march goes on from the lid of a panel
// to the ground of the next: their cells see nothing of each other (globe_flow.hpp).

#include "exec/face_compact_cuda.hpp"
#include "systems/atmosphere/globe_functors.hpp"

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
exec::StageLaunch globe_tile_stage(const GlobeCase& of) {
  using F = GlobeFunctors<R, variant>;
  using Scheme = GlobeFlow<R, variant, choices>;
  using Ending = Finish<GlobeFlow<R, variant>>;
  using Shape = exec::CompactShape<R, Scheme, GlobeTuning<R>>;
  return {[&of](const exec::Launch& l) {
            exec::face_stage_compact<R, Scheme, Ending, Shape>(
                exec::arrays_of<R>(l), exec::rounded<R>(l.update), F::template flow<choices>(of),
                F::finish(of), l.clock, l.queue);
          },
          [] {
            return std::vector<exec::KernelReport>{
                exec::face_compact_report<R, Scheme, Ending, Shape>()};
          },
          "tile"};
}

template <class R, GlobeVariant variant>
exec::StageLaunch globe_tile_stage(Choices choices, const GlobeCase& of) {
  if (choices == Choices::lmars_unlimited)
    return globe_tile_stage<R, variant, Choices::lmars_unlimited>(of);
  // Split, there is no transverse term (split.cpp).
  if constexpr (!is_split(variant)) {
    if (choices == Choices::transverse) {
      return globe_tile_stage<R, variant, Choices::transverse>(of);
    }
  }
  return globe_tile_stage<R, variant, Choices::all>(of);
}

}  // namespace watersmeet::atmosphere
