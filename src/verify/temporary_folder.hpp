#pragma once
// A folder for the files of a verification, which goes away with its owner.

#include <string>

namespace watersmeet::verify {

class TemporaryFolder {
 public:
  TemporaryFolder();  // Error{io} when none can be made
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace watersmeet::verify
