#pragma once
// A surface in space as a picture: seen from a direction, in parallel projection, with the colours of values at its points, shaded, and with the edges of
// the box that it lies in, whose sides are drawn at least a quarter as long as the longest of them. Beside it stands what stands beside pictures of cells (draw.hpp).

#include <cstdint>
#include <string>
#include <vector>

#include "core/types.hpp"
#include "io/draw.hpp"

namespace watersmeet::io {

struct View {
  Real3 towards{1, -2, 1};  // the viewer, seen from the middle of the box; not zero
  Real3 lower{0, 0, 0}, upper{1, 1, 1};
};

// The size of the view alone, in pixels; picture_size() of these is the size of the picture.
constexpr int view_width = 900, view_height = 700;

// Triangles: numbers of three points each. places: x, y, z of each point; values: one at each point. z points upwards, where the viewer does not look
// along it; then y does. Colours: three bytes a pixel.
Picture draw_surface(const View& view, const std::vector<double>& places,
                     const std::vector<std::int64_t>& triangles, const std::vector<double>& values,
                     const Limits& limits, const std::string& colours, double time);

}  // namespace watersmeet::io
