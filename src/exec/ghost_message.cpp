// Regions of the ghost form that begin or end in a message.
#include <cstdlib>
#include <utility>

#include "exec/ghost.hpp"

namespace watersmeet::exec {

namespace {
// Destination order in the message.
void lay_out(const GhostTransfer& copy, std::int64_t (&stride)[3], std::int64_t& stride_var) {
  stride[0] = 1;
  stride[1] = copy.n[0];
  stride[2] = copy.n[0] * copy.n[1];
  stride_var = copy.cells();
}

// Neighbouring threads shall work on neighbouring elements of the register, whose rows are long; in
// a message of a turned block they then lie apart by the few cells of its ghost layers. An axis of
// one cell has no neighbours and goes last.
void sort_axes(GhostTransfer& region, const std::int64_t (&key)[3]) {
  int order[3] = {0, 1, 2};
  const auto before = [&](int a, int b) {
    if ((region.n[a] == 1) != (region.n[b] == 1)) return region.n[b] == 1;
    return std::abs(key[a]) < std::abs(key[b]);
  };
  for (const int a : {0, 1, 0}) {
    if (before(order[a + 1], order[a])) std::swap(order[a], order[a + 1]);
  }
  const GhostTransfer given = region;
  for (int a = 0; a < 3; ++a) {
    region.n[a] = given.n[order[a]];
    region.to_stride[a] = given.to_stride[order[a]];
    region.from_stride[a] = given.from_stride[order[a]];
  }
}
}  // namespace

GhostTransfer pack_half(const GhostTransfer& copy, std::int64_t message) {
  GhostTransfer half = copy;
  half.to_buffer = true;
  half.to_first = message;
  lay_out(copy, half.to_stride, half.to_stride_var);
  sort_axes(half, copy.from_stride);
  return half;
}

GhostTransfer unpack_half(const GhostTransfer& copy, std::int64_t message) {
  GhostTransfer half = copy;
  half.from_buffer = true;
  half.from_first = message;
  lay_out(copy, half.from_stride, half.from_stride_var);
  sort_axes(half, copy.to_stride);
  return half;
}

std::int64_t number_cells(std::span<GhostTransfer> transfers) {
  std::int64_t cells = 0;
  for (GhostTransfer& region : transfers) {
    region.begin = cells;
    cells += region.cells();
  }
  return cells;
}

}  // namespace watersmeet::exec
