#include "mesh/panel_grid.hpp"

#include <cmath>

#include "mesh/panel_side.hpp"
#include "schemes/gnomonic.hpp"

namespace watersmeet::mesh {

LonLat PanelGrid::place(int panel, std::int64_t i, std::int64_t j) const {
  const PanelFrame& f = panel_frame(panel);
  const double x = centres_.tan[static_cast<std::size_t>(i)];
  const double y = centres_.tan[static_cast<std::size_t>(j)];
  return lon_lat({f.n[0] + x * f.ea[0] + y * f.eb[0], f.n[1] + x * f.ea[1] + y * f.eb[1],
                  f.n[2] + x * f.ea[2] + y * f.eb[2]});
}

Vec<double, 2> PanelGrid::components(int panel, std::int64_t i, std::int64_t j, double east,
                                     double north) const {
  const auto [lon, lat] = place(panel, i, j);
  const double outwards = -north * std::sin(lat);  // away from the axis
  return components(panel, i, j,
                    {outwards * std::cos(lon) - east * std::sin(lon),
                     outwards * std::sin(lon) + east * std::cos(lon), north * std::cos(lat)});
}

Vec<double, 2> PanelGrid::components(int panel, std::int64_t i, std::int64_t j,
                                     const Real3& vector) const {
  const auto at = [&](const std::vector<double>& table, std::int64_t m) {
    return table[static_cast<std::size_t>(m)];
  };
  const Real3 local = along_panel(panel, vector);
  return schemes::panel_components(schemes::panel_point(at(centres_.tan, i), at(centres_.cos2, i),
                                                        at(centres_.tan, j), at(centres_.cos2, j)),
                                   Vec<double, 3>{{local[0], local[1], local[2]}});
}

double PanelGrid::upwards(int panel, std::int64_t i, std::int64_t j, const Real3& vector) const {
  const double x = centres_.tan[static_cast<std::size_t>(i)];
  const double y = centres_.tan[static_cast<std::size_t>(j)];
  const Real3 local = along_panel(panel, vector);
  return (x * local[0] + y * local[1] + local[2]) / std::sqrt(1 + (x * x + y * y));
}

}  // namespace watersmeet::mesh
