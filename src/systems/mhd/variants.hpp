#pragma once
// The loops of the MHD system for one back end and number type, and the variants that are built. Included by the files that the build
// makes of it.

#include "exec/cell_loops.hpp"
#include "systems/mhd/functors.hpp"

namespace watersmeet::mhd {

template <class BackEnd, class R, bool has_entropy, class Rhs>
class LoopsOf final : public exec::CommonLoops<exec::Loops, BackEnd, Functors<R, has_entropy>> {
  using Make = Functors<R, has_entropy>;
  using Common = exec::CommonLoops<exec::Loops, BackEnd, Make>;
  using Common::back_end, Common::case_;
  static constexpr auto schedule = exec::CellSchedule::direct;

 public:
  using Common::Common;

  void stage(const exec::Launch& l) override {
    exec::cell_stage(back_end, schedule, exec::arrays_of<R>(l), exec::rounded<R>(l.update),
                     Make::template right_hand_side<Rhs>(case_), Make::finish(case_), l.clock,
                     l.queue);
  }
  std::vector<exec::KernelReport> describe() const override {
    return {exec::cell_report<R, Rhs, Finish<R, has_entropy>>(back_end, schedule)};
  }
};

template <class BackEnd, class R>
std::unique_ptr<exec::Loops> Variants<BackEnd, R>::make(const Choice& c, const Case& of) {
  const auto made = [&]<bool has_entropy, bool extended>() -> std::unique_ptr<exec::Loops> {
    using Rhs = RightHandSide<R, has_entropy, extended>;
    return std::make_unique<LoopsOf<BackEnd, R, has_entropy, Rhs>>(of);
  };
  if (c.kinematic)
    return std::make_unique<LoopsOf<BackEnd, R, false, KinematicRightHandSide<R>>>(of);
  if (c.has_entropy)
    return c.extended ? made.template operator()<true, true>()
                      : made.template operator()<true, false>();
  return c.extended ? made.template operator()<false, true>()
                    : made.template operator()<false, false>();
}

}  // namespace watersmeet::mhd
