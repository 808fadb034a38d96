#include "run/panel_velocity.hpp"

#include <array>

namespace watersmeet::run {

bool PanelVelocity::by_compass() const {
  return fields_.has("velocity_east", 0) && fields_.has("velocity_north", 0) &&
         (!rises_ || fields_.has("w", 0));
}

std::string PanelVelocity::names() const {
  return rises_ ? "velocity (or velocity_east, velocity_north and w)"
                : "velocity (or velocity_east and velocity_north)";
}

std::vector<double> PanelVelocity::read_box(int component, const Box& box) const {
  const bool turned = cartesian();
  std::array<std::vector<double>, 3> given;
  for (int a = 0; a < 3; ++a) {
    auto& values = given[static_cast<std::size_t>(a)];
    if (turned) {
      values = fields_.read_box("velocity", a, box);
    } else if (a == 2 && !rises_) {
      values.assign(given[0].size(), 0.0);
    } else {
      values = fields_.read_box(
          std::array{"velocity_east", "velocity_north", "w"}[static_cast<std::size_t>(a)], 0, box);
    }
  }
  std::vector<double> values(given[0].size());
  std::size_t c = 0;
  for (std::int64_t k = box.lower[2]; k < box.upper[2]; ++k) {
    const int panel = static_cast<int>(k / levels_);
    for (std::int64_t j = box.lower[1]; j < box.upper[1]; ++j) {
      for (std::int64_t i = box.lower[0]; i < box.upper[0]; ++i, ++c) {
        const Real3 v = {given[0][c], given[1][c], given[2][c]};
        if (component == mesh::squared_speed) {
          values[c] = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        } else if (component == mesh::upwards_from_panel) {
          values[c] = turned ? grid_.upwards(panel, i, j, v) : v[2];
        } else {
          values[c] = (turned ? grid_.components(panel, i, j, v)
                              : grid_.components(panel, i, j, v[0], v[1]))[component];
        }
      }
    }
  }
  return values;
}

}  // namespace watersmeet::run
