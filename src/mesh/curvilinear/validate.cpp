// Faults of a multi-block mesh, all of them, as text.

#include "mesh/curvilinear/validate.hpp"

#include <algorithm>
#include <cmath>

#include "config/document.hpp"
#include "config/nearest.hpp"
#include "core/error.hpp"
#include "mesh/box_algebra.hpp"
#include "mesh/curvilinear/nodes.hpp"

namespace watersmeet::mesh {

namespace {

using Faults = std::vector<std::string>;

std::string count_text(const Index3& n) {
  return std::to_string(n[0]) + " x " + std::to_string(n[1]) + " x " + std::to_string(n[2]);
}

std::string describe(int block, Face face, const Box& nodes) {
  return "block " + std::to_string(block) + ", " + face_name(face) + ", " + node_box_text(nodes);
}

// Where the first and the last node of a rectangle lie.
std::string places(const MultiBlockMesh& mesh, int block, const Box& nodes) {
  const Index3 last{nodes.upper[0] - 1, nodes.upper[1] - 1, nodes.upper[2] - 1};
  return "from " + point_text(mesh.block(block).at(nodes.lower)) + " to " +
         point_text(mesh.block(block).at(last));
}

std::string describe(const NodeLink& link) {
  return "link from " + describe(link.block, link.face, link.box) + " to " +
         describe(link.neighbour, link.neighbour_face, link.neighbour_box);
}

void check_sizes(const MultiBlockMesh& mesh, Faults& faults) {
  if (mesh.blocks.empty()) faults.push_back("the mesh has no blocks");
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    const CurvilinearBlock& block = mesh.blocks[b];
    const std::string name = "block " + std::to_string(b);
    const std::int64_t least_k = mesh.dimensions() == 2 ? 1 : 2;
    const bool k_fits = mesh.dimensions() == 2 ? block.n[2] == 1 : block.n[2] >= least_k;
    if (block.n[0] < 2 || block.n[1] < 2 || !k_fits) {
      faults.push_back(name + " has " + count_text(block.n) + " nodes; a " +
                       std::to_string(mesh.dimensions()) +
                       "-D mesh, as block 0 makes it, needs 2 or more along i and j and " +
                       (least_k == 1 ? "1" : "2 or more") + " along k");
    }
    for (const auto& coordinate : block.x) {
      if (coordinate.size() != static_cast<std::size_t>(block.count())) {
        faults.push_back(name + " has " + std::to_string(coordinate.size()) + " coordinates for " +
                         std::to_string(block.count()) + " nodes");
        break;
      }
    }
  }
}

// The worst cell of each block, and how many there are.
void check_volumes(const MultiBlockMesh& mesh, Faults& faults) {
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    const CurvilinearBlock& block = mesh.blocks[b];
    const std::string name = "block " + std::to_string(b);
    bool finite = true;
    for_each_node(block.nodes(), [&](const Index3& node) {
      const Real3 p = block.at(node);
      if (!finite || (std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]))) return;
      finite = false;
      faults.push_back(name + ", node " + index_text(node) + ": the coordinates " + point_text(p) +
                       " are not finite");
    });
    if (!finite) continue;
    std::int64_t wrong = 0;
    double least = 0;
    Index3 worst{};
    for_each_node(block.cells(), [&](const Index3& cell) {
      const double volume = cell_volume(block, cell);
      if (volume > 0 && std::isfinite(volume)) return;
      if (wrong++ == 0 || volume < least) {
        least = volume;
        worst = cell;
      }
    });
    if (wrong == 0) continue;
    const char* what = mesh.dimensions() == 2 ? " has the area " : " has the volume ";
    std::string text = name + ", cell " + index_text(worst) + " at " + point_text(block.at(worst)) +
                       what + short_text(least) + "; it must be positive";
    if (wrong == block.cell_count()) {
      text += " (so are all cells: the axes i, j, k are left-handed)";
    } else if (wrong > 1) {
      text += " (" + std::to_string(wrong) + " of " + std::to_string(block.cell_count()) +
              " cells of the block are not)";
    }
    faults.push_back(text);
  }
}

// Names go into names of files and columns of tables, and a file name has at most 255 bytes.
constexpr std::size_t longest_name = 100;

bool usable(const std::string& name) {
  const auto wrong = [](char c) {
    return static_cast<unsigned char>(c) < ' ' || c == '\x7f' || c == '/' || c == ',' || c == '"';
  };
  return !name.empty() && name.size() <= longest_name &&
         std::none_of(name.begin(), name.end(), wrong);
}

void check_names_and_kind(const MultiBlockMesh& mesh, const BoundaryPatch& patch, Faults& faults) {
  const std::string where = rectangle_text(mesh, patch.block, patch.face, patch.box);
  if (!usable(patch.name)) {
    faults.push_back("boundary " + config::to_toml(patch.name) + " on " + where +
                     ": a name has 1 to " + std::to_string(longest_name) +
                     " characters, none of them a comma, quote, / or line end, because files and "
                     "columns are named after it");
  }
  if (std::find(patch_kinds().begin(), patch_kinds().end(), patch.kind) == patch_kinds().end()) {
    faults.push_back("boundary `" + patch.name + "` on " + where + ": " +
                     unknown_kind_text(patch.kind));
  }
}

// A face of kind degenerate gets no condition, so that with an area it would let everything out.
// Against the size of the cell, because coordinates of a polar axis may be off by single precision.
void check_degenerate(const MultiBlockMesh& mesh, const BoundaryPatch& patch, Faults& faults) {
  if (patch.kind != "degenerate") return;
  const CurvilinearBlock& block = mesh.block(patch.block);
  const bool plane = mesh.dimensions() == 2;
  bool reported = false;
  for_each_node(face_cells(patch.box, patch.face), [&](const Index3& cell) {
    const Box nodes =
        face_nodes({cell, {cell[0] + 1, cell[1] + 1, cell[2] + 1}}, patch.face, mesh.dimensions());
    const Index3 low = nodes.lower,
                 high{nodes.upper[0] - 1, nodes.upper[1] - 1, nodes.upper[2] - 1};
    Index3 side = low, other = high;
    for (std::size_t a = 0; a < 3; ++a) {
      if (low[a] == high[a]) continue;
      side[a] = high[a];
      other[a] = low[a];
      break;
    }
    const Real3 diagonal = difference_of(block.at(high), block.at(low));
    const Real3 across = difference_of(block.at(other), block.at(side));
    const double area =
        plane ? length_of(diagonal) : 0.5 * length_of(cross_product(diagonal, across));
    Index3 inside = cell;
    inside[patch.face.axis] =
        patch.face.side == Side::lower ? 0 : block.n[static_cast<std::size_t>(patch.face.axis)] - 2;
    const double volume = cell_volume(block, inside);
    const double usual = plane ? std::sqrt(volume) : std::cbrt(volume * volume);
    if (reported || !(volume > 0) || area <= 1e-3 * usual) return;
    reported = true;
    faults.push_back("boundary `" + patch.name + "` on " +
                     rectangle_text(mesh, patch.block, patch.face, patch.box) +
                     ": a face of kind degenerate has no area, as at the axis of a polar mesh; " +
                     (plane ? "the length" : "the area") + " of its cell at " +
                     point_text(block.at(low)) + " is " + short_text(area));
  });
}

bool on_face(const MultiBlockMesh& mesh, int block, Face face, const Box& box,
             const std::string& whose, Faults& faults) {
  if (block < 0 || block >= static_cast<int>(mesh.blocks.size())) {
    faults.push_back(whose + ": there is no block " + std::to_string(block) + " (the mesh has " +
                     std::to_string(mesh.blocks.size()) + ", counted from 0)");
    return false;
  }
  if (face.axis < 0 || face.axis >= mesh.dimensions()) {
    faults.push_back(whose + ": block " + std::to_string(block) + " has no such face in " +
                     std::to_string(mesh.dimensions()) + "-D");
    return false;
  }
  const Box layer = face_layer(mesh.block(block).n, face);
  bool area = true;
  for (int a = 0; a < mesh.dimensions(); ++a) {
    area = area && (a == face.axis ? box.size(a) == 1 : box.size(a) >= 2);
  }
  if (contains(layer, box) && area) return true;
  faults.push_back(whose + ": " + node_box_text(box) + " is not a rectangle on face " +
                   face_name(face) + " of block " + std::to_string(block) + ", which has " +
                   node_box_text(layer));
  return false;
}

// Whether the nodes may be compared one by one.
bool check_fit(const MultiBlockMesh& mesh, const NodeLink& link, Faults& faults) {
  const int dimensions = mesh.dimensions();
  const Orientation& o = link.orientation;
  if (!o.valid() || (dimensions == 2 && (o.axis[2] != 2 || o.sign[2] != 1))) {
    faults.push_back(describe(link) + ": the orientation does not map axes to axes" +
                     (dimensions == 2 ? " with k to k" : ""));
    return false;
  }
  const auto a = static_cast<std::size_t>(link.face.axis);
  if (o.axis[a] != link.neighbour_face.axis ||
      o.sign[a] * link.face.outward() != -link.neighbour_face.outward()) {
    faults.push_back(describe(link) + ": outward through " + face_name(link.face) +
                     " does not lead inward through the neighbour's " +
                     face_name(link.neighbour_face));
    return false;
  }
  if (o.determinant() != 1) {
    faults.push_back(describe(link) +
                     ": the orientation turns right-handed axes into left-handed ones");
  }
  const Index3 n{link.box.size(0), link.box.size(1), link.box.size(2)};
  const Index3 m{link.neighbour_box.size(0), link.neighbour_box.size(1),
                 link.neighbour_box.size(2)};
  if (o.size(n) == m) return true;
  faults.push_back(describe(link) + ": the sub-faces do not match, " + count_text(o.size(n)) +
                   " nodes (along the neighbour's axes) " + places(mesh, link.block, link.box) +
                   " meet " + count_text(m) + " " +
                   places(mesh, link.neighbour, link.neighbour_box));
  return false;
}

// The node whose two places differ most, in parts of the local spacing.
void check_coincidence(const MultiBlockMesh& mesh, const NodeLink& link, double tolerance,
                       Faults& faults) {
  const CurvilinearBlock& block = mesh.block(link.block);
  const CurvilinearBlock& neighbour = mesh.block(link.neighbour);
  const IndexMap map = link.map();
  double worst = 0, worst_gap = 0;
  std::int64_t apart = 0;
  Index3 where{};
  for_each_node(link.box, [&](const Index3& node) {
    const Index3 other = map.cell(node);
    const double gap = distance(sum_of(block.at(node), link.shift), neighbour.at(other));
    if (gap == 0) return;
    const double spacing = std::min(local_spacing(block, node), local_spacing(neighbour, other));
    if (gap <= tolerance * spacing) return;
    ++apart;
    if (gap / spacing > worst) {
      worst = gap / spacing;
      worst_gap = gap;
      where = node;
    }
  });
  if (apart == 0) return;
  faults.push_back(describe(link) + ": there is a gap, " + std::to_string(apart) + " of " +
                   std::to_string(link.box.count()) + " nodes do not coincide; node " +
                   index_text(where) + " at " + point_text(block.at(where)) + " and node " +
                   index_text(map.cell(where)) + " of block " + std::to_string(link.neighbour) +
                   " at " + point_text(neighbour.at(map.cell(where))) + " are " +
                   short_text(worst_gap) + " apart, " + short_text(worst) +
                   " of the local spacing" + (link.periodic() ? " after the periodic shift" : "") +
                   " (allowed " + short_text(tolerance) + ")");
}

// A part of a face that belongs to a link or a patch.
struct Claim {
  int block;
  Face face;
  Box cells;
  std::string who;
};

std::vector<Claim> claims_of(const MultiBlockMesh& mesh) {
  std::vector<Claim> claims;
  for (const NodeLink& link : mesh.links) {
    claims.push_back({link.block, link.face, face_cells(link.box, link.face),
                      "the link to block " + std::to_string(link.neighbour) + ", " +
                          face_name(link.neighbour_face)});
  }
  for (const BoundaryPatch& patch : mesh.patches) {
    claims.push_back({patch.block, patch.face, face_cells(patch.box, patch.face),
                      "the boundary `" + patch.name + "`"});
  }
  return claims;
}

void check_cover(const MultiBlockMesh& mesh, Faults& faults) {
  const std::vector<Claim> claims = claims_of(mesh);
  for (std::size_t c = 0; c < claims.size(); ++c) {
    for (std::size_t d = 0; d < c; ++d) {
      if (claims[c].block != claims[d].block || !(claims[c].face == claims[d].face)) continue;
      const Box both = intersection(claims[c].cells, claims[d].cells);
      if (both.empty()) continue;
      const Box nodes = face_nodes(both, claims[c].face, mesh.dimensions());
      faults.push_back(rectangle_text(mesh, claims[c].block, claims[c].face, nodes) +
                       " belongs to both " + claims[d].who + " and " + claims[c].who);
    }
  }
  for (const OpenFace& open : open_faces(mesh)) {
    faults.push_back(rectangle_text(mesh, open.block, open.face, open.box) +
                     " has no boundary: it is on no link and no patch");
  }
}

}  // namespace

std::string rectangle_text(const MultiBlockMesh& mesh, int block, Face face, const Box& nodes) {
  return describe(block, face, nodes) + " " + places(mesh, block, nodes);
}

std::string unknown_kind_text(const std::string& kind) {
  const auto near = config::nearest(kind, patch_kinds());
  return "no kind `" + kind + "`" + (near ? "; did you mean `" + *near + "`?" : "") +
         " (kinds: " + config::join(patch_kinds()) + ")";
}

std::vector<OpenFace> open_faces(const MultiBlockMesh& mesh) {
  std::vector<OpenFace> open;
  const std::vector<Claim> claims = claims_of(mesh);
  for (int b = 0; b < static_cast<int>(mesh.blocks.size()); ++b) {
    for (const Face face : faces_of(mesh.dimensions())) {
      std::vector<Box> rest{face_cells(face_layer(mesh.block(b).n, face), face)};
      for (const Claim& claim : claims) {
        if (claim.block != b || !(claim.face == face)) continue;
        std::vector<Box> smaller;
        for (const Box& box : rest) {
          for (const Box& part : difference(box, claim.cells)) smaller.push_back(part);
        }
        rest = std::move(smaller);
      }
      for (const Box& box : rest) {
        open.push_back({b, face, face_nodes(box, face, mesh.dimensions())});
      }
    }
  }
  return open;
}

std::vector<std::string> validate(const MultiBlockMesh& mesh, double tolerance) {
  Faults faults;
  check_sizes(mesh, faults);
  if (!faults.empty()) return faults;
  check_volumes(mesh, faults);

  bool comparable = true;
  for (const NodeLink& link : mesh.links) {
    const std::string whose = "link from block " + std::to_string(link.block) + " to block " +
                              std::to_string(link.neighbour);
    const bool here = on_face(mesh, link.block, link.face, link.box, whose, faults);
    const bool there =
        on_face(mesh, link.neighbour, link.neighbour_face, link.neighbour_box, whose, faults);
    if (!here || !there) {
      comparable = false;
      continue;
    }
    const auto back = std::find(mesh.links.begin(), mesh.links.end(), link.inverse());
    if (back == mesh.links.end()) faults.push_back(describe(link) + " has no inverse link");
    // Each pair once, from the side that comes first.
    const bool first = back == mesh.links.end() || &*back >= &link;
    if (first && check_fit(mesh, link, faults)) check_coincidence(mesh, link, tolerance, faults);
  }
  for (const BoundaryPatch& patch : mesh.patches) {
    const std::string whose = "boundary `" + patch.name + "`";
    if (!on_face(mesh, patch.block, patch.face, patch.box, whose, faults)) {
      comparable = false;
      continue;
    }
    check_names_and_kind(mesh, patch, faults);
    check_degenerate(mesh, patch, faults);
  }
  if (comparable) check_cover(mesh, faults);
  return faults;
}

namespace {
void require_none(const Faults& faults, const std::string& name) {
  if (faults.empty()) return;
  std::string message = name + " is not a valid mesh:";
  for (const std::string& fault : faults) message += "\n  " + fault;
  throw Error(ErrorKind::user_input, message);
}
}  // namespace

void require_sizes(const MultiBlockMesh& mesh, const std::string& name) {
  Faults faults;
  check_sizes(mesh, faults);
  require_none(faults, name);
}

void require_valid(const MultiBlockMesh& mesh, const std::string& name, double tolerance) {
  require_none(validate(mesh, tolerance), name);
}

}  // namespace watersmeet::mesh
