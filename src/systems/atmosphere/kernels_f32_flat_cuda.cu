#include "systems/atmosphere/kernels_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
Kernels cuda_kernels<float, Variant::flat>() {
  return CudaLoops<float, Variant::flat>::table();
}
}  // namespace watersmeet::atmosphere
