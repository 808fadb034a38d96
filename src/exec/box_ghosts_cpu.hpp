#pragma once
// CPU loop of exec/box_ghosts.hpp, row by row. Included by CPU instantiation files only.

#include <algorithm>

#include "core/device.hpp"
#include "core/prefetch.hpp"
#include "exec/back_end.hpp"
#include "exec/box_ghosts.hpp"

namespace watersmeet::exec {

// The row of cells that row (j, k) outside has the values of: where it lies behind a periodic side alone, and holds no faces with a rule.
template <class R, int V>
const R* same_row(const R* first, const BoxRules<R, V>& rules, int var, int j, int k) {
  const int at[3] = {0, wrapped(rules, 1, j), wrapped(rules, 2, k)};
  for (int a = 1; a < 3; ++a)
    if (at[a] < 0 || at[a] >= rules.n[a] || (at[a] == 0 && rules.normal[var] == a)) return nullptr;
  if (rules.stride[0] != 1) return nullptr;
  return first + var * rules.stride_var + at[1] * rules.stride[1] + at[2] * rules.stride[2];
}

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
    const R* const same = ours ? same_row(first, rules, v, j, k) : nullptr;
    if (same) {
      for (int i = std::max(begin, 1); i < std::min(end, n); ++i) row[i] = same[i];
    }
    for (int i = std::max(begin, 1); ours && !same && i < std::min(end, n); ++i) {
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

// Ghosts at the ends of rows of cells, which a loop over rows fills while it has them, and all others.
struct EndsAndOthers {
  GhostBoxes ends, others;
};
inline EndsAndOthers split_ends(const GhostBoxes& boxes, int cells_of_row) {
  EndsAndOthers split;
  for (int b = 0; b < boxes.count; ++b) {
    const GhostBox& box = boxes.box[b];
    const bool end = box.size[0] == 1 && (box.lower[0] < 0 || box.lower[0] >= cells_of_row);
    (end ? split.ends : split.others).add(box);
  }
  return split;
}

// Fills the ends of row (j, k) of cells; the row must be as it stays. Beside a loop over rows (exec/cell_map_cpu.hpp).
template <class R, int V>
struct FillRowEnds {
  R* first = nullptr;
  const BoxRules<R, V>& rules;
  const GhostBoxes& boxes;
  bool ahead = false;  // ask for rows ahead: the loop itself does not pass all variables
  void operator()(int j, int k) const {
    for (int b = 0; b < boxes.count; ++b) {
      const GhostBox& box = boxes.box[b];
      if (ahead) prefetch_ends(first, rules, box, j, k);
      // A face of a wall may lie in the first row or plane, and has a rule of its own.
      if (rules.kind[0] != SideKind::periodic || j == 0 || k == 0) {
        fill_ghost_row(first, rules, box, j, k);
      } else {
        R* const row = first + j * rules.stride[1] + k * rules.stride[2];
        const int to = box.lower[0], from = wrapped(rules, 0, to);
        for (int v = 0; v < V; ++v)
          if ((box.variables >> v & 1u) != 0)
            row[to + v * rules.stride_var] = row[from + v * rules.stride_var];
      }
    }
  }
};

}  // namespace watersmeet::exec
