#pragma once
// The stage by marching tiles, for the headers of its variants. On a sphere a march continues from the
// lid of a panel to the ground of the next: their cells are independent of each other
// (sphere/panel_mesh.hpp).

#include "core/error.hpp"
#include "exec/common_loops.hpp"
#include "exec/face_compact_cuda.hpp"
#include "systems/atmosphere/built.hpp"
#include "systems/atmosphere/functors.hpp"

namespace watersmeet::atmosphere {

// As exec::CompactTuning, which a box has, for the longer formulas of the sphere. On an H200
// `bench_globe_tiles 137 116 20` gives these 9.7 and 7.1 (double, flat and terrain) and 18.8 and
// 12.4 (single) G cell-stages/s; those of a box 9.6, 6.4, 18.4 and 11.8;
// bench/results/nvidia-h200/globe-tiles.txt has the other shapes.
template <class R>
struct SphereTuning;
template <>
struct SphereTuning<float> {
  static constexpr int rows = 12, blocks = 2;  // 74 KiB a block, 80 registers
  static constexpr bool split = true;
};
template <>
struct SphereTuning<double> {
  static constexpr int rows = 12, blocks = 1;  // 137 KiB, 168 registers
  static constexpr bool split = true;
};

template <class R, const auto& list, class Case>
exec::StageLaunch tile_stage(const Traits& traits, const Case& of) {
  exec::StageLaunch stage;
  const bool found = with_compiled<list>(traits, [&]<Traits own>() {
    using F = Functors<R, own>;
    using Scheme = typename F::Flow;
    using Ending = typename F::Finish;
    const auto made = [&]<class... Shape>() -> exec::StageLaunch {
      return {[&of](const exec::Launch& l) {
                exec::face_stage_compact<R, Scheme, Ending, Shape...>(
                    exec::arrays_of<R>(l), exec::rounded<R>(l.update), F::flow(of), F::finish(of),
                    l.clock, l.queue);
              },
              [] {
                return std::vector<exec::KernelReport>{
                    exec::face_compact_report<R, Scheme, Ending, Shape...>()};
              },
              "tile"};
    };
    if constexpr (own.sphere) {
      stage = made.template operator()<exec::CompactShape<R, Scheme, SphereTuning<R>>>();
    } else {
      stage = made.template operator()<>();
    }
  });
  require(found, "a case has a compiled stage");
  return stage;
}

}  // namespace watersmeet::atmosphere
