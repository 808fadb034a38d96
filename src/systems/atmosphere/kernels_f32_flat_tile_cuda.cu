#include "systems/atmosphere/tile_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
void use_tile<float, Variant::flat>(Kernels& kernels, Choices choices) {
  set_tile<float, Variant::flat>(kernels, choices);
}
}  // namespace watersmeet::atmosphere
