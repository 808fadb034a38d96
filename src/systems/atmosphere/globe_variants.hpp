#pragma once
// The loops of the atmosphere on a cubed sphere for one back end and number type, but for the stage, and the variants that are built.
// Included by the files that the build makes of it.

#include "exec/column_loops.hpp"
#include "exec/common_loops.hpp"
#include "exec/index_loops.hpp"
#include "systems/atmosphere/globe_functors.hpp"

namespace watersmeet::atmosphere {

template <class BackEnd, class R, GlobeVariant variant>
class GlobeLoopsOf final
    : public exec::CommonLoops<GlobeLoops, BackEnd, GlobeFunctors<R, variant>> {
  using Common = exec::CommonLoops<GlobeLoops, BackEnd, GlobeFunctors<R, variant>>;
  using Common::back_end, Common::case_;
  using F = GlobeFunctors<R, variant>;
  using Launch = exec::Launch;

 public:
  // `across`: with the transverse term.
  GlobeLoopsOf(const GlobeCase& of, bool across) : Common(of), across_(across) {}

  void couple(const Launch& l) override {
    if constexpr (!is_split(variant)) {
      if (across_) return couple_panels<Choices::transverse>(l);
    }
    couple_panels<Choices::all>(l);
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
    require(is_split(variant), "columns are solved where sound across levels is implicit");
    if constexpr (is_split(variant)) {
      const mesh::PanelPart& part = case_.links.part;
      exec::column_loop<R>(back_end, part.size(0), part.size(1), part.panels_here,
                           F::columns(case_, l, split), l.clock, l.queue);
    }
  }
  void damp(const Launch& l) override {
    const DampGlobe<R> body = F::damping(case_, l);
    exec::index_loop(back_end, body.count(), body, l.clock, false, l.queue);
  }

 private:
  template <Choices choices>
  void couple_panels(const Launch& l) {
    const auto body = F::template couple<BackEnd::device, choices>(case_, l);
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
std::unique_ptr<GlobeLoops> GlobeVariants<BackEnd, R>::make(GlobeVariant variant, Choices choices,
                                                            const GlobeCase& of) {
  std::unique_ptr<GlobeLoops> loops;
  for_each_variant([&]<GlobeVariant own>() {
    if (variant == own) {
      loops = std::make_unique<GlobeLoopsOf<BackEnd, R, own>>(of, choices == Choices::transverse);
    }
  });
  return loops;
}

}  // namespace watersmeet::atmosphere
