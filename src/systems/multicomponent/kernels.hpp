#pragma once
// Table of the compiled loops of the multicomponent system: plain function pointers, chosen once at
// set-up. Variants: back end x precision x what is fixed at compile time (flow.hpp) x, on CUDA,
// schedule.

#include <cstdint>
#include <string>
#include <vector>

#include "core/device.hpp"
#include "core/types.hpp"
#include "core/view.hpp"
#include "exec/cell.hpp"
#include "exec/exact_sum.hpp"
#include "exec/face_limit.hpp"
#include "exec/kernel_report.hpp"
#include "systems/multicomponent/boundaries.hpp"
#include "systems/multicomponent/diagnostics.hpp"
#include "systems/multicomponent/flow.hpp"
#include "systems/multicomponent/ledger_count.hpp"

namespace watersmeet::multicomponent {

// sweeps: three launches, one an axis; tile: one launch, marching in z.
enum class Schedule { sweeps, tile };
const char* name_of(Schedule schedule);

struct StageCall {
  const BlockLayout* layout = nullptr;
  const void* in = nullptr;  // registers' starts
  void* out = nullptr;
  void* increment = nullptr;  // w, or u0 (exec::UpdateForm)
  Box box;
  exec::StageUpdate<double> update;
  // In double; the loops round once to their precision.
  const FlowParameters<double>* flow = nullptr;
  const Finish<double>* finish = nullptr;
  exec::Clock* clock = nullptr;  // where the kernels run
  Queue queue;
};

// One pass of the flux limiter (exec/face_limit.hpp) over what a stage has written.
struct LimitCall {
  const BlockLayout* layout = nullptr;  // of the flags
  void* flags = nullptr;                // register start
  exec::LimitRecord* record = nullptr;  // where the kernels run
  int pass = 1;
  bool alone = true;
};

struct Kernels {
  void (*begin_step)(const exec::StepRule&, double t_limit, bool allowed, exec::Clock*,
                     const Queue&) = nullptr;
  void (*stage)(const StageCall&) = nullptr;
  // Ghost cells behind the faces of `call.layout`'s block that have boundary conditions, from the
  // interior of call.out (boundaries.hpp).
  void (*fill_boundaries)(const StageCall&, const BoundaryCall&) = nullptr;
  // The two passes of the time series (comm/exact_reduction.hpp), as in the isothermal system.
  void (*measure)(const StageCall&, const DiagnoseParameters&, double* largest) = nullptr;
  void (*count)(const StageCall&, const DiagnoseParameters&, const exec::SumScale* scales,
                std::int64_t* high_low) = nullptr;
  double (*signal)(const StageCall&) = nullptr;  // the largest of a box
  // Largest |grad rho| of a box.
  double (*steepest)(const StageCall&) = nullptr;
  void (*evaluate)(const StageCall&, const EvaluateParameters&, int components,
                   void* packed) = nullptr;
  std::vector<exec::KernelReport> (*describe)() = nullptr;  // of `stage`, a launch each
  Schedule schedule = Schedule::sweeps;
  // Adds to the ledger what the stage that reads call.in brings through the faces that have
  // conditions; ghosts must be valid. Only in an active step.
  void (*count_boundaries)(const StageCall&, const BoundaryCall&, const LedgerCall&) = nullptr;
  // The passes of the flux limiter.
  void (*find_inadmissible)(const StageCall&, const LimitCall&) = nullptr;
  void (*limit_faces)(const StageCall&, const LimitCall&) = nullptr;
  // One of the launches that `stage` makes in the schedule of sweeps, that along an active axis;
  // null where a stage is one launch. For timing.
  void (*sweep)(const StageCall&, int axis) = nullptr;
};

// Those of CUDA, in files of their own: they are compiled for Variant::general alone, whose choices
// at run time give the same bits as the others.
template <class R>
void find_inadmissible_cuda(const StageCall& call, const LimitCall& limit);
template <class R>
void limit_faces_cuda(const StageCall& call, const LimitCall& limit);

// The tables of one back end and precision, each in files of instantiations.
Kernels cpu_kernels_f32(Variant variant);
Kernels cpu_kernels_f64(Variant variant);
Kernels cuda_kernels_f32(Variant variant, Schedule schedule);
Kernels cuda_kernels_f64(Variant variant, Schedule schedule);

Kernels cpu_kernels(Precision precision, Variant variant);
// Error{unsupported} in a build without CUDA.
Kernels cuda_kernels(Precision precision, Variant variant, Schedule schedule);

}  // namespace watersmeet::multicomponent
