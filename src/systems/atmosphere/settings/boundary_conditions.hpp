#pragma once
// Reads [boundary]: a condition for each lateral side of the box, and what passes the ground. Ground and lid are walls.

#include <array>
#include <string>
#include <vector>

#include "config/input.hpp"
#include "systems/atmosphere/exterior.hpp"

namespace watersmeet::atmosphere {

class BoundaryConditions {
 public:
  BoundaryConditions() = default;
  // Every fault goes into the input.
  BoundaryConditions(config::Input& input, const Index3& cells);

  // For mesh::make_box: a side is linked to the opposite one. So is an axis of one cell.
  const std::array<bool, 3>& periodic() const { return periodic_; }
  // The condition of every side, in words.
  const std::string& description() const { return description_; }
  // The conditions of those sides of a part of the grid that lie on the border of the whole.
  BoundaryCall call(const Box& part, const Index3& cells) const;

 private:
  void read_axis(config::Input& input, std::size_t axis);

  std::array<bool, 3> periodic_{true, true, false};
  std::array<BoundaryKind, 6> sides_{};
  std::string description_;
};

// Fluxes from the ground into the air, per horizontal area: expressions of the place, the time and the state of the lowest cell; empty where
// there is none.
struct GroundFluxes {
  std::string heat, heat_key = "boundary.ground.heat_flux";
  // The force on the air along x and y, on a sphere to the east and north.
  std::array<std::string, 2> stress;
  std::string stress_key = "boundary.ground.stress";

  explicit GroundFluxes(config::Input& input);
};

std::vector<config::Key> boundary_keys();  // of the sides
std::vector<config::Key> ground_keys(const std::string& coordinates, const std::string& state);

}  // namespace watersmeet::atmosphere
