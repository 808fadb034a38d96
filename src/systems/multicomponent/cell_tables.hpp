#pragma once
// The numbers of loops.hpp's CellNumbers for the cells of one part along each axis, computed in double and kept on the device. Cells
// behind a periodic side are those at the opposite one; behind other sides they mirror those in front.

#include <array>

#include "memory/buffer.hpp"
#include "systems/multicomponent/cell_grid.hpp"
#include "systems/multicomponent/loops.hpp"

namespace watersmeet::multicomponent {

class CellTables {
 public:
  CellTables() = default;
  // part: the cells of this rank in the indices of the whole grid. speed: what 1 over the width is multiplied by (system.hpp).
  CellTables(const CellGrid& grid, const std::array<bool, 3>& periodic, const Box& part,
             double speed, Precision precision, const Queue& queue);
  CellNumbers numbers() const;
  static std::size_t bytes_needed(const Index3& part, Precision precision);

 private:
  memory::Buffer buffer_;
  std::size_t word_ = 8;
  std::array<std::size_t, 3> first_{};  // number 0 of the first cell
  std::array<std::int64_t, 3> pitch_{};
};

}  // namespace watersmeet::multicomponent
