#pragma once
// Table of the compiled loops of the atmosphere: plain function pointers, chosen once at set-up.
// Variants: back end x precision x what is fixed at compile time (flow.hpp).

#include <cstdint>
#include <vector>

#include "core/device.hpp"
#include "core/types.hpp"
#include "core/view.hpp"
#include "exec/cell.hpp"
#include "exec/exact_sum.hpp"
#include "exec/kernel_report.hpp"
#include "systems/atmosphere/diagnostics.hpp"
#include "systems/atmosphere/diffusion.hpp"
#include "systems/atmosphere/exterior.hpp"
#include "systems/atmosphere/flow.hpp"

namespace watersmeet::atmosphere {

// The tables that Medium and FlowParameters point at, in the precision of the loops and where these
// run; null where a case has none.
struct TableAddresses {
  const void* levels = nullptr;
  const void* stretch = nullptr;
  const void* columns = nullptr;
  const void* profile = nullptr;
  const void* sponge[3] = {nullptr, nullptr, nullptr};
  const void* x = nullptr;
};

// How CUDA loops go over the cells: a launch an axis, or one launch of marching tiles, which serves
// three axes without viscosity and alone has the transverse term.
enum class Schedule { sweeps, tile };

struct StageCall {
  const BlockLayout* layout = nullptr;
  const void* in = nullptr;  // registers' starts
  void* out = nullptr;
  void* increment = nullptr;  // w, or u0 (exec::UpdateForm)
  Box box;
  exec::StageUpdate<double> update;
  // Numbers in double, which the loops round once; its pointers are those of `tables`.
  const FlowParameters<double>* flow = nullptr;
  TableAddresses tables;
  exec::Clock* clock = nullptr;  // where the kernels run
  Queue queue;
};

// Of column.hpp: registers' starts, congruent with the layout of the stages.
struct SplitCall {
  double gamma = 0, delta = 0;
  bool second = false;
  const void* q = nullptr;
  void *y = nullptr, *first_sum = nullptr;
  const void* second_sum = nullptr;
  void* elimination = nullptr;
};

// Of diffusion.hpp: a register's start that holds DiffusingValues, congruent with those of stages.
struct DiffusionCall {
  void* values = nullptr;
};

struct DiagnoseParameters {
  double gas_constant = 0;
  int surface = -(1 << 30);
};

struct Kernels {
  void (*begin_step)(const exec::StepRule&, double t_limit, bool allowed, exec::Clock*,
                     const Queue&) = nullptr;
  void (*stage)(const StageCall&) = nullptr;
  // Ghosts of call.out behind the sides that have conditions.
  void (*fill_boundaries)(const StageCall&, const BoundaryCall&) = nullptr;
  // The two passes of the time series (comm/exact_reduction.hpp).
  void (*measure)(const StageCall&, const DiagnoseParameters&, double* largest) = nullptr;
  void (*count)(const StageCall&, const DiagnoseParameters&, const exec::SumScale* scales,
                std::int64_t* high_low) = nullptr;
  double (*signal)(const StageCall&) = nullptr;  // the largest of a box
  void (*evaluate)(const StageCall&, const DiagnoseParameters&, Quantity, int components,
                   void* packed) = nullptr;
  std::vector<exec::KernelReport> (*describe)() = nullptr;  // of `stage`, a launch each
  Schedule schedule = Schedule::sweeps;
  // The implicit part of a stage; null where the variant is not split.
  void (*solve_columns)(const StageCall&, const SplitCall&) = nullptr;
  // Viscosity over terrain, after `stage` with the same call; null over flat ground. It finishes
  // the last stage, which `stage` is not told of then.
  void (*diffuse)(const StageCall&, const DiffusionCall&) = nullptr;
};

Kernels cpu_kernels_f32(Variant variant, Choices choices);
Kernels cpu_kernels_f64(Variant variant, Choices choices);
// Instantiated in files of their own, as the next one: by sweeps, with the pass of viscosity over
// terrain beside the stage.
template <class R>
Kernels cuda_kernels(Variant variant);
// Puts the tile's stage in place of the sweeps, where the flow has neither viscosity nor a split.
template <class R>
void use_tile(Kernels& kernels, Variant variant, Choices choices);

Kernels cpu_kernels(Precision precision, Variant variant, Choices choices);
// Error{unsupported} in a build without CUDA.
Kernels cuda_kernels(Precision precision, Variant variant, Schedule schedule, Choices choices);
const char* name_of(Schedule schedule);

}  // namespace watersmeet::atmosphere
