#include "systems/boussinesq/loops.hpp"

#include "exec/choose_loops.hpp"

namespace watersmeet::boussinesq {

std::unique_ptr<FlowLoops> make_loops(Backend backend, Precision precision, const Choice& choice,
                                      const Case& of) {
  return exec::choose_loops<Variants>(backend, precision, choice, of);
}

}  // namespace watersmeet::boussinesq
