// Links between nodes and the turning of blocks.

#include "mesh/curvilinear/multi_block_mesh.hpp"

#include <algorithm>

#include "mesh/curvilinear/nodes.hpp"

namespace watersmeet::mesh {

NodeLink NodeLink::inverse() const {
  // Not -0.0, which would print as a shift.
  const Real3 back{0 - shift[0], 0 - shift[1], 0 - shift[2]};
  return {neighbour, neighbour_face, neighbour_box, block, face, box, orientation.inverse(), back};
}

const std::vector<std::string>& patch_kinds() {
  static const std::vector<std::string> kinds = {
      "slip_wall",        "symmetry",           "farfield", "supersonic_inflow", "inflow_total",
      "outflow_pressure", "supersonic_outflow", "exact",    "degenerate"};
  return kinds;
}

std::int64_t MultiBlockMesh::node_count() const {
  std::int64_t sum = 0;
  for (const CurvilinearBlock& block : blocks) sum += block.count();
  return sum;
}

std::int64_t MultiBlockMesh::cell_count() const {
  std::int64_t sum = 0;
  for (const CurvilinearBlock& block : blocks) sum += block.cell_count();
  return sum;
}

std::vector<std::string> MultiBlockMesh::patch_names() const {
  std::vector<std::string> names;
  for (const BoundaryPatch& patch : patches) {
    if (std::find(names.begin(), names.end(), patch.name) == names.end()) {
      names.push_back(patch.name);
    }
  }
  return names;
}

void MultiBlockMesh::add_link(const NodeLink& link) {
  // A file may give it on both of its sides.
  if (std::find(links.begin(), links.end(), link) != links.end()) return;
  links.push_back(link);
  const NodeLink back = link.inverse();
  if (!(back == link)) links.push_back(back);
}

void MultiBlockMesh::add_patch(const std::string& name, const std::string& kind, int number,
                               Face face) {
  patches.push_back({name, kind, number, face, face_layer(block(number).n, face)});
}

Orientation face_orientation(Face face, Face neighbour_face, bool swapped, int first_sign,
                             int second_sign) {
  const auto tangential = [](Face f, int which) {
    return f.axis == 0 ? 1 + which : f.axis == 1 ? 2 * which : which;
  };
  Orientation result;
  result.axis[static_cast<std::size_t>(face.axis)] = neighbour_face.axis;
  result.sign[static_cast<std::size_t>(face.axis)] = -face.outward() * neighbour_face.outward();
  for (const int which : {0, 1}) {
    const auto a = static_cast<std::size_t>(tangential(face, which));
    result.axis[a] = tangential(neighbour_face, swapped ? 1 - which : which);
    result.sign[a] = which == 0 ? first_sign : second_sign;
  }
  return result;
}

void reorient(MultiBlockMesh& mesh, int block, const Orientation& orientation) {
  CurvilinearBlock& old = mesh.blocks[static_cast<std::size_t>(block)];
  const Index3 n = old.n;
  const auto turn = [&](Face& face, Box& box) {
    const auto a = static_cast<std::size_t>(face.axis);
    box = orientation.box(box, n);
    const bool flipped = orientation.sign[a] < 0;
    face = {orientation.axis[a], (face.side == Side::upper) != flipped ? Side::upper : Side::lower};
  };
  for (NodeLink& link : mesh.links) {
    if (link.block == block) {
      turn(link.face, link.box);
      link.orientation = orientation.inverse().then(link.orientation);
    }
    if (link.neighbour == block) {
      turn(link.neighbour_face, link.neighbour_box);
      link.orientation = link.orientation.then(orientation);
    }
  }
  for (BoundaryPatch& patch : mesh.patches) {
    if (patch.block == block) turn(patch.face, patch.box);
  }
  old = reoriented(old, orientation);
}

std::vector<int> make_right_handed(MultiBlockMesh& mesh) {
  std::vector<int> turned;
  for (int b = 0; b < static_cast<int>(mesh.blocks.size()); ++b) {
    double volume = 0;
    for_each_node(mesh.block(b).cells(),
                  [&](const Index3& cell) { volume += cell_volume(mesh.block(b), cell); });
    if (!(volume < 0)) continue;
    Orientation flip;
    flip.sign[mesh.block(b).dimensions() == 2 ? 1 : 2] = -1;
    reorient(mesh, b, flip);
    turned.push_back(b);
  }
  return turned;
}

}  // namespace watersmeet::mesh
