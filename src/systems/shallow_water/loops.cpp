#include "systems/shallow_water/loops.hpp"

#include "exec/choose_loops.hpp"

namespace watersmeet::shallow_water {

std::unique_ptr<Loops> make_loops(Backend backend, Precision precision, const Traits& traits,
                                  const Case& of) {
  return exec::choose_loops<Variants>(backend, precision, traits, of);
}

}  // namespace watersmeet::shallow_water
