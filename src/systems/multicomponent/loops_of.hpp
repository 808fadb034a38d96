#pragma once
// The loops of the multicomponent system for one back end, number type and variant. Included by variants.hpp and stretched_variants.hpp.

#include <type_traits>
#include <utility>

#include "core/error.hpp"
#include "exec/face_loops.hpp"
#include "systems/multicomponent/functors.hpp"

namespace watersmeet::multicomponent {

template <class BackEnd, class R, Variant variant>
class LoopsOf final : public exec::CommonLoops<TwoFluidLoops, BackEnd, Functors<R, variant>> {
  using F = Functors<R, variant>;
  using Common = exec::CommonLoops<TwoFluidLoops, BackEnd, F>;
  using Common::back_end, Common::case_;
  using FlowHere = decltype(F::flow(std::declval<const Case&>()));
  using FinishHere = decltype(F::finish(std::declval<const Case&>()));
  using Launch = exec::Launch;

 public:
  using Common::Common;

  void stage(const Launch& l) override {
    exec::face_stage(back_end, exec::arrays_of<R>(l), exec::rounded<R>(l.update), F::flow(case_),
                     F::finish(case_), l.clock, l.queue);
  }
  bool sweeps() const override { return BackEnd::device; }
  bool sweep(const Launch& l, int axis) override {
    if constexpr (BackEnd::device) {
      // Unqualified: the CPU's headers declare no such function.
      face_sweep(back_end, exec::arrays_of<R>(l), exec::rounded<R>(l.update), F::flow(case_),
                 F::finish(case_), l.clock, l.queue, axis);
    }
    return BackEnd::device;
  }
  std::vector<exec::KernelReport> describe() const override {
    return exec::face_reports<R, FlowHere, FinishHere>(back_end);
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
                                    boundaries, F::flow(case_), ledger);
    exec::count_sides<R, n_conserved>(back_end, fluxes.sides, fluxes, ledger.totals, l.clock,
                                      l.queue);
  }
  double steepest(const Launch& l) override { return Common::largest_of(l, F::steepness(case_)); }

  void find_inadmissible(const Launch& l, const LimitPassCall& limit) override {
    if constexpr (F::stretched) {
      require(false, no_limiter);
    } else {
      exec::limit_find(back_end, exec::arrays_of<R>(l), exec::rounded<R>(l.update),
                       Functors<R, Variant::general>::flow(case_), F::limit_pass(limit), l.clock,
                       l.queue);
    }
  }
  void limit_faces(const Launch& l, const LimitPassCall& limit) override {
    if constexpr (F::stretched) {
      require(false, no_limiter);
    } else {
      const auto flow = Functors<R, Variant::general>::flow(case_);
      exec::limit_correct(back_end, exec::arrays_of<R>(l), exec::rounded<R>(l.update), flow,
                          flow.low(), F::finish(case_), F::limit_pass(limit), l.clock, l.queue);
    }
  }
  void update(const Launch& l) override {
    if constexpr (BackEnd::device) {
      require(false, "loops of the CPU update a solution in host memory");
    } else {
      // Unqualified: CUDA's headers declare no such function.
      update_from_rates(back_end, std::integral_constant<int, n_variables>{}, l,
                        exec::rounded<R>(l.update), F::finish(case_));
    }
  }

 private:
  static constexpr const char* no_limiter = "the limiter serves equal cells";
};

}  // namespace watersmeet::multicomponent
