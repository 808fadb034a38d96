#pragma once
// The loops of shallow water on a cubed sphere for one back end and number type, and the variants that are built. Included by the files
// that the build makes of it.

#include "exec/index_loops.hpp"
#include "exec/plane_loops.hpp"
#include "systems/shallow_water/functors.hpp"

namespace watersmeet::shallow_water {

template <class BackEnd, class R, Variant variant>
class SphereLoopsOf final : public exec::CommonLoops<SphereLoops, BackEnd, SphereFunctors<R>> {
  using Common = exec::CommonLoops<SphereLoops, BackEnd, SphereFunctors<R>>;
  using Common::back_end, Common::case_;
  using F = SphereFunctors<R>;
  using Launch = exec::Launch;

 public:
  using Common::Common;

  void stage(const Launch& l) override {
    exec::plane_stage(back_end, exec::arrays_of<R>(l), exec::rounded<R>(l.update),
                      F::template flow<variant>(case_), l.clock, l.queue);
  }
  std::vector<exec::KernelReport> describe() const override {
    return {exec::plane_report<R, Flow<R, variant, SphereGeometry>>(back_end)};
  }

  void couple(const Launch& l, bool bed_alone) override {
    over(case_.panels->links.faces(), F::template couple<variant>(case_, l, bed_alone), l.queue);
  }
  void pack(const Launch& l, void* message) override {
    over(case_.panels->strips.count_here, F::pack(case_, l, message), l.queue);
  }
  void unpack(const Launch& l, const void* message) override {
    over(case_.panels->strips.count_there, F::unpack(case_, message), l.queue);
  }

 private:
  // Between two steps too.
  template <class Body>
  static void over(std::int64_t count, const Body& body, const Queue& queue) {
    exec::index_loop(back_end, count, body, nullptr, true, queue);
  }
};

template <class BackEnd, class R>
std::unique_ptr<SphereLoops> SphereVariants<BackEnd, R>::make(Variant variant, const Case& of) {
  const auto made = [&]<Variant v>() -> std::unique_ptr<SphereLoops> {
    return std::make_unique<SphereLoopsOf<BackEnd, R, v>>(of);
  };
  if (variant == Variant::points9) return made.template operator()<Variant::points9>();
  if (variant == Variant::points13) return made.template operator()<Variant::points13>();
  return made.template operator()<Variant::general>();
}

}  // namespace watersmeet::shallow_water
