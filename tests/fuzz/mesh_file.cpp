// Mesh files: our own description in TOML, Plot3D, neutral maps and CGNS, up to a valid mesh.
#include "mesh/files/mesh_file.hpp"

#include "apart.hpp"
#include "mesh/files/plot3d.hpp"
#include "targets.hpp"

namespace watersmeet::fuzz {

bool asks_for_large_mesh(const config::Input& input, const std::string& prefix) {
  double nodes = 1;
  for (const char* const list : {"cells", "blocks"}) {
    if (!input.is_set(prefix + list) || !input.is_good(prefix + list)) continue;
    for (const double number : input.reals(prefix + list)) nodes *= number;
  }
  for (const char* const count : {"wake_cells", "outer_cells", "cap_cells"}) {
    if (input.is_set(prefix + count) && input.is_good(prefix + count))
      nodes *= static_cast<double>(input.integer(prefix + count));
  }
  const std::string kind = input.is_set(prefix + "kind") ? input.text(prefix + "kind") : "";
  if (kind == "sphere" && input.is_set(prefix + "cells") && input.is_good(prefix + "cells")) {
    const std::vector<double> cells = input.reals(prefix + "cells");
    if (!cells.empty()) nodes *= 6 * cells[0];  // a cube's faces
  }
  const bool is_glider = kind == "glider15";
  const bool is_small = input.is_set(prefix + "size") && input.text(prefix + "size") == "small";
  return (nodes > 1e5 && nodes < 1e14) || (is_glider && !is_small);
}

void mesh_file(std::string_view bytes) {
  answered([&] {
    const std::string name = file_of(bytes, "mesh.toml");
    config::Input input = config::Input::from_file(name);
    input.validate(mesh::mesh_file_schema());
    if (!asks_for_large_mesh(input, "mesh.")) mesh::load_mesh(name);
  });
}

// Most bytes are no Plot3D file: those are refused before a mesh is made of them.
void plot3d(std::string_view bytes) {
  answered([&] {
    mesh::read_plot3d(bytes, "mesh.xyz");
    mesh::load_mesh(file_of(bytes, "mesh.xyz"));
  });
}

void neutral_map(std::string_view bytes) {
  answered([&] { mesh::load_mesh_with_map("blocks.xyz", file_of(bytes, "mesh.nmf")); });
}

void cgns(std::string_view bytes) {
  static ReadApart apart([] { mesh::load_mesh("mesh.cgns"); });
  file_of(bytes, "mesh.cgns");
  apart.answer();
}

}  // namespace watersmeet::fuzz
