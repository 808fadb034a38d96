#pragma once
// The loops of shallow water on a plane for one back end and number type, and the variants that are built. Included by the files that the
// build makes of it.

#include "exec/plane_loops.hpp"
#include "systems/shallow_water/functors.hpp"

namespace watersmeet::shallow_water {

template <class BackEnd, class R, Variant variant>
class PlaneLoopsOf final : public exec::CommonLoops<PlaneLoops, BackEnd, Functors<R>> {
  using Common = exec::CommonLoops<PlaneLoops, BackEnd, Functors<R>>;
  using Common::back_end, Common::case_;
  using F = Functors<R>;
  using Launch = exec::Launch;
  using Sides = PlaneSides<double>;

 public:
  using Common::Common;

  void stage(const Launch& l) override {
    exec::plane_stage(back_end, exec::arrays_of<R>(l), exec::rounded<R>(l.update),
                      F::template flow<variant>(case_), l.clock, l.queue);
  }
  std::vector<exec::KernelReport> describe() const override {
    return {exec::plane_report<R, Flow<R, variant>>(back_end)};
  }

  void fill_boundaries(const Launch& l, const Sides& sides) override {
    fill(l, sides, [&](int axis) { return F::exterior(case_, l, sides, axis); });
  }
  void fill_bed(const Launch& l, const Sides& sides) override {
    fill(l, sides, [&](int axis) { return F::bed_exterior(sides, axis); });
  }
  void count_outflow(const Launch& l, const Sides& sides, const OutflowLedger& ledger) override {
    const auto outflow = F::template outflow<variant>(case_, l, sides, ledger);
    exec::count_sides<R, 1>(back_end, outflow.sides, outflow, ledger.total, l.clock, l.queue);
  }

 private:
  // All sides at once, or one axis after the other where edges of the block count.
  template <class ExteriorOf>
  static void fill(const Launch& l, const Sides& sides, const ExteriorOf& exterior_of) {
    const auto fill_sides = [&](int axis, int around) {
      exec::fill_boundaries(back_end, static_cast<R*>(l.registers.out), *l.registers.layout,
                            exterior_of(axis), l.queue, around);
    };
    if (!sides.any) return;
    if (!sides.edges) return fill_sides(-1, 0);
    for (int axis = 0; axis < 2; ++axis) fill_sides(axis, 1);
  }
};

template <class BackEnd, class R>
std::unique_ptr<PlaneLoops> Variants<BackEnd, R>::make(Variant variant, const Case& of) {
  const auto made = [&]<Variant v>() -> std::unique_ptr<PlaneLoops> {
    return std::make_unique<PlaneLoopsOf<BackEnd, R, v>>(of);
  };
  if (variant == Variant::points9) return made.template operator()<Variant::points9>();
  if (variant == Variant::points13) return made.template operator()<Variant::points13>();
  return made.template operator()<Variant::general>();
}

}  // namespace watersmeet::shallow_water
