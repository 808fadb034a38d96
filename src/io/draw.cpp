#include "io/draw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "core/error.hpp"

namespace watersmeet::io {
namespace {

// What numbers are written with, 5 x 7 dots each, rows from the top.
constexpr int glyph_width = 5, glyph_height = 7;
constexpr std::string_view glyph_names = "0123456789.-+e=t";
constexpr std::array<std::string_view, 16> glyphs = {
    " ### #   ##   ##   ##   ##   # ### ", "  #   ##    #    #    #    #   ### ",
    " ### #   #    #   #   #   #   #####", " ### #   #    #  ##     ##   # ### ",
    "   #   ##  # # #  # #####   #    # ", "######    ####     #    ##   # ### ",
    " ### #    #    #### #   ##   # ### ", "#####    #   #   #    #    #    #  ",
    " ### #   ##   # ### #   ##   # ### ", " ### #   ##   # ####    #    # ### ",
    "                           ##   ## ", "               #####               ",
    "       #    #  #####  #    #       ", "           ### #   #######     ### ",
    "          #####     #####          ", " #    #   ###   #    #    #     ## "};
constexpr int longest_number = 11;  // "-1.234e-100"

// Sides of the dots of numbers, in pixels.
int dot_of(int height) { return std::clamp(height / 220, 1, 4); }

struct Canvas {
  Picture& picture;
  void fill(int x, int y, int width, int height, std::uint8_t colour) const {
    for (int row = y; row < y + height; ++row) {
      const auto begin = picture.pixels.begin() + std::ptrdiff_t{row} * picture.width + x;
      std::fill(begin, begin + width, colour);
    }
  }
  void write(const std::string& text, int x, int y, int dot) const {
    for (const char letter : text) {
      const std::size_t found = glyph_names.find(letter);
      for (int d = 0; found != std::string_view::npos && d < glyph_width * glyph_height; ++d) {
        if (glyphs[found][static_cast<std::size_t>(d)] == '#')
          fill(x + d % glyph_width * dot, y + d / glyph_width * dot, dot, dot, ink);
      }
      x += (glyph_width + 1) * dot;
    }
  }
};

}  // namespace

Limits limits_shown(const PixelMap& map, const std::vector<double>& values, bool diverging) {
  std::vector<double> shown;
  for (const std::int32_t cell : map.cells) {
    if (cell >= 0) shown.push_back(values[static_cast<std::size_t>(cell)]);
  }
  return limits_shown(shown, diverging);
}

Limits limits_shown(const std::vector<double>& values, bool diverging) {
  constexpr double far = std::numeric_limits<double>::infinity();
  Limits found{far, -far};
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    found.low = std::min(found.low, value);
    found.high = std::max(found.high, value);
  }
  if (found.low > found.high) return {0, 1};
  if (diverging) {
    found.high = std::max(found.high, -found.low);
    found.low = -found.high;
  }
  if (found.low < found.high) return found;
  const double reach = 0.5 * std::max(std::abs(found.low), 1e-12);
  return {found.low - reach, found.high + reach};
}

std::uint8_t colour_of(double value, const Limits& limits) {
  if (std::isnan(value)) return no_number;
  // Halves, because the difference of two finite numbers may be none.
  const double share = (0.5 * value - 0.5 * limits.low) / (0.5 * limits.high - 0.5 * limits.low);
  const double place = std::floor(std::clamp(share, 0.0, 1.0) * value_colours);
  return static_cast<std::uint8_t>(std::min<double>(place, value_colours - 1));
}

PictureSize picture_size(int width, int height) {
  const int dot = dot_of(height);
  return {width + (3 + 8 + 3 + longest_number * (glyph_width + 1)) * dot,
          height + (glyph_height + 4) * dot};
}

Picture draw(const PixelMap& map, const std::vector<double>& values, const Limits& limits,
             const std::string& colours, double time) {
  require(limits.low < limits.high, "the lowest colour belongs to a lower value than the highest");
  const PictureSize size = picture_size(map.width, map.height);
  Picture picture{size.width, size.height, colours_of(colours, value_colours), {}};
  picture.palette.insert(picture.palette.end(), {{255, 255, 255}, {34, 34, 34}, {255, 0, 255}});
  picture.pixels.assign(
      static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height), no_cell);
  auto from = map.cells.begin();
  for (int row = 0; row < map.height; ++row) {
    auto to = picture.pixels.begin() + std::ptrdiff_t{row} * size.width;
    for (int column = 0; column < map.width; ++column, ++from, ++to) {
      if (*from >= 0) *to = colour_of(values[static_cast<std::size_t>(*from)], limits);
    }
  }
  const Canvas canvas{picture};
  const int dot = dot_of(map.height), bar = map.width + 3 * dot, numbers = bar + 11 * dot;
  canvas.fill(bar, 0, 8 * dot, map.height, ink);
  for (int row = 1; row + 1 < map.height; ++row) {
    const int level = (map.height - 1 - row) * value_colours / map.height;
    canvas.fill(bar + 1, row, 8 * dot - 2, 1, static_cast<std::uint8_t>(level));
  }
  const auto number = [](double value) { return fmt::format("{:.4g}", value); };
  const int last = map.height - glyph_height * dot;
  if (last > 0) {
    canvas.write(number(limits.high), numbers, 0, dot);
    if (last > 3 * glyph_height * dot)
      canvas.write(number(0.5 * limits.low + 0.5 * limits.high), numbers, last / 2, dot);
    if (last > glyph_height * dot) canvas.write(number(limits.low), numbers, last, dot);
  }
  canvas.write("t=" + number(time), 0, map.height + 3 * dot, dot);
  return picture;
}

}  // namespace watersmeet::io
