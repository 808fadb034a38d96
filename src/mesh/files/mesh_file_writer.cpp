// The text of a mesh file.

#include "config/document.hpp"
#include "mesh/files/mesh_file.hpp"

namespace watersmeet::mesh {

namespace {

std::string list_text(const Index3& index) {
  return "[" + std::to_string(index[0]) + ", " + std::to_string(index[1]) + ", " +
         std::to_string(index[2]) + "]";
}

// The lines of a rectangle; begin and end only where it is not the whole face.
std::string rectangle_text(const MultiBlockMesh& mesh, int block, Face face, const Box& box,
                           const std::string& prefix) {
  std::string text = (prefix.empty() ? "block = " : "neighbour = ") + std::to_string(block) + "\n" +
                     prefix + "face = \"" + face_name(face) + "\"\n";
  if (box == face_layer(mesh.block(block).n, face)) return text;
  const Index3 last{box.upper[0] - 1, box.upper[1] - 1, box.upper[2] - 1};
  return text + prefix + "begin = " + list_text(box.lower) + "\n" + prefix +
         "end = " + list_text(last) + "\n";
}

std::string axes_text(const Orientation& o) {
  std::string text;
  for (std::size_t a = 0; a < 3; ++a) {
    text +=
        std::string(a == 0 ? "[\"" : ", \"") + (o.sign[a] < 0 ? "-" : "") + "ijk"[o.axis[a]] + "\"";
  }
  return text + "]";
}

}  // namespace

std::string mesh_file_text(const MultiBlockMesh& mesh, const std::string& coordinates,
                           const std::string& about) {
  std::string text = "# " + about +
                     "\n# Blocks and nodes count from 0; ends of ranges are included.\n[mesh]\n"
                     "file = " +
                     config::to_toml(coordinates) + "\nconnect = false\n";
  for (const BoundaryPatch& patch : mesh.patches) {
    text += "\n[[boundary]]\nname = " + config::to_toml(patch.name) + "\nkind = \"" + patch.kind +
            "\"\n" + rectangle_text(mesh, patch.block, patch.face, patch.box, "");
  }
  for (std::size_t l = 0; l < mesh.links.size(); ++l) {
    const NodeLink& link = mesh.links[l];
    // The reader adds inverses, so each pair is written once.
    bool written = false;
    const NodeLink back = link.inverse();
    for (std::size_t m = 0; m < l; ++m) written = written || mesh.links[m] == back;
    if (written) continue;
    text += "\n[[link]]\n" + rectangle_text(mesh, link.block, link.face, link.box, "") +
            rectangle_text(mesh, link.neighbour, link.neighbour_face, link.neighbour_box,
                           "neighbour_") +
            "axes = " + axes_text(link.orientation) + "\n";
    if (link.periodic()) {
      text += "shift = [" + config::to_toml(link.shift[0]) + ", " + config::to_toml(link.shift[1]) +
              ", " + config::to_toml(link.shift[2]) + "]\n";
    }
  }
  return text;
}

}  // namespace watersmeet::mesh
