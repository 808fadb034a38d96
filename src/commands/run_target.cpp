#include "commands/run_target.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "config/input.hpp"
#include "core/enum_name.hpp"
#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/hdf5_file.hpp"
#include "watersmeet/commands.hpp"

namespace watersmeet::commands {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(folder.empty() ? "." : folder, error), end; !error && it != end;
       it.increment(error)) {
    names.push_back(it->path().filename().string());
  }
  return names;
}

[[noreturn]] void refuse_missing(const std::string& path, const char* what) {
  fs::path wanted = fs::path(path).lexically_normal();
  if (!wanted.has_filename()) wanted = wanted.parent_path();
  const fs::path folder = wanted.parent_path();
  const auto near = nearest_word(wanted.filename().string(), names_in(folder));
  refuse({.kind = "missing-file",
          .found = path,
          .message = fmt::format("no {} `{}`", what, path),
          .suggestion = near ? "did you mean `" + (folder / *near).string() + "`?" : "",
          .allowed = {},
          .absent = true});
}

// Run folders directly below a folder, for a suggestion.
std::string runs_below(const std::string& path) {
  for (const std::string& name : names_in(path)) {
    if (name != "latest" && fs::exists(fs::path(path) / name / "run.json")) {
      return "there are runs in it, such as " + (fs::path(path) / name).string();
    }
  }
  return "";
}

// The kind that follows from the name, for files that are not HDF5 files of this program.
std::optional<Target> target_by_name(const fs::path& path) {
  const std::string ending = path.extension(), name = path.filename();
  if (ending == ".toml") {
    const config::Input input = config::Input::from_file(path);
    const bool mesh = input.is_set("mesh") && !input.is_set("case");
    return mesh ? Target::mesh_source : Target::case_file;
  }
  if (ending == ".cgns" || ending == ".xyz" || ending == ".p3d") return Target::mesh_source;
  if (ending == ".csv") return Target::table;
  if (ending == ".xmf") return Target::record;  // of snapshots or averages
  for (const char* const record : {"run.json", "telemetry.jsonl", "log.txt"}) {
    if (name == record) return Target::record;
  }
  if (ending == ".json") {
    const auto json = nlohmann::json::parse(io::read_text_file(path), nullptr, false);
    if (json.is_object() && json.contains("benchmark")) return Target::bench;
  }
  return std::nullopt;
}

// Whether the file lies in this folder of a run.
bool is_in(const char* folder, const fs::path& path) {
  const fs::path place = fs::absolute(path).lexically_normal().parent_path();
  std::error_code error;
  return place.filename() == folder && fs::exists(place.parent_path() / "run.json", error);
}

// What an HDF5 file holds; nothing where another program wrote it.
std::optional<Target> target_by_content(const std::string& path) {
  const io::Hdf5File file = io::Hdf5File::open(path);
  const io::Hdf5Group& root = file.root();
  if (root.has("format")) return Target::checkpoint;
  if (root.exists("VTKHDF")) {
    return root.open_group("VTKHDF").exists("Steps") ? Target::series : Target::snapshot;
  }
  if (root.exists("blocks")) return root.exists("time") ? Target::snapshot : Target::mesh;
  if (root.exists("sphere") && root.exists("lat") && root.exists("lon")) return Target::map;
  if (root.exists("t") && root.exists("step")) return Target::scalars;
  return std::nullopt;
}

// A copy of a file of any form; snapshots, maps and meshes are reported as such.
Target target_of_kept(const std::string& path) {
  try {
    return target_by_content(path).value_or(Target::kept);
  } catch (const Error&) {  // no HDF5 file
    return Target::kept;
  }
}

}  // namespace

const char* name_of(Target target) {
  return enum_name<Target::picture>(
      {"run folder", "snapshot", "checkpoint", "time series", "case file", "mesh", "mesh", "map",
       "time series", "table", "benchmark", "record of a run", "input of a run",
       "picture of a run"},
      target);
}

void require_run_directory(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) refuse_missing(path, "folder");
  if (fs::is_directory(path, error) && fs::is_regular_file(fs::path(path) / "run.json", error)) {
    return;
  }
  const bool folder = fs::is_directory(path, error);
  refuse({.kind = "not-a-run",
          .found = path,
          .message = fmt::format("`{}` is not the folder of a run{}", path,
                                 folder ? ": it has no run.json" : ""),
          .suggestion = folder ? runs_below(path) : "",
          .allowed = {}});
}

bool is_unstarted_run(const std::string& directory) {
  std::error_code error;
  const auto regular = [&](const fs::path& path) { return fs::is_regular_file(path, error); };
  bool begun = false;
  for (const std::string& name : names_in(directory)) {
    const fs::path path = fs::path(directory) / name;
    const bool ours = name == "inputs"
                          ? fs::is_directory(path, error)
                          : regular(path) && (name == "case.toml" || name == "resolved.toml" ||
                                              name == "run.lock" || name.ends_with(".part"));
    if (!ours) return false;
    begun = true;
  }
  return begun;
}

Target target_of(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) {
    if (error) throw Error(ErrorKind::io, "cannot access " + path + ": " + error.message());
    refuse_missing(path, "file or folder");
  }
  if (fs::is_directory(path, error)) {
    require_run_directory(path);
    return Target::run_directory;
  }
  const auto by_name = target_by_name(path);
  const bool kept = is_in("inputs", path);
  // A table of others, a cloud of bubbles for instance, has the ending of ours.
  if (by_name && !(kept && *by_name == Target::table)) return *by_name;
  if (kept) return target_of_kept(path);
  if (is_in("plots", path)) return Target::picture;
  if (const auto by_content = target_by_content(path)) return *by_content;
  refuse({.kind = "unknown-file",
          .found = path,
          .message = fmt::format("`{}` is not a file that watersmeet writes or reads", path),
          .suggestion = {},
          .allowed = {}});
}

}  // namespace watersmeet::commands
