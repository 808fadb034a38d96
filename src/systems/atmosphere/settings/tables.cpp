#include "systems/atmosphere/settings/tables.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "memory/rounded.hpp"

namespace watersmeet::atmosphere {

namespace {

constexpr int profile_intervals = 512;

std::int64_t folded(std::int64_t corner, std::int64_t n, bool periodic) {
  if (periodic) return ((corner % n) + n) % n;
  if (corner < 0) return -corner;
  return corner > n ? 2 * n - corner : corner;
}

}  // namespace

TableAddress<double> TableStore::keep(const std::vector<double>& values, std::int64_t first) {
  buffers_.push_back(memory::rounded_buffer(values, precision_, queue_));
  return {buffers_.back().as<char>() + first * static_cast<std::int64_t>(size_of(precision_))};
}

void* TableStore::keep_space(std::size_t bytes) {
  buffers_.emplace_back(memory::working_space(queue_.backend), bytes);
  return buffers_.back().start();
}

std::vector<double> level_table(const ReferenceState& reference, const Levels& levels,
                                double bottom, std::int64_t first, std::int64_t end) {
  std::vector<double> values;
  for (std::int64_t k = first; k < end; ++k) {
    const double middle = bottom + levels.middle(k), face = bottom + levels.face(k);
    values.insert(values.end(),
                  {reference.rho(middle), reference.p(middle), reference.geopotential(middle),
                   reference.theta(middle), reference.rho(face), reference.p(face),
                   reference.geopotential(face), reference.exner(face)});
  }
  return values;
}

void keep_profile(const ReferenceState& reference, const Levels& levels, double lowest,
                  Medium<double>& medium, TableStore& store) {
  const double margin = levels.reach(4);
  const CubicProfile profile = tabulate(reference, medium.bottom + lowest - margin,
                                        medium.bottom + medium.depth + margin, profile_intervals);
  medium.profile_lower = profile.lower;
  medium.inverse_step = 1 / profile.step;
  medium.last_interval = profile.intervals - 1;
  medium.profile = store.keep(profile.coefficients);
}

double sponge_rate(const Sponge& sponge, double from_side) {
  if (!sponge.on() || from_side >= sponge.width) return 0;
  const double s = std::sin(0.5 * std::numbers::pi * (1 - from_side / sponge.width));
  return sponge.rate * s * s;
}

std::vector<double> Ground::corners(const std::array<std::int64_t, 2>& first,
                                    const std::array<std::int64_t, 2>& end) const {
  const std::size_t n = static_cast<std::size_t>(end[0] - first[0]);
  std::vector<double> values(n * static_cast<std::size_t>(end[1] - first[1]), 0.0);
  if (text.empty()) return values;
  config::Expression height(text, {"x", "y"}, constants);
  const auto coordinate = [&](std::size_t a, std::int64_t corner) {
    if (cells[a] == 1) return geometry.lower[a] + 0.5 * geometry.spacing[a];
    return geometry.lower[a] +
           static_cast<double>(folded(corner, cells[a], periodic[a])) * geometry.spacing[a];
  };
  std::vector<double> x, y(n);
  for (std::int64_t i = first[0]; i < end[0]; ++i) x.push_back(coordinate(0, i));
  for (std::int64_t j = first[1]; j < end[1]; ++j) {
    std::fill(y.begin(), y.end(), coordinate(1, j));
    const double* const columns[2] = {x.data(), y.data()};
    double* const row = values.data() + n * static_cast<std::size_t>(j - first[1]);
    height.evaluate_row(n, columns, row);
    for (std::size_t i = 0; i < n; ++i) row[i] -= geometry.lower[2];
  }
  return values;
}

void put_columns(const std::vector<double>& heights, std::int64_t corners_x, double dx, double dy,
                 double* values, std::int64_t stride_j, std::int64_t stride_value) {
  const std::int64_t corners_y = static_cast<std::int64_t>(heights.size()) / corners_x;
  for (std::int64_t j = 0; j + 1 < corners_y; ++j) {
    for (std::int64_t i = 0; i + 1 < corners_x; ++i) {
      const auto corner = [&](std::int64_t di, std::int64_t dj) {
        return heights[static_cast<std::size_t>((j + dj) * corners_x + i + di)];
      };
      const auto put = [&](ColumnValue value, double number) {
        values[value * stride_value + j * stride_j + i] = number;
      };
      const double west = corner(0, 0) + corner(0, 1), east = corner(1, 0) + corner(1, 1);
      const double south = corner(0, 0) + corner(1, 0), north = corner(0, 1) + corner(1, 1);
      put(c_middle, 0.25 * (west + east));
      put(c_face_x, 0.5 * west);
      put(c_face_y, 0.5 * south);
      put(c_slope_x, (east - west) / (2 * dx));
      put(c_slope_y, (north - south) / (2 * dy));
    }
  }
}

Medium<double> medium_of(const TableRequest& r) {
  Medium<double> m;
  const mesh::Uniform& g = r.ground.geometry;
  m.terrain = !r.ground.text.empty();
  m.gravity = r.reference.gravity;
  m.bottom = g.lower[2];
  m.depth = g.spacing[2] * static_cast<double>(r.ground.cells[2]);
  m.inverse_depth = 1 / m.depth;
  m.spacing_zeta = g.spacing[2];
  return m;
}

Tables::Tables(const TableRequest& r, const Box& part, Precision precision, const Queue& queue,
               BoxCase& of)
    : store_(precision, queue) {
  Medium<double>& medium = of.flow.mesh.medium;
  const mesh::Uniform& g = r.ground.geometry;
  const Levels levels = r.levels();
  medium.first_level = static_cast<double>(part.lower[2]);
  if (levels.stretched()) {
    medium.stretch = store_.keep(
        levels.stretch_table(part.lower[2] - ghosts, part.upper[2] + ghosts + 1, r.kappa));
  }
  if (!medium.terrain) {
    medium.levels = store_.keep(level_table(r.reference, levels, medium.bottom,
                                            part.lower[2] - ghosts, part.upper[2] + ghosts + 1));
  } else {
    const std::int64_t nx = part.upper[0] - part.lower[0], ny = part.upper[1] - part.lower[1];
    const std::int64_t row = nx + 2 * ghosts + 1 + row_padding, rows = ny + 2 * ghosts + 1;
    const std::array<std::int64_t, 2> first = {part.lower[0] - ghosts, part.lower[1] - ghosts};
    const std::int64_t corners_x = nx + 2 * ghosts + 2;
    const std::vector<double> h =
        r.ground.corners(first, {first[0] + corners_x, first[1] + rows + 1});
    medium.stride_j = row;
    medium.stride_value = row * rows;
    std::vector<double> values(static_cast<std::size_t>(column_values * row * rows));
    put_columns(h, corners_x, g.spacing[0], g.spacing[1], values.data(), row, row * rows);
    medium.columns = store_.keep(values, ghosts * row + ghosts);
    // The heights of the whole grid, so that all parts have the same intervals.
    const std::vector<double> all =
        r.ground.corners({0, 0}, {r.ground.cells[0] + 1, r.ground.cells[1] + 1});
    const double lowest = std::min(0.0, *std::min_element(all.begin(), all.end()));
    keep_profile(r.reference, levels, lowest, medium, store_);
  }
  const Sponge* const sides[2] = {&r.sides[0], &r.sides[1]};
  for (std::size_t a = 0; a < 3; ++a) {
    if (!(a == 2 ? r.top : *sides[a]).on()) continue;
    std::vector<double> rates;
    const double length = g.spacing[a] * static_cast<double>(r.ground.cells[a]);
    for (std::int64_t n = part.lower[a] - ghosts; n < part.upper[a] + ghosts; ++n) {
      const double at = a == 2 ? levels.middle(n) : (static_cast<double>(n) + 0.5) * g.spacing[a];
      rates.push_back(a == 2 ? sponge_rate(r.top, length - at)
                             : sponge_rate(*sides[a], std::min(at, length - at)));
    }
    rates.resize(rates.size() + static_cast<std::size_t>(row_padding), 0.0);
    of.flow.sponge[static_cast<int>(a)] = store_.keep(rates, ghosts);
  }
  std::vector<double> x;
  for (std::int64_t i = part.lower[0] - ghosts; i < part.upper[0] + ghosts + row_padding; ++i) {
    x.push_back(g.coordinate(0, i));
  }
  of.x = store_.keep(x, ghosts);
}

}  // namespace watersmeet::atmosphere
