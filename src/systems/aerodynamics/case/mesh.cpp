#include "systems/aerodynamics/case/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "config/usual_keys.hpp"
#include "core/error.hpp"
#include "mesh/curvilinear/split.hpp"
#include "mesh/files/mesh_file.hpp"
#include "mesh/generators/catalogue.hpp"

namespace watersmeet::aerodynamics {

using config::FaultKind;

namespace fs = std::filesystem;

std::vector<config::Key> grid_keys() {
  std::vector<config::Key> keys = mesh::generator_keys("grid.mesh.");
  keys.push_back(
      config::text_key("grid.file",
                       "Mesh file (TOML, as written by watersmeet mesh), Plot3D or CGNS file; "
                       "looked for beside the case, then in the working folder."));
  keys.push_back(config::text_key("grid.map",
                                  "Neutral map file (.nmf) with links and boundaries of Plot3D "
                                  "coordinates."));
  return keys;
}

namespace {

std::string found_file(const config::Input& input, const std::string& file) {
  const fs::path beside = fs::path(input.name()).parent_path() / file;
  std::error_code error;
  return fs::exists(beside, error) ? beside.string() : file;
}

std::string settled_file(config::Input& input, const std::string& key) {
  const std::string found = found_file(input, input.text(key));
  std::error_code error;
  if (fs::exists(found, error)) {
    input.settle(key, fs::absolute(found).lexically_normal().string());
  }
  return found;
}

CaseMesh from_file(config::Input& input) {
  const std::string file = settled_file(input, "grid.file");
  mesh::LoadedMesh loaded;
  if (input.is_set("grid.map")) {
    loaded = mesh::load_mesh_with_map(file, settled_file(input, "grid.map"));
  } else {
    loaded = mesh::load_mesh(file);
  }
  return {std::move(loaded.mesh),
          fs::path(file).filename().string() + " (" + loaded.description + ")",
          std::move(loaded.notes)};
}

CaseMesh generated(config::Input& input) {
  CaseMesh result;
  result.mesh = mesh::generate(input, "grid.mesh.");
  result.description = input.text("grid.mesh.kind");
  return result;
}

void split_to_complete_faces(CaseMesh& result) {
  const std::size_t before = result.mesh.blocks.size();
  const mesh::Cuts cuts = mesh::complete_face_cuts(result.mesh);
  const auto whole = [](const auto& of_block) {
    return std::ranges::all_of(of_block, [](const auto& at) { return at.size() <= 2; });
  };
  if (std::ranges::all_of(cuts, whole)) return;
  result.mesh = mesh::split_at(std::move(result.mesh), cuts).mesh;
  result.notes.push_back(
      fmt::format("split from {} blocks to {}, so that they join by complete "
                  "faces and the coupling conserves",
                  before, result.mesh.blocks.size()));
}

}  // namespace

CaseMesh read_mesh(config::Input& input) {
  const bool by_file = input.is_set("grid.file"), by_kind = input.is_set("grid.mesh.kind");
  if (by_file == by_kind) {
    const bool neither = !by_file;
    input.fault(
        neither ? FaultKind::missing_key : FaultKind::conflict, neither ? "grid.mesh" : "grid.file",
        neither ? "the case has no mesh: give grid.mesh or grid.file"
                : fmt::format("a mesh is generated (grid.mesh, {}) or read (grid.file), not "
                              "both",
                              input.origin("grid.mesh.kind")),
        neither ? "for example mesh = { kind = \"naca4\" }; generators: watersmeet mesh "
                  "--list"
                : "remove one of them");
    return {};
  }
  const std::string key = by_file ? "grid.file" : "grid.mesh.kind";
  if (!input.is_good(key)) return {};
  if (by_kind && input.is_set("grid.map")) {
    input.fault(FaultKind::conflict, "grid.map", "a generated mesh needs no map", "remove it");
    return {};
  }
  try {
    CaseMesh result = by_file ? from_file(input) : generated(input);
    split_to_complete_faces(result);
    return result;
  } catch (const Error& error) {
    const bool unread = error.kind() == ErrorKind::io;
    if (!unread && error.kind() != ErrorKind::user_input) throw;
    // Faults of a mesh file have lines of their own, which a fault of the case could only quote.
    std::error_code missing;
    if (!error.json().empty() && by_file && fs::exists(input.text(key), missing)) throw;
    input.fault(unread ? FaultKind::missing_file : FaultKind::bad_value, key, error.what());
    return {};
  }
}

}  // namespace watersmeet::aerodynamics
