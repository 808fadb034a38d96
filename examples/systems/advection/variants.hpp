#pragma once
// The loops of both forms for one back end and number type. Included by the files that the build makes of it.

#include "../examples/systems/advection/advection.hpp"
#include "exec/cell_loops.hpp"
#include "exec/explicit_loops.hpp"
#include "exec/face_loops.hpp"

namespace watersmeet::advection {
template <class R, template <class> class Rhs>
struct Physics : exec::StoredQuantities<Physics<R, Rhs>, Case, 1> {
  using real = R;
  using Case = advection::Case;
  static Rhs<R> right_hand_side(const Case& of) { return Rhs<R>(of); }
  static Finish<R> finish(const Case& of) { return {R(of.signal)}; }
  static Diagnose diagnose(const Case&, const exec::Launch&) { return {}; }
};

template <class BackEnd, class R>
std::unique_ptr<exec::Loops> Variants<BackEnd, R>::make(Form form, const Case& of) {
  if (form == Form::cell)
    return std::make_unique<exec::ExplicitLoops<BackEnd, Physics<R, Differences>>>(of);
  return std::make_unique<exec::ExplicitLoops<BackEnd, Physics<R, Fluxes>>>(of);
}

}  // namespace watersmeet::advection
