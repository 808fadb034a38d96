#include "systems/boussinesq/loops.hpp"

#include "exec/choose_loops.hpp"
#include "systems/boussinesq/implicit_loops.hpp"

namespace watersmeet::boussinesq {

std::unique_ptr<FlowLoops> make_loops(Backend backend, Precision precision, const Choice& choice,
                                      const Case& of) {
  if (choice.split()) return exec::choose_loops<SplitVariants>(backend, precision, choice, of);
  if (choice.stretched_xy)
    return exec::choose_loops<StretchedVariants>(backend, precision, choice, of);
  return exec::choose_loops<Variants>(backend, precision, choice, of);
}

std::unique_ptr<ImplicitLoops> make_implicit_loops(Backend backend, Precision precision,
                                                   const Case& of) {
  return exec::choose_loops<ImplicitVariants>(backend, precision, of);
}

}  // namespace watersmeet::boussinesq
