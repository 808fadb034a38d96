// watersmeet plot DIR, watersmeet watch DIR: the Python package does both.
#include <algorithm>
#include <filesystem>

#include "commands/python.hpp"
#include "commands/run_target.hpp"
#include "watersmeet/commands.hpp"

namespace watersmeet {

int command_pictures(const std::string& directory, const CommonOptions& options) {
  // The folder of a study has a table of its runs instead of a record.
  if (!std::filesystem::exists(std::filesystem::path(directory) / "study.csv")) {
    commands::require_run_directory(directory);
  }
  std::vector<std::string> words = options.words;
  const auto command = std::find_if(words.begin(), words.end(), [](const std::string& word) {
    return word == "plot" || word == "watch";
  });
  const std::string module = *command;
  words.erase(command);
  std::vector<std::string> packages = {"numpy", "h5py"};
  if (module == "plot") packages.emplace_back("matplotlib");
  commands::become_python(module, words, packages);
}

}  // namespace watersmeet
