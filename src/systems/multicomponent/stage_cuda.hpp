#pragma once
// What of a CUDA table of kernels.hpp differs between variants and schedules: declared for all
// variants, each of which has a file of its own that includes stage_loops_cuda.hpp, because these
// kernels take long to compile.

#include "systems/multicomponent/launch.hpp"

namespace watersmeet::multicomponent {

struct CudaStage {
  void (*run)(const StageCall&) = nullptr;
  std::vector<exec::KernelReport> (*describe)() = nullptr;
  void (*count_boundaries)(const StageCall&, const BoundaryCall&, const LedgerCall&) = nullptr;
  void (*sweep)(const StageCall&, int axis) = nullptr;
};

template <class R, Variant variant>
CudaStage cuda_stage(Schedule schedule);

}  // namespace watersmeet::multicomponent
