#include "systems/multicomponent/kernels_cuda.hpp"
#include "systems/multicomponent/limit_cuda.hpp"
#include "systems/multicomponent/stage_loops_cuda.hpp"

namespace watersmeet::multicomponent {
Kernels cuda_kernels_f64(Variant variant, Schedule schedule) {
  return CudaLoops<double>::table(variant, schedule);
}
template CudaStage cuda_stage<double, Variant::js>(Schedule);
template CudaStage cuda_stage<double, Variant::z>(Schedule);
template CudaStage cuda_stage<double, Variant::general>(Schedule);
template void find_inadmissible_cuda<double>(const StageCall&, const LimitCall&);
template void limit_faces_cuda<double>(const StageCall&, const LimitCall&);
}  // namespace watersmeet::multicomponent
