#pragma once
// Boundary conditions of the CPU table of kernels.hpp. Included by CPU instantiation files only.

#include "exec/boundary_cpu.hpp"
#include "systems/multicomponent/kernels.hpp"

namespace watersmeet::multicomponent {

template <class R>
void fill_boundaries_cpu(const StageCall& call, const BoundaryCall& boundaries) {
  if (!boundaries.any) return;
  exec::fill_boundaries(exec::OnCpu{}, static_cast<R*>(call.out), *call.layout,
                        exterior_of<R>(boundaries, call.flow->split), call.queue);
}

}  // namespace watersmeet::multicomponent
