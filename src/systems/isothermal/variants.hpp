#pragma once
// The loops of the isothermal system for one back end and number type, and the variants that are built. Included by the files that the
// build makes of it.

#include "exec/cell_loops.hpp"
#include "systems/isothermal/functors.hpp"
#include "systems/shock_passes.hpp"

namespace watersmeet::isothermal {

template <class BackEnd, class R, class Rhs>
class LoopsOf final
    : public exec::CommonLoops<systems::CentralLoops, BackEnd, Functors<R, Rhs::has_shock>> {
  using Make = Functors<R, Rhs::has_shock>;
  using Common = exec::CommonLoops<systems::CentralLoops, BackEnd, Make>;
  using Common::back_end, Common::case_;

 public:
  LoopsOf(const Case& of, exec::CellSchedule schedule) : Common(of), schedule_(schedule) {}

  void stage(const exec::Launch& l) override {
    exec::cell_stage(back_end, schedule_, exec::arrays_of<R>(l), exec::rounded<R>(l.update),
                     Make::template right_hand_side<Rhs>(case_), Make::finish(case_), l.clock,
                     l.queue);
  }
  void pass(int p, const exec::Launch& l) override {
    const Physics& physics = case_.physics;
    if constexpr (Rhs::has_shock) {
      systems::shock_pass<R, ux>(back_end, p, l, physics.inverse_spacing, physics.shock_scale);
    } else {
      const Divergence<R> divergence{schemes::make_weights6<R>(physics.inverse_spacing)};
      exec::cell_store(back_end, systems::arrays_of_pass<R>(l), divergence, l.clock, l.queue);
    }
  }
  std::vector<exec::KernelReport> describe() const override {
    return {exec::cell_report<R, Rhs, Finish<R, Rhs::has_shock>>(back_end, schedule_)};
  }

 private:
  exec::CellSchedule schedule_;
};

template <class BackEnd, class R>
std::unique_ptr<systems::CentralLoops> Variants<BackEnd, R>::make(const Choice& c, const Case& of) {
  const auto made = [&]<Method method, Terms terms>() -> std::unique_ptr<systems::CentralLoops> {
    return std::make_unique<LoopsOf<BackEnd, R, RightHandSide<R, method, terms>>>(of, c.schedule);
  };
  if (c.method == Method::points19) {
    return c.terms == Terms::plain ? made.template operator()<Method::points19, Terms::plain>()
                                   : made.template operator()<Method::points19, Terms::extended>();
  }
  switch (c.terms) {
    case Terms::shock:
      return made.template operator()<Method::points55, Terms::shock>();
    case Terms::extended:
      return made.template operator()<Method::points55, Terms::extended>();
    case Terms::plain:
      break;
  }
  return made.template operator()<Method::points55, Terms::plain>();
}

}  // namespace watersmeet::isothermal
