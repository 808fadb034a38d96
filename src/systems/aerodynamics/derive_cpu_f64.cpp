#include "exec/cell_map_cpu.hpp"
#include "systems/aerodynamics/derive_typed.hpp"

namespace watersmeet::aerodynamics {
void derive_cpu_f64(const DeriveCall& call) {
  exec::cell_pack(exec::OnCpu{}, nodes_of<double>(call), functor_of<double>(call),
                  target_of<double>(call), call.queue);
}
}  // namespace watersmeet::aerodynamics
