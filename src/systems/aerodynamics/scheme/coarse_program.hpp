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
// Grids of first order on one rank, without sensor. A GPU keeps all their numbers in the memory
// that the threads of a block share (ProgramShare, coarse_program_cuda.hpp).

#include <span>
#include <vector>

#include "systems/aerodynamics/scheme/coarse_node.hpp"
#include "systems/aerodynamics/scheme/stage_epilogue.hpp"
#include "systems/aerodynamics/scheme/transfer.hpp"
#include "systems/aerodynamics/surface/surface.hpp"

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

// The shape of the cycle of a grid and all coarser ones.
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

constexpr int most_program_grids = 8, program_registers = 6, most_program_blocks = 8;

// Where the numbers of a grid are. Nodes fall to the thread blocks of a cluster in the order of the
// pool, `chunk` to each; a grid of few nodes falls to the first block alone. In the memory of a
// block, places in bytes from its beginning:
//
//    numbers                       neighbours       sides          surfaces
//    [number][slot] of grid 0, 1.. of grid 0, 1 ..  of grid 0 ..   of grid 0 ..
//
// A side is a node on faces of its block of nodes. A node is found by its location, the rank of the
// thread block in the cluster and the slot there.
struct ProgramShare {
  static constexpr int slot_bits = 10;  // of a location
  // Numbers of a node: two flows (rho, u, p, c) by turns, the state that a step begins with, the
  // dissipation that stages share or a residual, F, W_c0, dt/V, and for each direction the area
  // vector with its length.
  static constexpr int flow = 0, flow_size = n_variables + 1, base = 2 * flow_size,
                       kept = base + n_variables, forcing = kept + n_variables,
                       injected = forcing + n_variables, step = injected + n_variables,
                       area = step + 1, area_size = 4;

  std::int32_t chunk = 0;
  std::uint32_t inverse = 0;  // 2^32/chunk rounded up: n/chunk is the upper word of n times this
  std::int32_t numbers = 0, neighbours = 0, sides = 0, surfaces = 0;
  std::int32_t first_side[most_program_blocks + 1] =
      {};  // of each thread block, in the level's list

  WM_HD std::uint32_t location(std::int64_t node) const {
    const auto n = static_cast<std::uint64_t>(node);
    const auto rank = static_cast<std::uint32_t>((n * inverse) >> 32);
    return rank << slot_bits |
           (static_cast<std::uint32_t>(node) - rank * static_cast<std::uint32_t>(chunk));
  }
};
// Places of the nodes below and above along each direction, the node itself where there is none.
struct alignas(16) ProgramNeighbours {
  std::uint16_t at[6] = {};
  std::uint16_t exists = 0;  // a bit for each of them, and one for sides
  static constexpr int side_bit = 6;
};
struct ProgramSide {
  std::int32_t slot = 0, first = 0, last = 0;  // and its surfaces in the block's own list
};

// What thread blocks offer: how many in a cluster, and the bytes that the threads of one share;
// none on a CPU, whose program reads the arrays of the levels, and on GPUs without clusters.
struct ProgramRoom {
  int blocks = 0;
  std::size_t bytes = 0;
};
// A grid as the plan sees it; `side_nodes` and `first_surface`: the lists of SurfaceTables.
struct ProgramGridSize {
  std::int64_t nodes = 0;
  std::span<const std::int32_t> side_nodes, first_surface;
};
struct ProgramPlan {
  std::vector<ProgramShare> shares;  // of each grid; none: they do not find room
  std::size_t bytes = 0;             // of a thread block
  int blocks = 0, directions = 0;
};
ProgramPlan plan_program(std::span<const ProgramGridSize> grids, int directions,
                         std::size_t bytes_of_number, const ProgramRoom& room);

template <class R>
struct ProgramGrid {
  const exec::NodeBlock* blocks = nullptr;
  const ProgramNode* places = nullptr;
  std::int32_t nodes = 0;
  std::int64_t pitch = 0;
  Vec<ArrayAddress<R>, program_registers> registers{};  // grid.hpp
  TableAddress<R> area;
  TableAddress<R> inverse_volume;
  ArrayAddress<R> local_step;
  SurfaceArrays<R> surfaces;  // without the state
  const std::int32_t* surface_of = nullptr;
  TransferTables transfer;  // from the next finer grid of the program
  ProgramShare share;
};

template <class R>
struct CoarseProgram {
  static constexpr int forcing = 4, injected = 5;  // registers of grid.hpp
  static constexpr int n_stages = 5;

  Vec<ProgramGrid<R>, most_program_grids> grids{};
  exec::NodeOperators<R> operators;
  FlowModel<R> model;
  R cfl = 1;
  Vec<StageUpdate<R>, n_stages> stages{};
  const exec::Clock* clock = nullptr;
  int count = 0;                   // of the grids
  int solution = 0;                // register of the finest grid that its solution goes to
  int blocks = 0, directions = 3;  // on a GPU

  // A right-hand side.
  struct Sum {
    exec::NodeRates<R, n_variables> rates;
    R largest = 0;  // the sum of largest radii, where steps are made

    WM_HD Sum() {
      for (int v = 0; v < n_variables; ++v) rates.flux[v] = rates.dissipation[v] = R(0);
    }
  };

  WM_HD exec::NodePoint point(const ProgramOp& op, std::int32_t node) const {
    const ProgramGrid<R>& grid = grids[op.grid];
    const ProgramNode place = grid.places[node];
    return exec::node_point(grid.blocks + place.block, place.index[0], place.index[1],
                            place.index[2]);
  }
  WM_HD StageUpdate<R> update_of(const ProgramOp& op) const {
    if (op.kind == ProgramKind::stage) return stages[op.stage];
    StageUpdate<R> update;
    update.form = op.kind == ProgramKind::residual ? StageForm::residual : StageForm::forcing;
    return update;
  }
  WM_HD static bool makes_steps(const ProgramOp& op) {
    return op.kind == ProgramKind::stage && op.stage == 0;
  }

  // An operation at a node, everything read from and written to the arrays of the levels; 1 where
  // something was limited.
  WM_HD int operator()(const ProgramOp& op, const exec::NodePoint& p) const {
    if (op.kind == ProgramKind::descend) return descend(op, p);
    if (op.kind == ProgramKind::ascend) return ascend(op, p);
    const Stage stage = stage_of(op);
    const CoarseScheme<R> scheme = coarse_scheme_of(operators.two, model);
    Sum sum;
    for (int d = 0; d < 3; ++d) {
      const int i = p.index[d], n = p.block->n[d];
      if (n == 1) continue;
      const auto line = exec::node_line<R, n_variables>(stage.nodes, p, d);
      const auto node = [&](int m) {
        const Area<R> area = line.area(m);
        return CoarseNode<R>{coarse_flow_of(line.state(m), model.gas), area,
                             sqrt_(fused_dot(area, area))};
      };
      const bool below = i > 0, above = i < n - 1;
      add_first_order(sum.rates, scheme, node(below ? -1 : 0), node(0), node(above ? 1 : 0), below,
                      above, parts_of(stage.epilogue.update).dissipation,
                      makes_steps(op) ? &sum.largest : nullptr);
    }
    const ProgramGrid<R>& grid = grids[op.grid];
    const std::int32_t list = p.on_face() ? grid.surface_of[p.node] : -1;
    if (list >= 0) {
      SurfaceArrays<R> surfaces = grid.surfaces;
      surfaces.in = stage.nodes.state;
      const auto here = exec::node_line<R, n_variables>(stage.nodes, p, 0).state(0);
      const Conserved<R> penalties = penalties_of(surfaces, here, p.node, surfaces.first[list],
                                                  surfaces.first[list + 1], model);
      for (int v = 0; v < n_variables; ++v) sum.rates.flux[v] = sum.rates.flux[v] + penalties[v];
    }
    if (makes_steps(op)) grid.local_step[p.node] = cfl * rcp_(sum.largest);
    return stage.epilogue(p, sum.rates, 1) != R(0) ? 1 : 0;
  }

 private:
  struct Stage {
    exec::NodeArrays<R> nodes;
    StageEpilogue<R> epilogue;
  };
  WM_HD Stage stage_of(const ProgramOp& op) const {
    const ProgramGrid<R>& grid = grids[op.grid];
    int in = op.solution, out = forcing;
    if (op.kind == ProgramKind::stage) {
      // From the solution by turns to its next place and to register 2.
      const int next = 1 - op.solution;
      if (op.stage > 0) in = op.stage % 2 == 1 ? next : 2;
      out = op.stage % 2 == 0 ? next : 2;
    } else if (op.kind == ProgramKind::residual) {
      out = 2;
    }
    StageArrays<R> arrays;
    arrays.out = grid.registers[out];
    arrays.base = grid.registers[op.solution];
    arrays.kept = grid.registers[3];
    if (op.forced) arrays.forcing = grid.registers[forcing];
    arrays.local_step = grid.local_step;
    arrays.inverse_volume = grid.inverse_volume;
    arrays.pitch = grid.pitch;
    const exec::NodeArrays<R> nodes{grid.registers[in], grid.area, {}, grid.pitch};
    return {nodes, {update_of(op), arrays, model, clock, true}};
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
