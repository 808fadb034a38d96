#pragma once
// The boundary conditions of a case as affine rules of its ghosts, gh = factor * in + constant
// (exec/box_ghosts.hpp), n pointing out of the domain and h the width of the cells at the side:
//
//   velocity across the side   given              the face value itself, 0 of walls
//   along it  no_slip          gh = 2 V - in
//             partial_slip     gh = (1 - 2 s) in + 2 s V        s = 1: no slip, s = 0: free
//             free_slip        gh = in
//             stress           gh = in + h tau/nu
//   scalars   value            gh = 2 T_w - in
//             gradient q       gh = in + h q       q = dT/dn; 0, insulating, when nothing is said
//             flux F           q = -F/kappa        out of the domain
//             robin a, b, c    a T + b dT/dn = c:  gh = (c - in (a/2 - b/h))/(a/2 + b/h)
//
//   open: velocity across an unknown u (open_faces.hpp); with weight = |u| / (|u| + 2 kappa/h)
//             fluid leaves   gh = in + weight (in - next)
//             fluid enters   gh = in + 2 weight (given - in)    0 when nothing is given

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "config/input.hpp"
#include "systems/boussinesq/grid.hpp"
#include "systems/boussinesq/parameters.hpp"

namespace watersmeet::boussinesq {

// constant = scale * expression(x, y, z, r, t), or of the state in the cell at the side too
struct AffineCondition {
  double factor = 1, scale = 0;
  std::string expression = "0";
  std::string key;             // that gave the expression
  std::string component = {};  // "[1]" where the key gives several
  std::string state = {};      // the expression where it reads the state; the other is 0 then
  config::Fault place = {};    // place of the key, for messages
};

struct SideCondition {
  std::string path;                 // "boundary.x_lower"
  std::string kind;                 // "no_slip"
  std::vector<AffineCondition> of;  // a variable each
};

class BoundaryConditions {
 public:
  BoundaryConditions() = default;
  // Every fault goes into the input. side_width: h of the six sides.
  BoundaryConditions(config::Input& input, const Parameters& parameters, const Index3& cells,
                     const std::array<double, 6>& side_width);

  // For the grid: along axes of one cell too.
  const std::array<bool, 3>& periodic() const { return periodic_; }
  bool has(int side) const { return sides_[static_cast<std::size_t>(side)].has_value(); }
  const SideCondition& side(int side) const { return *sides_[static_cast<std::size_t>(side)]; }
  bool open(int side) const { return has(side) && this->side(side).kind == "open"; }
  std::array<bool, 6> open() const;
  bool any_open() const;
  // The condition of every side, in words.
  const std::string& description() const { return description_; }
  const config::Constants& constants() const { return constants_; }

  // Faults when more flows in than out at t = 0 and no side is open; only for an input without
  // faults.
  void check_net_inflow(config::Input& input, const StaggeredGrid& grid) const;
  // Value prescribed for a scalar on a side, mean over it at t = 0; none without one, or where it depends on the state.
  std::optional<double> mean_value(int side, int variable, const StaggeredGrid& grid) const;
  // Largest magnitude of a component of the velocity that a side prescribes, at t = 0; 0 without one.
  double largest_speed(int side, int component, const StaggeredGrid& grid) const;
  // Values of an affine condition's expression over all cells of a side at time t, the lower of the
  // two other axes fastest.
  std::vector<double> tabulate(int side, int variable, const StaggeredGrid& grid, double t) const;

 private:
  void read_axis(config::Input& input, const Parameters& parameters, int axis);
  bool read_side(config::Input& input, const Parameters& parameters, const std::string& path,
                 int axis, double h, bool& periodic, SideCondition& side) const;
  void read_velocity(config::Input& input, const Parameters& parameters, int axis, double h,
                     SideCondition& side) const;
  void read_scalar(config::Input& input, const std::string& prefix, const Scalar& scalar, double h,
                   bool open, AffineCondition& condition) const;

  Index3 cells_{1, 1, 1};
  std::string description_;
  std::array<double, 6> width_{};
  config::Constants constants_;
  std::array<bool, 3> periodic_{true, true, true};
  std::array<std::optional<SideCondition>, 6> sides_;
};

std::vector<config::Key> boundary_keys();  // boundary.*

// Position of a variable on a side, at an index of the two other axes (which may lie one outside).
Real3 place_on_side(const StaggeredGrid& grid, int side, int variable, const Index3& index);

}  // namespace watersmeet::boussinesq
