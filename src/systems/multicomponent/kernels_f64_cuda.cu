#include "systems/multicomponent/kernels_cuda.hpp"

namespace watersmeet::multicomponent {
Kernels cuda_kernels_f64(Variant variant, Schedule schedule) {
  return CudaLoops<double>::table(variant, schedule);
}
}  // namespace watersmeet::multicomponent
