#pragma once
// The solution between two steps, kept on the device: what a checkpoint has of it, for a step that is carried out twice.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "exec/clock.hpp"
#include "memory/buffer.hpp"
#include "systems/system.hpp"

namespace watersmeet::run {

class SolutionCopy {
 public:
  std::map<std::string, double> reals;  // Engine::checkpoint_reals()
  std::int64_t step = 0;

  // Arrays of a system, in memory that is allocated by the first call (Error{resource}) and used again.
  void take_arrays(systems::System& system, const Queue& queue);
  // The system has no valid ghosts then, and does not know yet that its state changed.
  void put_back(systems::System& system, const Queue& queue) const;

  struct Differing {
    std::int64_t count = 0;  // of values
    std::string
        first;  // "NAME in (i, j, k) is VALUE and VALUE", of the copy and of the system; empty where none differ
  };
  // `corner`: the first cell of this rank's part of the grid.
  Differing compare(systems::System& system, const Index3& corner, const Queue& queue) const;

  // Memory of one copy, of a cell.
  static std::size_t bytes_per_cell(const systems::System& system);

 private:
  std::vector<memory::Buffer> arrays_;
};

}  // namespace watersmeet::run
