#include "systems/atmosphere/kernels_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
Kernels cuda_kernels<double, Variant::split_flat>() {
  return CudaLoops<double, Variant::split_flat>::table();
}
}  // namespace watersmeet::atmosphere
