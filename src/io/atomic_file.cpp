// Atomic replacement of files with POSIX calls; see the header. The rename is the only moment at
// which a reader's view changes (POSIX: rename() replaces atomically within a file system).
#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>

#include "core/error.hpp"

namespace watersmeet::io {
namespace {

void flush_directory(const std::string& directory) {
  const int fd = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  // Some network file systems cannot flush a directory; the rename itself has succeeded.
  (void)uninterrupted([&] { return ::fsync(fd); });
  ::close(fd);
}

}  // namespace

void system_fault(const char* what, const std::string& path, int number) {
  const char* const reason = number == ELOOP
                                 ? "it is a symbolic link, and files are not written through links"
                                 : std::strerror(number);
  throw Error(ErrorKind::io, fmt::format("cannot {} {}: {}", what, path, reason));
}

int write_all(int descriptor, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n =
        uninterrupted([&] { return ::write(descriptor, text.data() + done, text.size() - done); });
    if (n < 0) return errno;
    done += static_cast<std::size_t>(n);
  }
  return 0;
}

std::string part_name(const std::string& path) { return path + ".part"; }

std::string join(const std::string& directory, const std::string& name) {
  if (directory.empty()) return name;
  return directory.back() == '/' ? directory + name : directory + "/" + name;
}

std::string directory_of(const std::string& path) {
  const auto slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

void publish_part(const std::string& path) {
  const std::string part = part_name(path);
  const int fd =
      uninterrupted([&] { return ::open(part.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC); });
  if (fd < 0) system_fault("open", part, errno);
  const int flushed = uninterrupted([&] { return ::fsync(fd); }) == 0 ? 0 : errno;
  const int closed = ::close(fd) == 0 || errno == EINTR ? 0 : errno;
  if (flushed != 0 || closed != 0) system_fault("flush", part, flushed != 0 ? flushed : closed);
  if (::rename(part.c_str(), path.c_str()) != 0) system_fault("rename to", path, errno);
  flush_directory(directory_of(path));
}

void finish_part(const std::string& path,
                 const std::function<void(const std::string& part)>& last) {
  try {
    if (last) last(part_name(path));
    publish_part(path);
  } catch (...) {
    ::unlink(part_name(path).c_str());
    throw;
  }
}

void write_text_file(const std::string& path, const std::string& text) {
  const std::string part = part_name(path);
  const int fd = uninterrupted([&] {
    return ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
  });
  if (fd < 0) system_fault("write", path, errno);
  int failure = write_all(fd, text);
  if (::close(fd) != 0 && errno != EINTR && failure == 0) failure = errno;
  if (failure != 0) {
    ::unlink(part.c_str());
    system_fault("write", path, failure);
  }
  finish_part(path, nullptr);
}

std::string read_text_file(const std::string& path) {
  const int fd = uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); });
  if (fd < 0) system_fault("read", path, errno);
  std::string text;
  std::vector<char> piece(1 << 16);
  while (true) {
    const ssize_t n = ::read(fd, piece.data(), piece.size());
    if (n > 0) {
      text.append(piece.data(), static_cast<std::size_t>(n));
    } else if (n == 0) {
      break;
    } else if (errno != EINTR) {
      const int failure = errno;
      ::close(fd);
      system_fault("read", path, failure);
    }
  }
  ::close(fd);
  return text;
}

std::vector<NumberedFile> numbered_files(const std::string& directory, const std::string& prefix,
                                         const std::string& suffix) {
  std::error_code code;
  std::filesystem::directory_iterator entries(directory, code);
  if (code) {
    throw Error(ErrorKind::io, fmt::format("cannot list {}: {}", directory, code.message()));
  }
  std::vector<NumberedFile> found;
  for (const auto& entry : entries) {
    const std::string name = entry.path().filename().string();
    if (name.size() <= prefix.size() + suffix.size() || !name.starts_with(prefix) ||
        !name.ends_with(suffix)) {
      continue;
    }
    const char* first = name.data() + prefix.size();
    const char* last = name.data() + name.size() - suffix.size();
    if (!std::all_of(first, last, [](char c) { return c >= '0' && c <= '9'; })) continue;
    std::int64_t number = 0;
    const auto [end, failure] = std::from_chars(first, last, number);
    if (failure == std::errc{} && end == last) found.push_back({name, number});
  }
  std::sort(found.begin(), found.end(), [](const NumberedFile& a, const NumberedFile& b) {
    return a.number != b.number ? a.number < b.number : a.name < b.name;
  });
  return found;
}

}  // namespace watersmeet::io
