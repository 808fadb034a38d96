#pragma once
// Code that the sections [boundary] of all systems on boxes share: names of sides, axes whose two sides
// may be given by one table, and the keys of each. Side s = 2 axis + (upper).

#include <array>
#include <functional>
#include <optional>
#include <string>

#include "config/input.hpp"
#include "exec/source_terms.hpp"

namespace watersmeet::systems {

const char* name_of_side(int side);         // "x_lower" ... "z_upper"
std::array<int, 2> axes_of_side(int side);  // the two other axes, the lower one first
bool at_border(const Box& part, const Index3& cells,
               int side);  // whether the side of a part is one of the grid

Box layer_beside(Box box, int side);  // the cells of a box that lie at one of its sides
// The place of values at a side from this cell of the part on. number: bytes of one.
exec::SideValues values_from(exec::SideValues to, const Index3& first, std::size_t number);

// Tables of the lower and the upper side of an axis: "boundary.x_lower" and "boundary.x_upper", or "boundary.x"
// for both. Nothing, and a fault of the input, where a side is given together with both.
using SidePaths = std::array<std::string, 2>;
std::optional<SidePaths> side_paths(config::Input& input, int axis);

// False, and a fault, where a table that is given lacks its kind; `hint` says what to add.
bool has_kind(config::Input& input, const std::string& path, const char* hint);

// False, and a fault, where one side of an axis alone is periodic.
bool periodic_together(config::Input& input, int axis, const SidePaths& paths,
                       const bool (&periodic)[2]);

// What each side of the first `axes` axes is, for a line of the check and of the run: "x periodic, y_lower
// no_slip, y_upper no_slip (default)", and where to find others where there is a default. otherwise(side): the
// condition of a side of which nothing is said.
// An axis of one cell has no sides: their conditions are noted.
std::string describe_sides(config::Input& input, int axes, const Index3& cells,
                           const std::function<std::string(int side)>& otherwise);

// Calls add("boundary.x", "both x sides", "in place of ...") for both sides of each of the first `axes` axes, then
// for each side with `when_unset` as the last argument.
void for_each_side_table(int axes, const std::string& when_unset,
                         const std::function<void(const std::string& path, const std::string& what,
                                                  const std::string& otherwise)>& add);

}  // namespace watersmeet::systems
