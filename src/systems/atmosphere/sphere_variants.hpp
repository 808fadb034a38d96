#pragma once
// The loops on a cubed sphere for one back end and number type, but for the stage: the variants that
// are built. Included by the files that the build makes of it.

#include "exec/column_loops.hpp"
#include "exec/common_loops.hpp"
#include "exec/index_loops.hpp"
#include "systems/atmosphere/built.hpp"
#include "systems/atmosphere/functors.hpp"

namespace watersmeet::atmosphere {

template <class BackEnd, class R, Traits traits>
class SphereLoopsOf final : public exec::CommonLoops<SphereLoops, BackEnd, Functors<R, traits>> {
  using Common = exec::CommonLoops<SphereLoops, BackEnd, Functors<R, traits>>;
  using Common::back_end, Common::case_;
  using F = Functors<R, traits>;
  using Launch = exec::Launch;

 public:
  // `across`: with the transverse term.
  SphereLoopsOf(const SphereCase& of, bool across) : Common(of), across_(across) {}

  void couple(const Launch& l) override {
    if constexpr (!traits.split) {
      if (across_) return couple_panels<true>(l);
    }
    couple_panels<false>(l);
  }
  void copy_lines(const Launch& l) override {
    if constexpr (BackEnd::device) {
      const auto body = F::copy_lines(case_, l);
      over(body.count(), body, l.queue);
    }
  }
  void pack(const Launch& l, void* message) override {
    over(case_.strips.count_here, F::pack(case_, l, message), l.queue);
  }
  void unpack(const Launch& l, const void* message) override {
    over(case_.strips.count_there, F::unpack(case_, message), l.queue);
  }
  void solve_columns(const Launch& l, [[maybe_unused]] const SplitCall& split) override {
    require(traits.split, "columns are solved where sound across levels is implicit");
    if constexpr (traits.split) {
      const mesh::PanelPart& part = case_.links.part;
      exec::column_loop<R>(back_end, part.size(0), part.size(1), part.panels_here,
                           F::columns(case_, l, split), l.clock, l.queue);
    }
  }
  void damp(const Launch& l) override {
    const DampPanels<R> body = F::damping(case_, l);
    exec::index_loop(back_end, body.count(), body, l.clock, false, l.queue);
  }

 private:
  template <bool across>
  void couple_panels(const Launch& l) {
    const auto body = F::template couple<BackEnd::device, across>(case_, l);
    over(body.count(), body, l.queue);
  }
  // Between two steps too.
  template <class Body>
  static void over(std::int64_t count, const Body& body, const Queue& queue) {
    exec::index_loop(back_end, count, body, nullptr, true, queue);
  }
  bool across_;
};

template <class BackEnd, class R>
std::unique_ptr<SphereLoops> SphereVariants<BackEnd, R>::make(const Traits& traits,
                                                              const SphereCase& of) {
  std::unique_ptr<SphereLoops> loops;
  with_compiled<sphere_loops>(without_numerics(traits), [&]<Traits own>() {
    loops = std::make_unique<SphereLoopsOf<BackEnd, R, own>>(of, traits.transverse);
  });
  return loops;
}

}  // namespace watersmeet::atmosphere
