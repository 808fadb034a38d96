#pragma once
// Where the values of one block lie in memory.
//
// Order [variable][k][j][i], i fastest. `first` is the element of interior cell (0, 0, 0) of
// variable 0; it lies on a 128-byte line, and so does every row, because the pitch is a multiple of
// 128 bytes. Ghost cells have negative indices or indices >= n. An axis of one cell is degenerate:
// it has no ghosts and stride 0, so that every neighbour along it is the cell itself.

#include <cstdint>

#include "core/host_device.hpp"

namespace watersmeet {

struct BlockLayout {
  std::int64_t n[3] = {1, 1, 1};       // interior cells
  std::int64_t ghosts[3] = {0, 0, 0};  // ghost layers on each side
  std::int64_t stride[3] = {1, 0, 0};  // elements between neighbours along each axis
  std::int64_t stride_var = 0;         // elements between variables
  std::int64_t first = 0;     // element of cell (0,0,0), variable 0, from the register's start
  std::int64_t elements = 0;  // of all variables of this block, padding included
  WM_HD std::int64_t at(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return i * stride[0] + j * stride[1] + k * stride[2];
  }
};

}  // namespace watersmeet
