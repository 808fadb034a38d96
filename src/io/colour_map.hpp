#pragma once
// Colour maps of pictures: from the lowest value to the highest.

#include <cstdint>
#include <string>
#include <vector>

namespace watersmeet::io {

struct Colour {
  std::uint8_t red = 0, green = 0, blue = 0;
  bool operator==(const Colour&) const = default;
};

// Whether the colours of a map, "viridis", "inferno", "gray" or "blue_red", go apart from its middle, which stands for zero.
bool diverges(const std::string& map);
// `count` colours of a map, two or more, the first and the last those of its ends.
std::vector<Colour> colours_of(const std::string& map, int count);

}  // namespace watersmeet::io
