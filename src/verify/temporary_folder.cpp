#include "verify/temporary_folder.hpp"

#include <stdlib.h>

#include <filesystem>

#include "core/error.hpp"

namespace watersmeet::verify {

TemporaryFolder::TemporaryFolder() {
  std::string pattern =
      (std::filesystem::temp_directory_path() / "watersmeet-verify-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr)
    throw Error(ErrorKind::io, "cannot make a temporary folder " + pattern);
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace watersmeet::verify
