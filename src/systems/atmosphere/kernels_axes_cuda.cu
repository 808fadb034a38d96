#include "systems/atmosphere/axes_cuda.hpp"

namespace watersmeet::atmosphere {
void use_axes(Kernels& kernels, const exec::Strategy& strategy) {
  put_axes<double, Variant::flat>(kernels, strategy);
}
}  // namespace watersmeet::atmosphere
