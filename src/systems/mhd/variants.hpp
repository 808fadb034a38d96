#pragma once
// The loops of the MHD system for one back end and number type, and the variants that are built. Included by the files that the build
// makes of it.

#include "exec/cell_loops.hpp"
#include "systems/mhd/functors.hpp"
#include "systems/shock_passes.hpp"

namespace watersmeet::mhd {

template <class BackEnd, class R, class Rhs>
class LoopsOf final : public exec::CommonLoops<systems::CentralLoops, BackEnd,
                                               Functors<R, Rhs::has_entropy, Rhs::has_shock>> {
  using Make = Functors<R, Rhs::has_entropy, Rhs::has_shock>;
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
    if constexpr (Rhs::has_shock) {
      const Physics& physics = case_.physics;
      systems::shock_pass<R, ux>(back_end, p, l, physics.inverse_spacing, physics.shock_scale);
    }
  }
  std::vector<exec::KernelReport> describe() const override {
    return {exec::cell_report<R, Rhs, Finish<R, Rhs::has_entropy, Rhs::has_shock>>(back_end,
                                                                                   schedule_)};
  }

 private:
  exec::CellSchedule schedule_;
};

template <class BackEnd, class R>
std::unique_ptr<systems::CentralLoops> Variants<BackEnd, R>::make(const Choice& c, const Case& of) {
  const auto made = [&]<class Rhs>() -> std::unique_ptr<systems::CentralLoops> {
    return std::make_unique<LoopsOf<BackEnd, R, Rhs>>(of, c.schedule);
  };
  const auto with = [&]<bool has_entropy>() {
    switch (c.terms) {
      case Terms::shock:
        return made.template operator()<RightHandSide<R, has_entropy, Terms::shock>>();
      case Terms::extended:
        return made.template operator()<RightHandSide<R, has_entropy, Terms::extended>>();
      case Terms::plain:
        break;
    }
    return made.template operator()<RightHandSide<R, has_entropy, Terms::plain>>();
  };
  if (c.kinematic) return made.template operator()<KinematicRightHandSide<R>>();
  return c.has_entropy ? with.template operator()<true>() : with.template operator()<false>();
}

}  // namespace watersmeet::mhd
