#pragma once
// The ghost plan: from which interior cell of which block each ghost cell takes its value, as a
// short list of boxes with one affine index map each. Every ghost cell is copied directly from an
// interior cell, so the copies can run in any order; a periodic box larger than its ghost layers
// has 26 of them, a thinner one a few more (several wraps).
//
//        edge  | face  | edge        outside the block in one axis: face
//        ------+-------+------       in two axes: edge
//        face  | block | face        in three: corner
//        ------+-------+------
//        edge  | face  | edge
//
// An edge is reached through two faces, in either order. Around a regular vertex (four blocks, or
// periodic wraps) both orders find the same cell. Around a cube's vertex (three panels) they do
// not: no such cell exists, the region is `absent`, and a form that reads it must be refused. The
// same holds where only one of the orders finds a cell (a re-entrant corner of the domain).

#include <cstdint>
#include <span>
#include <vector>

#include "mesh/mesh.hpp"

namespace watersmeet::mesh {

enum class GhostReach { faces, edges, corners };  // each includes those before it

struct GhostPoint {
  Index3 index{0, 0, 0};
  Location location = Location::cell;
  bool operator==(const GhostPoint&) const = default;
};

struct GhostCopy {
  int src_block = 0;
  int dst_block = 0;
  Box dst;          // ghost cells, index space of the destination
  IndexMap to_src;  // index space of the destination -> interior of the source

  // Source of a point that belongs to the cells of dst. The component to read and its sign are
  // to_src.orientation.component(kind, c).
  GhostPoint map(const Index3& index, Location where = Location::cell) const {
    return {to_src.point(index, where), to_src.orientation.location(where)};
  }
};

struct GhostRegion {
  int block = 0;
  Box box;  // ghost cells of the block
  bool operator==(const GhostRegion&) const = default;
};

struct GhostPlan {
  std::vector<GhostCopy> copies;    // disjoint, sorted by destination block
  std::vector<GhostRegion> absent;  // the orders of crossing faces disagree: no value is defined
  std::vector<GhostRegion>
      open;  // behind a face without a link, by every order: boundary conditions own it
};

// width[b][axis]: ghost layers of block b on both ends of the axis, at least 0. The cost on the
// host is proportional to the number of blocks and of their links, and grows where blocks are
// thinner than their ghost layers.
GhostPlan plan_ghosts(const Mesh& mesh, std::span<const Index3> width, GhostReach reach);

// The same with the layers that each block needs for a stencil of this radius (none along
// degenerate axes).
GhostPlan plan_ghosts(const Mesh& mesh, std::int64_t radius, GhostReach reach);

}  // namespace watersmeet::mesh
