#pragma once
// Where cell `c` of a list of ghost regions reads from and writes to: shared by the CPU and CUDA
// loops.

#include "core/host_device.hpp"
#include "exec/ghost.hpp"

namespace watersmeet::exec::detail {

struct GhostCell {
  std::int64_t to, from;
};

WM_HD GhostCell cell_of(const GhostTransfer& r, std::int64_t c) {
  const std::int64_t i = c % r.n[0], j = c / r.n[0] % r.n[1], k = c / (r.n[0] * r.n[1]);
  return {r.to_first + i * r.to_stride[0] + j * r.to_stride[1] + k * r.to_stride[2],
          r.from_first + i * r.from_stride[0] + j * r.from_stride[1] + k * r.from_stride[2]};
}

}  // namespace watersmeet::exec::detail
