#pragma once
// The ghost form: fills ghost cells from the interior cells they are linked to, for any
// orientation, in one launch for all regions, variables and blocks of a register. A region is an
// affine map between two sets of elements, so that the loops know neither links nor orientations
// (comm/exchange makes the regions). Either end of a region may lie in a message buffer instead:
// packing and unpacking are the same form. What lies behind
// faces with boundary conditions is a part of its own (exec/boundary.hpp).
//
//        register  --copy-->  the same register
//        register  --pack-->  message  ~~>  message  --unpack-->  register of another rank

#include <cstdint>
#include <span>

#include "core/device.hpp"
#include "core/types.hpp"
#include "exec/gate.hpp"

namespace watersmeet::exec {

// Element offsets are for variable 0, from the start of the register or of the message buffer.
// The three axes may come in any order; the loops run fastest along the first.
struct GhostTransfer {
  std::int64_t to_first = 0, from_first = 0;
  std::int64_t to_stride[3] = {0, 0, 0}, from_stride[3] = {0, 0, 0};
  std::int64_t to_stride_var = 0, from_stride_var = 0;
  std::int64_t n[3] = {0, 0, 0};  // cells of the region
  std::int64_t begin = 0;         // cells of all regions of the launch before this one
  bool to_buffer = false, from_buffer = false;

  std::int64_t cells() const { return n[0] * n[1] * n[2]; }
};

// The two halves of a copy between registers of two ranks, through `variables` * cells() elements
// of a message from `message` on, which lie as [variable][k][j][i] where the axes of `copy` are
// those of the destination (i, j, k). Both ranks make both from the same copy; the offsets in the
// other's register do not matter. The axes are sorted for the register's side.
GhostTransfer pack_half(const GhostTransfer& copy, std::int64_t message);
GhostTransfer unpack_half(const GhostTransfer& copy, std::int64_t message);

// Sets `begin` in the regions of one launch; returns the cells of all.
std::int64_t number_cells(std::span<GhostTransfer> transfers);

enum class GhostAction { copy, poison };  // poison: write NaN instead (debug builds, after use)

// Copies (or poisons) the regions of a register that starts at `start`; `cells` in all. `buffer`
// holds the messages, if any, in memory that the queue's back end reaches (pinned or device memory
// for CUDA). `transfers` is in the memory of the back end. Without a gate packing and unpacking are two launches. With one (GPUs only)
// they are one, with copies within the register where there are any: regions that lead to the buffer come first and lie in the
// memory of other GPUs, where the offsets from `buffer` reach.
void fill_ghosts(void* start, void* buffer, Precision precision, const GhostTransfer* transfers,
                 int count, std::int64_t cells, int variables, GhostAction action,
                 const Queue& queue, Gate* gate = nullptr);

namespace detail {
template <class R>
void fill_regions_cpu(R* start, R* buffer, const GhostTransfer* transfers, int count, int variables,
                      GhostAction action, const Queue& queue);
template <class R>
void fill_regions_cuda(R* start, R* buffer, const GhostTransfer* transfers, int count,
                       std::int64_t cells, int variables, GhostAction action, Gate* gate,
                       const Queue& queue);
}  // namespace detail

}  // namespace watersmeet::exec
