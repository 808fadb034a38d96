#pragma once
// Sets of cells as boxes: intersection, containment, difference, and joining of neighbouring boxes.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/types.hpp"

namespace watersmeet::mesh {

// May come out empty; ask empty().
inline Box intersection(const Box& a, const Box& b) {
  Box result;
  for (int d = 0; d < 3; ++d) {
    result.lower[d] = std::max(a.lower[d], b.lower[d]);
    result.upper[d] = std::min(a.upper[d], b.upper[d]);
  }
  return result;
}

inline bool contains(const Box& outer, const Box& inner) {
  for (int d = 0; d < 3; ++d) {
    if (inner.lower[d] < outer.lower[d] || inner.upper[d] > outer.upper[d]) return false;
  }
  return true;
}

// The cells of `whole` outside `hole` as at most six disjoint boxes.
inline std::vector<Box> difference(const Box& whole, const Box& hole) {
  if (intersection(whole, hole).empty()) return {whole};
  std::vector<Box> result;
  Box rest = whole;
  for (int d = 0; d < 3; ++d) {
    if (rest.lower[d] < hole.lower[d]) {
      result.push_back(rest);
      result.back().upper[d] = hole.lower[d];
      rest.lower[d] = hole.lower[d];
    }
    if (rest.upper[d] > hole.upper[d]) {
      result.push_back(rest);
      result.back().lower[d] = hole.upper[d];
      rest.upper[d] = hole.upper[d];
    }
  }
  return result;
}

// A box in pieces of at most so many rows and planes, planes outermost; none of an empty one.
inline std::vector<Box> pieces(const Box& box, std::int64_t rows, std::int64_t planes) {
  std::vector<Box> result;
  if (box.empty()) return result;
  for (std::int64_t k = box.lower[2]; k < box.upper[2]; k += planes) {
    for (std::int64_t j = box.lower[1]; j < box.upper[1]; j += rows) {
      result.push_back(
          {{box.lower[0], j, k},
           {box.upper[0], std::min(j + rows, box.upper[1]), std::min(k + planes, box.upper[2])}});
    }
  }
  return result;
}

// True when the two boxes share a whole side, so that together they are the box returned in
// `joined`.
inline bool join(const Box& a, const Box& b, Box& joined) {
  int differing = -1;
  for (int d = 0; d < 3; ++d) {
    if (a.lower[d] == b.lower[d] && a.upper[d] == b.upper[d]) continue;
    if (differing >= 0) return false;
    differing = d;
  }
  if (differing < 0) return false;
  if (a.upper[differing] != b.lower[differing] && b.upper[differing] != a.lower[differing]) {
    return false;
  }
  joined = a;
  joined.lower[differing] = std::min(a.lower[differing], b.lower[differing]);
  joined.upper[differing] = std::max(a.upper[differing], b.upper[differing]);
  return true;
}

}  // namespace watersmeet::mesh
