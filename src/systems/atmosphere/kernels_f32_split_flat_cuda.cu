#include "systems/atmosphere/kernels_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
Kernels cuda_kernels<float, Variant::split_flat>() {
  return CudaLoops<float, Variant::split_flat>::table();
}
}  // namespace watersmeet::atmosphere
