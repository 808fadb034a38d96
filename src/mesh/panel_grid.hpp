#pragma once
// The centres of the cells of a cubed sphere, panel by panel: their places, and how winds are
// written in the panels' components.

#include "core/vec.hpp"
#include "mesh/cubed_sphere.hpp"

namespace watersmeet::mesh {

class PanelGrid {
 public:
  explicit PanelGrid(std::int64_t n) : centres_(angle_table(n, 0.5, 0, 0)) {}

  LonLat place(int panel, std::int64_t i, std::int64_t j) const;
  // The contravariant components, times the radius, of a velocity to the east and north.
  Vec<double, 2> components(int panel, std::int64_t i, std::int64_t j, double east,
                            double north) const;
  // The same of a vector that is given by its Cartesian components, but for what it has upwards.
  Vec<double, 2> components(int panel, std::int64_t i, std::int64_t j, const Real3& vector) const;
  // What it has upwards.
  double upwards(int panel, std::int64_t i, std::int64_t j, const Real3& vector) const;

 private:
  AngleTable centres_;
};

// What states of a sphere follow from where a snapshot is read (run/panel_velocity.hpp): a field of
// this name, of which the file has the Cartesian components, or those to the east and north and,
// where air rises, upwards. Its components:
inline constexpr const char* panel_velocity = "velocity on panels";
enum PanelVelocityComponent : int {
  along_alpha,  // contravariant, times the radius
  along_beta,
  upwards_from_panel,
  squared_speed,
};

}  // namespace watersmeet::mesh
