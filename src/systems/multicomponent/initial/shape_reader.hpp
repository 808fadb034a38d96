#pragma once
// The table `shape` of an entry of [[initial]]: which keys each kind takes, and the shape they
// make.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/input.hpp"
#include "systems/multicomponent/initial/cell_average.hpp"
#include "systems/multicomponent/initial/shapes.hpp"

namespace watersmeet::multicomponent {

struct ShockRequest {
  std::size_t axis = 0;
  double place = 0;
  bool lower = true;  // the shocked fluid lies below the plane, and the shock runs up
  std::optional<double> pressure_jump, mach;  // one of them
};

struct ReadShape {
  std::shared_ptr<const Shape> shape;  // of all kinds but expression
  std::string inside;                  // of an expression, positive inside
  double half_width = 0;               // of the smeared interface
  std::optional<ShockRequest> shock;
};

std::vector<config::Key> shape_keys();  // initial[].shape.*

// `path` is that of the table, "initial[1].shape". Nothing, with faults in the input, when it makes
// no shape or one that lies outside the grid.
std::optional<ReadShape> read_shape(config::Input& input, const std::string& path,
                                    const CellGrid& grid);

}  // namespace watersmeet::multicomponent
