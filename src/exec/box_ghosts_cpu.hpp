#pragma once
// CPU loop of exec/box_ghosts.hpp. Ghosts are few: one cell at a time, without packs. Included by
// CPU instantiation files only.

#include <cstdint>

#include "core/device.hpp"
#include "exec/back_end.hpp"
#include "exec/box_ghosts.hpp"

namespace watersmeet::exec {

template <class R, int V>
void fill_box_ghosts(OnCpu, R* first, const BoxRules<R, V>& rules, const GhostBoxes& boxes,
                     const Queue& queue) {
  const bool worth_threads = boxes.cells > 1024;
#pragma omp parallel num_threads(queue.threads) if (worth_threads)
  for (int b = 0; b < boxes.count; ++b) {
    const std::int64_t cells = boxes.box[b].cells();
#pragma omp for schedule(static) nowait
    for (std::int64_t c = 0; c < cells; ++c) fill_ghost_cell(first, rules, boxes.box[b], c);
  }
}

}  // namespace watersmeet::exec
