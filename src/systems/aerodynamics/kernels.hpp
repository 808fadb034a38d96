#pragma once
// Table of the compiled loops of aerodynamics: plain function pointers, chosen once at set-up.
// Variants: back end x precision.

#include <cstdint>

#include "core/device.hpp"
#include "core/types.hpp"
#include "exec/clock.hpp"
#include "exec/exact_sum.hpp"
#include "exec/kernel_report.hpp"
#include "exec/node_cube.hpp"
#include "exec/node_tiles.hpp"
#include "systems/aerodynamics/diagnosis.hpp"
#include "systems/aerodynamics/node_scheme.hpp"
#include "systems/aerodynamics/stage.hpp"
#include "systems/aerodynamics/surface.hpp"
#include "systems/aerodynamics/transfer.hpp"

namespace watersmeet::aerodynamics {

// The arrays of a level, where the kernels run and in their precision; pool arrays have the pitch
// of the state.
struct LevelArrays {
  const exec::NodeBlock* blocks = nullptr;
  int block_count = 0;
  const exec::NodeTile* tiles = nullptr;  // CUDA
  int tile_count = 0;
  int uniform_order = 0;                  // of all directions, or 0
  const exec::NodeCube* cubes = nullptr;  // null: the direct schedule
  int cube_count = 0;
  std::int64_t nodes = 0, pitch = 0;
  const void* area = nullptr;            // [3 direction + component]
  const void* inverse_volume = nullptr;  // 1/V
  void* local_step = nullptr;            // dt/V
  void* sensor = nullptr;                // [direction], or null
  bool hold_sensor = false;              // it only grows
  void* troubled = nullptr;              // 1 where a state was limited; with a sensor only
  const std::int32_t* surface_node = nullptr;
  const std::int32_t* surface_first = nullptr;
  const Surface* surfaces = nullptr;
  std::int64_t surface_nodes = 0;
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
  const void* forcing = nullptr;
  double cfl = 1;  // local steps
  // Loops run in an active step only, or `always`; they take dt from the clock, and report to it
  // the states that were limited and (`signal`) the largest signal.
  exec::Clock* clock = nullptr;
  bool always = false, signal = false;
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
  exec::Clock* clock = nullptr;
  Queue queue;
};

struct Kernels {
  void (*begin_step)(const exec::StepRule&, double t_limit, bool allowed, exec::Clock*,
                     const Queue&) = nullptr;
  // Steps, sensor and signal of call.in (local_step.hpp).
  void (*local_step)(const StageCall&) = nullptr;
  // Right-hand side and update of all nodes, then the penalties of those on faces.
  void (*stage)(const StageCall&) = nullptr;
  void (*surfaces)(const StageCall&) = nullptr;
  // The states of a list of nodes, [node][variable].
  void (*gather)(const StageCall&, const std::int32_t* nodes, std::int64_t count,
                 void* packed) = nullptr;
  // State down, residuals down, corrections up.
  void (*inject)(const TransferCall&) = nullptr;
  void (*restrict_residual)(const TransferCall&) = nullptr;
  void (*correct)(const TransferCall&) = nullptr;
  // out -= in, at all nodes.
  void (*subtract)(const StageCall&) = nullptr;
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
