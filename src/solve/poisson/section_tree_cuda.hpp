#pragma once
// The sections of the columns of a thread block, one a thread, join in pairs to one, and back: a tree, in shared memory (columns.hpp).

#include "solve/poisson/columns.hpp"

namespace watersmeet::solve {

// The ends of all sections of a block: field f of section s and column c at [(f sections + s)
// columns + c], the fields in the order of Section, then the cells below and above. What several
// sections have joined to is kept at the first of them (its first cell's fields) and at the last of
// them (its last cell's): neither place is needed any more for the sections it was made of.
template <class R>
struct SectionTable {
  static constexpr int fields = 10, below = 8, above = 9;
  R* start;
  int sections, columns;
  __device__ R& at(int field, int s, int c) const {
    return start[(field * sections + s) * columns + c];
  }
  // The sections from `first` to `last` as one.
  __device__ void put(int first, int last, int c, const Section<R>& v) const {
    at(0, first, c) = v.y_first;
    at(2, first, c) = v.u_first;
    at(4, first, c) = v.v_first;
    at(6, first, c) = v.w_first;
    at(1, last, c) = v.y_last;
    at(3, last, c) = v.u_last;
    at(5, last, c) = v.v_last;
    at(7, last, c) = v.w_last;
  }
  __device__ Section<R> get(int first, int last, int c) const {
    return {at(0, first, c), at(1, last, c), at(2, first, c), at(3, last, c),
            at(4, first, c), at(5, last, c), at(6, first, c), at(7, last, c)};
  }
};

// Joins the sections of the columns of a block, whose threads all come here. whole(section) is asked by the thread of the first section of a
// column, once it is one section, for the cells below and above it. If `back`, each section then has those below and above itself.
template <class R, class Whole>
__device__ void join_sections(const SectionTable<R>& table, int s, int c, bool back,
                              const Whole& whole) {
  const int n = table.sections;
  int width = 1;  // of the sections that join
  for (; width < n; width *= 2) {
    __syncthreads();
    if (s % (2 * width) != 0 || s + width >= n) continue;
    const int last = min(s + 2 * width, n) - 1;
    table.put(s, last, c, join(table.get(s, s + width - 1, c), table.get(s + width, last, c)));
  }
  __syncthreads();
  if (s == 0) {
    const Pair<R> beyond = whole(table.get(0, n - 1, c));
    table.at(table.below, 0, c) = beyond.lower;
    table.at(table.above, 0, c) = beyond.upper;
  }
  if (!back) return;
  for (width /= 2; width > 0; width /= 2) {
    __syncthreads();
    if (s % (2 * width) != 0 || s + width >= n) continue;
    const R above = table.at(table.above, s, c);
    const Pair<R> joint = at_joint(table.get(s, s + width - 1, c), table.get(s + width, s, c),
                                   table.at(table.below, s, c), above);
    table.at(table.above, s, c) = joint.upper;
    table.at(table.below, s + width, c) = joint.lower;
    table.at(table.above, s + width, c) = above;
  }
  __syncthreads();
}

}  // namespace watersmeet::solve
