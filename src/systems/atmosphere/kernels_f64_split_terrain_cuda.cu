#include "systems/atmosphere/kernels_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
Kernels cuda_kernels<double, Variant::split_terrain>() {
  return CudaLoops<double, Variant::split_terrain>::table();
}
}  // namespace watersmeet::atmosphere
