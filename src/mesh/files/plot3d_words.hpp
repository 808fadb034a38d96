#pragma once
// The numbers of a Plot3D file one after the other, whatever its form: private to the Plot3D
// reader.

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "mesh/files/plot3d.hpp"

namespace watersmeet::mesh {

// Numbers of an ASCII file: blanks, commas and line ends between them, "3*0.5" for three times 0.5,
// exponents with e or d. `wrong` is the place of the first thing that is no number, or that repeats
// one so often that the file has more than 64 for each of its characters; npos if there is none.
struct AsciiNumbers {
  std::vector<double> values;
  std::size_t wrong = std::string_view::npos;
};
AsciiNumbers ascii_numbers(std::string_view content);
bool looks_like_text(std::string_view content);

// Reads words of 4 and 8 bytes in either order.
class Bytes {
 public:
  Bytes(std::string_view content, bool big_endian) : content_(content), swap_(big_endian) {}

  std::size_t size() const { return content_.size(); }
  bool has(std::size_t at, std::size_t bytes) const {
    return at <= content_.size() && content_.size() - at >= bytes;
  }
  std::int32_t integer(std::size_t at) const { return as<std::int32_t>(at); }
  std::int64_t whole(std::size_t at, int bytes) const {
    return bytes == 4 ? as<std::int32_t>(at) : as<std::int64_t>(at);
  }
  double real(std::size_t at, int bytes) const {
    return bytes == 4 ? static_cast<double>(as<float>(at)) : as<double>(at);
  }

 private:
  template <class T>
  T as(std::size_t at) const {
    unsigned char raw[sizeof(T)];
    std::memcpy(raw, content_.data() + at, sizeof(T));
    if (swap_) {
      for (std::size_t b = 0; b < sizeof(T) / 2; ++b) std::swap(raw[b], raw[sizeof(T) - 1 - b]);
    }
    T value;
    std::memcpy(&value, raw, sizeof(T));
    return value;
  }

  std::string_view content_;
  bool swap_;  // this program runs on little-endian processors only
};

}  // namespace watersmeet::mesh
