#pragma once
// Reads [boundary]: a condition for each side of the plane, and what it prescribes.

#include <array>
#include <string>
#include <vector>

#include "config/input.hpp"
#include "mesh/geometry.hpp"
#include "systems/shallow_water/boundaries.hpp"

namespace watersmeet::shallow_water {

// Numbers or expressions of x, y and t, or of the state in the cell at the side too.
struct BoundaryCondition {
  std::string path;  // "boundary.x_lower", or "boundary.x" for both sides
  BoundaryKind kind = BoundaryKind::wall;
  std::array<std::string, 3> values = {"0", "0", "0"};  // surface, u, v
  std::array<std::string, 3> state =
      {};  // of these the ones that read the state; their values are 0
  config::Fault surface_place, velocity_place;  // places of the keys
  bool prescribes() const { return kind >= BoundaryKind::inflow; }
  bool reads_state() const { return state != std::array<std::string, 3>{}; }
  bool has_surface() const { return prescribes() && kind != BoundaryKind::flow; }
};

class BoundaryConditions {
 public:
  BoundaryConditions() = default;
  // Every fault goes into the input.
  BoundaryConditions(config::Input& input, const Index3& cells);

  // For mesh::make_box: a side is linked to the opposite one. So is an axis of one cell.
  const std::array<bool, 3>& periodic() const { return periodic_; }
  bool any() const { return !(periodic_[0] && periodic_[1]); }
  // The condition of side 2 axis + (upper); kind none where there is no condition.
  const BoundaryCondition& side(int s) const { return sides_[static_cast<std::size_t>(s)]; }
  const config::Constants& constants() const { return constants_; }
  // The condition of every side, in words.
  const std::string& description() const { return description_; }

 private:
  void read_axis(config::Input& input, const Index3& cells, int axis);
  // False when it is not known.
  bool read_condition(config::Input& input, const std::string& path, int axis,
                      BoundaryCondition& condition, bool& periodic);

  std::array<bool, 3> periodic_{true, true, true};
  std::array<BoundaryCondition, 4> sides_;
  std::string description_;
  config::Constants constants_;
};

std::vector<config::Key> boundary_keys();          // boundary.*
const std::vector<std::string>& side_variables();  // x, y, t

// The middles of the faces of a side of a box of cells, and the centres of the cells before them,
// of `more` cells beyond either end too: of the cells that are linked there where the side is periodic.
struct FacesOfSide {
  std::vector<double> x, y, cell_x, cell_y;
};
FacesOfSide faces_of_side(const mesh::Uniform& geometry, const Box& box, int side,
                          std::int64_t more = 0, std::int64_t period = 0);
// The bed, an expression of x and y, of these cells: behind a side it continues as it is there.
std::vector<double> bed_before(const FacesOfSide& faces, const std::string& bed,
                               const config::Constants& constants);

}  // namespace watersmeet::shallow_water
