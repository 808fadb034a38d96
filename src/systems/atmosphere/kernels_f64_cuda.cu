#include "systems/atmosphere/kernels_cuda.hpp"

namespace watersmeet::atmosphere {
template Kernels cuda_kernels<double>(Variant);
}  // namespace watersmeet::atmosphere
