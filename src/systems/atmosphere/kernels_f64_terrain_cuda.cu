#include "systems/atmosphere/kernels_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
Kernels cuda_kernels<double, Variant::terrain>() {
  return CudaLoops<double, Variant::terrain>::table();
}
}  // namespace watersmeet::atmosphere
