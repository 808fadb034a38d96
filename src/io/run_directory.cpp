// The folder of a run; see the header. run.json is in run_record.cpp.
#include "io/run_directory.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <set>
#include <string_view>

#include "core/error.hpp"
#include "io/atomic_file.hpp"

namespace watersmeet::io {
namespace {

namespace fs = std::filesystem;

std::string nearest_existing(const std::string& directory) {
  fs::path path = fs::path(directory.empty() ? "." : directory).lexically_normal();
  while (!path.empty() && path.has_relative_path() && !fs::exists(path)) {
    const fs::path above = path.parent_path();
    if (above == path) break;
    path = above;
  }
  return path.empty() ? "." : path.string();
}

struct statvfs room_of(const std::string& existing) {
  struct statvfs info {};
  if (::statvfs(existing.c_str(), &info) != 0)
    system_fault("ask for the free space of", existing, errno);
  return info;
}

std::vector<std::string> numbered_paths(const std::string& directory, const std::string& prefix,
                                        const std::string& suffix) {
  std::vector<std::string> paths;
  for (const NumberedFile& file : numbered_files(directory, prefix, suffix)) {
    paths.push_back(join(directory, file.name));
  }
  return paths;
}

void set_aside(const std::string& directory, const std::string& prefix, const std::string& suffix,
               std::int64_t after, std::vector<std::string>& renamed) {
  for (const NumberedFile& file : numbered_files(directory, prefix, suffix)) {
    if (file.number <= after) continue;
    const std::string path = join(directory, file.name);
    const std::string aside = path + ".old";
    if (::rename(path.c_str(), aside.c_str()) != 0) system_fault("rename", path, errno);
    renamed.push_back(aside);
  }
}

}  // namespace

void make_directories(const std::string& directory) {
  std::error_code code;
  fs::create_directories(directory, code);
  if (code) {
    throw Error(ErrorKind::io, fmt::format("cannot create {}: {}", directory, code.message()));
  }
}

void check_writable(const std::string& directory) {
  const std::string existing = nearest_existing(directory);
  struct stat info {};
  if (::stat(existing.c_str(), &info) != 0) system_fault("look at", existing, errno);
  if (!S_ISDIR(info.st_mode)) system_fault("write into", existing, ENOTDIR);
  // access() also knows read-only file systems, which the permission bits do not show.
  if (::access(existing.c_str(), W_OK | X_OK) != 0) system_fault("write into", existing, errno);
  // Some file systems hold no files of users (/proc), whatever their permissions say.
  if (room_of(existing).f_blocks != 0) return;
  std::string probe = join(existing, "watersmeet-XXXXXX");
  if (::mkdtemp(probe.data()) == nullptr) system_fault("write into", existing, errno);
  ::rmdir(probe.c_str());
}

std::uint64_t free_disk_bytes(const std::string& directory) {
  const struct statvfs info = room_of(nearest_existing(directory));
  return info.f_blocks == 0 ? std::numeric_limits<std::uint64_t>::max()
                            : static_cast<std::uint64_t>(info.f_bavail) * info.f_frsize;
}

std::string create_numbered_directory(const std::string& root, const std::string& name) {
  if (name.empty() || name.find('/') != std::string::npos || name == "latest") {
    throw Error(ErrorKind::io, fmt::format("cannot name a run folder \"{}\"", name));
  }
  check_writable(root);
  make_directories(root);
  std::int64_t number = 1;
  for (const NumberedFile& taken : numbered_files(root, name + "-", "")) {
    number = std::max(number, taken.number + 1);
  }
  // mkdir() succeeds for exactly one of several processes.
  while (true) {
    const std::string chosen = fmt::format("{}-{:03}", name, number);
    const std::string path = join(root, chosen);
    if (::mkdir(path.c_str(), 0777) == 0) {
      link_latest(root, chosen);
      return path;
    }
    if (errno != EEXIST) system_fault("create", path, errno);
    ++number;
  }
}

void check_new_directory(const std::string& directory) {
  check_writable(directory);
  if (fs::exists(directory)) {
    std::error_code code;
    const bool empty = fs::is_empty(directory, code);
    if (code) system_fault("list", directory, code.value());
    if (!empty) {
      throw Error(
          ErrorKind::io,
          fmt::format("folder {} is not empty; nothing is overwritten. Choose a folder that "
                      "does not exist yet, or continue that run with: watersmeet resume {}",
                      directory, directory));
    }
  }
}

void create_explicit_directory(const std::string& directory) {
  check_new_directory(directory);
  make_directories(directory);
}

std::string run_id_of(const std::string& directory) {
  fs::path path = fs::absolute(directory).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  return path.filename().string();
}

void link_latest(const std::string& root, const std::string& name) {
  const std::string link = join(root, "latest");
  const auto kind = fs::symlink_status(link).type();
  // A file or folder of the user that happens to be called latest is not replaced.
  if (kind != fs::file_type::not_found && kind != fs::file_type::symlink) return;
  const std::string fresh = fmt::format("{}.{}.part", link, ::getpid());
  ::unlink(fresh.c_str());
  // Some file systems have no symbolic links; the link is a convenience only.
  if (::symlink(name.c_str(), fresh.c_str()) != 0) return;
  if (::rename(fresh.c_str(), link.c_str()) != 0) ::unlink(fresh.c_str());
}

void write_inputs(const std::string& directory, const std::string& case_toml,
                  const std::string& resolved_toml) {
  write_text_file(join(directory, "case.toml"), case_toml);
  write_text_file(join(directory, "resolved.toml"), resolved_toml);
}

void write_resolved(const std::string& directory, const std::string& resolved_toml) {
  write_text_file(join(directory, "resolved.toml"), resolved_toml);
}

std::string snapshot_path(const std::string& directory, std::int64_t step, bool blocks,
                          const std::string& kind) {
  return join(directory, fmt::format("{}_{:06}.{}", kind, step, blocks ? "h5" : "vtkhdf"));
}

std::string average_kind(const std::string& name) { return "average_" + name; }

std::string part_kind(const std::string& name) { return "part_" + name; }

std::string isosurface_kind(const std::string& name) { return "isosurface_" + name; }

std::string checkpoint_path(const std::string& directory, std::int64_t step) {
  return join(directory, fmt::format("checkpoint_{:06}.h5", step));
}

std::string picture_path(const std::string& directory, const std::string& name, std::int64_t step) {
  return join(directory, fmt::format("picture_{}_{:06}.png", name, step));
}

std::vector<std::string> list_snapshots(const std::string& directory, const std::string& kind) {
  // A run has snapshots with one ending.
  std::vector<std::string> paths = numbered_paths(directory, kind + "_", ".vtkhdf");
  for (std::string& path : numbered_paths(directory, kind + "_", ".h5")) {
    paths.push_back(std::move(path));
  }
  return paths;
}

namespace {
bool all_of_text(std::string_view text, bool (*is)(unsigned char)) {
  return std::all_of(text.begin(), text.end(),
                     [is](char c) { return is(static_cast<unsigned char>(c)); });
}
bool is_digit(unsigned char c) { return c >= '0' && c <= '9'; }
bool is_word(unsigned char c) { return std::isalnum(c) != 0 || c == '_'; }

// NAME of a file PREFIX_NAME_NNNNNN.ENDING; "" of any other. By hand: std::regex takes seconds to compile.
std::string name_within(const std::string& file, const std::string& prefix,
                        std::initializer_list<std::string_view> endings) {
  const std::size_t dot = file.rfind('.');
  if (dot == std::string::npos || !file.starts_with(prefix + "_")) return "";
  const std::size_t number = file.rfind('_', dot), begin = prefix.size() + 1;
  if (number <= begin) return "";
  const std::string name = file.substr(begin, number - begin);
  const std::string digits = file.substr(number + 1, dot - number - 1);
  const bool known = std::find(endings.begin(), endings.end(),
                               std::string_view(file).substr(dot + 1)) != endings.end();
  const bool good =
      known && digits.size() >= 6 && all_of_text(digits, is_digit) && all_of_text(name, is_word);
  return good ? name : "";
}

// The NAMEs of files PREFIX_NAME_NNNNNN with one of these endings.
std::vector<std::string> names_of(const std::string& directory, const std::string& prefix,
                                  std::initializer_list<std::string_view> endings = {"vtkhdf",
                                                                                     "h5"}) {
  std::set<std::string> names;
  std::error_code code;
  for (fs::directory_iterator it(directory, code), end; !code && it != end; it.increment(code)) {
    const std::string name = name_within(it->path().filename().string(), prefix, endings);
    if (!name.empty()) names.insert(name);
  }
  return {names.begin(), names.end()};
}
}  // namespace

std::vector<std::string> average_names(const std::string& directory) {
  return names_of(directory, "average");
}

std::vector<std::string> part_names(const std::string& directory) {
  return names_of(directory, "part");
}

std::vector<std::string> isosurface_names(const std::string& directory) {
  return names_of(directory, "isosurface");
}

std::vector<std::string> picture_names(const std::string& directory) {
  return names_of(directory, "picture", {"png"});
}

std::vector<std::string> list_pictures(const std::string& directory, const std::string& name) {
  return numbered_paths(directory, "picture_" + name + "_", ".png");
}

std::vector<std::string> list_checkpoints(const std::string& directory) {
  return numbered_paths(directory, "checkpoint_", ".h5");
}

std::vector<std::int64_t> checkpoint_steps(const std::string& directory) {
  std::vector<std::int64_t> steps;
  for (const NumberedFile& file : numbered_files(directory, "checkpoint_", ".h5"))
    steps.push_back(file.number);
  return steps;
}

std::vector<std::string> set_aside_after(const std::string& directory, std::int64_t step) {
  std::vector<std::string> renamed;
  for (const auto& [prefix, suffix] :
       {std::pair{"fields_", ".vtkhdf"}, std::pair{"fields_", ".h5"}, std::pair{"latlon_", ".nc"}})
    set_aside(directory, prefix, suffix, step, renamed);
  for (const std::string& name : average_names(directory)) {
    for (const char* const suffix : {".vtkhdf", ".h5"})
      set_aside(directory, average_kind(name) + "_", suffix, step, renamed);
  }
  for (const std::string& name : part_names(directory))
    set_aside(directory, part_kind(name) + "_", ".vtkhdf", step, renamed);
  for (const std::string& name : isosurface_names(directory))
    set_aside(directory, isosurface_kind(name) + "_", ".vtkhdf", step, renamed);
  for (const std::string& name : picture_names(directory))
    set_aside(directory, "picture_" + name + "_", ".png", step, renamed);
  set_aside(directory, "checkpoint_", ".h5", step, renamed);
  return renamed;
}

void set_aside_average(const std::string& directory, const std::string& name, std::int64_t step) {
  for (const bool blocks : {false, true}) {
    const std::string path = snapshot_path(directory, step, blocks, average_kind(name));
    const std::string aside = path + ".old";
    if (::rename(path.c_str(), aside.c_str()) != 0 && errno != ENOENT)
      system_fault("rename", path, errno);
  }
}

std::vector<std::string> set_aside_checkpoints_after(const std::string& directory,
                                                     std::int64_t step) {
  std::vector<std::string> renamed;
  set_aside(directory, "checkpoint_", ".h5", step, renamed);
  return renamed;
}

std::vector<std::string> remove_unfinished(const std::string& directory) {
  std::error_code code;
  fs::directory_iterator entries(directory, code);
  if (code) system_fault("list", directory, code.value());
  std::vector<std::string> removed;
  for (const auto& entry : entries) {
    const std::string path = entry.path().string();
    if (!path.ends_with(".part") || !entry.is_regular_file()) continue;
    if (::unlink(path.c_str()) != 0) system_fault("remove", path, errno);
    removed.push_back(path);
  }
  return removed;
}

}  // namespace watersmeet::io
