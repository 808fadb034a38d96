#pragma once
// Exchange of ghost cells between linked blocks: the plan of one state, made once for all its
// registers from the mesh's links. All blocks are on this rank today, so an exchange is one launch
// of the ghost form.

#include <vector>

#include "exec/ghost.hpp"
#include "memory/state.hpp"
#include "mesh/ghosts.hpp"

namespace watersmeet::comm {

class Exchange {
 public:
  Exchange() = default;
  // Error{unsupported} when the plan has regions without a value that the stencil needs.
  Exchange(const mesh::GhostPlan& plan, const memory::State& state, const Queue& queue);

  // Fills the ghosts of all variables of a register and marks them valid.
  void fill(memory::State& state, int reg, const Queue& queue) const;
  // Writes NaN into them and marks none valid: debug builds, after use, so that a forgotten
  // exchange shows at once.
  void poison(memory::State& state, int reg, const Queue& queue) const;

  std::int64_t ghost_cells() const { return cells_; }

 private:
  void run(memory::State& state, int reg, exec::GhostAction action, const Queue& queue) const;
  std::vector<exec::GhostTransfer> transfers_;
  memory::Buffer device_transfers_;
  std::int64_t cells_ = 0;
  int layers_ = 0;
};

}  // namespace watersmeet::comm
