// watersmeet mesh: makes a mesh or reads one, says how good it is, and writes it as Plot3D
// coordinates beside a mesh file with its links and boundaries, or as a CGNS file.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "config/input.hpp"
#include "config/schema.hpp"
#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/message.hpp"
#include "io/run_directory.hpp"
#include "mesh/curvilinear/coarsen.hpp"
#include "mesh/curvilinear/quality.hpp"
#include "mesh/curvilinear/share_blocks.hpp"
#include "mesh/curvilinear/split.hpp"
#include "mesh/curvilinear/split_for_ranks.hpp"
#include "mesh/curvilinear/validate.hpp"
#include "mesh/files/cgns.hpp"
#include "mesh/files/mesh_file.hpp"
#include "mesh/files/plot3d.hpp"
#include "mesh/generators/catalogue.hpp"
#include "watersmeet/commands.hpp"

namespace watersmeet {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

int list_generators(const CommonOptions& options) {
  if (options.json) {
    Json rows = Json::array();
    for (const mesh::GeneratorHelp& generator : mesh::all_generators()) {
      Json keys = Json::array();
      for (const config::Key& key : generator.keys) {
        keys.push_back({{"key", key.path},
                        {"default", key.default_text},
                        {"allowed", config::allowed_text(key)},
                        {"help", key.help}});
      }
      rows.push_back({{"kind", generator.name}, {"about", generator.sentence}, {"keys", keys}});
    }
    fmt::print("{}\n", rows.dump(2));
    return 0;
  }
  for (const mesh::GeneratorHelp& generator : mesh::all_generators()) {
    fmt::print("{}: {}\n", generator.name, generator.sentence);
    for (const config::Key& key : generator.keys) {
      const std::string value = key.default_text.empty() ? "(unset)" : key.default_text;
      const std::string choices = key.choices.empty() ? "" : " " + config::allowed_text(key) + ".";
      fmt::print("  {:<14} = {:<12} {}{}\n", key.path, value, key.help, choices);
    }
  }
  return 0;
}

std::string place_text(const mesh::Extreme& e) {
  return fmt::format("block {}, {}", e.block, mesh::index_text(e.at));
}

// Parts of faces and cells on them, by name and kind.
struct PatchSum {
  std::string name, kind;
  int faces = 0;
  std::int64_t nodes = 0;
};

std::vector<PatchSum> patches_of(const mesh::MultiBlockMesh& m) {
  std::vector<PatchSum> sums;
  for (const mesh::BoundaryPatch& patch : m.patches) {
    auto found = std::find_if(sums.begin(), sums.end(), [&](const PatchSum& s) {
      return s.name == patch.name && s.kind == patch.kind;
    });
    if (found == sums.end()) found = sums.insert(sums.end(), {patch.name, patch.kind});
    ++found->faces;
    found->nodes += patch.box.count();
  }
  return sums;
}

std::pair<int, int> links_of(const mesh::MultiBlockMesh& m) {  // all, periodic; each pair once
  int periodic = 0, all = 0;
  for (const mesh::NodeLink& link : m.links) {
    const int half = link.inverse() == link ? 2 : 1;
    all += half;
    if (link.periodic()) periodic += half;
  }
  return {all / 2, periodic / 2};
}

Json to_json(const mesh::Extreme& e) {
  return {{"value", e.value}, {"block", e.block}, {"at", {e.at[0], e.at[1], e.at[2]}}};
}

// Entries of the report besides the numbers of quality_of().
struct Prospects {
  std::size_t complete_blocks = 0;
  std::vector<std::int64_t> level_nodes;  // of multigrid, the finest first
  std::string last_level;                 // why there are no more
  std::vector<std::int64_t> shares;       // nodes of each rank; empty unless asked for
};

Json json_report(const mesh::LoadedMesh& loaded, const mesh::MeshQuality& q,
                 const Prospects& prospects) {
  const mesh::MultiBlockMesh& m = loaded.mesh;
  Json blocks = Json::array(), patches = Json::array(), walls = Json::array();
  for (const mesh::CurvilinearBlock& b : m.blocks) blocks.push_back({b.n[0], b.n[1], b.n[2]});
  for (const PatchSum& p : patches_of(m)) {
    patches.push_back({{"name", p.name}, {"kind", p.kind}, {"faces", p.faces}, {"nodes", p.nodes}});
  }
  for (const mesh::FirstCells& w : q.first_cells) {
    walls.push_back(
        {{"name", w.boundary}, {"smallest", w.smallest}, {"mean", w.mean}, {"largest", w.largest}});
  }
  const auto [links, periodic] = links_of(m);
  return {{"mesh", loaded.description},
          {"dimensions", m.dimensions()},
          {"blocks", blocks},
          {"nodes", m.node_count()},
          {"cells", m.cell_count()},
          {"links", links},
          {"periodic_links", periodic},
          {"blocks_with_complete_faces", prospects.complete_blocks},
          {"levels", prospects.level_nodes},
          {"shares", prospects.shares},
          {"boundaries", patches},
          {"smallest_volume", to_json(q.smallest_volume)},
          {"largest_volume", to_json(q.largest_volume)},
          {"smallest_angle_deg", to_json(q.smallest_angle)},
          {"skewness", to_json(q.skewness)},
          {"folded_corners", q.folded_corners},
          {"stretching", to_json(q.stretching)},
          {"aspect_ratio", to_json(q.aspect_ratio)},
          {"first_cells", walls},
          {"notes", loaded.notes}};
}

void print_report(const mesh::LoadedMesh& loaded, const mesh::MeshQuality& q,
                  const Prospects& prospects) {
  const mesh::MultiBlockMesh& m = loaded.mesh;
  fmt::print("  mesh        {}\n", loaded.description);
  std::vector<Index3> sizes;
  for (const mesh::CurvilinearBlock& block : m.blocks) sizes.push_back(block.n);
  fmt::print("  blocks      {} in {}-D ({})\n", m.blocks.size(), m.dimensions(),
             io::sizes_text(sizes));
  fmt::print("  nodes       {}   cells {}\n", m.node_count(), m.cell_count());
  const auto [links, periodic] = links_of(m);
  fmt::print("  links       {}{}{}\n", links,
             periodic > 0 ? fmt::format(", {} of them periodic", periodic) : "",
             prospects.complete_blocks == m.blocks.size()
                 ? ", all of complete faces"
                 : fmt::format("; {} blocks with complete faces", prospects.complete_blocks));
  for (const PatchSum& p : patches_of(m)) {
    fmt::print("  boundary    {:<12} {:<18} {} {}, {} nodes\n", p.name, p.kind, p.faces,
               p.faces == 1 ? "face" : "faces", p.nodes);
  }
  const char* const volume = m.dimensions() == 2 ? "areas" : "volumes";
  fmt::print("  {:<11} {:.4g} ({}) to {:.4g}\n", volume, q.smallest_volume.value,
             place_text(q.smallest_volume), q.largest_volume.value);
  fmt::print("  angles      90 to {:.4g} degrees ({})\n", q.smallest_angle.value,
             place_text(q.smallest_angle));
  fmt::print("  skewness    {:.4g} ({})", q.skewness.value, place_text(q.skewness));
  if (q.folded_corners > 0) fmt::print("; {} folded corners of cells", q.folded_corners);
  fmt::print("\n  stretching  {:.4g} ({})\n", q.stretching.value, place_text(q.stretching));
  fmt::print("  aspect      {:.4g} ({})\n", q.aspect_ratio.value, place_text(q.aspect_ratio));
  for (const mesh::FirstCells& w : q.first_cells) {
    fmt::print("  first cells {:<12} {:.4g} to {:.4g}, mean {:.4g}\n", w.boundary, w.smallest,
               w.largest, w.mean);
  }
  fmt::print("  levels      {} of {} nodes; {}\n", prospects.level_nodes.size(),
             fmt::join(prospects.level_nodes, ", "), prospects.last_level);
  if (!prospects.shares.empty()) {
    fmt::print("  shares      {} nodes\n", fmt::join(prospects.shares, ", "));
  }
  for (const std::string& note : loaded.notes) fmt::print("note: {}\n", note);
}

// Cuts the mesh as the options say, and records it in its notes.
void cut(mesh::LoadedMesh& loaded, const MeshOptions& options, const std::string& target) {
  const std::size_t before = loaded.mesh.blocks.size();
  if (options.shares > 0) {
    loaded.mesh = mesh::split_for_ranks(loaded.mesh, options.shares).mesh;
    if (loaded.mesh.blocks.size() < static_cast<std::size_t>(options.shares)) {
      throw Error(
          ErrorKind::user_input,
          fmt::format("{} cannot be cut for {} ranks: {} blocks are the most; more parts would "
                      "be thinner than 9 nodes",
                      target, options.shares, loaded.mesh.blocks.size()));
    }
  } else if (options.split) {
    loaded.mesh = mesh::split_to_complete_faces(loaded.mesh).mesh;
  }
  if (loaded.mesh.blocks.size() == before) return;
  loaded.notes.push_back(fmt::format("cut from {} blocks to {} with complete faces", before,
                                     loaded.mesh.blocks.size()));
}

Prospects prospects_of(const mesh::MultiBlockMesh& m, const MeshOptions& options) {
  Prospects prospects;
  prospects.complete_blocks = mesh::split_to_complete_faces(m).mesh.blocks.size();
  const mesh::Hierarchy levels = mesh::coarsen(m);
  prospects.level_nodes.push_back(m.node_count());
  for (const mesh::CoarseLevel& level : levels.levels) {
    prospects.level_nodes.push_back(level.mesh.node_count());
  }
  prospects.last_level = levels.end;
  if (options.shares > 0) {
    prospects.shares = mesh::nodes_of_ranks(mesh::share_blocks(m, options.shares), options.shares);
  }
  return prospects;
}

// NAME.xyz and NAME.toml, or the one file NAME where that ends in .cgns; none may be there.
std::vector<std::string> write(const mesh::LoadedMesh& loaded, const std::string& name) {
  const bool cgns = fs::path(name).extension() == ".cgns";
  std::vector<std::string> files = {name};
  if (!cgns) files = {name + ".xyz", name + ".toml"};
  for (const std::string& file : files) {
    std::error_code error;
    if (!fs::exists(fs::symlink_status(file, error))) continue;
    refuse({.kind = "exists",
            .found = file,
            .message = fmt::format("`{}` exists already; nothing is overwritten", file),
            .suggestion = "choose another name:  --output NAME",
            .allowed = {}});
  }
  const std::string folder = io::directory_of(name);
  std::error_code error;
  if (!fs::is_directory(folder, error)) throw Error(ErrorKind::io, "no folder " + folder);
  io::check_writable(folder);
  const std::string about = "Mesh written by watersmeet mesh: " + loaded.description;
  if (cgns) {
    // Under its last name only when it is complete.
    io::finish_part(name,
                    [&](const std::string& part) { mesh::write_cgns(part, loaded.mesh, about); });
    return files;
  }
  mesh::Plot3dForm form;
  form.dimensions = loaded.mesh.dimensions();
  const std::string coordinates = fs::path(files[0]).filename().string();
  io::write_text_file(files[0], mesh::plot3d_text(loaded.mesh.blocks, form));
  io::write_text_file(files[1], mesh::mesh_file_text(loaded.mesh, coordinates, about));
  return files;
}

mesh::LoadedMesh load(const std::string& target, const std::vector<std::string>& set) {
  // Keys of a mesh may be given without their section: cells=[64,32].
  std::vector<std::string> overrides;
  for (const std::string& option : set) {
    const std::string key = option.substr(0, option.find('='));
    overrides.push_back(key.find_first_of(".[") == std::string::npos ? "mesh." + option : option);
  }
  const std::vector<std::string> kinds = mesh::generator_names();
  if (std::find(kinds.begin(), kinds.end(), target) != kinds.end()) {
    return mesh::generate_mesh(target, overrides);
  }
  std::error_code error;
  if (fs::path(target).has_extension() || fs::exists(target, error)) {
    if (fs::path(target).extension() == ".toml" && fs::exists(target, error) &&
        config::Input::from_file(target).is_set("case")) {
      refuse({.kind = "bad-value",
              .found = target,
              .message = fmt::format("`{}` is a case, not a mesh file", target),
              .suggestion = "to check the case and its mesh:  watersmeet check " + target,
              .allowed = {}});
    }
    return mesh::load_mesh(target, overrides);
  }
  std::string names;
  for (const std::string& kind : kinds) names += (names.empty() ? "" : ", ") + kind;
  refuse({.kind = "bad-value",
          .found = target,
          .message = "no generator and no file `" + target + "`",
          .suggestion = did_you_mean(target, kinds),
          .allowed = "generators: " + names + "        (watersmeet mesh --list)"});
}

}  // namespace

int command_mesh(const std::string& target, const MeshOptions& options) {
  if (options.list) return list_generators(options);
  mesh::LoadedMesh loaded = load(target, options.set);
  cut(loaded, options, target);
  const Prospects prospects = prospects_of(loaded.mesh, options);
  const mesh::MeshQuality quality = mesh::quality_of(loaded.mesh);
  // What was generated goes by its kind; what was read is there already.
  const bool generated = !fs::path(target).has_extension();
  std::string output = options.output.empty() && generated ? target : options.output;
  if (options.dry_run) output.clear();
  std::vector<std::string> files;
  if (!output.empty()) files = write(loaded, output);
  if (options.json) {
    Json report = json_report(loaded, quality, prospects);
    report["files"] = files;
    fmt::print("{}\n", report.dump(2, ' ', false, Json::error_handler_t::replace));
  } else if (!options.quiet) {
    print_report(loaded, quality, prospects);
    if (!files.empty()) fmt::print("wrote {}\n", fmt::join(files, " and "));
  }
  return 0;
}

}  // namespace watersmeet
