#pragma once
// Reads [boundary]: a condition for each lateral side of the box, and what passes walls. Ground and lid are walls.

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
  BoundaryKind kind(int side) const { return sides_[static_cast<std::size_t>(side)]; }
  // The conditions of those sides of a part of the grid that lie on the border of the whole.
  BoundaryCall call(const Box& part, const Index3& cells) const;

 private:
  void read_axis(config::Input& input, std::size_t axis);

  std::array<bool, 3> periodic_{true, true, false};
  std::array<BoundaryKind, 6> sides_{};
  std::string description_;
};

// Fluxes through a side into the air, per its area, that of ground and lid being horizontal: expressions of the place, the time and the state
// of the cell beside it; empty where there is none.
struct SideFluxes {
  int side = 0;  // 2 axis + (upper): 4 the ground, 5 the lid
  std::string path;
  std::string heat;
  std::array<std::string, 3> stress;  // the force on the air; on a sphere to the east and north
};
// Of every side that has some. A sphere has a ground and a lid alone, and no `conditions`.
std::vector<SideFluxes> read_side_fluxes(config::Input& input, bool sphere, const Index3& cells,
                                         const BoundaryConditions& conditions);

// What the case gives of the air beyond an open side or an inflow: expressions likewise, empty where it gives none. Departures of pressure and
// potential temperature.
struct AirBeyond {
  int side = 0;
  std::string path;
  std::string pressure, theta;
  std::array<std::string, 3> velocity;
};
// Of every inflow, and of open sides with a pressure.
std::vector<AirBeyond> read_air_beyond(config::Input& input, const Index3& cells,
                                       const BoundaryConditions& conditions);

// state: names of the state of the cell beside a side.
std::vector<config::Key> boundary_keys(const std::string& coordinates, const std::string& state);

}  // namespace watersmeet::atmosphere
