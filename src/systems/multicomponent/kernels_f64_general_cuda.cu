#include "systems/multicomponent/stage_loops_cuda.hpp"

namespace watersmeet::multicomponent {
template CudaStage cuda_stage<double, Variant::general>(Schedule);
}  // namespace watersmeet::multicomponent
