// Cutting blocks into parts. Two parts of a block are linked where they touch; every link of the
// whole is cut to the parts on its two sides:
//
//        block 0, parts 0 and 1        block 1, parts 2 and 3
//              +-----+                       +-----+
//              |  1  |  ===================  |     |     link of the whole: 4 cells
//              |     |  ===================  |  3  |     1-3: 2 cells
//              +-----+  ===================  +-----+     0-3: 1 cell
//              |  0  |  ===================  |  2  |     0-2: 1 cell
//              +-----+                       +-----+
//
// A link and its inverse are both in the whole and are cut alike, so each piece comes out with its
// inverse. A link to the cell it leaves (an axis one cell thick) stays one: the axis stays
// degenerate however the others are cut.

#include "mesh/partition.hpp"

#include <string>

#include "core/error.hpp"
#include "mesh/box_algebra.hpp"
#include "mesh/box_tree.hpp"

namespace watersmeet::mesh {

namespace {

Box shifted(Box box, int axis, std::int64_t by) {
  box.lower[axis] += by;
  box.upper[axis] += by;
  return box;
}

// A box of the parent's cells in the index space of a part.
Box within(const Part& part, Box box) {
  for (int a = 0; a < 3; ++a) box = shifted(box, a, -part.box.lower[a]);
  return box;
}

// The parts of each block of the whole mesh, and where they are.
class PartsOfBlocks {
 public:
  PartsOfBlocks(const Mesh& whole, std::span<const Part> parts) : parts_(parts) {
    std::vector<std::vector<Box>> boxes(whole.blocks().size());
    numbers_.resize(boxes.size());
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const Part& part = parts[p];
      const std::string name = "part " + std::to_string(p);
      if (part.parent < 0 || static_cast<std::size_t>(part.parent) >= boxes.size()) {
        throw Error(ErrorKind::internal, name + " is of block " + std::to_string(part.parent) +
                                             "; the mesh has " + std::to_string(boxes.size()));
      }
      if (part.box.empty() || !contains(whole.block(part.parent).interior(), part.box)) {
        throw Error(ErrorKind::internal, name + ", box " + to_text(part.box) +
                                             ", does not lie in block " +
                                             std::to_string(part.parent) + ", whose cells are " +
                                             to_text(whole.block(part.parent).interior()));
      }
      const auto parent = static_cast<std::size_t>(part.parent);
      boxes[parent].push_back(part.box);
      numbers_[parent].push_back(static_cast<int>(p));
    }
    for (const std::vector<Box>& of_block : boxes) trees_.emplace_back(of_block);
  }

  const Part& part(int number) const { return parts_[static_cast<std::size_t>(number)]; }

  // Numbers of the parts of a block with a cell in the box.
  std::vector<int> meeting(int block, const Box& box) const {
    std::vector<int> result;
    for (const std::size_t b : trees_[static_cast<std::size_t>(block)].meeting(box)) {
      result.push_back(numbers_[static_cast<std::size_t>(block)][b]);
    }
    return result;
  }

  // Throws unless every cell of the block is in one part.
  void check_cover(int block, const Box& interior) const {
    std::int64_t covered = 0;
    for (const int p : numbers_[static_cast<std::size_t>(block)]) {
      for (const int q : meeting(block, part(p).box)) {
        if (q == p) continue;
        throw Error(ErrorKind::internal, "block " + std::to_string(block) + ": the cells " +
                                             to_text(intersection(part(p).box, part(q).box)) +
                                             " are in part " + std::to_string(p) + " and in part " +
                                             std::to_string(q));
      }
      covered += part(p).box.count();
    }
    if (covered != interior.count()) {
      throw Error(ErrorKind::internal, "block " + std::to_string(block) + ": the cells " +
                                           to_text(in_no_part(block, interior)) +
                                           " are in no part");
    }
  }

 private:
  Box in_no_part(int block, const Box& interior) const {
    std::vector<Box> left{interior};
    while (true) {
      const Box box = left.back();
      left.pop_back();
      const std::vector<int> inside = meeting(block, box);
      if (inside.empty()) return box;
      const std::vector<Box> rest = difference(box, part(inside[inside.size() / 2]).box);
      left.insert(left.end(), rest.begin(), rest.end());
    }
  }

  std::span<const Part> parts_;
  std::vector<std::vector<int>> numbers_;  // [block]
  std::vector<BoxTree> trees_;             // [block], over the boxes of numbers_
};

// Between part p and the parts of its block that touch its upper faces.
void link_inside(const PartsOfBlocks& parts, int p, std::vector<Link>& links) {
  const Part& part = parts.part(p);
  for (int a = 0; a < 3; ++a) {
    Box beyond = part.box;
    beyond.lower[a] = part.box.upper[a];
    beyond.upper[a] = part.box.upper[a] + 1;
    for (const int q : parts.meeting(part.parent, beyond)) {
      const Part& other = parts.part(q);
      const Box theirs = intersection(beyond, other.box);
      const Link link{p, {a, Side::upper}, within(part, shifted(theirs, a, -1)),
                      q, {a, Side::lower}, within(other, theirs),
                      {}};
      links.push_back(link);
      links.push_back(link.inverse());
    }
  }
}

// The pieces of a link of the whole, in its direction only: the inverse has its own.
void cut_link(const PartsOfBlocks& parts, const Link& link, std::vector<Link>& links) {
  const IndexMap map = link.map();
  const IndexMap back = map.inverse();
  const int a = link.face.axis;
  for (const int p : parts.meeting(link.block, link.box)) {
    const Part& part = parts.part(p);
    const Box mine = intersection(part.box, link.box);
    const Box there = map.box(shifted(mine, a, link.face.outward()));
    for (const int q : parts.meeting(link.neighbour, there)) {
      const Part& other = parts.part(q);
      const Box theirs = intersection(there, other.box);
      links.push_back({p, link.face,
                       within(part, shifted(back.box(theirs), a, -link.face.outward())), q,
                       link.neighbour_face, within(other, theirs), link.orientation});
    }
  }
}

}  // namespace

Mesh split(const Mesh& whole, std::span<const Part> parts) {
  const PartsOfBlocks of_blocks(whole, parts);
  for (std::size_t b = 0; b < whole.blocks().size(); ++b) {
    of_blocks.check_cover(static_cast<int>(b), whole.blocks()[b].interior());
  }
  std::vector<Block> blocks;
  std::vector<Link> links;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const Part& part = parts[p];
    Block block;
    block.owner_rank = part.rank;
    for (int a = 0; a < 3; ++a) {
      block.n[a] = part.box.size(a);
      block.origin[a] = whole.block(part.parent).origin[a] + part.box.lower[a];
    }
    blocks.push_back(block);
    link_inside(of_blocks, static_cast<int>(p), links);
  }
  for (const Link& link : whole.links()) cut_link(of_blocks, link, links);
  return Mesh(std::move(blocks), std::move(links), whole.geometry());
}

}  // namespace watersmeet::mesh
