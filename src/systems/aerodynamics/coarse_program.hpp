#pragma once
// Coarse grids of a multigrid cycle as one list of operations, which one kernel goes through: on
// grids of some thousand nodes a launch costs more than what it computes.
//
//   stage    of the five stages, the first with the steps of the nodes, penalties included
//   residual R + F of a grid, into register 2
//   descend  to the next coarser grid: states by injection, residuals restricted
//   forcing  F_c <- F_c - R_c(W_c0)
//   ascend   correction of a grid by the next coarser one
//
// Each operation is one of nodes that do not wait for each other; between two of them all threads
// wait. The solution of a grid is in register 0 or 1 and changes its place with every five stages.
// Grids of first order on one rank, without sensor. The right-hand side of a node falls into parts,
// its three directions and its penalties, so that four threads can share it: on small grids nothing
// but the instructions of one thread, one after the other, takes time.

#include <array>
#include <vector>

#include "exec/node_gather.hpp"
#include "systems/aerodynamics/local_step.hpp"
#include "systems/aerodynamics/stage_epilogue.hpp"
#include "systems/aerodynamics/surface.hpp"
#include "systems/aerodynamics/transfer.hpp"

namespace watersmeet::aerodynamics {

enum class ProgramKind : std::uint8_t { stage, residual, descend, forcing, ascend };

struct ProgramOp {
  ProgramKind kind = ProgramKind::stage;
  std::uint8_t grid = 0;  // that is written
  std::uint8_t stage = 0;
  std::uint8_t forced = 0;  // F is added
  // Register of the solution of the grid, and of the one that it is made from.
  std::uint8_t solution = 0, from = 0;
};

// Of the cycle of a grid and all coarser ones.
struct ProgramShape {
  int grids = 1;   // that the program has, the finest one first
  int visits = 1;  // of a coarser grid in a cycle; the coarsest is never visited twice
  int pre = 1, post = 1;
};
struct CoarseCycle {
  std::vector<ProgramOp> ops;
  int solution = 0;  // where that of the finest grid is afterwards; before, it is in register 0
};
CoarseCycle coarse_cycle(const ProgramShape& shape, bool forced);

// Where a node of a pool is.
struct ProgramNode {
  std::int32_t block = 0, index[3] = {0, 0, 0};
};

constexpr int most_program_grids = 8, program_registers = 6;

template <class R>
struct ProgramGrid {
  const exec::NodeBlock* blocks = nullptr;
  const ProgramNode* places = nullptr;
  std::int32_t nodes = 0;
  std::int64_t pitch = 0;
  R* registers[program_registers] = {};  // grid.hpp
  const R* area = nullptr;
  const R* inverse_volume = nullptr;
  R* local_step = nullptr;
  SurfaceArrays<R> surfaces;  // without the state
  const std::int32_t* surface_of = nullptr;
  TransferTables transfer;  // from the next finer grid of the program
};

template <class R>
struct CoarseProgram {
  static constexpr int forcing = 4, injected = 5;  // registers of grid.hpp
  static constexpr int n_stages = 5;

  ProgramGrid<R> grids[most_program_grids];
  exec::NodeOperators<R> operators;
  FlowModel<R> model;
  R cfl = 1;
  StageUpdate<R> stages[n_stages];
  const exec::Clock* clock = nullptr;

  // Parts of a right-hand side: the directions, and the penalties.
  static constexpr int parts = 4;
  struct Part {
    exec::NodeRates<R, n_variables> rates;
    R largest = 0;  // the sum of largest radii, where steps are made

    WM_HD Part() {
      for (int v = 0; v < n_variables; ++v) rates.flux[v] = rates.dissipation[v] = R(0);
    }
  };
  static constexpr int part_numbers = 2 * n_variables + 1;
  // In an array, numbers `stride` apart.
  WM_HD static void store(const Part& part, R* at, int stride) {
    for (int v = 0; v < n_variables; ++v) {
      at[v * stride] = part.rates.flux[v];
      at[(n_variables + v) * stride] = part.rates.dissipation[v];
    }
    at[2 * n_variables * stride] = part.largest;
  }
  WM_HD static void add_stored(Part& sum, const R* at, int stride) {
    for (int v = 0; v < n_variables; ++v) {
      sum.rates.flux[v] = sum.rates.flux[v] + at[v * stride];
      sum.rates.dissipation[v] = sum.rates.dissipation[v] + at[(n_variables + v) * stride];
    }
    sum.largest = sum.largest + at[2 * n_variables * stride];
  }

  // Whether an operation has a right-hand side.
  WM_HD static bool has_rates(const ProgramOp& op) {
    return op.kind != ProgramKind::descend && op.kind != ProgramKind::ascend;
  }
  WM_HD exec::NodePoint point(const ProgramOp& op, std::int32_t node) const {
    const ProgramGrid<R>& grid = grids[op.grid];
    const ProgramNode place = grid.places[node];
    return exec::node_point(grid.blocks + place.block, place.index[0], place.index[1],
                            place.index[2]);
  }
  // Adds the part `number` of the right-hand side of a node of the grid that the operation writes.
  WM_HD void add_part(const ProgramOp& op, const exec::NodePoint& p, int number, Part& sum) const {
    const Stage stage = stage_of(op);
    const ProgramGrid<R>& grid = grids[op.grid];
    const auto here = exec::node_line<R, n_variables>(stage.nodes, p, 0).state(0);
    if (number < 3) {
      exec::add_gathered<1>(sum.rates, number, here, stage.nodes, p, operators,
                            NodeScheme<R, Features::plain>{model}, parts_of(stage.epilogue.update),
                            stage.steps ? &sum.largest : nullptr);
      return;
    }
    const std::int32_t list = p.on_face() ? grid.surface_of[p.node] : -1;
    if (list < 0) return;
    SurfaceArrays<R> surfaces = grid.surfaces;
    surfaces.in = stage.nodes.state;
    const State<R> penalties =
        penalties_of(surfaces, here, p.node, surfaces.first[list], surfaces.first[list + 1], model);
    for (int v = 0; v < n_variables; ++v) sum.rates.flux[v] = sum.rates.flux[v] + penalties[v];
  }
  // The rest of an operation, with the sum of all parts; 1 where something was limited.
  WM_HD int finish(const ProgramOp& op, const exec::NodePoint& p, const Part& sum) const {
    if (op.kind == ProgramKind::descend) return descend(op, p);
    if (op.kind == ProgramKind::ascend) return ascend(op, p);
    const Stage stage = stage_of(op);
    if (stage.steps) stage.local_step.finish(p, sum.largest, 1);
    return stage.epilogue(p, sum.rates, 1) != R(0) ? 1 : 0;
  }

 private:
  struct Stage {
    exec::NodeArrays<R> nodes;
    StageEpilogue<R> epilogue;
    LocalStep<R> local_step;
    bool steps;
  };
  WM_HD Stage stage_of(const ProgramOp& op) const {
    const ProgramGrid<R>& grid = grids[op.grid];
    StageUpdate<R> update;
    int in = op.solution, out = forcing;
    if (op.kind == ProgramKind::stage) {
      // From the solution by turns to its next place and to register 2.
      update = stages[op.stage];
      const int next = 1 - op.solution;
      if (op.stage > 0) in = op.stage % 2 == 1 ? next : 2;
      out = op.stage % 2 == 0 ? next : 2;
    } else {
      update.form = op.kind == ProgramKind::residual ? StageForm::residual : StageForm::forcing;
      if (op.kind == ProgramKind::residual) out = 2;
    }
    StageArrays<R> arrays;
    arrays.out = grid.registers[out];
    arrays.base = grid.registers[op.solution];
    arrays.kept = grid.registers[3];
    arrays.forcing = op.forced ? grid.registers[forcing] : nullptr;
    arrays.local_step = grid.local_step;
    arrays.inverse_volume = grid.inverse_volume;
    arrays.pitch = grid.pitch;
    const exec::NodeArrays<R> nodes{grid.registers[in], grid.area, nullptr, grid.pitch};
    LocalStep<R> local_step;
    local_step.arrays = nodes;
    local_step.model = model;
    local_step.cfl = cfl;
    local_step.inverse_volume = grid.inverse_volume;
    local_step.local_step = grid.local_step;
    const bool steps = op.kind == ProgramKind::stage && op.stage == 0;
    return {nodes, {update, arrays, model, clock, true}, local_step, steps};
  }

  WM_HD int descend(const ProgramOp& op, const exec::NodePoint& p) const {
    const ProgramGrid<R>& fine = grids[op.grid - 1];
    const ProgramGrid<R>& coarse = grids[op.grid];
    Descend<R> body{};
    body.residual.tables = body.state.tables = coarse.transfer;
    body.residual.fine = fine.registers[2];
    body.residual.coarse = coarse.registers[forcing];
    body.state.fine = fine.registers[op.from];
    body.state.coarse = coarse.registers[op.solution];
    body.state.copy = coarse.registers[injected];
    body.residual.fine_pitch = body.state.fine_pitch = fine.pitch;
    body.residual.coarse_pitch = body.state.coarse_pitch = coarse.pitch;
    return body(p);
  }
  WM_HD int ascend(const ProgramOp& op, const exec::NodePoint& p) const {
    const ProgramGrid<R>& fine = grids[op.grid];
    const ProgramGrid<R>& coarse = grids[op.grid + 1];
    Correct<R> body{};
    body.tables = coarse.transfer;
    body.model = model;
    body.fine = fine.registers[op.solution];
    body.coarse = coarse.registers[op.from];
    body.before = coarse.registers[injected];
    body.fine_pitch = fine.pitch;
    body.coarse_pitch = coarse.pitch;
    return body(p);
  }
};

}  // namespace watersmeet::aerodynamics
