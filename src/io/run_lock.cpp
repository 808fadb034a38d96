#include "io/run_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <sstream>
#include <thread>

#include "core/error.hpp"
#include "io/atomic_file.hpp"

namespace watersmeet::io {
namespace {

struct Holder {
  std::string host;
  long process = 0;
};

std::string this_host() {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  return host;
}

Holder read_holder(int descriptor) {
  char text[512] = "";
  const ssize_t length = ::pread(descriptor, text, sizeof text - 1, 0);
  Holder holder;
  std::string word;
  std::istringstream(std::string(text, length > 0 ? static_cast<std::size_t>(length) : 0)) >>
      word >> holder.host >> word >> holder.process;
  return holder;
}

// A process writes its name just after it has taken the lock.
Holder wait_for_holder(int descriptor) {
  Holder holder = read_holder(descriptor);
  for (int tries = 0; tries < 100 && holder.process == 0; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    holder = read_holder(descriptor);
  }
  return holder;
}

[[noreturn]] void refuse_running(const std::string& directory, const Holder& holder) {
  const std::string who = holder.process > 0
                              ? fmt::format("process {} on {}", holder.process, holder.host)
                              : "another process that is just starting";
  throw Error(ErrorKind::io,
              fmt::format("a run is in progress in {}: {}. End it first with  watersmeet stop {}",
                          directory, who, directory));
}

[[noreturn]] void refuse_other_host(const std::string& directory, const std::string& path,
                                    const Holder& holder) {
  throw Error(ErrorKind::io,
              fmt::format("process {} on {} writes into {}, or was killed there; from {} this "
                          "cannot be determined. If that process has ended, remove {}",
                          holder.process, holder.host, directory, this_host(), path));
}

// Whether the open file is still the one of that name: its holder may have removed it meanwhile.
bool is_still(int descriptor, const std::string& path) {
  struct stat open {
  }, named{};
  return ::fstat(descriptor, &open) == 0 && ::stat(path.c_str(), &named) == 0 &&
         open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

bool is_alive(const Holder& holder) {
  return holder.process > 0 &&
         (::kill(static_cast<pid_t>(holder.process), 0) == 0 || errno == EPERM);
}

}  // namespace

RunLock::RunLock(const std::string& directory) : path_(join(directory, "run.lock")) {
  int fd = -1;
  bool locked = false;
  do {
    if (fd >= 0) ::close(fd);
    fd = uninterrupted(
        [&] { return ::open(path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666); });
    if (fd < 0) {
      if (errno == EACCES || errno == EROFS || errno == EPERM || errno == ENOSPC) return;
      system_fault("open", path_, errno);
    }
    locked = ::flock(fd, LOCK_EX | LOCK_NB) == 0;
    if (!locked && errno == EWOULDBLOCK) {
      const Holder holder = wait_for_holder(fd);
      ::close(fd);
      refuse_running(directory, holder);
    }
  } while (!is_still(fd, path_));
  const Holder before = read_holder(fd);
  const bool other = !before.host.empty() && before.host != this_host();
  // Some file systems have no locks: there the process itself is looked for.
  const bool alive = !locked && !other && is_alive(before);
  if (other || alive) {
    ::close(fd);
    if (other) refuse_other_host(directory, path_, before);
    refuse_running(directory, before);
  }
  const std::string text = fmt::format("host {}\nprocess {}\n", this_host(), ::getpid());
  // A full disk is reported where files of the run are written; the lock is valid without its text.
  if (::ftruncate(fd, 0) == 0) {
    [[maybe_unused]] const ssize_t written = ::pwrite(fd, text.data(), text.size(), 0);
  }
  descriptor_ = fd;
}

RunLock::~RunLock() {
  if (descriptor_ < 0) return;
  ::unlink(path_.c_str());
  ::close(descriptor_);
}

}  // namespace watersmeet::io
