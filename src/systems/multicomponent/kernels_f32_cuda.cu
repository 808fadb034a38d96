#include "systems/multicomponent/kernels_cuda.hpp"

namespace watersmeet::multicomponent {
Kernels cuda_kernels_f32(Variant variant, Schedule schedule) {
  return CudaLoops<float>::table(variant, schedule);
}
}  // namespace watersmeet::multicomponent
