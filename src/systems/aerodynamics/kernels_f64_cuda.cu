#include "systems/aerodynamics/kernels_cuda.hpp"

namespace watersmeet::aerodynamics {
Kernels cuda_kernels_f64() { return CudaLoops<double>::table(); }
}  // namespace watersmeet::aerodynamics
