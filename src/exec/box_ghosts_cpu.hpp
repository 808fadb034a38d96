#pragma once
// CPU loop of exec/box_ghosts.hpp, row by row. Included by CPU instantiation files only.

#include <algorithm>

#include "core/device.hpp"
#include "core/prefetch.hpp"
#include "exec/back_end.hpp"
#include "exec/box_ghosts.hpp"

namespace watersmeet::exec {

// Fills the cells (i, j, k) of a box of a launch. Rules of x concern the ends of a row alone.
template <class R, int V>
void fill_ghost_row(R* first, const BoxRules<R, V>& rules, const GhostBox& box, int j, int k) {
  const bool ours =
      box.faces_in_cells || outside_by_rules(rules, 1, j) || outside_by_rules(rules, 2, k);
  const int begin = box.lower[0], end = begin + box.size[0], n = rules.n[0];
  for (int v = 0; v < V; ++v) {
    if ((box.variables >> v & 1u) == 0) continue;
    R* const row = first + v * rules.stride_var + j * rules.stride[1] + k * rules.stride[2];
    const auto fill_end = [&](int from, int to) {
      for (int i = from; i < to; ++i)
        if (ours || outside_by_rules(rules, 0, i))
          row[i * rules.stride[0]] = value_by_rules(first, rules, v, i, j, k);
    };
    fill_end(begin, std::min(end, 1));
    for (int i = std::max(begin, 1); ours && i < std::min(end, n); ++i) {
      int at[3] = {i, wrapped(rules, 1, j), wrapped(rules, 2, k)};
      row[i * rules.stride[0]] = value_along<1>(first, rules, v, at);
    }
    fill_end(std::max(begin, n), end);
  }
}

template <class R, int V>
void prefetch_ends(const R* first, const BoxRules<R, V>& rules, const GhostBox& box, int j, int k) {
  const int to = box.lower[0];
  const int from = (to < 0) == (rules.kind[0] == SideKind::periodic) ? rules.n[0] - 1 : 0;
  const R* const row = first + (j + rows_ahead) * rules.stride[1] + k * rules.stride[2];
  prefetch_end(row + from * rules.stride[0], row + to * rules.stride[0], V, rules.stride_var);
}

template <class R, int V>
void fill_box_ghosts(OnCpu, R* first, const BoxRules<R, V>& rules, const GhostBoxes& boxes,
                     const Queue& queue) {
  const bool worth_threads = boxes.cells > 1024;
#pragma omp parallel num_threads(queue.threads) if (worth_threads)
  for (int b = 0; b < boxes.count; ++b) {
    const GhostBox& box = boxes.box[b];
#pragma omp for collapse(2) schedule(static) nowait
    for (int k = box.lower[2]; k < box.lower[2] + box.size[2]; ++k)
      for (int j = box.lower[1]; j < box.lower[1] + box.size[1]; ++j) {
        if (box.size[0] == 1) prefetch_ends(first, rules, box, j, k);
        fill_ghost_row(first, rules, box, j, k);
      }
  }
}

}  // namespace watersmeet::exec
