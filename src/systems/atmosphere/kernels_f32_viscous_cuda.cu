#include "systems/atmosphere/kernels_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
Kernels cuda_kernels<float, Variant::viscous>() {
  return CudaLoops<float, Variant::viscous>::table();
}
}  // namespace watersmeet::atmosphere
