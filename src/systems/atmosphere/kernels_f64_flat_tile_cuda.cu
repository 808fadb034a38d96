#include "systems/atmosphere/tile_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
void use_tile<double, Variant::flat>(Kernels& kernels, Choices choices) {
  set_tile<double, Variant::flat>(kernels, choices);
}
}  // namespace watersmeet::atmosphere
