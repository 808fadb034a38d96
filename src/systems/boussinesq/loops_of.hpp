#pragma once
// The loops of the Boussinesq system for one back end, number type and kind of cells.

#include "exec/box_ghosts_loops.hpp"
#include "exec/cell_loops.hpp"
#include "exec/index_loops.hpp"
#include "systems/boussinesq/functors.hpp"

namespace watersmeet::boussinesq {

// All but the stages. most: variables for which the ghosts have rules.
template <class BackEnd, class R, int most, class M>
class LoopsBesideStages : public exec::CommonLoops<FlowLoops, BackEnd, Functors<R, M>> {
  using Common = exec::CommonLoops<FlowLoops, BackEnd, Functors<R, M>>;

 protected:
  using Common::back_end, Common::case_;
  using F = Functors<R, M>;
  using Launch = exec::Launch;

 public:
  explicit LoopsBesideStages(const Case& of) : Common(of) {}

  void divergence(const Launch& l, void* rhs) override {
    exec::cell_store(back_end, pressure_arrays(l, l.registers.extra, rhs), F::divergence(case_, l),
                     l.clock, l.queue);
  }
  void project(const Launch& l, bool last) override {
    exec::CellArrays<R> a = exec::arrays_of<R>(l);
    a.in = a.out;
    exec::cell_change(back_end, a, F::projection(case_, l, last), l.clock, l.queue);
  }
  void fill_and_diverge(const Launch& l, const GhostRules& given, void* rhs) override {
#if !defined(__CUDACC__)
    if (l.clock->active) {  // else no row is passed, but ghosts are filled all the same
      const Ghosts<most> g(l.registers.out, *l.registers.layout, given);
      const exec::EndsAndOthers boxes = g.split(exec::face_ghosts(g.rules, g.layout));
      exec::fill_box_ghosts(back_end, g.first, g.rules, boxes.others, l.queue);
      exec::cell_store(back_end, pressure_arrays(l, l.registers.extra, rhs),
                       F::divergence(case_, l), l.clock, l.queue, g.fill(boxes.ends, false));
      return;
    }
#endif
    fill_ghosts(l, given, true);
    divergence(l, rhs);
  }
  void project_and_fill(const Launch& l, bool last, const GhostRules& given,
                        const GhostRules& of_pressure) override {
#if !defined(__CUDACC__)
    if (l.clock->active) {
      const Ghosts<most> g(l.registers.out, *l.registers.layout, given);
      const Ghosts<1> p(const_cast<void*>(l.registers.extra), *l.registers.extra_layout,
                        of_pressure);
      const exec::EndsAndOthers boxes =
          g.split(exec::all_ghosts(g.rules, g.layout, first_scalar + case_.scalars));
      const exec::EndsAndOthers of_phi = p.split(exec::all_ghosts(p.rules, p.layout));
      exec::CellArrays<R> a = exec::arrays_of<R>(l);
      a.in = a.out;
      exec::fill_box_ghosts(back_end, p.first, p.rules, of_phi.others, l.queue);
      exec::cell_change(back_end, a, F::projection(case_, l, last), l.clock, l.queue,
                        p.fill(of_phi.ends, false), g.fill(boxes.ends, true));
      exec::fill_box_ghosts(back_end, g.first, g.rules, boxes.others, l.queue);
      return;
    }
#endif
    fill_pressure_ghosts(l, of_pressure);
    project(l, last);
    fill_ghosts(l, given, false);
  }
  void guess(const Launch& l, const Guess& g) override {
    const GuessPressure<R> f{other_array<R>(*l.registers.extra_layout, g.before), l.clock,
                             R(g.ratio), g.extrapolate, g.first};
    void* const phi = const_cast<void*>(l.registers.extra);
    exec::cell_change(back_end, pressure_arrays(l, phi, phi), f, l.clock, l.queue);
  }
  void fill_ghosts(const Launch& l, const GhostRules& given, bool faces_only) override {
    const BlockLayout& layout = *l.registers.layout;
    const auto rules = rules_of<R, most>(layout, given);
    exec::fill_box_ghosts(back_end, static_cast<R*>(l.registers.out) + layout.first, rules,
                          faces_only
                              ? exec::face_ghosts(rules, layout)
                              : exec::all_ghosts(rules, layout, first_scalar + case_.scalars),
                          l.queue);
  }
  void fill_pressure_ghosts(const Launch& l, const GhostRules& given) override {
    const BlockLayout& layout = *l.registers.extra_layout;
    const auto rules = rules_of<R, 1>(layout, given);
    exec::fill_box_ghosts(back_end,
                          static_cast<R*>(const_cast<void*>(l.registers.extra)) + layout.first,
                          rules, exec::all_ghosts(rules, layout), l.queue);
  }

  void signal_of_step(const Launch& l) override {
    exec::signal_loop<R>(back_end, l.box.count(), F::signal_of_cells(case_, l), l.clock, true,
                         l.queue);
  }
  void correct_open(const Launch& l, const OpenArrays& open, bool last) override {
    const auto body = F::correct_open(case_, l, open);
    exec::signal_loop<R>(back_end, body.sides.faces(), body, l.clock, last, l.queue);
  }
  void fill_around_open(const Launch& l, const GhostRules& rules, const OpenArrays& open) override {
    const FillAroundOpen<R, most> body{open_sides_of<R>(open),
                                       rules_of<R, most>(*l.registers.layout, rules)};
    exec::index_loop(back_end, body.sides.faces_around(), body, nullptr, true, l.queue);
  }

 protected:
  template <bool history, Advection advection>
  void advance_open_faces(const Launch& l, const OpenArrays& open) const {
    const auto body = F::template advance_open<history, advection>(case_, l, open);
    exec::index_loop(back_end, body.sides.faces(), body, l.clock, false, l.queue);
  }

 private:
#if !defined(__CUDACC__)
  // The ghosts of an array.
  template <int variables>
  struct Ghosts {
    const BlockLayout& layout;
    exec::BoxRules<R, variables> rules;
    R* first;
    Ghosts(void* start, const BlockLayout& of, const GhostRules& given)
        : layout(of),
          rules(rules_of<R, variables>(of, given)),
          first(static_cast<R*>(start) + of.first) {}
    exec::EndsAndOthers split(const exec::GhostBoxes& boxes) const {
      return exec::split_ends(boxes, rules.n[0]);
    }
    exec::FillRowEnds<R, variables> fill(const exec::GhostBoxes& boxes, bool ahead) const {
      return {first, rules, boxes, ahead};
    }
  };
#endif
  static exec::CellArrays<R> pressure_arrays(const Launch& l, const void* in, void* out) {
    return exec::cell_arrays<R>(*l.registers.extra_layout, in, out, nullptr, l.box);
  }
};

// A stage of all variables in one launch.
template <class BackEnd, class R, int variables, Advection advection, class M>
class LoopsOf final : public LoopsBesideStages<BackEnd, R, variables, M> {
  using Beside = LoopsBesideStages<BackEnd, R, variables, M>;
  using Beside::back_end, Beside::case_;
  using F = typename Beside::F;

 public:
  LoopsOf(const Case& of, exec::CellSchedule schedule) : Beside(of), schedule_(schedule) {}

  void stage(const exec::Launch& l) override {
    exec::cell_stage(back_end, schedule_, exec::arrays_of<R>(l), exec::rounded<R>(l.update),
                     F::template right_hand_side<variables, advection>(case_), NoFinish<R>{},
                     l.clock, l.queue);
  }
  void advance_open(const exec::Launch& l, const OpenArrays& open) override {
    this->template advance_open_faces<true, advection>(l, open);
  }
  std::vector<exec::KernelReport> describe() const override {
    using Rhs = RightHandSide<R, variables, advection, M>;
    return {exec::cell_report<R, Rhs, NoFinish<R>>(back_end, schedule_)};
  }

 private:
  exec::CellSchedule schedule_;
};

template <class BackEnd, class R, class M>
std::unique_ptr<FlowLoops> loops_of(const Choice& c, const Case& of) {
  const auto made = [&]<int variables>() -> std::unique_ptr<FlowLoops> {
    if (c.advection == Advection::upwind) {
      return std::make_unique<LoopsOf<BackEnd, R, variables, Advection::upwind, M>>(of, c.schedule);
    }
    return std::make_unique<LoopsOf<BackEnd, R, variables, Advection::centred, M>>(of, c.schedule);
  };
  if (c.variables == 4) return made.template operator()<4>();
  if (c.variables == 5) return made.template operator()<5>();
  return made.template operator()<6>();
}

}  // namespace watersmeet::boussinesq
