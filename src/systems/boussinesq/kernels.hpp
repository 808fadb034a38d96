#pragma once
// Table of the compiled loops of the Boussinesq system: plain function pointers, chosen once at
// set-up. Variants: back end x precision x number of variables x advection and, on CUDA, schedule.

#include <cstdint>
#include <string>

#include "core/device.hpp"
#include "core/types.hpp"
#include "core/view.hpp"
#include "exec/box_ghosts.hpp"
#include "exec/cell.hpp"
#include "exec/exact_sum.hpp"
#include "exec/kernel_report.hpp"
#include "systems/boussinesq/diagnostics.hpp"
#include "systems/boussinesq/equations.hpp"

namespace watersmeet::boussinesq {

enum class Schedule { direct, ring };
const char* name_of(Schedule schedule);

// Tables of one part where the kernels run, in the run's precision; entry 0 is that of the part's
// first cell (grid_tables.hpp).
struct GridTables {
  const void *inverse_width = nullptr, *inverse_distance = nullptr, *weight = nullptr;
  const void *first_of_row = nullptr, *last_of_row = nullptr;
};

// Rules of the ghosts of one part: factors and constants in double, tables in the run's precision.
struct RulesCall {
  exec::SideKind kind[6] = {};
  double factor[6][most_variables] = {}, constant[6][most_variables] = {};
  const void* table[6][most_variables] = {};
  const void* plane[6] = {};  // velocity across open sides, face (0, 0)
  std::int64_t plane_stride[6] = {};
};

// Open sides of one part (open_faces.hpp): face (0, 0) of each array, where the kernels run.
struct OpenCall {
  struct Side {
    int side = 0;
    int n[2] = {1, 1};
    std::int64_t stride = 0;
    void *now = nullptr, *next = nullptr, *rate = nullptr;
    const void* force = nullptr;
  };
  Side side[6];
  int count = 0;
  bool wraps[3] = {false, false, false};
};

struct FlowCall {
  const BlockLayout* layout = nullptr;  // of the state
  const void* in = nullptr;             // registers' starts
  void* out = nullptr;
  void* history = nullptr;  // R of the stage or step before
  Box box;
  exec::StageUpdate<double> update;
  int variables = 4;
  double inverse_x = 0, inverse_y = 0;
  bool wall[3] = {false, false, false};  // whether the part's lowest faces are walls
  const Coefficients<double>* coefficients = nullptr;
  const void* fields = nullptr;  // register start of accelerations and sources, or null
  const BlockLayout* fields_layout = nullptr;
  GridTables tables;
  const BlockLayout* pressure_layout = nullptr;
  const void* phi = nullptr;  // registers' starts of the pressure's state
  void* rhs = nullptr;
  bool last = true;  // stage of the step
  int watched_scalars = 0;
  exec::Clock* clock = nullptr;  // where the kernels run
  Queue queue;
};

// The guess of an iterative solver (projection.hpp): phi, which holds that of two solves ago,
// becomes an extrapolation from it and from `before`.
struct GuessCall {
  const void* before = nullptr;  // register's start
  double ratio = 1;
  bool extrapolate = true, first = true;
};

struct Kernels {
  void (*begin_step)(const exec::StepRule&, double t_limit, bool allowed, exec::Clock*,
                     const Queue&) = nullptr;
  void (*stage)(const FlowCall&) = nullptr;
  // Velocity across open sides: next <- that of `now` and `in` advanced by a stage; next <- next -
  // G phi; the faces around `now`.
  void (*advance_open)(const FlowCall&, const OpenCall&) = nullptr;
  void (*correct_open)(const FlowCall&, const OpenCall&) = nullptr;
  void (*fill_around_open)(const FlowCall&, const RulesCall&, const OpenCall&) = nullptr;
  // rhs <- D out
  void (*divergence)(const FlowCall&) = nullptr;
  // out <- out - G phi
  void (*project)(const FlowCall&) = nullptr;
  // Ghosts and wall faces of `out`: all, or what a divergence needs (exec/box_ghosts.hpp).
  void (*fill_ghosts)(const FlowCall&, const RulesCall&, bool faces_only) = nullptr;
  void (*guess)(const FlowCall&, const GuessCall&) = nullptr;
  // Ghosts of phi.
  void (*fill_pressure_ghosts)(const FlowCall&, const RulesCall&) = nullptr;
  // The two passes of the time series (comm/exact_reduction.hpp), as in the isothermal system.
  void (*measure)(const FlowCall&, const DiagnoseParameters&, double* largest) = nullptr;
  void (*count)(const FlowCall&, const DiagnoseParameters&, const exec::SumScale* scales,
                std::int64_t* high_low) = nullptr;
  double (*signal)(const FlowCall&) = nullptr;  // the largest of a box
  void (*evaluate)(const FlowCall&, const DiagnoseParameters&, Quantity, double inverse_dt,
                   int components, void* packed) = nullptr;
  exec::KernelReport (*describe)() = nullptr;  // of `stage`
  Schedule schedule = Schedule::direct;
};

// The tables of one back end and precision, each in a file of instantiations.
Kernels cpu_kernels_f32(int variables, Advection advection);
Kernels cpu_kernels_f64(int variables, Advection advection);
Kernels cuda_kernels_f32(int variables, Advection advection, Schedule schedule);
Kernels cuda_kernels_f64(int variables, Advection advection, Schedule schedule);

Kernels cpu_kernels(Precision precision, int variables, Advection advection);
// Error{unsupported} in a build without CUDA. Upwind advection has the direct schedule alone.
Kernels cuda_kernels(Precision precision, int variables, Advection advection, Schedule schedule);

}  // namespace watersmeet::boussinesq
