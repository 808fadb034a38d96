#include "systems/atmosphere/kernels_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
Kernels cuda_kernels<double, Variant::viscous>() {
  return CudaLoops<double, Variant::viscous>::table();
}
}  // namespace watersmeet::atmosphere
