#include "systems/atmosphere/kernels_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
Kernels cuda_kernels<float, Variant::terrain>() {
  return CudaLoops<float, Variant::terrain>::table();
}
}  // namespace watersmeet::atmosphere
