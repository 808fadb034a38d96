#include "systems/atmosphere/tile_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
void use_tile<double, Variant::terrain>(Kernels& kernels, Choices choices) {
  set_tile<double, Variant::terrain>(kernels, choices);
}
}  // namespace watersmeet::atmosphere
