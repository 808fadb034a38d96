#pragma once
// The boundary conditions of a case: which condition each cell of each side of the grid has, and
// what is prescribed there. Read from [boundary] and [[boundary.patch]]; of several patches on a
// cell the last one counts. Sides without a condition are absorbing, the axis of an
// axisymmetric grid reflects. Along an axis of one cell there are no faces, and nothing counts.

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "config/input.hpp"
#include "systems/multicomponent/boundaries.hpp"
#include "systems/multicomponent/cell_grid.hpp"
#include "systems/multicomponent/fluids.hpp"

namespace watersmeet::multicomponent {

// What lies in front of a side at the beginning: cell averages of rho, u, v, w, p, Gamma, Pi over a
// box of cells in the indices of the whole grid, out[q] packed [k][j][i].
using CellStates = std::function<void(const Box&, const std::array<double*, n_variables>&)>;

// One value of a prescribed state, in the units of the case.
struct PrescribedValue {
  int variable = w_rho;    // Primitive
  std::string key;         // "boundary.x_lower.pressure"
  std::string expression;  // of x, y, z, r and t, or of the state in the cell at the side too
  std::string place = {};  // the key, with the number of a component, for messages
  bool reads_state = false;
};

struct BoundaryCondition {
  std::string path;  // "boundary.x_lower", "boundary.patch[1]"
  BoundaryKind kind = BoundaryKind::absorbing;
  bool prescribes() const {
    return kind == BoundaryKind::inflow || kind == BoundaryKind::nonreflecting;
  }
  // Values of inflow and far fields; what is not given is the initial state of the cell at the boundary.
  std::vector<PrescribedValue> values;
};

class BoundaryConditions {
 public:
  struct Patch {
    int side = 0;  // 2 axis + (upper)
    // Cells of the side from lower to before upper, along the lower and the higher of the two other
    // axes.
    std::array<std::int64_t, 2> lower{0, 0}, upper{0, 0};
    std::size_t condition = 0;
  };

  BoundaryConditions() = default;
  // Every fault goes into the input.
  BoundaryConditions(config::Input& input, const std::vector<Fluid>& fluids, const CellGrid& grid,
                     bool axisymmetric);

  // Records prescribed states outside the equation of state, at t = 0 and on a coarse sample of
  // each side (tables.cpp). Only for an input without faults.
  void check(config::Input& input, const CellStates& initial) const;

  // For mesh::make_box: a side is linked to the opposite one. So is an axis of one cell.
  const std::array<bool, 3>& periodic() const { return periodic_; }

  // In the order of reading; condition of a cell: the last patch that covers it.
  const std::vector<BoundaryCondition>& conditions() const { return conditions_; }
  const std::vector<Patch>& patches() const { return patches_; }
  const config::Constants& constants() const { return constants_; }
  // The condition of every side, in words.
  const std::string& description() const { return description_; }
  const CellGrid& grid() const { return grid_; }

 private:
  void read_axis(config::Input& input, const std::vector<Fluid>& fluids, int axis);
  bool read_condition(config::Input& input, const std::vector<Fluid>& fluids,
                      const std::string& path, bool& periodic);
  void read_values(config::Input& input, const std::vector<Fluid>& fluids,
                   BoundaryCondition& condition);
  void cover_side(int side, std::size_t condition);
  void read_patch(config::Input& input, const std::vector<Fluid>& fluids, std::size_t number);
  void refuse_thin(config::Input& input, int axis, const std::string& path);

  CellGrid grid_;
  bool axisymmetric_ = false;
  config::Constants constants_;
  std::array<bool, 3> periodic_{true, true, true};
  std::vector<BoundaryCondition> conditions_;
  std::vector<Patch> patches_;
  std::string description_;
};

std::vector<config::Key> boundary_keys();  // boundary.*

}  // namespace watersmeet::multicomponent
