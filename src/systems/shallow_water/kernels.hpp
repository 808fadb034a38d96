#pragma once
// Table of the compiled loops of shallow water: plain function pointers, chosen once at set-up.
// Variants: back end x precision x what is fixed at compile time (flow.hpp).

#include <cstdint>
#include <vector>

#include "core/device.hpp"
#include "core/types.hpp"
#include "core/view.hpp"
#include "exec/cell.hpp"
#include "exec/exact_sum.hpp"
#include "exec/kernel_report.hpp"
#include "systems/shallow_water/boundaries.hpp"
#include "systems/shallow_water/diagnostics.hpp"
#include "systems/shallow_water/flow.hpp"
#include "systems/shallow_water/outflow.hpp"

namespace watersmeet::shallow_water {

struct StageCall {
  const BlockLayout* layout = nullptr;
  const void* in = nullptr;  // registers' starts
  void* out = nullptr;
  void* increment = nullptr;  // w, or u0 (exec::UpdateForm)
  void* bed = nullptr;        // start of a congruent register of one variable; null: flat at 0
  const BlockLayout* bed_layout = nullptr;
  Box box;
  exec::StageUpdate<double> update;
  const FlowParameters<double>* flow = nullptr;  // the loops round once to their precision
  exec::Clock* clock = nullptr;                  // where the kernels run
  Queue queue;
};

struct Kernels {
  void (*begin_step)(const exec::StepRule&, double t_limit, bool allowed, exec::Clock*,
                     const Queue&) = nullptr;
  void (*stage)(const StageCall&) = nullptr;
  // Ghosts of call.out behind the sides that have conditions, and of the bed: the latter as if it
  // were level there, until fill_boundaries continues it.
  void (*fill_boundaries)(const StageCall&, const BoundaryCall&) = nullptr;
  void (*fill_bed)(const StageCall&, const BoundaryCall&) = nullptr;
  // Adds what the stage that reads call.in lets out through sides that have conditions.
  void (*count_outflow)(const StageCall&, const BoundaryCall&, const OutflowCall&) = nullptr;
  // The two passes of the time series (comm/exact_reduction.hpp).
  void (*measure)(const StageCall&, const DiagnoseParameters&, double* largest) = nullptr;
  void (*count)(const StageCall&, const DiagnoseParameters&, const exec::SumScale* scales,
                std::int64_t* high_low) = nullptr;
  double (*signal)(const StageCall&) = nullptr;  // the largest of a box
  void (*evaluate)(const StageCall&, const DiagnoseParameters&, Quantity, int components,
                   void* packed) = nullptr;
  exec::KernelReport (*describe)() = nullptr;  // of `stage`
};

Kernels cpu_kernels_f32(Variant variant);
Kernels cpu_kernels_f64(Variant variant);
Kernels cuda_kernels_f32(Variant variant);
Kernels cuda_kernels_f64(Variant variant);

Kernels cpu_kernels(Precision precision, Variant variant);
// Error{unsupported} in a build without CUDA.
Kernels cuda_kernels(Precision precision, Variant variant);

}  // namespace watersmeet::shallow_water
