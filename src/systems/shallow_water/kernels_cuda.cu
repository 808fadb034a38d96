#include "systems/shallow_water/kernels_cuda.hpp"

namespace watersmeet::shallow_water {
Kernels cuda_kernels_f32(Variant variant) { return CudaLoops<float>::table(variant); }
Kernels cuda_kernels_f64(Variant variant) { return CudaLoops<double>::table(variant); }
}  // namespace watersmeet::shallow_water
