#include "commands/info_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/hdf5_file.hpp"
#include "io/mesh_h5.hpp"
#include "io/message.hpp"
#include "mesh/files/mesh_file.hpp"
#include "mesh/files/plot3d.hpp"

namespace watersmeet::commands {
namespace {

using Json = nlohmann::ordered_json;

void emit(const Json& json) {
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

struct PatchSummary {
  std::string name, kind;
  int faces = 0;
};

// Description of a mesh, read from either kind of file.
struct MeshSummary {
  std::string description;
  std::int64_t dimensions = 3;
  std::vector<Index3> blocks;  // nodes
  std::vector<PatchSummary> patches;

  std::int64_t nodes() const {
    std::int64_t sum = 0;
    for (const Index3& n : blocks) sum += n[0] * n[1] * n[2];
    return sum;
  }
  void add(const std::string& name, const std::string& kind) {
    auto found = std::find_if(patches.begin(), patches.end(), [&](const PatchSummary& p) {
      return p.name == name && p.kind == kind;
    });
    if (found == patches.end()) found = patches.insert(patches.end(), {name, kind});
    ++found->faces;
  }
};

MeshSummary read_mesh_h5(const std::string& path) {
  const io::Hdf5File file = io::Hdf5File::open(path);
  const io::Hdf5Group& root = file.root();
  MeshSummary summary;
  summary.description = "of a run";
  summary.dimensions = root.integer("dimensions");
  const io::Hdf5Group blocks = root.open_group("blocks");
  for (const std::string& name : blocks.names()) {
    const io::Extents n = blocks.open_group(name).open_dataset("xyz").extents();
    if (n.size() != 4) throw Error(ErrorKind::io, path + ": block " + name + " has no coordinates");
    const auto size = [&](std::size_t axis) { return static_cast<std::int64_t>(n[axis]); };
    summary.blocks.push_back({size(2), size(1), size(0)});
  }
  if (!root.exists("patches")) return summary;
  const io::Hdf5Group patches = root.open_group("patches");
  for (const std::string& name : patches.names()) {
    const io::Hdf5Group patch = patches.open_group(name);
    summary.add(io::printable(patch.text("name")), io::printable(patch.text("kind")));
  }
  return summary;
}

// Coordinates alone, which without the mesh file beside them have neither links nor boundaries.
MeshSummary read_coordinates(const std::string& path) {
  mesh::Plot3dForm form;
  MeshSummary summary;
  for (const mesh::CurvilinearBlock& block :
       mesh::read_plot3d(io::read_text_file(path), path, &form)) {
    summary.blocks.push_back(block.n);
  }
  summary.description = "coordinates in Plot3D: " + mesh::to_text(form);
  summary.dimensions = form.dimensions;
  return summary;
}

MeshSummary read_mesh_source(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension();
  if (ending == ".xyz" || ending == ".p3d") return read_coordinates(path);
  const mesh::LoadedMesh loaded = mesh::load_mesh(path);
  MeshSummary summary;
  summary.description = loaded.description;
  summary.dimensions = loaded.mesh.dimensions();
  for (const mesh::CurvilinearBlock& block : loaded.mesh.blocks) summary.blocks.push_back(block.n);
  for (const mesh::BoundaryPatch& patch : loaded.mesh.patches) summary.add(patch.name, patch.kind);
  return summary;
}

// The columns of a table and the number of its rows, by the layout of docs/reference/files.md.
struct Table {
  std::vector<std::string> names, units;
  std::int64_t rows = 0;
};

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream stream(line);
  for (std::string word; std::getline(stream, word, ',');) words.push_back(word);
  return words;
}

Table read_table(const std::string& path) {
  std::istringstream text(io::read_text_file(path));
  Table table;
  std::string line;
  const std::string mark = "# units: ";
  if (std::getline(text, line)) table.names = split(line);
  if (std::getline(text, line) && line.rfind(mark, 0) == 0)
    table.units = split(line.substr(mark.size()));
  if (table.names.empty() || table.units.size() != table.names.size()) {
    throw Error(
        ErrorKind::user_input,
        path +
            ": this is not a table of watersmeet, which begins with a line of names and a line "
            "\"# units: ...\" of as many units");
  }
  while (std::getline(text, line)) ++table.rows;
  return table;
}

}  // namespace

void describe_mesh(const std::string& path, bool of_run, const CommonOptions& options) {
  const MeshSummary mesh = of_run ? read_mesh_h5(path) : read_mesh_source(path);
  if (options.json) {
    Json patches = Json::array();
    for (const PatchSummary& p : mesh.patches) {
      patches.push_back({{"name", p.name}, {"kind", p.kind}, {"faces", p.faces}});
    }
    emit({{"kind", "mesh"},
          {"mesh", mesh.description},
          {"dimensions", mesh.dimensions},
          {"blocks", mesh.blocks},
          {"nodes", mesh.nodes()},
          {"boundaries", patches}});
    return;
  }
  fmt::print("mesh        {}-D, {}\n", mesh.dimensions, mesh.description);
  fmt::print("blocks      {} of {} nodes together: {}\n", mesh.blocks.size(), mesh.nodes(),
             io::sizes_text(mesh.blocks));
  for (const PatchSummary& p : mesh.patches) {
    fmt::print("boundary    {:<12} {}, {}\n", p.name, p.kind, io::counted(p.faces, "face"));
  }
  if (mesh.patches.empty()) fmt::print("boundary    none is named\n");
  if (of_run) {
    fmt::print("open        python: h5py.File(\"{}\")[\"blocks/{}/xyz\"]\n", path,
               io::block_group(0));
  } else {
    fmt::print("how good it is  watersmeet mesh {} --dry-run\n", path);
  }
}

void describe_map(const std::string& path, const CommonOptions& options) {
  const io::Hdf5File file = io::Hdf5File::open(path);
  const io::Hdf5Group& root = file.root();
  const auto count = [&](const char* name) {
    return root.exists(name) ? static_cast<std::int64_t>(root.open_dataset(name).extents()[0]) : 0;
  };
  const double time = root.open_dataset("time").read_number();
  Json fields = Json::array();
  std::string lines;
  for (const std::string& name : root.names()) {
    if (name == "run" || name == "sphere") continue;
    const io::Hdf5Dataset field = root.open_dataset(name);
    if (!field.has("grid_mapping")) continue;
    fields.push_back(
        {{"name", name}, {"long_name", field.text("long_name")}, {"units", field.text("units")}});
    lines +=
        fmt::format("field       {:<12} {}, unit {}\n", io::printable(name),
                    io::printable(field.text("long_name")), io::printable(field.text("units")));
  }
  const std::int64_t step = root.integer("step");
  if (options.json) {
    emit({{"kind", "map"},
          {"step", step},
          {"t", time},
          {"longitudes", count("lon")},
          {"latitudes", count("lat")},
          {"levels", std::max<std::int64_t>(1, count("level"))},
          {"fields", fields}});
    return;
  }
  fmt::print("map         step {}, t = {}\n", step, io::number_text(time, 9));
  fmt::print("grid        {} longitudes x {} latitudes{}\n{}", count("lon"), count("lat"),
             count("level") > 0 ? fmt::format(" x {} levels", count("level")) : "", lines);
  fmt::print("open        python: xarray.open_dataset(\"{}\")\n", path);
}

void describe_scalars(const std::string& path, const CommonOptions& options) {
  const io::Hdf5File file = io::Hdf5File::open(path);
  const io::Hdf5Group& root = file.root();
  std::vector<std::string> columns, further;
  for (const std::string& name : root.names()) {
    if (name == "spectra" || name == "profiles") {
      further.push_back(name);
    } else if (name != "t" && name != "step" && name != "run") {
      columns.push_back(name);
    }
  }
  const auto rows = root.open_dataset("t").extents()[0];
  if (options.json) {
    emit({{"kind", "time series"}, {"rows", rows}, {"columns", columns}, {"groups", further}});
    return;
  }
  fmt::print("time series {} of {}\n", io::counted(rows, "row"), fmt::join(columns, ", "));
  if (!further.empty()) fmt::print("groups      {}\n", fmt::join(further, ", "));
  fmt::print("see         watersmeet info {}\n", io::directory_of(path));
}

void describe_table(const std::string& path, const CommonOptions& options) {
  const Table table = read_table(path);
  if (options.json) {
    emit({{"kind", "table"},
          {"rows", table.rows},
          {"columns", table.names},
          {"units", table.units}});
    return;
  }
  fmt::print("table       {}\n", io::counted(table.rows, "row"));
  for (std::size_t c = 0; c < table.names.size(); ++c) {
    fmt::print("column      {:<20} unit {}\n", io::printable(table.names[c]),
               io::printable(table.units[c]));
  }
  fmt::print("open        python: pandas.read_csv(\"{}\", comment=\"#\")\n", path);
}

void describe_bench(const std::string& path, const CommonOptions& options) {
  const Json result = Json::parse(io::read_text_file(path), nullptr, false);
  const auto text = [&](const char* key) {
    return result.contains(key) && result[key].is_string() ? result[key].get<std::string>() : "";
  };
  const std::size_t rows = result.contains("rows") ? result["rows"].size() : 0;
  if (options.json) {
    emit({{"kind", "benchmark"},
          {"system", text("benchmark")},
          {"device", text("device")},
          {"commit", text("commit")},
          {"date", text("date")},
          {"rows", rows}});
    return;
  }
  fmt::print("benchmark   {} on {}, {}\n", text("benchmark"), text("device"),
             io::counted(rows, "row"));
  fmt::print("made by     commit {}, {}\n            {}\n", text("commit"), text("date"),
             text("command"));
}

namespace {

// The folder of the run of a file in a folder of it, "runs/rb-003" of "runs/rb-003/plots/a.png".
std::string run_around(const std::string& path) {
  const std::string run =
      (std::filesystem::path(io::directory_of(path)) / "..").lexically_normal().string();
  return run.size() > 1 && run.back() == '/' ? run.substr(0, run.size() - 1) : run;
}

}  // namespace

void describe_by_kind(Target kind, const std::string& path, const CommonOptions& options) {
  const std::string run = kind == Target::record ? io::directory_of(path) : run_around(path);
  if (options.json) {
    emit({{"kind", name_of(kind)}, {"run", run}});
    return;
  }
  const char* const what = kind == Target::kept ? "copy        of a file that the case names, of"
                           : kind == Target::picture ? "picture     of"
                                                     : "record      of";
  fmt::print("{0} the run in {1}\nsee         watersmeet info {1}\n", what, run);
}

}  // namespace watersmeet::commands
