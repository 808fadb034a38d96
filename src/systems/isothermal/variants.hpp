#pragma once
// The loops of the isothermal system for one back end and number type, and the variants that are built. Included by the files that the
// build makes of it.

#include "exec/cell_loops.hpp"
#include "systems/isothermal/functors.hpp"

namespace watersmeet::isothermal {

template <class BackEnd, class R, Method method, bool extended>
class LoopsOf final : public exec::CommonLoops<IsothermalLoops, BackEnd, Functors<R>> {
  using Common = exec::CommonLoops<IsothermalLoops, BackEnd, Functors<R>>;
  using Common::back_end, Common::case_;

 public:
  LoopsOf(const Case& of, exec::CellSchedule schedule) : Common(of), schedule_(schedule) {}

  void stage(const exec::Launch& l) override {
    exec::cell_stage(back_end, schedule_, exec::arrays_of<R>(l), exec::rounded<R>(l.update),
                     Functors<R>::template right_hand_side<method, extended>(case_),
                     Functors<R>::finish(case_), l.clock, l.queue);
  }
  void divergence(const exec::Launch& l) override {
    auto arrays = exec::arrays_of<R>(l);
    arrays.out = static_cast<R*>(l.registers.out) + l.registers.extra_layout->first;
    exec::cell_store(back_end, arrays,
                     Divergence<R>{schemes::make_weights6<R>(case_.physics.inverse_spacing)},
                     l.clock, l.queue);
  }
  std::vector<exec::KernelReport> describe() const override {
    using Rhs = RightHandSide<R, method, extended>;
    return {exec::cell_report<R, Rhs, Finish<R>>(back_end, schedule_)};
  }

 private:
  exec::CellSchedule schedule_;
};

template <class BackEnd, class R>
std::unique_ptr<IsothermalLoops> Variants<BackEnd, R>::make(const Choice& c, const Case& of) {
  const auto made = [&]<Method method, bool extended>() -> std::unique_ptr<IsothermalLoops> {
    return std::make_unique<LoopsOf<BackEnd, R, method, extended>>(of, c.schedule);
  };
  if (c.method == Method::points55) {
    return c.extended ? made.template operator()<Method::points55, true>()
                      : made.template operator()<Method::points55, false>();
  }
  return c.extended ? made.template operator()<Method::points19, true>()
                    : made.template operator()<Method::points19, false>();
}

}  // namespace watersmeet::isothermal
