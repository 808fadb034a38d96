#pragma once
// The ghost form: fills ghost cells from the interior cells they are linked to, for any
// orientation, in one launch for all regions, variables and blocks of a register. A region is an
// affine map between two sets of elements, so that the loops know neither links nor orientations
// (comm/exchange makes the regions). Physical boundary states join when the first system with walls
// does.

#include <cstdint>

#include "core/device.hpp"
#include "core/types.hpp"

namespace watersmeet::exec {

// Element offsets are from the start of a register and for variable 0.
struct GhostTransfer {
  std::int64_t to_first = 0, from_first = 0;
  std::int64_t to_stride[3] = {0, 0, 0}, from_stride[3] = {0, 0, 0};
  std::int64_t to_stride_var = 0, from_stride_var = 0;
  std::int64_t n[3] = {0, 0, 0};  // cells of the region, destination order
  std::int64_t begin = 0;         // cells of all regions before this one
};

enum class GhostAction { copy, poison };  // poison: write NaN instead (debug builds, after use)

// Copies (or poisons) the regions of a register that starts at `start`; `cells` in all. `transfers`
// is in the memory of the queue's back end.
void fill_ghosts(void* start, Precision precision, const GhostTransfer* transfers, int count,
                 std::int64_t cells, int variables, GhostAction action, const Queue& queue);

namespace detail {
template <class R>
void fill_regions_cpu(R* start, const GhostTransfer* transfers, int count, int variables,
                      GhostAction action, const Queue& queue);
template <class R>
void fill_regions_cuda(R* start, const GhostTransfer* transfers, int count, std::int64_t cells,
                       int variables, GhostAction action, const Queue& queue);
}  // namespace detail

}  // namespace watersmeet::exec
