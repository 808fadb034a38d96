#include "systems/multicomponent/kernels_cuda.hpp"
#include "systems/multicomponent/limit_cuda.hpp"
#include "systems/multicomponent/stage_loops_cuda.hpp"

namespace watersmeet::multicomponent {
Kernels cuda_kernels_f32(Variant variant, Schedule schedule) {
  return CudaLoops<float>::table(variant, schedule);
}
template CudaStage cuda_stage<float, Variant::js>(Schedule);
template CudaStage cuda_stage<float, Variant::z>(Schedule);
template CudaStage cuda_stage<float, Variant::general>(Schedule);
template void find_inadmissible_cuda<float>(const StageCall&, const LimitCall&);
template void limit_faces_cuda<float>(const StageCall&, const LimitCall&);
}  // namespace watersmeet::multicomponent
