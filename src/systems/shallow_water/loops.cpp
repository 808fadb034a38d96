#include "systems/shallow_water/loops.hpp"

#include "exec/choose_loops.hpp"

namespace watersmeet::shallow_water {

std::unique_ptr<PlaneLoops> make_plane_loops(Backend backend, Precision precision, Variant variant,
                                             const Case& of) {
  return exec::choose_loops<Variants>(backend, precision, variant, of);
}

std::unique_ptr<SphereLoops> make_sphere_loops(Backend backend, Precision precision,
                                               Variant variant, const Case& of) {
  return exec::choose_loops<SphereVariants>(backend, precision, variant, of);
}

}  // namespace watersmeet::shallow_water
