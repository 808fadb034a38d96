#pragma once
// The loops of shallow water for one back end and number type, of all traits that are built.
// Included by the files that the build makes of it.

#include <iterator>
#include <utility>

#include "core/error.hpp"
#include "exec/index_loops.hpp"
#include "exec/plane_loops.hpp"
#include "systems/shallow_water/functors.hpp"

namespace watersmeet::shallow_water {

template <class BackEnd, class R, Traits traits>
class LoopsOf final : public exec::CommonLoops<Loops, BackEnd, Functors<R, traits>> {
  static constexpr bool sphere = traits.sphere;
  using Common = exec::CommonLoops<Loops, BackEnd, Functors<R, traits>>;
  using Common::back_end, Common::case_;
  using F = Functors<R, traits>;
  using Launch = exec::Launch;
  using Sides = PlaneSides<double>;

 public:
  explicit LoopsOf(const Case& of) : Common(of) {
    this->set_stage(
        {[this](const Launch& l) {
           exec::plane_stage(back_end, exec::arrays_of<R>(l), exec::rounded<R>(l.update),
                             F::flow(case_), l.clock, l.queue);
         },
         [] { return std::vector{exec::plane_report<R, Flow<R, traits>>(back_end)}; }, "march"});
  }

  void fill_boundaries(const Launch& l, const Sides& sides) override {
    fill(l, sides, [&](int axis) { return F::exterior(case_, l, sides, axis); });
  }
  void fill_bed(const Launch& l, const Sides& sides) override {
    fill(l, sides, [&](int axis) { return F::bed_exterior(sides, axis); });
  }
  void count_outflow([[maybe_unused]] const Launch& l, [[maybe_unused]] const Sides& sides,
                     [[maybe_unused]] const OutflowLedger& ledger) override {
    if constexpr (!sphere) {
      const auto outflow = F::outflow(case_, l, sides, ledger);
      exec::count_sides<R, 1>(back_end, outflow.sides, outflow, ledger.total, l.clock, l.queue);
    }
  }

  void couple([[maybe_unused]] const Launch& l, [[maybe_unused]] bool bed_alone) override {
    if constexpr (sphere) {
      over(case_.links.faces(), F::couple(case_, l, bed_alone), l.queue);
    }
  }
  void pack(const Launch& l, void* message) override {
    over(case_.strips.count_here, F::pack(case_, l, message), l.queue);
  }
  void unpack(const Launch& l, const void* message) override {
    over(case_.strips.count_there, F::unpack(case_, message), l.queue);
  }

 private:
  // All sides at once, or one axis after the other where edges of the block count.
  template <class ExteriorOf>
  static void fill([[maybe_unused]] const Launch& l, [[maybe_unused]] const Sides& sides,
                   [[maybe_unused]] const ExteriorOf& exterior_of) {
    if constexpr (!sphere) {
      const auto fill_sides = [&](int axis, int around) {
        exec::fill_boundaries(back_end, static_cast<R*>(l.registers.out), *l.registers.layout,
                              exterior_of(axis), l.queue, around);
      };
      if (!sides.any) return;
      if (!sides.edges) return fill_sides(-1, 0);
      for (int axis = 0; axis < 2; ++axis) fill_sides(axis, 1);
    }
  }
  // Between two steps too.
  template <class Body>
  static void over([[maybe_unused]] std::int64_t count, [[maybe_unused]] const Body& body,
                   [[maybe_unused]] const Queue& queue) {
    if constexpr (sphere) exec::index_loop(back_end, count, body, nullptr, true, queue);
  }
};

template <class BackEnd, class R>
std::unique_ptr<Loops> Variants<BackEnd, R>::make(const Traits& traits, const Case& of) {
  std::unique_ptr<Loops> made;
  const auto make_if = [&]<Traits one>() {
    if (one == traits) made = std::make_unique<LoopsOf<BackEnd, R, one>>(of);
  };
  [&]<std::size_t... n>(std::index_sequence<n...>) {
    (make_if.template operator()<built[n]>(), ...);
  }
  (std::make_index_sequence<std::size(built)>());
  require(made != nullptr, "these traits are among those that are built");
  return made;
}

}  // namespace watersmeet::shallow_water
