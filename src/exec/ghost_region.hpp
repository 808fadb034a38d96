#pragma once
// Where cell `c` of a ghost region reads from and writes to: shared by the CPU and CUDA loops.

#include <cstdint>

#include "core/host_device.hpp"
#include "exec/ghost.hpp"

namespace watersmeet::exec::detail {

struct GhostCell {
  std::int64_t to, from;
};

WM_HD GhostCell cell_of(const GhostTransfer& r, std::int64_t c) {
  std::int64_t i, j, k;
  // Divisions of 64 bits cost a GPU several times those of 32.
  if (r.n[0] * r.n[1] * r.n[2] < (std::int64_t{1} << 31)) {
    const std::uint32_t c32 = static_cast<std::uint32_t>(c);
    const std::uint32_t n0 = static_cast<std::uint32_t>(r.n[0]);
    const std::uint32_t n1 = static_cast<std::uint32_t>(r.n[1]);
    const std::uint32_t row = c32 / n0, plane = row / n1;
    i = c32 - row * n0;
    j = row - plane * n1;
    k = plane;
  } else {
    const std::int64_t row = c / r.n[0], plane = row / r.n[1];
    i = c - row * r.n[0];
    j = row - plane * r.n[1];
    k = plane;
  }
  return {r.to_first + i * r.to_stride[0] + j * r.to_stride[1] + k * r.to_stride[2],
          r.from_first + i * r.from_stride[0] + j * r.from_stride[1] + k * r.from_stride[2]};
}

}  // namespace watersmeet::exec::detail
