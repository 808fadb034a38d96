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

 private:
  AngleTable centres_;
};

}  // namespace watersmeet::mesh
