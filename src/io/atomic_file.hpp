#pragma once
// Text files that are either the old one or the complete new one, never half of it: written under
// NAME.part, flushed to the disk, renamed over NAME. Also the small file-system questions every
// writer asks.

#include <cerrno>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace watersmeet::io {

// Throws Error{io}, "cannot WHAT PATH: REASON", the reason from an errno.
[[noreturn]] void system_fault(const char* what, const std::string& path, int number);

// What a call of the system returns, made again where a signal interrupted it. (close() is not: Linux
// has released the descriptor then.)
template <class Call>
auto uninterrupted(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

// Writes all bytes of the text to a file descriptor: 0, or the errno of the call that failed.
int write_all(int descriptor, const std::string& text);

// Name under which a file is written before it is complete.
std::string part_name(const std::string& path);

// Replaces the file by the text. Throws Error{io} with path and the system's reason; the old file
// then stays.
void write_text_file(const std::string& path, const std::string& text);

// Whole content of a file. Throws Error{io}.
std::string read_text_file(const std::string& path);

// Second half of an atomic write: flushes PATH.part to the disk, renames it to PATH and flushes the
// directory's entry.
void publish_part(const std::string& path);
// `last` may add to the closed PATH.part, whose name it is given; then publish_part(). PATH.part is
// removed where one of them fails.
void finish_part(const std::string& path, const std::function<void(const std::string& part)>& last);

// Names (without directory) of the directory's entries that match prefix + digits + suffix, by
// increasing number.
struct NumberedFile {
  std::string name;
  std::int64_t number;
};
std::vector<NumberedFile> numbered_files(const std::string& directory, const std::string& prefix,
                                         const std::string& suffix);

// "DIR/NAME", or NAME where DIR is empty; the part of a path before its last slash ("." where there
// is none).
std::string join(const std::string& directory, const std::string& name);
std::string directory_of(const std::string& path);

}  // namespace watersmeet::io
