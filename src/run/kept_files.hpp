#pragma once
// Files that a case names, a cloud of bubbles for instance, are copied into DIR/inputs/ at the
// start of a run, and its resolved.toml names the copies: the folder can be moved and resumed
// without them.

#include <string>
#include <vector>

#include "config/input.hpp"

namespace watersmeet::run {

struct KeptFile {
  std::string opened, name;  // where it was read; its place in the folder of the run
};

// Renames the files of a case that was read and checked: the same names on all ranks, and names
// that differ for files that differ.
std::vector<KeptFile> name_kept_files(config::Input& input);

// Copies them, but for those that are in their place already. Throws Error{io}.
void keep_files(const std::string& directory, const std::vector<KeptFile>& files);

}  // namespace watersmeet::run
