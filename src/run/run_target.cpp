#include "run/run_target.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "core/error.hpp"
#include "run/atomic_file.hpp"
#include "run/hdf5_file.hpp"
#include "watersmeet/commands.hpp"

namespace watersmeet::run {
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
          .allowed = {}});
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

}  // namespace

const char* name_of(Target target) {
  switch (target) {
    case Target::run_directory:
      return "run folder";
    case Target::snapshot:
      return "snapshot";
    case Target::checkpoint:
      return "checkpoint";
    case Target::series:
      return "time series";
    case Target::case_file:
      return "case file";
  }
  return "file";
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

Target target_of(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) {
    if (error) throw Error(ErrorKind::io, "cannot look at " + path + ": " + error.message());
    refuse_missing(path, "file or folder");
  }
  if (fs::is_directory(path, error)) {
    require_run_directory(path);
    return Target::run_directory;
  }
  if (fs::path(path).extension() == ".toml") return Target::case_file;
  Hdf5File file = Hdf5File::open(path);
  const Hdf5Group& root = file.root();
  if (root.has("format")) return Target::checkpoint;
  if (root.exists("VTKHDF")) {
    return root.open_group("VTKHDF").exists("Steps") ? Target::series : Target::snapshot;
  }
  if (root.exists("blocks") && root.exists("time")) return Target::snapshot;
  if (fs::path(path).filename() == "series.h5") return Target::series;
  refuse({.kind = "unknown-file",
          .found = path,
          .message = fmt::format("`{}` is neither a snapshot nor a checkpoint of watersmeet", path),
          .suggestion = {},
          .allowed = {}});
}

}  // namespace watersmeet::run
