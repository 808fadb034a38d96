// The least largest part is found by bisection over whole numbers of nodes; ranks take blocks in
// order as long as they stay within it.

#include "mesh/curvilinear/share_blocks.hpp"

#include <algorithm>
#include <numeric>

#include "core/error.hpp"

namespace watersmeet::mesh {

namespace {

// Where each rank's blocks begin when none may hold more than `most` nodes, which every single
// block fits into; the last entry is the number of blocks.
std::vector<std::size_t> fill_ranks(const MultiBlockMesh& mesh, std::int64_t most) {
  std::vector<std::size_t> begins{0};
  std::int64_t sum = 0;
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    if (sum + mesh.blocks[b].count() > most) {
      begins.push_back(b);
      sum = 0;
    }
    sum += mesh.blocks[b].count();
  }
  begins.push_back(mesh.blocks.size());
  return begins;
}

std::string percent_text(std::int64_t part, std::int64_t whole) {
  return std::to_string((100 * part + whole / 2) / whole) + " %";
}

}  // namespace

std::vector<std::int64_t> first_nodes(const MultiBlockMesh& mesh) {
  std::vector<std::int64_t> first{0};
  for (const CurvilinearBlock& block : mesh.blocks) first.push_back(first.back() + block.count());
  return first;
}

Shares share_blocks(const MultiBlockMesh& mesh, int ranks) {
  require(ranks > 0 && !mesh.blocks.empty(), "share_blocks: blocks and ranks are needed");
  const std::vector<std::int64_t> first = first_nodes(mesh);
  std::int64_t largest = 0;
  for (const CurvilinearBlock& block : mesh.blocks) largest = std::max(largest, block.count());
  std::int64_t low = largest, high = first.back();
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    const bool fits = fill_ranks(mesh, middle).size() - 1 <= static_cast<std::size_t>(ranks);
    (fits ? high : low) = fits ? middle : middle + 1;
  }
  const std::vector<std::size_t> begins = fill_ranks(mesh, low);
  const int used = static_cast<int>(begins.size()) - 1;
  Shares shares;
  shares.ranks_along = {used, 1, 1};
  for (int r = 0; r < used; ++r) {
    const auto at = static_cast<std::size_t>(r);
    shares.parts.push_back({0, {{first[begins[at]], 0, 0}, {first[begins[at + 1]], 1, 1}}, r});
  }
  if (used < ranks) {
    const std::string left = std::to_string(ranks - used);
    const std::size_t blocks = mesh.blocks.size();
    shares.remarks.push_back(
        "a block is computed by one rank: " + std::to_string(blocks) +
        (blocks == 1 ? " block gives work to " : " blocks give work to ") + std::to_string(used) +
        (used == 1 ? " rank" : " ranks") + ", at most " + percent_text(low, first.back()) +
        " of the nodes to one, and " + left + (ranks - used == 1 ? " rank is" : " ranks are") +
        " left out. To make more blocks for them:  watersmeet mesh MESH --shares " +
        std::to_string(ranks) + " --output NAME, and grid.file = \"NAME.toml\"");
  }
  return shares;
}

std::vector<std::int64_t> nodes_of_ranks(const Shares& shares, int ranks) {
  std::vector<std::int64_t> nodes(static_cast<std::size_t>(ranks), 0);
  for (const Part& part : shares.parts) {
    nodes[static_cast<std::size_t>(part.rank)] += part.box.size(0);
  }
  return nodes;
}

double balance(const std::vector<std::int64_t>& nodes) {
  const std::int64_t largest = *std::max_element(nodes.begin(), nodes.end());
  const std::int64_t all = std::accumulate(nodes.begin(), nodes.end(), std::int64_t{0});
  return static_cast<double>(all) / static_cast<double>(largest) /
         static_cast<double>(nodes.size());
}

std::vector<int> ranks_of_blocks(const MultiBlockMesh& mesh, const std::vector<Part>& parts) {
  const std::vector<std::int64_t> first = first_nodes(mesh);
  std::vector<int> ranks(mesh.blocks.size(), -1);
  for (std::size_t b = 0; b < ranks.size(); ++b) {
    for (const Part& part : parts) {
      if (part.box.lower[0] <= first[b] && first[b + 1] <= part.box.upper[0]) ranks[b] = part.rank;
    }
    require(ranks[b] >= 0, "a block lies on no rank, or on several");
  }
  return ranks;
}

NodePlace place_of(const MultiBlockMesh& mesh, std::int64_t node) {
  const std::vector<std::int64_t> first = first_nodes(mesh);
  require(node >= 0 && node < first.back(), "place_of: no such node");
  const auto after = std::upper_bound(first.begin(), first.end(), node);
  NodePlace place;
  place.block = static_cast<int>(after - first.begin()) - 1;
  const std::int64_t inside = node - first[static_cast<std::size_t>(place.block)];
  const Index3& n = mesh.block(place.block).n;
  place.node = {inside % n[0], inside / n[0] % n[1], inside / (n[0] * n[1])};
  place.x = mesh.block(place.block).at(place.node);
  return place;
}

std::string place_text(const MultiBlockMesh& mesh, std::int64_t node) {
  const NodePlace place = place_of(mesh, node);
  const Index3& n = mesh.block(place.block).n;
  return "block " + std::to_string(place.block) + ", node " + index_text(place.node) + " of " +
         std::to_string(n[0]) + " x " + std::to_string(n[1]) + " x " + std::to_string(n[2]) +
         ", (x, y, z) = " + point_text(place.x);
}

std::string size_text(const MultiBlockMesh& mesh) {
  const std::size_t blocks = mesh.blocks.size();
  return std::to_string(blocks) + (blocks == 1 ? " block, " : " blocks, ") +
         std::to_string(mesh.node_count()) + " nodes";
}

}  // namespace watersmeet::mesh
