// Opening a case: what to say when the file is not there, not a file, or not readable.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "config/input.hpp"
#include "config/nearest.hpp"
#include "core/error.hpp"

namespace watersmeet::config {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest_case = 16u << 20;  // bytes; a case is a page of text

std::vector<std::string> cases_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(folder.empty() ? "." : folder, error), end; !error && it != end;
       it.increment(error)) {
    if (it->path().extension() == ".toml") names.push_back(it->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

[[noreturn]] void refuse(ErrorKind kind, const std::string& path, const std::string& message,
                         const std::string& suggestion, const std::string& note) {
  Fault fault;
  fault.kind = FaultKind::missing_file;
  fault.message = message;
  fault.suggestion = suggestion;
  fault.note = note;
  throw Error(kind, render({fault}, path), to_json({fault}));
}

std::string listing(const fs::path& folder, std::vector<std::string> names) {
  if (names.empty()) return "";
  const bool more = names.size() > 8;
  if (more) names.resize(8);
  return fmt::format("cases in {}: {}{}", folder.empty() ? "this folder" : folder.string(),
                     join(names), more ? ", ..." : "");
}

[[noreturn]] void refuse_missing(const std::string& path) {
  const fs::path file(path);
  const fs::path folder = file.parent_path();
  std::error_code error;
  if (!folder.empty() && !fs::is_directory(folder, error)) {
    refuse(ErrorKind::io, path, "no folder `" + folder.string() + "`", "", "");
  }
  const std::vector<std::string> names = cases_in(folder);
  const std::string name = file.filename().string();
  std::optional<std::string> near = nearest(name, names);
  if (!near && file.extension() != ".toml") near = nearest(name + ".toml", names);
  refuse(ErrorKind::io, path, "no file `" + path + "`",
         near ? "did you mean `" + (folder / *near).string() + "`?" : "",
         near ? "" : listing(folder, names));
}

}  // namespace

Input Input::from_file(const std::string& path, const std::vector<std::string>& overrides) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    if (error && error != std::errc::no_such_file_or_directory &&
        error != std::errc::not_a_directory) {
      refuse(ErrorKind::io, path, "`" + path + "` cannot be read: " + error.message(), "", "");
    }
    refuse_missing(path);
  }
  if (fs::is_directory(status)) {
    const std::vector<std::string> names = cases_in(path);
    const bool one = names.size() == 1;
    refuse(ErrorKind::user_input, path, "`" + path + "` is a folder, not a case file",
           one ? "did you mean `" + (fs::path(path) / names[0]).string() + "`?" : "",
           one ? "" : listing(path, names));
  }
  if (fs::is_regular_file(status) && fs::file_size(path, error) > largest_case) {
    refuse(ErrorKind::user_input, path, "`" + path + "` is too large for a case file (16 MiB)",
           "a case is a TOML text; for snapshots use watersmeet info " + path, "");
  }
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  if (stream && stream.peek() != std::ifstream::traits_type::eof()) text << stream.rdbuf();
  if (!stream.is_open() || stream.bad()) {
    refuse(ErrorKind::io, path, "`" + path + "` cannot be read", "check its permissions", "");
  }
  return from_text(text.str(), path, overrides);
}

Input Input::from_text(const std::string& text, const std::string& name,
                       const std::vector<std::string>& overrides) {
  return Input(text, name, overrides);
}

}  // namespace watersmeet::config
