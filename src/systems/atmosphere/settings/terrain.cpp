// The ground as the case gives it, and where it is too high or too steep.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <functional>

#include "systems/atmosphere/system.hpp"

namespace watersmeet::atmosphere {

using config::FaultKind;

namespace {

// Ground may take up to half of the grid and rise by up to two in one: beyond that cells are thin or
// slanted so much that neither accuracy nor the step are worth having.
constexpr double highest_ground = 0.5, steepest_ground = 2.0;

// Heights of corners [j][i], nx in a row and so far apart, above the bottom of a grid of this depth;
// false where a fault was found. `place`: the words for a corner.
bool check_ground(config::Input& input, const std::vector<double>& h, std::int64_t nx,
                  const std::array<double, 2>& spacing, double depth,
                  const std::function<std::string(std::int64_t i, std::int64_t j)>& place) {
  const auto rows = static_cast<std::int64_t>(h.size()) / nx;
  const auto at = [&](std::int64_t i, std::int64_t j) {
    return h[static_cast<std::size_t>(j * nx + i)];
  };
  for (std::int64_t j = 0; j < rows; ++j) {
    for (std::int64_t i = 0; i < nx; ++i) {
      if (!(std::abs(at(i, j)) <= highest_ground * depth)) {
        input.fault(
            FaultKind::range, "physics.terrain",
            fmt::format(
                "the ground is {} from the bottom of the grid at {}, and the grid is {:.4g} high",
                config::shown(at(i, j)), place(i, j), depth),
            fmt::format("it may be at most {:.4g}, half the height of the grid",
                        highest_ground * depth));
        return false;
      }
      const double rise[2] = {i > 0 ? (at(i, j) - at(i - 1, j)) / spacing[0] : 0.0,
                              j > 0 ? (at(i, j) - at(i, j - 1)) / spacing[1] : 0.0};
      for (const double slope : rise) {
        if (std::abs(slope) <= steepest_ground) continue;
        input.fault(
            FaultKind::range, "physics.terrain",
            fmt::format("the ground has a slope of {:.3g} at {}", slope, place(i, j)),
            fmt::format("a terrain-following mesh allows slopes up to {:g}", steepest_ground));
        return false;
      }
    }
  }
  return true;
}

}  // namespace

void AtmosphereSystem::configure_terrain(config::Input& input) {
  Ground& ground = request_.ground;
  ground.periodic = boundaries_.periodic();
  ground.constants = constants_;
  if (!input.is_set("physics.terrain") || !input.is_good("physics.terrain")) return;
  ground.text = input.expression("physics.terrain");
  check_coordinates(input, "physics.terrain", ground.text);
  if (input.has_faults()) return;
  traits_.terrain = true;
  const double depth = ground.geometry.spacing[2] * static_cast<double>(ground.cells[2]);
  if (globe_) {
    globe_->set_ground(ground.text, constants_);
    // Cells are no shorter than their angle times the radius over the root of 2.
    const double shortest = globe_->spacing() / std::sqrt(2.0);
    const std::int64_t m = globe_->n() + 1;
    for (int panel = 0; panel < mesh::panels; ++panel) {
      if (!check_ground(input, globe_->ground_corners(panel, 0, m), m, {shortest, shortest}, depth,
                        [&](std::int64_t i, std::int64_t j) {
                          return fmt::format("corner ({}, {}) of panel {}", i, j, panel);
                        })) {
        return;
      }
    }
    return;
  }
  const Real3 &lower = ground.geometry.lower, &spacing = ground.geometry.spacing;
  for (const auto rows : systems::stretches(cells_[1] + 1, 256, 8)) {
    for (const auto columns : systems::stretches(cells_[0] + 1, 256, 8)) {
      const auto h = ground.corners({columns.begin, rows.begin}, {columns.end, rows.end});
      if (!check_ground(input, h, columns.end - columns.begin, {spacing[0], spacing[1]}, depth,
                        [&](std::int64_t i, std::int64_t j) {
                          return fmt::format(
                              "x = {:g}, y = {:g}",
                              lower[0] + static_cast<double>(columns.begin + i) * spacing[0],
                              lower[1] + static_cast<double>(rows.begin + j) * spacing[1]);
                        })) {
        return;
      }
    }
  }
}

}  // namespace watersmeet::atmosphere
