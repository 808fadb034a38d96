#include "mesh/lon_lat_remap.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.hpp"

namespace watersmeet::mesh {

namespace {

using std::numbers::pi;

std::vector<double> steps(double from, double length, std::int64_t n, double offset) {
  std::vector<double> values;
  const std::int64_t count = offset == 0 ? n + 1 : n;
  for (std::int64_t m = 0; m < count; ++m) {
    values.push_back(from + length * (static_cast<double>(m) + offset) / static_cast<double>(n));
  }
  return values;
}

}  // namespace

std::vector<double> LonLatGrid::lon() const { return steps(0, 360, nlon, 0.5); }
std::vector<double> LonLatGrid::lat() const { return steps(-90, 180, nlat, 0.5); }
std::vector<double> LonLatGrid::lon_edges() const { return steps(0, 360, nlon, 0); }
std::vector<double> LonLatGrid::lat_edges() const { return steps(-90, 180, nlat, 0); }

LonLatRemap::LonLatRemap(std::int64_t n, const LonLatGrid& grid)
    : n_(n), grid_(grid), mesh_(make_cubed_sphere(n)), line_(ghost_line(n, 0)) {
  require(grid.nlon > 0 && grid.nlat > 0, "a grid of longitudes and latitudes has cells");
  require(panels * n * n < std::int64_t{1} << 31, "cells of a sphere are counted in 32 bits");
  const std::vector<double> lons = grid.lon(), lats = grid.lat();
  for (const double lat_deg : lats) {
    for (const double lon_deg : lons) {
      first_.push_back(entries_.size());
      const auto [panel, alpha, beta] = panel_angles(lon_deg * pi / 180, lat_deg * pi / 180);
      // In cells, 0 at the middle of cell 0: from -1/2 to n - 1/2.
      const auto place = [&](double angle) {
        return (angle + pi / 4) * (2 / pi) * static_cast<double>(n) - 0.5;
      };
      const double x = place(alpha), y = place(beta);
      const auto i = static_cast<std::int64_t>(std::floor(x));
      const auto j = static_cast<std::int64_t>(std::floor(y));
      const double s = x - static_cast<double>(i), t = y - static_cast<double>(j);
      add(panel, i, j, (1 - s) * (1 - t));
      add(panel, i + 1, j, s * (1 - t));
      add(panel, i, j + 1, (1 - s) * t);
      add(panel, i + 1, j + 1, s * t);
    }
  }
  first_.push_back(entries_.size());
}

// Adds the weight of a cell of a panel, or of a ghost around it.
void LonLatRemap::add(std::int64_t panel, std::int64_t i, std::int64_t j, double weight) {
  const std::int64_t inner_i = std::clamp<std::int64_t>(i, 0, n_ - 1);
  const std::int64_t inner_j = std::clamp<std::int64_t>(j, 0, n_ - 1);
  const int side_x = i < 0 ? 0 : 1, side_y = j < 0 ? 2 : 3;
  if (i == inner_i && j == inner_j) {
    entries_.push_back({static_cast<std::int32_t>((panel * n_ + j) * n_ + i), weight});
  } else if (j == inner_j) {
    add_ghost(panel, side_x, j, weight);
  } else if (i == inner_i) {
    add_ghost(panel, side_y, i, weight);
  } else {  // the corner of the plane through its three neighbours
    add_ghost(panel, side_x, inner_j, weight);
    add_ghost(panel, side_y, inner_i, weight);
    add(panel, inner_i, inner_j, -weight);
  }
}

// Behind side 2 axis + upper, beside cell m of the panel's first line.
void LonLatRemap::add_ghost(std::int64_t panel, int side, std::int64_t m, double weight) {
  const Face face{side / 2, side % 2 == 1 ? Side::upper : Side::lower};
  const Link& link = mesh_.links(static_cast<int>(panel), face).front();
  const GhostStencil& stencil = line_[static_cast<std::size_t>(m)];
  const auto below =
      std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(stencil.place)), 0, n_ - 2);
  const double part = stencil.place - static_cast<double>(below);
  const std::size_t across = static_cast<std::size_t>(face.axis);
  const bool reversed = link.orientation.sign[1 - across] < 0;
  const std::int64_t line = link.neighbour_face.side == Side::upper ? n_ - 1 : 0;
  for (const auto& [cell, share] : {std::pair{below, 1 - part}, std::pair{below + 1, part}}) {
    const std::int64_t there = reversed ? n_ - 1 - cell : cell;
    const bool along_y = link.neighbour_face.axis == 0;
    add(link.neighbour, along_y ? line : there, along_y ? there : line, weight * share);
  }
}

std::vector<double> LonLatRemap::apply(const std::vector<double>& values, std::int64_t levels,
                                       std::int64_t components) const {
  const std::int64_t plane = n_ * n_;
  require(std::ssize(values) == panels * levels * plane * components,
          "a value for every cell of all panels");
  const std::int64_t cells = grid_.nlon * grid_.nlat;
  std::vector<double> result(static_cast<std::size_t>(levels * cells * components), 0.0);
  for (std::int64_t level = 0; level < levels; ++level) {
    for (std::int64_t cell = 0; cell < cells; ++cell) {
      double* const to = result.data() + (level * cells + cell) * components;
      for (std::size_t e = first_[static_cast<std::size_t>(cell)];
           e < first_[static_cast<std::size_t>(cell) + 1]; ++e) {
        const std::int64_t panel = entries_[e].cell / plane, at = entries_[e].cell % plane;
        const double* const from =
            values.data() + ((panel * levels + level) * plane + at) * components;
        for (std::int64_t c = 0; c < components; ++c) to[c] += entries_[e].weight * from[c];
      }
    }
  }
  return result;
}

}  // namespace watersmeet::mesh
