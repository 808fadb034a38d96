// Sealing files; see the header.
#include "io/seal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

#include "core/error.hpp"
#include "io/appended_file.hpp"
#include "io/atomic_file.hpp"
#include "io/checksum.hpp"

namespace watersmeet::io {
namespace {

constexpr std::uint64_t footer_bytes = 16;  // "sealed 00000070\n"

// A file open for reading that closes itself.
class Input {
 public:
  explicit Input(const std::string& path)
      : path_(path), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    struct stat info {};
    if (descriptor_ < 0 || ::fstat(descriptor_, &info) != 0) system_fault("read", path_, errno);
    size_ = static_cast<std::uint64_t>(info.st_size);
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  ~Input() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  std::uint64_t size() const { return size_; }

  void read(std::uint64_t first, std::uint64_t count, char* bytes) const {
    while (count > 0) {
      const ssize_t n = ::pread(descriptor_, bytes, count, static_cast<off_t>(first));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) system_fault("read", path_, n < 0 ? errno : EIO);
      bytes += n;
      first += static_cast<std::uint64_t>(n);
      count -= static_cast<std::uint64_t>(n);
    }
  }
  std::string text(std::uint64_t first, std::uint64_t count) const {
    std::string bytes(count, '\0');
    read(first, count, bytes.data());
    return bytes;
  }

 private:
  std::string path_;
  int descriptor_;
  std::uint64_t size_ = 0;
};

// Checksum of bytes 0 .. size - 1 without the ranges.
std::uint32_t checksum(const Input& input, std::uint64_t size,
                       const std::vector<ByteRange>& skipped) {
  std::vector<char> piece(1 << 20);
  std::uint32_t crc = 0;
  std::uint64_t at = 0;
  const auto add_until = [&](std::uint64_t end) {
    while (at < end) {
      const std::uint64_t count = std::min<std::uint64_t>(piece.size(), end - at);
      input.read(at, count, piece.data());
      crc = crc32(piece.data(), count, crc);
      at += count;
    }
  };
  for (const ByteRange& range : skipped) {
    add_until(range.first);
    at = range.first + range.count;
  }
  add_until(size);
  return crc;
}

// Text of the seal, whose checksum continues over its own first part.
std::string seal_text(const Input& input, std::uint64_t size,
                      const std::vector<ByteRange>& skipped) {
  std::string ranges;
  for (const ByteRange& range : skipped) {
    ranges += fmt::format("{}{}+{}", ranges.empty() ? "" : ",", range.first, range.count);
  }
  const std::string start = fmt::format("size={} skip={} ", size, ranges);
  const std::uint32_t crc = crc32(start.data(), start.size(), checksum(input, size, skipped));
  const std::string line = fmt::format("{}crc32={:08x}\n", start, crc);
  return fmt::format("{}sealed {:08}\n", line, line.size() + footer_bytes);
}

// Reads "first+count,first+count" up to the space; false unless increasing and inside the file.
bool parse_ranges(const char*& at, const char* end, std::uint64_t size,
                  std::vector<ByteRange>& ranges) {
  std::uint64_t least = 0;
  while (at < end && *at != ' ') {
    ByteRange range{};
    auto result = std::from_chars(at, end, range.first);
    if (result.ec != std::errc{} || result.ptr == end || *result.ptr != '+') return false;
    result = std::from_chars(result.ptr + 1, end, range.count);
    if (result.ec != std::errc{} || range.first < least || range.first > size ||
        range.count > size - range.first) {
      return false;
    }
    ranges.push_back(range);
    least = range.first + range.count;
    at = result.ptr;
    if (at < end && *at == ',') ++at;
  }
  return at < end;
}

bool seal_fits(const Input& input) {
  if (input.size() < footer_bytes) return false;
  const std::string footer = input.text(input.size() - footer_bytes, footer_bytes);
  std::uint64_t length = 0;
  if (!footer.starts_with("sealed ") || footer.back() != '\n' ||
      std::from_chars(footer.data() + 7, footer.data() + 15, length).ptr != footer.data() + 15 ||
      length > input.size() || length < footer_bytes) {
    return false;
  }
  const std::uint64_t size = input.size() - length;
  const std::string stored = input.text(size, length);
  const std::string start = fmt::format("size={} skip=", size);
  if (!stored.starts_with(start)) return false;
  std::vector<ByteRange> skipped;
  const char* at = stored.data() + start.size();
  if (!parse_ranges(at, stored.data() + stored.size(), size, skipped)) return false;
  return seal_text(input, size, skipped) == stored;
}

}  // namespace

void seal_file(const std::string& path, const std::vector<ByteRange>& skipped) {
  const Input input(path);
  const std::string seal = seal_text(input, input.size(), skipped);
  const int descriptor = open_for_append(path);
  try {
    append_text(descriptor, path, seal);
  } catch (...) {
    ::close(descriptor);
    throw;
  }
  ::close(descriptor);
}

void check_seal(const std::string& path) {
  if (!seal_fits(Input(path))) {
    throw Error(ErrorKind::io,
                fmt::format("{} is damaged: it is truncated or was changed (the seal at its end "
                            "does not fit)",
                            path));
  }
}

}  // namespace watersmeet::io
