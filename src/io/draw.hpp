#pragma once
// Values of cells as a picture, with the colours and the values of their ends at its right side, and the time below:
//
//      +-----------------+  +--+
//      |                 |  |  | highest
//      |    the cells    |  |  | middle
//      |                 |  |  | lowest
//      +-----------------+  +--+
//      t=1.25

#include <cstdint>
#include <string>
#include <vector>

#include "io/png_file.hpp"

namespace watersmeet::io {

// Which cell each pixel shows, rows from the top; -1: none, as outside a mesh.
struct PixelMap {
  int width = 0, height = 0;
  std::vector<std::int32_t> cells;
};

struct Limits {
  double low = 0, high = 1;
};
// The lowest and the highest finite value that is shown; as far from zero on both sides where colours diverge from there. Where all values are
// equal, or none is finite, a range about them.
Limits limits_shown(const std::vector<double>& values, bool diverging);
Limits limits_shown(const PixelMap& map, const std::vector<double>& values, bool diverging);

// The palette: colours of values, then these.
constexpr int value_colours = 253;  // odd, so that a diverging map has a middle
constexpr std::uint8_t no_cell = 253, ink = 254, no_number = 255;
// The place in the palette of a value: its share of the way from low to high, beyond them that of the end; `no_number` of NaN.
std::uint8_t colour_of(double value, const Limits& limits);

// The size of a picture of these cells with what stands beside them.
struct PictureSize {
  int width = 0, height = 0;
};
PictureSize picture_size(int width, int height);
Picture draw(const PixelMap& map, const std::vector<double>& values, const Limits& limits,
             const std::string& colours, double time);

}  // namespace watersmeet::io
