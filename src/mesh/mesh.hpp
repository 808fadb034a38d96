#pragma once
// A mesh: blocks joined by oriented links. One periodic box, a decomposition over ranks, six panels
// of a sphere and forty curvilinear blocks are the same thing to everything above this layer. A
// mesh with blocks is valid.

#include <span>
#include <string>
#include <vector>

#include "mesh/block.hpp"
#include "mesh/geometry.hpp"
#include "mesh/link.hpp"

namespace watersmeet::mesh {

// All faults of a mesh as messages that name block, face and box; empty when it is valid. Checked:
// sizes, numbers and orientations are legal; the boxes of a link lie on their faces and agree in
// size under the orientation; outward through one face is inward through the other; every link has
// its inverse; no cell of a face is linked twice.
std::vector<std::string> validate(std::span<const Block> blocks, std::span<const Link> links);

class Mesh {
 public:
  Mesh() = default;  // no blocks: a place for one
  // Throws user_input listing all faults that validate() finds.
  Mesh(std::vector<Block> blocks, std::vector<Link> links, Uniform geometry = {});

  const std::vector<Block>& blocks() const { return blocks_; }
  const Block& block(int number) const { return blocks_[static_cast<std::size_t>(number)]; }

  // Sorted by block, face and box.
  const std::vector<Link>& links() const { return links_; }
  std::span<const Link> links(int block, Face face) const;

  // The geometry of the global index space: a cell of a block has the index block.origin + (i, j, k) there.
  const Uniform& geometry() const { return geometry_; }

 private:
  std::vector<Block> blocks_;
  std::vector<Link> links_;
  std::vector<std::size_t> first_link_;  // [6 block + 2 axis + side], one more at the end
  Uniform geometry_;
};

}  // namespace watersmeet::mesh
