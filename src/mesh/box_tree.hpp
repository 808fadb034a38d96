#pragma once
// Finds, among many boxes of cells, those that share a cell with a given box, in about log(number
// of boxes) steps each: a bounding volume hierarchy (median split along the widest axis), which
// takes any boxes, also those whose seams do not run through.

#include <span>
#include <vector>

#include "core/types.hpp"

namespace watersmeet::mesh {

class BoxTree {
 public:
  // None of the boxes may be empty.
  explicit BoxTree(std::span<const Box> boxes);

  // Numbers of the boxes that share a cell with `query`, ascending.
  std::vector<std::size_t> meeting(const Box& query) const;

 private:
  struct Node {
    Box bounds;             // of all boxes below
    std::size_t first = 0;  // if a leaf: leaves_[first, last)
    std::size_t last = 0;
    std::size_t left = 0, right = 0;  // if not: nodes; 0 in a leaf
  };

  std::size_t build(std::size_t first, std::size_t last);

  std::vector<Box> boxes_;
  std::vector<std::size_t> leaves_;  // numbers of boxes
  std::vector<Node> nodes_;          // the root first
};

}  // namespace watersmeet::mesh
