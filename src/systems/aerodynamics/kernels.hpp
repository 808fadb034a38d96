#pragma once
// Table of the compiled loops of aerodynamics: plain function pointers, chosen once at set-up.
// Variants: back end x precision.

#include <cstdint>
#include <span>

#include "core/device.hpp"
#include "core/types.hpp"
#include "exec/clock.hpp"
#include "exec/exact_sum.hpp"
#include "exec/kernel_report.hpp"
#include "exec/node_columns.hpp"
#include "exec/node_cube.hpp"
#include "exec/node_tiles.hpp"
#include "systems/aerodynamics/coarse_program.hpp"
#include "systems/aerodynamics/diagnosis.hpp"
#include "systems/aerodynamics/node_scheme.hpp"
#include "systems/aerodynamics/stage.hpp"
#include "systems/aerodynamics/surface_sums.hpp"
#include "systems/aerodynamics/transfer.hpp"

namespace watersmeet::aerodynamics {

// The arrays of a level, where the kernels run and in their precision; pool arrays have the pitch
// of the state.
struct LevelArrays {
  const exec::NodeBlock* blocks = nullptr;
  int block_count = 0;
  const exec::NodeTile* tiles = nullptr;  // CUDA
  int tile_count = 0;
  exec::JoinedThreads threads;            // of these tiles
  const exec::FaceNode* sides = nullptr;  // of these tiles; null: penalties are launched alone
  const exec::NodeTile* rows = nullptr;   // for what comes from another level
  int row_count = 0;
  int uniform_order = 0;   // of all directions, or 0
  int gathered_order = 0;  // of stencils (exec/node_gather.hpp), or 0: they are not gathered
  // Of another schedule; null: blocks or case do not allow it.
  const exec::NodeCube* cubes = nullptr;
  int cube_count = 0;
  // Of another one; null: blocks do not allow it, or are too small.
  const exec::MarchTile* columns = nullptr;
  int column_count = 0;
  std::int64_t column_work = 0;
  std::int64_t nodes = 0, pitch = 0;
  const void* area = nullptr;            // [3 direction + component]
  const void* inverse_volume = nullptr;  // 1/V
  void* local_step = nullptr;            // dt/V
  void* sensor = nullptr;                // [direction], or null
  bool hold_sensor = false;              // it only grows
  void* share = nullptr;                 // of transfers (local_step.hpp), or null
  void* pressure = nullptr;              // for the sensor, CUDA
  void* troubled = nullptr;              // 1 where a state was limited; with a sensor only
  const std::int32_t* surface_node = nullptr;
  const std::int32_t* surface_first = nullptr;
  const Surface* surfaces = nullptr;
  std::int64_t surface_nodes = 0;
  const std::int32_t* surface_of = nullptr;  // the list of each node, or -1; null: see level.cpp
  // Sums of penalties (surface_sums.hpp); null: states of other ranks come between, or a CPU.
  const SumEntry* sum_entries = nullptr;
  std::int64_t sum_count = 0;
  const void* sum_areas = nullptr;
  const void* sum_factors = nullptr;
  void* sums = nullptr;           // NodeSum of every node on faces
  const void* outside = nullptr;  // [variable][outside_pitch]
  std::int64_t outside_pitch = 0;
  const Given<double>* given = nullptr;
  const void* received = nullptr;                          // [node][variable]
  const exec::NodeOperators<double>* operators = nullptr;  // on the host
};

struct StageCall {
  const LevelArrays* level = nullptr;
  const FlowModel<double>* model = nullptr;
  StageUpdate<double> update;
  // Arrays [variable][pitch]; stage.hpp says which ones a form uses.
  const void* in = nullptr;
  void* out = nullptr;
  const void* base = nullptr;
  void* kept = nullptr;
  void* forcing = nullptr;
  double cfl = 1;  // local steps
  // Loops run in an active step only, or `always`; they take dt from the clock, and report to it
  // the states that were limited and (`signal`) the largest signal.
  exec::Clock* clock = nullptr;
  bool always = false, signal = false;
  // To be done by the same call where the schedule can: penalties, and before them steps.
  bool whole = false, steps = false;
  bool summed = false;  // the level's sums are those of call.in, and to be added
  bool sensor = false;  // local steps: the sensor where the level has one
  bool shares = false;  // local steps: the shares of transfers
  // The pressures of the level: a local stage makes those of its new state, where it does the
  // penalties itself; for the sensor they are known already.
  bool pressures = false;
  bool damped = false;  // a residual is multiplied by the shares of transfers
  Queue queue;
};

// Sums and maxima over the nodes of a level (diagnosis.hpp) of the state call.in.
struct DiagnosisCall {
  const void* residual = nullptr;     // R, [variable][pitch]
  const void* node_volume = nullptr;  // V H, of every node
  double enthalpy = 1;                // of the free stream
};

// Between two levels (transfer.hpp); arrays [variable][pitch of its level].
struct TransferCall {
  const LevelArrays* fine_level = nullptr;
  const LevelArrays* coarse_level = nullptr;
  const TransferTables* tables = nullptr;
  const FlowModel<double>* model = nullptr;  // of the fine level
  void* fine = nullptr;
  void* coarse = nullptr;
  void* injected = nullptr;  // W_c0
  void* fine_residual = nullptr;
  void* forcing = nullptr;  // of the coarse level
  exec::Clock* clock = nullptr;
  Queue queue;
};

// A cycle of coarse grids in one launch (coarse_program.hpp).
struct ProgramGridCall {
  const LevelArrays* level = nullptr;
  const ProgramNode* places = nullptr;
  const TransferTables* transfer = nullptr;  // from the grid before
  void* registers[program_registers] = {};
};
struct ProgramCall {
  std::span<const ProgramGridCall> grids;
  const ProgramOp* ops = nullptr;  // where the kernels run
  int count = 0, solution = 0;     // of coarse_cycle()
  const ProgramPlan* plan = nullptr;
  std::span<const StageUpdate<double>> stages;
  const FlowModel<double>* model = nullptr;
  double cfl = 1;
  exec::Clock* clock = nullptr;
  Queue queue;
};

struct Kernels {
  void (*begin_step)(const exec::StepRule&, double t_limit, bool allowed, exec::Clock*,
                     const Queue&) = nullptr;
  // Steps, sensor, shares and signal of call.in (local_step.hpp), as far as they are asked for.
  void (*local_step)(const StageCall&) = nullptr;
  // Right-hand side and update of all nodes, and the penalties of those on faces. `stage` tells
  // whether it did these as well, before or in the same launch; else `surfaces` follows.
  bool (*stage)(const StageCall&) = nullptr;
  void (*surfaces)(const StageCall&) = nullptr;
  // The states of a list of nodes, [node][variable].
  void (*gather)(const StageCall&, const std::int32_t* nodes, std::int64_t count,
                 void* packed) = nullptr;
  // State down, the same with residuals, corrections up.
  void (*inject)(const TransferCall&) = nullptr;
  void (*descend)(const TransferCall&) = nullptr;
  void (*correct)(const TransferCall&) = nullptr;
  void (*program)(const ProgramCall&) = nullptr;
  ProgramRoom (*program_room)() = nullptr;
  // The two passes of a diagnosis (comm/exact_reduction.hpp).
  void (*measure)(const StageCall&, const DiagnosisCall&, double* largest) = nullptr;
  void (*count)(const StageCall&, const DiagnosisCall&, const exec::SumScale* scales,
                std::int64_t* high_low) = nullptr;
  exec::KernelReport (*describe)(const StageCall&) = nullptr;  // of `stage`
};

Kernels cpu_kernels_f32();
Kernels cpu_kernels_f64();
Kernels cuda_kernels_f32();
Kernels cuda_kernels_f64();

// Error{unsupported} in a build without CUDA.
Kernels kernels_of(Backend backend, Precision precision);

}  // namespace watersmeet::aerodynamics
