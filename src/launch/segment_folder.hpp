#pragma once
// A folder in /dev/shm for the memory that the ranks of one host share in Open MPI 4, and for the
// files of its launcher. The launcher removes what killed ranks leave, 4 MiB each, unless it is
// killed too; here all of that goes with the folder, and folders whose process is gone are removed
// by the next one.

#include <string>

#include "launch/launch.hpp"

namespace watersmeet::launch {

// What Open MPI takes it from: the memory of its transport, and the session files of the launcher,
// with which PMIx shares memory too.
inline constexpr const char* segment_variables[] = {"OMPI_MCA_btl_vader_backing_directory",
                                                    "OMPI_MCA_orte_tmpdir_base"};

class SegmentFolder {
 public:
  // Makes none for other kinds and versions, where the caller has named any, or without /dev/shm.
  explicit SegmentFolder(LauncherKind kind);
  ~SegmentFolder();
  SegmentFolder(const SegmentFolder&) = delete;
  SegmentFolder& operator=(const SegmentFolder&) = delete;
  const std::string& path() const { return path_; }  // empty: there is none

 private:
  std::string path_;
  int lock_ = -1;  // held as long as this process lives
};

}  // namespace watersmeet::launch
