#include "systems/shallow_water/axes_cuda.hpp"

namespace watersmeet::shallow_water {
void use_axes(Kernels& kernels, Variant variant, const exec::Strategy& strategy) {
  put_axes<double>(kernels, variant, strategy);
}
}  // namespace watersmeet::shallow_water
