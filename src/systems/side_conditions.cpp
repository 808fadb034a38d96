#include "systems/side_conditions.hpp"

#include <fmt/format.h>

#include "systems/idle_key.hpp"

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

exec::SideValues values_from(exec::SideValues to, const Index3& first, std::size_t number) {
  if (!to.start) return to;
  for (std::size_t a = 0; a < 3; ++a) {
    to.start = static_cast<std::byte*>(to.start) +
               first[a] * to.stride[a] * static_cast<std::ptrdiff_t>(number);
  }
  return to;
}

Box layer_beside(Box box, int side) {
  const std::size_t a = static_cast<std::size_t>(side / 2);
  if (side % 2 == 0) {
    box.upper[a] = box.lower[a] + 1;
  } else {
    box.lower[a] = box.upper[a] - 1;
  }
  return box;
}

std::optional<SidePaths> side_paths(config::Input& input, int axis) {
  const std::string both = std::string("boundary.") + "xyz"[axis];
  const SidePaths own = {both + "_lower", both + "_upper"};
  if (!input.is_set(both)) return own;
  for (const std::string& path : own) {
    if (!input.is_set(path)) continue;
    input.fault(FaultKind::conflict, path,
                fmt::format("`{}` is given together with `{}` ({}), which sets both sides", path,
                            both, input.origin(both + ".kind")),
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

std::string describe_sides(config::Input& input, int axes, const Index3& cells,
                           const std::function<std::string(int side)>& otherwise) {
  const std::string chosen_here = " (default)";
  std::string text;
  const auto add = [&](const std::string& name, const std::string& condition) {
    text += (text.empty() ? "" : ", ") + name + " " + condition;
  };
  for (int axis = 0; axis < axes; ++axis) {
    const std::string both(1, "xyz"[axis]);
    if (cells[static_cast<std::size_t>(axis)] == 1) {
      for (const std::string& name : {both, both + "_lower", both + "_upper"}) {
        const std::string key = "boundary." + name + ".kind";
        if (input.is_set(key) && input.is_good(key) && input.text(key) != "periodic")
          note_idle(input, key, "the grid has one cell along " + both);
      }
      continue;
    }
    std::array<std::string, 2> conditions;
    for (const int upper : {0, 1}) {
      const int side = 2 * axis + upper;
      std::string kind = otherwise(side) + chosen_here;
      for (const std::string& name : {both, std::string(name_of_side(side))}) {
        const std::string key = "boundary." + name + ".kind";
        if (input.is_set(key)) kind = input.text(key);
      }
      conditions[static_cast<std::size_t>(upper)] = kind;
    }
    if (conditions[0] == conditions[1]) {
      add(both, conditions[0]);
      continue;
    }
    for (const int upper : {0, 1})
      add(name_of_side(2 * axis + upper), conditions[static_cast<std::size_t>(upper)]);
  }
  if (text.find(chosen_here) != std::string::npos)
    text += "        (others: watersmeet keys boundary)";
  return text;
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
