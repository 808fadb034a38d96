#include "systems/side_conditions.hpp"

#include <fmt/format.h>

namespace watersmeet::systems {

using config::FaultKind;

const char* name_of_side(int side) {
  constexpr const char* names[] = {"x_lower", "x_upper", "y_lower",
                                   "y_upper", "z_lower", "z_upper"};
  return names[side];
}

std::array<int, 2> axes_of_side(int side) {
  const int axis = side / 2;
  return {axis == 0 ? 1 : 0, axis == 2 ? 1 : 2};
}

bool at_border(const Box& part, const Index3& cells, int side) {
  const std::size_t a = static_cast<std::size_t>(side / 2);
  return side % 2 == 1 ? part.upper[a] == cells[a] : part.lower[a] == 0;
}

std::optional<SidePaths> side_paths(config::Input& input, int axis) {
  const std::string both = std::string("boundary.") + "xyz"[axis];
  const SidePaths own = {both + "_lower", both + "_upper"};
  if (!input.is_set(both)) return own;
  for (const std::string& path : own) {
    if (!input.is_set(path)) continue;
    input.fault(FaultKind::conflict, path,
                fmt::format("`{}` is given beside `{}` ({}), which sets both sides", path, both,
                            input.origin(both + ".kind")),
                "remove one of them");
    return std::nullopt;
  }
  return SidePaths{both, both};
}

bool has_kind(config::Input& input, const std::string& path, const char* hint) {
  if (input.is_set(path + ".kind")) return true;
  input.fault(FaultKind::missing_key, path, fmt::format("`{}` has no kind", path), hint);
  return false;
}

bool periodic_together(config::Input& input, int axis, const SidePaths& paths,
                       const bool (&periodic)[2]) {
  if (periodic[0] == periodic[1]) return true;
  const std::size_t alone = periodic[0] ? 0 : 1;
  const char name = "xyz"[axis];
  input.fault(
      FaultKind::conflict, paths[alone] + ".kind",
      fmt::format("only the {} {} side is periodic", alone == 0 ? "lower" : "upper", name),
      fmt::format("a periodic side is linked to the opposite one: boundary.{} = \"periodic\"",
                  name));
  return false;
}

void for_each_side_table(
    int axes, const std::string& when_unset,
    const std::function<void(const std::string&, const std::string&, const std::string&)>& add) {
  for (const std::string axis : {"x", "y", "z"}) {
    if (axes-- == 0) return;
    const std::string path = "boundary." + axis;
    add(path, "both " + axis + " sides", "in place of a condition for each of them.");
    add(path + "_lower", "the lower " + axis + " side", when_unset);
    add(path + "_upper", "the upper " + axis + " side", when_unset);
  }
}

}  // namespace watersmeet::systems
