#include "systems/aerodynamics/loops.hpp"

#include "exec/choose_loops.hpp"

namespace watersmeet::aerodynamics {

std::unique_ptr<FlowLoops> make_loops(Backend backend, Precision precision,
                                      const LevelParameters& level) {
  return exec::choose_loops<Variants>(backend, precision, level);
}

}  // namespace watersmeet::aerodynamics
