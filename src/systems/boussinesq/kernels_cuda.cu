#include "systems/boussinesq/kernels_cuda.hpp"

namespace watersmeet::boussinesq {
Kernels cuda_kernels_f32(int variables, Advection advection, Schedule schedule) {
  return CudaLoops<float>::table(variables, advection, schedule);
}
Kernels cuda_kernels_f64(int variables, Advection advection, Schedule schedule) {
  return CudaLoops<double>::table(variables, advection, schedule);
}
}  // namespace watersmeet::boussinesq
