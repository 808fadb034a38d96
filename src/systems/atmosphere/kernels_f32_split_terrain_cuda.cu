#include "systems/atmosphere/kernels_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
Kernels cuda_kernels<float, Variant::split_terrain>() {
  return CudaLoops<float, Variant::split_terrain>::table();
}
}  // namespace watersmeet::atmosphere
