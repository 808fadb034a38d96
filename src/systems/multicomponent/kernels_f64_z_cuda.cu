#include "systems/multicomponent/stage_loops_cuda.hpp"

namespace watersmeet::multicomponent {
template CudaStage cuda_stage<double, Variant::z>(Schedule);
}  // namespace watersmeet::multicomponent
