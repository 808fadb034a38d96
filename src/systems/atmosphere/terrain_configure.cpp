// The ground of a box as the case gives it, and where it is too high or too steep.
#include <fmt/format.h>

#include <cmath>

#include "systems/atmosphere/system.hpp"

namespace watersmeet::atmosphere {

using config::FaultKind;

namespace {
// Ground may take up to half of the box and rise by up to two in one: beyond that cells are thin or
// slanted so much that neither accuracy nor the step are worth having.
constexpr double highest_ground = 0.5, steepest_ground = 2.0;
}  // namespace

void AtmosphereSystem::configure_terrain(config::Input& input) {
  Ground& ground = request_.ground;
  ground.periodic = boundaries_.periodic();
  ground.constants = constants_;
  if (!input.is_set("physics.terrain") || !input.is_good("physics.terrain")) return;
  ground.text = input.expression("physics.terrain");
  check_coordinates(input, "physics.terrain", ground.text);
  if (input.has_faults()) return;
  const double depth = ground.geometry.spacing[2] * static_cast<double>(cells_[2]);
  for (const auto rows : systems::stretches(cells_[1] + 1, 256, 8)) {
    for (const auto columns : systems::stretches(cells_[0] + 1, 256, 8)) {
      if (!check_ground(input, columns, rows, depth)) return;
    }
  }
}

// Of the corners of these columns and rows; false where a fault was found.
bool AtmosphereSystem::check_ground(config::Input& input, const systems::Stretch& columns,
                                    const systems::Stretch& rows, double depth) const {
  const Ground& ground = request_.ground;
  const std::vector<double> h =
      ground.corners({columns.begin, rows.begin}, {columns.end, rows.end});
  const std::int64_t nx = columns.end - columns.begin, ny = rows.end - rows.begin;
  const Real3 &lower = ground.geometry.lower, &spacing = ground.geometry.spacing;
  const auto at = [&](std::int64_t i, std::int64_t j) {
    return h[static_cast<std::size_t>(j * nx + i)];
  };
  const auto place = [&](std::int64_t i, std::int64_t j) {
    return fmt::format("x = {:g}, y = {:g}",
                       lower[0] + static_cast<double>(columns.begin + i) * spacing[0],
                       lower[1] + static_cast<double>(rows.begin + j) * spacing[1]);
  };
  for (std::int64_t j = 0; j < ny; ++j) {
    for (std::int64_t i = 0; i < nx; ++i) {
      if (!(std::abs(at(i, j)) <= highest_ground * depth)) {
        input.fault(
            FaultKind::range, "physics.terrain",
            fmt::format(
                "the ground is {} from the bottom of the grid at {}, and the box is {:.4g} high",
                config::shown(at(i, j)), place(i, j), depth),
            fmt::format("it may be at most {:.4g}, half the height of the box",
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

}  // namespace watersmeet::atmosphere
