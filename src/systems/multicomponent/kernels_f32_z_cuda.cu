#include "systems/multicomponent/stage_loops_cuda.hpp"

namespace watersmeet::multicomponent {
template CudaStage cuda_stage<float, Variant::z>(Schedule);
}  // namespace watersmeet::multicomponent
