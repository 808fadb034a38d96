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
// Grids of first order on one rank, without sensor; everything a thread does here is what the
// launches of other schedules do for a node (whole_stage.hpp).

#include <array>
#include <vector>

#include "exec/node_gather.hpp"
#include "systems/aerodynamics/transfer.hpp"
#include "systems/aerodynamics/whole_stage.hpp"

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

  // Work of node `node` of the grid that the operation writes; 1 where something was limited.
  WM_HD int run(const ProgramOp& op, std::int32_t node) const {
    const ProgramGrid<R>& grid = grids[op.grid];
    const ProgramNode place = grid.places[node];
    const exec::NodePoint p =
        exec::node_point(grid.blocks + place.block, place.index[0], place.index[1], place.index[2]);
    if (op.kind == ProgramKind::descend) return descend(op, p);
    if (op.kind == ProgramKind::ascend) return ascend(op, p);
    return stage_of(op, grid)(p, static_cast<const R*>(nullptr), 1) != R(0) ? 1 : 0;
  }

 private:
  // Like exec::GatheredResidual, which has a copy of the operators: the program's stay where they
  // are.
  struct Volume {
    const CoarseProgram* program;
    exec::NodeArrays<R> nodes;
    StageEpilogue<R> epilogue;
    LocalStep<R> local_step;
    bool steps;

    WM_HD R operator()(const exec::NodePoint& p, const R*, int lanes) const {
      R largest = R(0);
      const auto rates = exec::gathered_rates<1, true>(
          nodes, p, program->operators, NodeScheme<R, Features::plain>{epilogue.model},
          parts_of(epilogue.update), steps ? &largest : nullptr);
      if (steps) local_step.finish(p, largest, lanes);
      return epilogue(p, rates, lanes);
    }
  };

  WM_HD WholeStage<R, Volume> stage_of(const ProgramOp& op, const ProgramGrid<R>& grid) const {
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
    SurfaceArrays<R> surfaces = grid.surfaces;
    surfaces.in = grid.registers[in];
    LocalStep<R> local_step;
    local_step.arrays = nodes;
    local_step.model = model;
    local_step.cfl = cfl;
    local_step.inverse_volume = grid.inverse_volume;
    local_step.local_step = grid.local_step;
    const bool steps = op.kind == ProgramKind::stage && op.stage == 0;
    return {{this, nodes, {update, arrays, model, clock}, local_step, steps},
            {surfaces, update, arrays, model, clock},
            grid.surface_of,
            {},
            false};
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
