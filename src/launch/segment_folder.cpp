#include "launch/segment_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "comm/communicator.hpp"

namespace watersmeet::launch {

namespace {
namespace fs = std::filesystem;

constexpr const char *place = "/dev/shm", *prefix = "watersmeet-ranks-";

// A descriptor that holds the lock of a folder; -1 when another process has it.
int locked(const std::string& path) {
  const int folder = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder >= 0 && flock(folder, LOCK_EX | LOCK_NB) != 0) {
    close(folder);
    return -1;
  }
  return folder;
}

// Those of processes that were killed. What another user owns stays.
void remove_left_ones() {
  std::error_code error;
  for (fs::directory_iterator it(place, error), end; !error && it != end; it.increment(error)) {
    if (!it->path().filename().string().starts_with(prefix)) continue;
    const int lock = locked(it->path().string());
    if (lock < 0) continue;
    std::error_code kept;
    fs::remove_all(it->path(), kept);
    close(lock);
  }
}
}  // namespace

SegmentFolder::SegmentFolder(LauncherKind kind) {
  const bool known = kind == LauncherKind::open_mpi &&
                     comm::mpi_version().find("Open MPI v4") != std::string::npos;
  const bool named = std::ranges::any_of(
      segment_variables, [](const char* variable) { return std::getenv(variable) != nullptr; });
  if (!known || named) return;
  remove_left_ones();
  path_ = std::string(place) + "/" + prefix + "XXXXXX";
  if (mkdtemp(path_.data()) == nullptr) {
    path_.clear();
    return;
  }
  lock_ = locked(path_);
  // Another process may have taken it for one that was left, before the lock.
  if (lock_ < 0 || access(path_.c_str(), W_OK) != 0) path_.clear();
}

SegmentFolder::~SegmentFolder() {
  std::error_code error;
  if (!path_.empty()) fs::remove_all(path_, error);
  if (lock_ >= 0) close(lock_);
}

}  // namespace watersmeet::launch
