#include "exec/cell_map_cuda.hpp"
#include "systems/aerodynamics/derive_typed.hpp"

namespace watersmeet::aerodynamics {
void derive_cuda_f32(const DeriveCall& call) {
  exec::cell_pack(exec::OnCuda{}, nodes_of<float>(call), functor_of<float>(call),
                  target_of<float>(call), call.queue);
}
void derive_cuda_f64(const DeriveCall& call) {
  exec::cell_pack(exec::OnCuda{}, nodes_of<double>(call), functor_of<double>(call),
                  target_of<double>(call), call.queue);
}
}  // namespace watersmeet::aerodynamics
