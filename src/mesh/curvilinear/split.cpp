// Cut planes spread through links until nothing changes; then nodes, links and patches are cut.

#include "mesh/curvilinear/split.hpp"

#include "core/error.hpp"
#include "mesh/box_algebra.hpp"
#include "mesh/curvilinear/nodes.hpp"

namespace watersmeet::mesh {

namespace {

// Where node `at` of an axis comes to lie on the neighbour, under the map of a link.
std::int64_t mapped(const IndexMap& map, int axis, std::int64_t at) {
  Index3 node{};
  node[axis] = at;
  return map.cell(node)[map.orientation.axis[axis]];
}

// One end of the link: its limits cut the block, and the block's cuts inside it cut the neighbour.
bool spread(const NodeLink& link, Cuts& cuts) {
  auto& own = cuts[static_cast<std::size_t>(link.block)];
  auto& other = cuts[static_cast<std::size_t>(link.neighbour)];
  const IndexMap map = link.map();
  bool changed = false;
  for (int a = 0; a < 3; ++a) {
    if (a == link.face.axis || link.box.size(a) == 1) continue;
    const std::int64_t first = link.box.lower[a], last = link.box.upper[a] - 1;
    changed |= own[a].insert(first).second;
    changed |= own[a].insert(last).second;
    // A copy: a block may be its own neighbour.
    const std::set<std::int64_t> at = own[a];
    for (const std::int64_t cut : at) {
      if (cut < first || cut > last) continue;
      changed |= other[map.orientation.axis[a]].insert(mapped(map, a, cut)).second;
    }
  }
  return changed;
}

// The parts of one block in their order, i fastest.
struct Parts {
  std::array<std::vector<std::int64_t>, 3> cuts;  // ends included
  int first = 0;                                  // number of the first part in the new mesh

  std::int64_t along(int axis) const {
    const auto n = static_cast<std::int64_t>(cuts[axis].size());
    return n > 1 ? n - 1 : 1;
  }
  int number(const Index3& part) const {
    return first + static_cast<int>(part[0] + along(0) * (part[1] + along(1) * part[2]));
  }
  Box all() const { return {{0, 0, 0}, {along(0), along(1), along(2)}}; }
  Box nodes(const Index3& part) const {
    Box box;
    for (int a = 0; a < 3; ++a) {
      const auto p = static_cast<std::size_t>(part[a]);
      box.lower[a] = cuts[a][p];
      box.upper[a] = (cuts[a].size() > 1 ? cuts[a][p + 1] : cuts[a][p]) + 1;
    }
    return box;
  }
  bool touches(const Index3& part, Face face) const {
    return part[face.axis] == (face.side == Side::lower ? 0 : along(face.axis) - 1);
  }
};

Box moved(Box box, const Index3& origin) {
  for (int a = 0; a < 3; ++a) {
    box.lower[a] -= origin[a];
    box.upper[a] -= origin[a];
  }
  return box;
}

// The nodes that a rectangle on the face shares with a part, when they are more than an edge.
bool shared(const Box& rectangle, const Box& part, Face face, Box& both) {
  both = intersection(rectangle, part);
  if (both.empty()) return false;
  const Box cells = intersection(face_cells(rectangle, face), face_cells(part, face));
  return !cells.empty();
}

void link_parts(const Parts& parts, MultiBlockMesh& mesh) {
  for_each_node(parts.all(), [&](const Index3& part) {
    for (int a = 0; a < 3; ++a) {
      if (part[a] + 1 >= parts.along(a)) continue;
      Index3 next = part;
      ++next[a];
      const int here = parts.number(part), there = parts.number(next);
      const Face upper{a, Side::upper}, lower{a, Side::lower};
      NodeLink link{here,         upper, face_layer(mesh.block(here).n, upper),
                    there,        lower, face_layer(mesh.block(there).n, lower),
                    Orientation{}};
      mesh.add_link(link);
    }
  });
}

void link_neighbours(const NodeLink& link, const Parts& own, const Parts& other,
                     MultiBlockMesh& mesh) {
  const IndexMap map = link.map();
  for_each_node(own.all(), [&](const Index3& part) {
    Box here;
    if (!own.touches(part, link.face) || !shared(link.box, own.nodes(part), link.face, here)) {
      return;
    }
    const Box there = map.box(here);
    bool found = false;
    for_each_node(other.all(), [&](const Index3& candidate) {
      const Box nodes = other.nodes(candidate);
      if (found || !other.touches(candidate, link.neighbour_face) || !contains(nodes, there)) {
        return;
      }
      found = true;
      mesh.links.push_back({own.number(part), link.face, moved(here, own.nodes(part).lower),
                            other.number(candidate), link.neighbour_face, moved(there, nodes.lower),
                            link.orientation, link.shift});
    });
    require(found, "cuts on the two sides of a link differ");
  });
}

}  // namespace

Cuts complete_face_cuts(const MultiBlockMesh& mesh, Cuts cuts) {
  cuts.resize(mesh.blocks.size());
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    for (int a = 0; a < 3; ++a) {
      cuts[b][a].insert(0);
      cuts[b][a].insert(mesh.blocks[b].n[a] - 1);
    }
  }
  bool changed = true;
  while (changed) {
    changed = false;
    for (const NodeLink& link : mesh.links) changed |= spread(link, cuts);
  }
  return cuts;
}

SplitMesh split_at(MultiBlockMesh mesh, const Cuts& cuts) {
  SplitMesh result;
  std::vector<Parts> parts(mesh.blocks.size());
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    for (int a = 0; a < 3; ++a) parts[b].cuts[a].assign(cuts[b][a].begin(), cuts[b][a].end());
    parts[b].first = static_cast<int>(result.mesh.blocks.size());
    for_each_node(parts[b].all(), [&](const Index3& part) {
      const Box nodes = parts[b].nodes(part);
      CurvilinearBlock& whole = mesh.blocks[b];
      result.mesh.blocks.push_back(nodes == whole.nodes() ? std::move(whole)
                                                          : part_of(whole, nodes));
      result.parent.push_back(static_cast<int>(b));
      result.first_node.push_back(nodes.lower);
    });
  }
  for (const Parts& block : parts) link_parts(block, result.mesh);
  for (const NodeLink& link : mesh.links) {
    link_neighbours(link, parts[static_cast<std::size_t>(link.block)],
                    parts[static_cast<std::size_t>(link.neighbour)], result.mesh);
  }
  for (const BoundaryPatch& patch : mesh.patches) {
    const Parts& block = parts[static_cast<std::size_t>(patch.block)];
    for_each_node(block.all(), [&](const Index3& part) {
      Box both;
      const Box nodes = block.nodes(part);
      if (!block.touches(part, patch.face) || !shared(patch.box, nodes, patch.face, both)) return;
      result.mesh.patches.push_back(
          {patch.name, patch.kind, block.number(part), patch.face, moved(both, nodes.lower)});
    });
  }
  return result;
}

}  // namespace watersmeet::mesh
