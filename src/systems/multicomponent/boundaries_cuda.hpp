#pragma once
// Boundary conditions of the CUDA tables of kernels.hpp.

#include "exec/boundary_cuda.hpp"
#include "systems/multicomponent/kernels.hpp"

namespace watersmeet::multicomponent {

template <class R>
void fill_boundaries_cuda(const StageCall& call, const BoundaryCall& boundaries) {
  if (!boundaries.any) return;
  exec::fill_boundaries(exec::OnCuda{}, static_cast<R*>(call.out), *call.layout,
                        exterior_of<R>(boundaries, call.flow->split), call.queue);
}

}  // namespace watersmeet::multicomponent
