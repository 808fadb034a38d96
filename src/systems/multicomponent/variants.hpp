#pragma once
// The loops of the multicomponent system for one back end and number type, and the variants that are built. Included by the files that the
// build makes of it.

#include "exec/face_loops.hpp"
#include "systems/multicomponent/functors.hpp"

namespace watersmeet::multicomponent {

template <class BackEnd, class R, Variant variant>
class LoopsOf final : public exec::CommonLoops<TwoFluidLoops, BackEnd, Functors<R>> {
  using Common = exec::CommonLoops<TwoFluidLoops, BackEnd, Functors<R>>;
  using Common::back_end, Common::case_;
  using F = Functors<R>;
  using Launch = exec::Launch;

 public:
  using Common::Common;

  void stage(const Launch& l) override {
    exec::face_stage(back_end, exec::arrays_of<R>(l), exec::rounded<R>(l.update),
                     F::template flow<variant>(case_), F::finish(case_), l.clock, l.queue);
  }
  bool sweeps() const override { return BackEnd::device; }
  bool sweep(const Launch& l, int axis) override {
    if constexpr (BackEnd::device) {
      // Unqualified: the CPU's headers declare no such function.
      face_sweep(back_end, exec::arrays_of<R>(l), exec::rounded<R>(l.update),
                 F::template flow<variant>(case_), F::finish(case_), l.clock, l.queue, axis);
    }
    return BackEnd::device;
  }
  std::vector<exec::KernelReport> describe() const override {
    return exec::face_reports<R, Flow<R, variant>, Finish<R>>(back_end);
  }

  void fill_boundaries(const Launch& l, const BoundaryCall& boundaries) override {
    if (!boundaries.any) return;
    exec::fill_boundaries(back_end, static_cast<R*>(l.registers.out), *l.registers.layout,
                          exterior_of<R>(boundaries, case_.flow.split), l.queue);
  }
  void count_boundaries(const Launch& l, const BoundaryCall& boundaries,
                        const LedgerCall& ledger) override {
    if (!boundaries.any) return;
    const auto fluxes = side_fluxes(static_cast<const R*>(l.registers.in), *l.registers.layout,
                                    boundaries, F::template flow<variant>(case_), ledger);
    exec::count_sides<R, n_conserved>(back_end, fluxes.sides, fluxes, ledger.totals, l.clock,
                                      l.queue);
  }
  double steepest(const Launch& l) override { return Common::largest_of(l, F::steepness(case_)); }

  void find_inadmissible(const Launch& l, const LimitPassCall& limit) override {
    exec::limit_find(back_end, exec::arrays_of<R>(l), exec::rounded<R>(l.update),
                     F::template flow<Variant::general>(case_), F::limit_pass(limit), l.clock,
                     l.queue);
  }
  void limit_faces(const Launch& l, const LimitPassCall& limit) override {
    const auto flow = F::template flow<Variant::general>(case_);
    exec::limit_correct(back_end, exec::arrays_of<R>(l), exec::rounded<R>(l.update), flow,
                        flow.low(), F::finish(case_), F::limit_pass(limit), l.clock, l.queue);
  }
};

template <class BackEnd, class R>
std::unique_ptr<TwoFluidLoops> Variants<BackEnd, R>::make(Variant variant, const Case& of) {
  if (variant == Variant::js) return std::make_unique<LoopsOf<BackEnd, R, Variant::js>>(of);
  if (variant == Variant::z) return std::make_unique<LoopsOf<BackEnd, R, Variant::z>>(of);
  return std::make_unique<LoopsOf<BackEnd, R, Variant::general>>(of);
}

}  // namespace watersmeet::multicomponent
