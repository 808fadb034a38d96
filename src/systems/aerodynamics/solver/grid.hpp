#pragma once
// The coarse grids of multigrid: operators of first order, registers, and the tables of the
// transfer from the next finer grid.

#include <memory>

#include "mesh/curvilinear/coarsen.hpp"
#include "systems/aerodynamics/solver/level.hpp"

namespace watersmeet::aerodynamics {

// The tables of a transfer. H of the directions is that of the operators of the two levels, so the
// finest nodes have one for every order they are computed with.
class Transfer {
 public:
  Transfer() = default;
  // `kept`: nodes of `finer` that are nodes of `coarse`, of all blocks of the mesh. Both levels
  // outlive the transfer.
  Transfer(const Level& finer, const Level& coarse, const mesh::KeptNodes& kept,
           const Queue& queue);
  const TransferTables& tables() const { return tables_; }

 private:
  TransferTables tables_;
  memory::Buffer blocks_, kept_nodes_, fine_nodes_;
};

// A coarse grid.
struct Grid {
  // Registers of `state`: the first four as those of the run, and beside them the forcing F and the
  // state that was injected.
  static constexpr int forcing = 4, injected = 5, registers = 6;

  std::unique_ptr<Level> level;
  memory::State state;
  Transfer transfer;  // from the next finer grid
};

}  // namespace watersmeet::aerodynamics
