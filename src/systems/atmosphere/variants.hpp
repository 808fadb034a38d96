#pragma once
// The loops of the atmosphere in a box for one back end and number type, but for the stage, and the variants that are built. Included by the
// files that the build makes of it.

#include "exec/column_loops.hpp"
#include "exec/face_loops.hpp"
#include "systems/atmosphere/functors.hpp"

namespace watersmeet::atmosphere {

template <class BackEnd, class R, Variant variant>
class BoxLoopsOf final : public exec::CommonLoops<BoxLoops, BackEnd, Functors<R, variant>> {
  using Common = exec::CommonLoops<BoxLoops, BackEnd, Functors<R, variant>>;
  using Common::back_end, Common::case_;
  using F = Functors<R, variant>;
  using Launch = exec::Launch;

 public:
  using Common::Common;

  void fill_boundaries(const Launch& l, const BoundaryCall& boundaries) override {
    for_each_pass(boundaries, [&](int axis, int around) {
      exec::fill_boundaries(back_end, static_cast<R*>(l.registers.out), *l.registers.layout,
                            F::exterior(case_, l, boundaries, axis, around), l.queue, around);
    });
  }
  void solve_columns(const Launch& l, [[maybe_unused]] const SplitCall& split) override {
    require(is_split(variant), "columns are solved where sound across levels is implicit");
    if constexpr (is_split(variant)) {
      const BlockLayout& layout = *l.registers.layout;
      exec::column_loop<R>(back_end, static_cast<int>(layout.n[0]), static_cast<int>(layout.n[1]),
                           1, F::columns(case_, l, split), l.clock, l.queue);
    }
  }

  void diffuse(const Launch& l, [[maybe_unused]] void* values) override {
    require(variant == Variant::terrain, "diffusion of its own pass is for terrain");
    if constexpr (variant == Variant::terrain) diffuse_over_terrain(l, values);
  }

 private:
  void diffuse_over_terrain(const Launch& l, void* values) {
    const BlockLayout& layout = *l.registers.layout;
    Box around = l.box;  // no farther: levels beyond the ground and the lid are not asked for
    for (int a = 0; a < 2; ++a) {
      if (!(case_.flow.inverse_spacing[a] > 0)) continue;
      --around.lower[std::size_t(a)];
      ++around.upper[std::size_t(a)];
    }
    exec::cell_change(back_end,
                      exec::cell_arrays<R>(layout, l.registers.in, values, nullptr, around),
                      F::diffusing(case_), l.clock, l.queue);
    Diffuse<R> diffuse = F::diffusion(case_, l);
    const auto add = [&](void* to, double factor, bool last) {
      const auto arrays = exec::cell_arrays<R>(layout, values, to, nullptr, l.box);
      diffuse.target = arrays.out;
      diffuse.factor = R(factor);
      diffuse.last = last;
      exec::cell_change(back_end, arrays, diffuse, l.clock, l.queue);
    };
    // The increment w of a 2N scheme is added to the stage with the weight b, like everything there.
    if (l.update.form == exec::UpdateForm::stored && l.update.write_increment) {
      add(l.registers.increment, 1, false);
    }
    add(l.registers.out, l.update.b, l.update.last);
  }
};

template <class BackEnd, class R>
std::unique_ptr<BoxLoops> Variants<BackEnd, R>::make(Variant variant, const Case& of) {
  const auto made = [&]<Variant v>() -> std::unique_ptr<BoxLoops> {
    return std::make_unique<BoxLoopsOf<BackEnd, R, v>>(of);
  };
  if (variant == Variant::flat) return made.template operator()<Variant::flat>();
  if (variant == Variant::terrain) return made.template operator()<Variant::terrain>();
  if (variant == Variant::viscous) return made.template operator()<Variant::viscous>();
  if (variant == Variant::split_flat) return made.template operator()<Variant::split_flat>();
  return made.template operator()<Variant::split_terrain>();
}

}  // namespace watersmeet::atmosphere
