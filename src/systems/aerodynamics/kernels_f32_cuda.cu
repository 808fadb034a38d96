#include "systems/aerodynamics/kernels_cuda.hpp"

namespace watersmeet::aerodynamics {
Kernels cuda_kernels_f32() { return CudaLoops<float>::table(); }
}  // namespace watersmeet::aerodynamics
