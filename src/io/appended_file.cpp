// Growing text files with POSIX calls; see the header.
#include "io/appended_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "io/atomic_file.hpp"

namespace watersmeet::io {

int open_for_append(const std::string& path) {
  const int descriptor = uninterrupted([&] {
    return ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
  });
  if (descriptor < 0) system_fault("write", path, errno);
  return descriptor;
}

void append_text(int descriptor, const std::string& path, const std::string& text) {
  struct stat before {};
  const bool known = ::fstat(descriptor, &before) == 0;
  const int reason = write_all(descriptor, text);
  if (reason == 0) return;
  // Whether that succeeds changes nothing: the fault to report is that of the write.
  if (known) (void)!::ftruncate(descriptor, before.st_size);
  system_fault("write", path, reason);
}

void drop_unfinished_line(const std::string& path) {
  const std::string text = read_text_file(path);
  const auto last = text.rfind('\n');
  const std::size_t whole = last == std::string::npos ? 0 : last + 1;
  if (whole == text.size()) return;
  const int descriptor = open_for_append(path);
  const int reason = ::ftruncate(descriptor, static_cast<off_t>(whole)) == 0 ? 0 : errno;
  ::close(descriptor);
  if (reason != 0) system_fault("write", path, reason);
}

}  // namespace watersmeet::io
