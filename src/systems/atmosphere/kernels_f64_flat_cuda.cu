#include "systems/atmosphere/kernels_cuda.hpp"

namespace watersmeet::atmosphere {
template <>
Kernels cuda_kernels<double, Variant::flat>() {
  return CudaLoops<double, Variant::flat>::table();
}
}  // namespace watersmeet::atmosphere
