#pragma once
// The compiled loops that evaluate a quantity over a rank's nodes.

#include "core/device.hpp"
#include "core/types.hpp"
#include "core/view.hpp"
#include "systems/aerodynamics/quantities.hpp"

namespace watersmeet::aerodynamics {

struct DeriveCall {
  const BlockLayout* layout = nullptr;  // of the one row of nodes
  const void* state = nullptr;          // register
  std::int64_t nodes = 0;
  Gas<double> gas;
  StreamScale<double> scale;
  Quantity quantity = Quantity::density;
  int components = 1;
  void* packed = nullptr;  // [node][component] in the precision of the state
  Queue queue;
};

// Where the queue's kernels run. Error{unsupported} for a GPU in a build without CUDA.
void derive(Precision precision, const DeriveCall& call);

void derive_cpu_f32(const DeriveCall& call);
void derive_cpu_f64(const DeriveCall& call);
void derive_cuda_f32(const DeriveCall& call);
void derive_cuda_f64(const DeriveCall& call);

}  // namespace watersmeet::aerodynamics
