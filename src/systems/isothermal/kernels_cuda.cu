#include "systems/isothermal/kernels_cuda.hpp"

namespace watersmeet::isothermal {
Kernels cuda_kernels_f32(Method method, bool extended, Schedule schedule) {
  return CudaLoops<float>::table(method, extended, schedule);
}
Kernels cuda_kernels_f64(Method method, bool extended, Schedule schedule) {
  return CudaLoops<double>::table(method, extended, schedule);
}
}  // namespace watersmeet::isothermal
