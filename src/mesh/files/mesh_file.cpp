// Reading of mesh files and of Plot3D files alone.

#include "mesh/files/mesh_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "config/document.hpp"
#include "config/nearest.hpp"
#include "core/error.hpp"
#include "mesh/curvilinear/connect.hpp"
#include "mesh/curvilinear/nodes.hpp"
#include "mesh/files/cgns.hpp"
#include "mesh/files/mesh_entries.hpp"
#include "mesh/files/nmf.hpp"
#include "mesh/files/plot3d.hpp"
#include "mesh/generators/catalogue.hpp"

namespace watersmeet::mesh {

namespace {

namespace fs = std::filesystem;

void require_file(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) throw Error(ErrorKind::io, "no file `" + path + "`");
}

std::string content_of(const std::string& path) {
  require_file(path);
  std::error_code error;
  if (fs::is_directory(path, error)) {
    throw Error(ErrorKind::user_input, "`" + path + "` is a folder; the name of a file is needed");
  }
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  if (stream && stream.peek() != std::ifstream::traits_type::eof()) text << stream.rdbuf();
  if (!stream.is_open() || stream.bad()) {
    throw Error(ErrorKind::io, "`" + path + "` cannot be read");
  }
  return std::move(text).str();
}

// Plot3D gives coordinates alone, CGNS links and boundaries too. A mesh of one layer of nodes lies
// in a plane of constant z.
void read_coordinates(const std::string& path, LoadedMesh& loaded) {
  if (fs::path(path).extension() == ".cgns") {
    require_file(path);
    loaded.zones = read_cgns(path, loaded.mesh, loaded.notes);
    loaded.description = "CGNS";
  } else {
    Plot3dForm form;
    loaded.mesh.blocks = read_plot3d(content_of(path), path, &form);
    loaded.description = "Plot3D: " + to_text(form);
  }
  const bool plane = std::all_of(loaded.mesh.blocks.begin(), loaded.mesh.blocks.end(),
                                 [](const CurvilinearBlock& b) { return b.n[2] == 1; });
  if (!plane) return;
  const double height = loaded.mesh.blocks.front().x[2].front();
  for (std::size_t b = 0; b < loaded.mesh.blocks.size(); ++b) {
    CurvilinearBlock& block = loaded.mesh.blocks[b];
    for_each_node(block.nodes(), [&](const Index3& node) {
      double& z = block.x[2][block.offset(node)];
      if (z != height) {
        throw Error(ErrorKind::user_input,
                    path + ": a mesh of one layer of nodes is 2-D and must have one z; block " +
                        std::to_string(b) + ", node " + index_text(node) + " has " + short_text(z) +
                        " instead of " + short_text(height));
      }
      z = 0;
    });
  }
}

void turn_left_handed(LoadedMesh& loaded) {
  const std::vector<int> turned = make_right_handed(loaded.mesh);
  if (turned.empty()) return;
  std::string numbers;
  for (const int b : turned) numbers += (numbers.empty() ? "" : ", ") + std::to_string(b);
  loaded.notes.push_back(std::string(loaded.mesh.dimensions() == 2 ? "j" : "k") +
                         " was reversed in left-handed blocks: " + numbers);
}

void link_the_rest(LoadedMesh& loaded, const std::string& name, const ConnectOptions& options) {
  const std::size_t before = loaded.mesh.links.size();
  const std::vector<std::string> faults = connect(loaded.mesh, options);
  if (!faults.empty()) {
    throw Error(ErrorKind::user_input, name + ": " + config::join(faults, "\n  "));
  }
  const std::size_t found = (loaded.mesh.links.size() - before) / 2;
  if (found > 0) {
    loaded.notes.push_back(std::to_string(found) + (found == 1 ? " link was" : " links were") +
                           " found by coordinates");
  }
}

// "block 3" -> "block 3 (zone `wing`)", for messages about files whose blocks have names.
std::string with_zone_names(const std::string& message, const std::vector<std::string>& zones) {
  static const std::string word = "block ";
  std::string text;
  std::size_t from = 0;
  for (std::size_t at = message.find(word); at != std::string::npos;
       at = message.find(word, from)) {
    std::size_t end = at + word.size(), number = 0;
    while (end < message.size() && message[end] >= '0' && message[end] <= '9') {
      number = 10 * number + static_cast<std::size_t>(message[end++] - '0');
    }
    text += message.substr(from, end - from);
    if (end > at + word.size() && number < zones.size()) text += " (zone `" + zones[number] + "`)";
    from = end;
  }
  return text + message.substr(from);
}

// Cases, columns and files call boundaries by names of letters, digits and _, no digit first. Files
// of other programs have any: what else there is becomes _.
void name_boundaries(LoadedMesh& loaded, const std::string& name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  std::map<std::string, std::string> given;  // by new name
  for (const std::string& old : loaded.mesh.patch_names()) {
    std::string called = old;
    for (char& c : called) {
      if (!letter(c) && !digit(c)) c = '_';
    }
    if (!called.empty() && digit(called.front())) called.insert(0, "_");
    const auto [other, first] = given.emplace(called, old);
    if (!first) {
      throw Error(ErrorKind::user_input,
                  name + ": names of boundaries have letters, digits and _, so that " +
                      config::to_toml(other->second) + " and " + config::to_toml(old) +
                      " would both be `" + called + "`; rename one of them");
    }
    if (called == old) continue;
    loaded.notes.push_back("boundary " + config::to_toml(old) + " is called `" + called +
                           "`: names have letters, digits and _");
    for (BoundaryPatch& patch : loaded.mesh.patches) {
      if (patch.name == old) patch.name = called;
    }
  }
}

// Turns, links and checks what was read.
void finish_reading(LoadedMesh& loaded, const std::string& name, const ConnectOptions& options,
                    bool links) {
  try {
    require_sizes(loaded.mesh, name);
    name_boundaries(loaded, name);
    turn_left_handed(loaded);
    if (links) link_the_rest(loaded, name, options);
    require_valid(loaded.mesh, name, options.tolerance);
  } catch (const Error& error) {
    if (loaded.zones.empty()) throw;
    throw Error(error.kind(), with_zone_names(error.what(), loaded.zones));
  }
}

LoadedMesh from_input(config::Input& input, const std::string& folder) {
  input.validate(mesh_file_schema());
  input.throw_if_faults();
  const bool by_file = input.is_set("mesh.file");
  if (by_file == input.is_set("mesh.kind")) {
    input.fault(config::FaultKind::conflict, by_file ? "mesh.file" : "mesh.kind",
                by_file ? "a mesh is generated (kind) or read (file), not both"
                        : "a mesh needs a generator, kind = \"naca4\", or coordinates, file = "
                          "\"wing.xyz\"");
    input.throw_if_faults();
  }
  LoadedMesh loaded;
  if (!by_file) {
    refuse_entries_of_generated(input);
    loaded.mesh = generate(input, "mesh.");
    input.throw_if_faults();
    loaded.description = input.text("mesh.kind");
    return loaded;
  }
  const auto beside = [&](const std::string& key) {
    return (fs::path(folder) / input.text(key)).string();
  };
  read_coordinates(beside("mesh.file"), loaded);
  if (input.is_set("mesh.map")) {
    const std::string map = beside("mesh.map");
    read_nmf(content_of(map), map, loaded.mesh);
  }
  read_entries(input, loaded.mesh);
  input.throw_if_faults();
  ConnectOptions options;
  options.tolerance = input.real("mesh.tolerance");
  if (input.is_set("mesh.periods")) options.periods = input.list_reals3("mesh.periods");
  finish_reading(loaded, input.name(), options, input.boolean("mesh.connect"));
  return loaded;
}

}  // namespace

LoadedMesh load_mesh(const std::string& path, const std::vector<std::string>& overrides) {
  const fs::path file(path);
  if (file.extension() == ".toml") {
    config::Input input = config::Input::from_file(path, overrides);
    return from_input(input, file.parent_path().string());
  }
  if (!overrides.empty()) {
    throw Error(ErrorKind::user_input,
                "--set " + overrides.front() + ": `" + path +
                    "` holds coordinates, not keys; give a mesh file (.toml) that names it");
  }
  LoadedMesh loaded;
  read_coordinates(path, loaded);
  try {
    finish_reading(loaded, path, {}, true);
  } catch (const Error& error) {
    const std::string described = fs::path(file).replace_extension(".toml").string();
    std::error_code missing;
    if (!loaded.zones.empty() || !fs::exists(described, missing)) throw;
    throw Error(error.kind(),
                fmt::format("{}\nCoordinates alone have neither links nor names of "
                            "boundaries. {} beside them may have both: use it instead",
                            error.what(), described));
  }
  return loaded;
}

LoadedMesh load_mesh_with_map(const std::string& path, const std::string& map) {
  if (fs::path(path).extension() == ".toml") {
    throw Error(ErrorKind::user_input,
                "`" + path + "` is a mesh file, which names its map itself: map = \"...\"");
  }
  LoadedMesh loaded;
  read_coordinates(path, loaded);
  read_nmf(content_of(map), map, loaded.mesh);
  finish_reading(loaded, path, {}, true);
  return loaded;
}

LoadedMesh generate_mesh(const std::string& kind, const std::vector<std::string>& overrides) {
  config::Input input =
      config::Input::from_text("[mesh]\nkind = \"" + kind + "\"\n", "mesh " + kind, overrides);
  return from_input(input, "");
}

}  // namespace watersmeet::mesh
