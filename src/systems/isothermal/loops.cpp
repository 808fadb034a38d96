#include "systems/isothermal/loops.hpp"

#include "exec/choose_loops.hpp"

namespace watersmeet::isothermal {

std::unique_ptr<systems::CentralLoops> make_loops(Backend backend, Precision precision,
                                                  const Choice& choice, const Case& of) {
  return exec::choose_loops<Variants>(backend, precision, choice, of);
}

}  // namespace watersmeet::isothermal
