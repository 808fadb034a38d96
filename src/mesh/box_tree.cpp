// Building and asking the hierarchy of bounding boxes.

#include "mesh/box_tree.hpp"

#include <algorithm>
#include <numeric>

#include "mesh/box_algebra.hpp"

namespace watersmeet::mesh {

namespace {

constexpr std::size_t leaf_size = 4;

Box enclosing(const Box& a, const Box& b) {
  Box result;
  for (int d = 0; d < 3; ++d) {
    result.lower[d] = std::min(a.lower[d], b.lower[d]);
    result.upper[d] = std::max(a.upper[d], b.upper[d]);
  }
  return result;
}

}  // namespace

BoxTree::BoxTree(std::span<const Box> boxes)
    : boxes_(boxes.begin(), boxes.end()), leaves_(boxes.size()) {
  std::iota(leaves_.begin(), leaves_.end(), std::size_t{0});
  if (!boxes_.empty()) build(0, boxes_.size());
}

std::size_t BoxTree::build(std::size_t first, std::size_t last) {
  const std::size_t number = nodes_.size();
  Node node;
  node.bounds = boxes_[leaves_[first]];
  for (std::size_t l = first; l < last; ++l) {
    node.bounds = enclosing(node.bounds, boxes_[leaves_[l]]);
  }
  nodes_.push_back(node);
  if (last - first <= leaf_size) {
    nodes_[number].first = first;
    nodes_[number].last = last;
    return number;
  }
  int widest = 0;
  for (int d = 1; d < 3; ++d) {
    if (node.bounds.size(d) > node.bounds.size(widest)) widest = d;
  }
  const auto doubled_centre = [&](std::size_t b) {
    return boxes_[b].lower[widest] + boxes_[b].upper[widest];
  };
  const std::size_t middle = first + (last - first) / 2;
  const auto at = [&](std::size_t l) { return leaves_.begin() + static_cast<std::ptrdiff_t>(l); };
  std::nth_element(at(first), at(middle), at(last), [&](std::size_t a, std::size_t b) {
    return doubled_centre(a) < doubled_centre(b);
  });
  const std::size_t left = build(first, middle);
  const std::size_t right = build(middle, last);
  nodes_[number].left = left;
  nodes_[number].right = right;
  return number;
}

std::vector<std::size_t> BoxTree::meeting(const Box& query) const {
  std::vector<std::size_t> found;
  std::vector<std::size_t> to_visit;
  if (!nodes_.empty()) to_visit.push_back(0);
  while (!to_visit.empty()) {
    const Node& node = nodes_[to_visit.back()];
    to_visit.pop_back();
    if (intersection(node.bounds, query).empty()) continue;
    if (node.left != 0) {
      to_visit.push_back(node.left);
      to_visit.push_back(node.right);
      continue;
    }
    for (std::size_t l = node.first; l < node.last; ++l) {
      if (!intersection(boxes_[leaves_[l]], query).empty()) found.push_back(leaves_[l]);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace watersmeet::mesh
