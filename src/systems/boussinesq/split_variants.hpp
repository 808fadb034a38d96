#pragma once
// The loops of stages in several launches (split_rates.hpp): for any number of scalars and both kinds of cells. Included by the files that the
// build makes of it.

#include "systems/boussinesq/loops_of.hpp"

namespace watersmeet::boussinesq {

template <class BackEnd, class R, class M>
class SplitLoops final : public LoopsBesideStages<BackEnd, R, most_variables, M> {
  using Beside = LoopsBesideStages<BackEnd, R, most_variables, M>;
  using Beside::back_end, Beside::case_;
  using F = typename Beside::F;
  static constexpr exec::CellSchedule schedule = exec::CellSchedule::direct;

 public:
  SplitLoops(const Case& of, const Choice& choice) : Beside(of), choice_(choice) {}

  void stage(const exec::Launch& l) override {
    const Case& of = case_;
    with_advection(choice_.advection, [&]<Advection advection>() {
      if constexpr (advection != Advection::limited)
        this->advance(l, velocity_x, F::template velocity_rate<advection>(of));
    });
    for (int var = first_scalar; var < first_scalar + of.scalars; ++var) {
      const Advection own = choice_.scalar_advection[static_cast<std::size_t>(var - first_scalar)];
      with_advection(own, [&]<Advection advection>() {
        this->advance(l, var, F::template scalar_rate<advection>(of, var));
      });
    }
  }
  void advance_open(const exec::Launch& l, const OpenArrays& open) override {
    with_advection(choice_.advection, [&]<Advection advection>() {
      if constexpr (advection != Advection::limited) {
        if (choice_.from_beginning) {
          this->template advance_open_faces<false, advection>(l, open);
        } else {
          this->template advance_open_faces<true, advection>(l, open);
        }
      }
    });
  }
  std::vector<exec::KernelReport> describe() const override {
    using Rate = VelocityRate<R, Advection::centred, M>;
    return {exec::cell_report<R, Rate, NoFinish<R>>(back_end, schedule)};
  }

 private:
  template <class Work>
  static void with_advection(Advection advection, const Work& work) {
    if (advection == Advection::limited) return work.template operator()<Advection::limited>();
    if (advection == Advection::upwind) return work.template operator()<Advection::upwind>();
    work.template operator()<Advection::centred>();
  }
  // The variables from `first` on that the rate is of.
  template <class Rate>
  void advance(const exec::Launch& l, int first, const Rate& rate) const {
    exec::CellArrays<R> a = exec::arrays_of<R>(l);
    const std::int64_t from = first * a.stride_var;
    a.in += from;
    a.out += from;
    if (choice_.from_beginning || Rate::radius > 1) {
      OtherArray<R> beginning = other_array<R>(*l.registers.layout, l.registers.increment);
      beginning.first += from;
      const FromBeginning<R, Rate> f{rate,          beginning,         R(l.update.a),
                                     R(l.update.b), l.update.read_old, l.clock};
      exec::cell_change(back_end, a, f, l.clock, l.queue);
      return;
    }
    if constexpr (Rate::radius == 1) {
      a.increment += from;
      // The variable after those that are advanced is `extra` in stages: here it is that of the state.
      a.extra = a.in + Rate::outputs * a.stride_var;
      exec::cell_stage(back_end, schedule, a, exec::rounded<R>(l.update), rate, NoFinish<R>{},
                       l.clock, l.queue);
    }
  }
  Choice choice_;
};

template <class BackEnd, class R>
std::unique_ptr<FlowLoops> SplitVariants<BackEnd, R>::make(const Choice& c, const Case& of) {
  if (c.stretched_xy) return std::make_unique<SplitLoops<BackEnd, R, StretchedMetrics<R>>>(of, c);
  return std::make_unique<SplitLoops<BackEnd, R, Metrics<R>>>(of, c);
}

}  // namespace watersmeet::boussinesq
