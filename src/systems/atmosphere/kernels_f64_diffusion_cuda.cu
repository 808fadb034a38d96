#include "exec/cell_map_cuda.hpp"
#include "systems/atmosphere/launch.hpp"

namespace watersmeet::atmosphere {
template <>
void use_diffusion<double>(Kernels& kernels) {
  kernels.diffuse = [](const StageCall& call, const DiffusionCall& diffusion) {
    run_diffusion<double>(call, diffusion, [&](const auto& arrays, const auto& f) {
      exec::cell_change_cuda(arrays, f, call.clock, call.queue);
    });
  };
}
}  // namespace watersmeet::atmosphere
