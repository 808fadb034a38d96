#include "systems/multicomponent/loops.hpp"

#include "exec/choose_loops.hpp"

namespace watersmeet::multicomponent {

std::unique_ptr<TwoFluidLoops> make_loops(Backend backend, Precision precision, Variant variant,
                                          const Case& of) {
  if (variant == Variant::stretched)
    return exec::choose_loops<StretchedVariants>(backend, precision, variant, of);
  return exec::choose_loops<Variants>(backend, precision, variant, of);
}

}  // namespace watersmeet::multicomponent
