#include "exec/cell_map_cpu.hpp"
#include "systems/aerodynamics/derive_typed.hpp"

namespace watersmeet::aerodynamics {
void derive_cpu_f32(const DeriveCall& call) {
  exec::cell_pack(exec::OnCpu{}, nodes_of<float>(call), functor_of<float>(call),
                  target_of<float>(call), call.queue);
}
}  // namespace watersmeet::aerodynamics
