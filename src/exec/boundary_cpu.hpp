#pragma once
// CPU loop of exec/boundary.hpp. Sides are small: one cell at a time, without packs. Included by
// CPU instantiation files only.

#include <cstdint>

#include "core/device.hpp"
#include "core/prefetch.hpp"
#include "exec/back_end.hpp"
#include "exec/boundary.hpp"

namespace watersmeet::exec {

// body(side, cell) for every cell of the sides, in any order.
template <class Body>
void for_each_side_cell(const BlockSides& sides, int threads, const Body& body) {
  for (int s = 0; s < 6; ++s) {
    const std::int64_t cells = sides.side[s].cells();
    const bool worth_threads = cells > 1024;
#pragma omp parallel for num_threads(threads) if (worth_threads) schedule(static)
    for (std::int64_t c = 0; c < cells; ++c) body(s, c);
  }
}

template <class R, class Exterior>
void fill_boundaries(OnCpu, R* start, const BlockLayout& layout, const Exterior& exterior,
                     const Queue& queue, std::int64_t around = 0) {
  const BlockSides sides = sides_of(
      layout, [&](int s) { return exterior.has(s); }, around);
  for_each_side_cell(sides, queue.threads, [&](int side, std::int64_t cell) {
    if (side < 2) {
      const SideCells& s = sides.side[side];
      const R* const inside = start + s.element(cell + rows_ahead);
      prefetch_end(inside, inside - s.inward, Exterior::variables, sides.stride_var);
    }
    fill_behind(start, sides, exterior, side, cell);
  });
}

}  // namespace watersmeet::exec
