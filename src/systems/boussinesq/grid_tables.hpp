#pragma once
// The tables of loops.hpp's GridTables for one part, in one array on the device.

#include <array>
#include <vector>

#include "memory/buffer.hpp"
#include "systems/boussinesq/grid.hpp"
#include "systems/boussinesq/loops.hpp"

namespace watersmeet::boussinesq {

class TablesOfPart {
 public:
  TablesOfPart() = default;
  // part: the cells of this rank in the indices of the whole grid. beta (y - y_0): what adds to f_z. upwind: with the weights of limited
  // scalars.
  TablesOfPart(const StaggeredGrid& grid, const Box& part, double beta, double y_0, bool upwind,
               Precision precision, const Queue& queue);
  GridTables arrays() const;
  static std::size_t bytes_needed(const Index3& part, bool upwind, Precision precision);

 private:
  void add_axis(const StaggeredGrid& grid, const Box& part, int axis, std::vector<double>& values);
  void add_upwind(const StaggeredGrid& grid, const Box& part, int axis,
                  std::vector<double>& values);
  const char* entry(std::size_t index) const;
  memory::Buffer buffer_;
  std::size_t word_ = 8;
  std::array<std::size_t, 3> width_{}, distance_{}, weight_{};
  std::size_t first_ = 0, last_ = 0, planetary_ = 0;
  bool on_beta_plane_ = false, upwind_ = false;
  std::array<std::array<std::size_t, 4>, 3> weights_{};  // up[2], down[2] of an axis
};

}  // namespace watersmeet::boussinesq
