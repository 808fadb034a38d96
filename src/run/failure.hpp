#pragma once
// Where a run went wrong: the first value of the state that is not finite, else the first cell with
// values that the system cannot continue with.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "memory/state.hpp"
#include "mesh/grid_description.hpp"

namespace watersmeet::run {

// This rank's part of a state: one block of a register, one variable for each name.
struct StatePart {
  const memory::State& state;
  int reg = 0;
  std::vector<Variable> variables;
  Box mine;  // cells of the whole grid in this part
  const mesh::GridDescription& grid;
};

// "not a number in ux at step 7, t = 0.1" and the place; or "inadmissible values at step 7, ...: "
// with the words of `inadmissible` (systems/observation.hpp) and the place. The cell is the first in the
// order of the whole grid, x fastest, whatever the number of ranks; the text is the same on all.
// `otherwise` where the system can continue with every cell. Collective; reads the state through little
// host memory.
std::string describe_failure(
    const StatePart& part, std::int64_t step, double t,
    const std::function<std::string(std::span<const double>)>& inadmissible,
    const std::string& otherwise, comm::Communicator& ranks, const Queue& queue);

}  // namespace watersmeet::run
