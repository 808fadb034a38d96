// Copies of the files that a case names; see the header.
#include "run/kept_files.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/run_directory.hpp"

namespace watersmeet::run {
namespace {
namespace fs = std::filesystem;
constexpr const char* folder = "inputs";
}  // namespace

std::vector<KeptFile> name_kept_files(config::Input& input) {
  std::vector<KeptFile> kept;
  const std::map<std::string, std::string> files = input.files();
  for (const auto& [path, opened] : files) {
    const auto same = [&opened = opened](const KeptFile& f) { return f.opened == opened; };
    auto known = std::find_if(kept.begin(), kept.end(), same);
    if (known == kept.end()) {
      const std::string base = fs::path(opened).filename().string();
      std::string name = io::join(folder, base);
      const auto taken = [&](const KeptFile& f) { return f.name == name; };
      for (int n = 2; std::any_of(kept.begin(), kept.end(), taken); ++n)
        name = io::join(folder, std::to_string(n) + "-" + base);
      known = kept.insert(kept.end(), {opened, name});
    }
    input.rename_file(path, known->name);
  }
  return kept;
}

void keep_files(const std::string& directory, const std::vector<KeptFile>& files) {
  if (files.empty()) return;
  const std::string inputs = io::join(directory, folder);
  if (fs::is_symlink(inputs)) {
    throw Error(ErrorKind::io,
                "cannot write into " + inputs +
                    ": it is a symbolic link, and files are not written through links");
  }
  io::make_directories(inputs);
  for (const KeptFile& file : files) {
    const std::string place = io::join(directory, file.name);
    std::error_code error;
    if (fs::equivalent(file.opened, place, error)) continue;
    io::write_text_file(place, io::read_text_file(file.opened));
  }
}

}  // namespace watersmeet::run
