// Tables of colours 0xRRGGBB at even distances, linear between them.
//
// viridis and inferno: N. Smith and S. van der Walt (2015), https://bids.github.io/colormap, CC0; every fifth of their 256 colours.
// tests/python/test_pictures.py compares with all of them. blue_red: the eleven colours RdBu of ColorBrewer 2.0 from the last to the first,
// M. Harrower and C. A. Brewer, The Cartographic Journal 40, 27 (2003), as `watersmeet plot` has them.
#include "io/colour_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "core/error.hpp"

namespace watersmeet::io {
namespace {

constexpr std::array<std::uint32_t, 52> viridis = {
    0x440154, 0x46085c, 0x471063, 0x481769, 0x481d6f, 0x482475, 0x472a7a, 0x46307e, 0x453781,
    0x433d84, 0x414287, 0x3f4889, 0x3d4e8a, 0x3a538b, 0x38598c, 0x355e8d, 0x33638d, 0x31688e,
    0x2e6d8e, 0x2c718e, 0x2a768e, 0x297b8e, 0x27808e, 0x25848e, 0x23898e, 0x218e8d, 0x20928c,
    0x1f978b, 0x1e9c89, 0x1fa188, 0x21a585, 0x24aa83, 0x28ae80, 0x2eb37c, 0x35b779, 0x3dbc74,
    0x46c06f, 0x50c46a, 0x5ac864, 0x65cb5e, 0x70cf57, 0x7cd250, 0x89d548, 0x95d840, 0xa2da37,
    0xb0dd2f, 0xbddf26, 0xcae11f, 0xd8e219, 0xe5e419, 0xf1e51d, 0xfde725};
constexpr std::array<std::uint32_t, 52> inferno = {
    0x000004, 0x02020c, 0x050417, 0x0a0722, 0x10092d, 0x160b39, 0x1e0c45, 0x260c51, 0x2f0a5b,
    0x380962, 0x400a67, 0x490b6a, 0x510e6c, 0x59106e, 0x61136e, 0x69166e, 0x71196e, 0x781c6d,
    0x801f6c, 0x88226a, 0x902568, 0x982766, 0xa02a63, 0xa82e5f, 0xb0315b, 0xb73557, 0xbf3952,
    0xc63d4d, 0xcc4248, 0xd34743, 0xd94d3d, 0xdf5337, 0xe45a31, 0xe9612b, 0xed6925, 0xf1711f,
    0xf47918, 0xf78212, 0xf98b0b, 0xfa9407, 0xfb9d07, 0xfca60c, 0xfcb014, 0xfbba1f, 0xfac42a,
    0xf8cd37, 0xf6d746, 0xf4e156, 0xf2ea69, 0xf2f27d, 0xf5f992, 0xfcffa4};
constexpr std::array<std::uint32_t, 2> gray = {0x000000, 0xffffff};
constexpr std::array<std::uint32_t, 11> blue_red = {0x053061, 0x2166ac, 0x4393c3, 0x92c5de,
                                                    0xd1e5f0, 0xf7f7f7, 0xfddbc7, 0xf4a582,
                                                    0xd6604d, 0xb2182b, 0x67001f};

std::span<const std::uint32_t> table_of(const std::string& map) {
  if (map == "viridis") return viridis;
  if (map == "inferno") return inferno;
  if (map == "gray") return gray;
  require(map == "blue_red", "a colour map has one of the names that cases can give");
  return blue_red;
}

}  // namespace

bool diverges(const std::string& map) { return map == "blue_red"; }

std::vector<Colour> colours_of(const std::string& map, int count) {
  require(count >= 2, "a colour map has two ends");
  const std::span<const std::uint32_t> table = table_of(map);
  std::vector<Colour> colours;
  for (int c = 0; c < count; ++c) {
    const double place = static_cast<double>(c) / (count - 1) * double(table.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(place), table.size() - 2);
    const double share = place - static_cast<double>(below);
    const auto between = [&](int shift) {
      const auto part = [&](std::size_t n) { return double(table[n] >> shift & 0xff); };
      return static_cast<std::uint8_t>(
          std::lround((1 - share) * part(below) + share * part(below + 1)));
    };
    colours.push_back({between(16), between(8), between(0)});
  }
  return colours;
}

}  // namespace watersmeet::io
