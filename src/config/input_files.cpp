// Files that a case names: where they are found, and what the resolved case calls them.
#include <filesystem>

#include "config/input.hpp"
#include "core/error.hpp"

namespace watersmeet::config {

std::string Input::file(const std::string& path) {
  namespace fs = std::filesystem;
  const std::string named = text(path);
  const fs::path beside = fs::path(name()).parent_path() / named;  // `named` itself if absolute
  std::error_code error;
  return files_[path] = fs::exists(beside, error) ? beside.string() : named;
}

void Input::rename_file(const std::string& path, const std::string& name) {
  const auto found = entries_.find(path);
  require(found != entries_.end() && files_.count(path) > 0, "rename_file: no file of that key");
  found->second.value.texts = {name};
}

}  // namespace watersmeet::config
