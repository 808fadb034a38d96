#pragma once
// The parts of a mesh as one rank sees them: all of them for planning, its own for computing. Block
// b of a rank's State is the part here[b].

#include <span>
#include <vector>

#include "mesh/partition.hpp"

namespace watersmeet::comm {

struct Domain {
  mesh::Mesh mesh;                // of all parts: block p is part p
  std::vector<mesh::Part> parts;  // where each part lies in the whole
  std::vector<int> here;          // parts of this rank, ascending
  std::vector<int> local;         // of every part: its block in this rank's State, or -1

  Domain(const mesh::Mesh& whole, std::span<const mesh::Part> all, int rank)
      : mesh(mesh::split(whole, all)), parts(all.begin(), all.end()), local(all.size(), -1) {
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (parts[p].rank != rank) continue;
      local[p] = static_cast<int>(here.size());
      here.push_back(static_cast<int>(p));
    }
  }
  int blocks() const { return static_cast<int>(here.size()); }
  const mesh::Block& block(int b) const { return mesh.block(here[static_cast<std::size_t>(b)]); }
  // Cells of the parent block.
  const Box& box(int b) const {
    return parts[static_cast<std::size_t>(here[static_cast<std::size_t>(b)])].box;
  }
};

}  // namespace watersmeet::comm
