#include "systems/atmosphere/settings/boundary_conditions.hpp"

#include <fmt/format.h>

namespace watersmeet::atmosphere {

using config::FaultKind;
using config::Key;
using config::KeyType;

BoundaryConditions::BoundaryConditions(config::Input& input, const Index3& cells) {
  for (std::size_t axis = 0; axis < 2; ++axis) {
    read_axis(input, axis);
    if (cells[axis] > 1) continue;
    periodic_[axis] = true;
    sides_[2 * axis] = sides_[2 * axis + 1] = BoundaryKind::none;
  }
  sides_[4] = sides_[5] = BoundaryKind::wall;
}

void BoundaryConditions::read_axis(config::Input& input, std::size_t axis) {
  const std::string both = std::string("boundary.") + "xy"[axis];
  std::string words[2] = {"wall", "wall"};
  for (const std::size_t upper : {0, 1}) {
    const std::string own = both + (upper == 1 ? "_upper" : "_lower");
    if (input.is_set(both) && input.is_set(own)) {
      input.fault(FaultKind::conflict, own,
                  fmt::format("`{}` is given beside `{}` ({}), which sets both sides", own, both,
                              input.origin(both + ".kind")),
                  "remove one of them");
      return;
    }
    const std::string path = input.is_set(both) ? both : own;
    if (!input.is_set(path)) continue;
    if (!input.is_set(path + ".kind")) {
      input.fault(FaultKind::missing_key, path, fmt::format("`{}` has no kind", path),
                  "add kind = \"open\"");
      return;
    }
    words[upper] = input.text(path + ".kind");
  }
  if ((words[0] == "periodic") != (words[1] == "periodic")) {
    const bool lower = words[0] == "periodic";
    input.fault(
        FaultKind::conflict, both + (lower ? "_lower" : "_upper") + ".kind",
        fmt::format("only the {} {} side is periodic", lower ? "lower" : "upper", "xy"[axis]),
        fmt::format("a periodic side is linked to the opposite one: boundary.{} = \"periodic\"",
                    "xy"[axis]));
    return;
  }
  periodic_[axis] = words[0] == "periodic";
  for (const std::size_t upper : {0, 1}) {
    sides_[2 * axis + upper] = words[upper] == "periodic" ? BoundaryKind::none
                               : words[upper] == "open"   ? BoundaryKind::open
                                                          : BoundaryKind::wall;
  }
}

BoundaryCall BoundaryConditions::call(const Box& part, const Index3& cells) const {
  BoundaryCall call;
  for (std::size_t s = 0; s < 6; ++s) {
    const std::size_t a = s / 2;
    const bool at_end = s % 2 == 1 ? part.upper[a] == cells[a] : part.lower[a] == 0;
    if (!at_end || sides_[s] == BoundaryKind::none) continue;
    call.side[s] = sides_[s];
    call.any = true;
  }
  return call;
}

std::vector<Key> boundary_keys() {
  std::vector<Key> keys;
  const auto add_side = [&](const std::string& name, const std::string& what,
                            const std::string& otherwise) {
    keys.push_back({.path = "boundary." + name + ".kind",
                    .type = KeyType::choice,
                    .choices = {"periodic", "wall", "open"},
                    .help = "Condition of " + what +
                            ": wall is free of friction and serves as a plane of symmetry, open "
                            "extends the departures of the last cell beyond the side; " +
                            otherwise});
  };
  for (const std::string axis : {"x", "y"}) {
    add_side(axis, "both " + axis + " sides", "in place of a condition for each of them.");
    add_side(axis + "_lower", "the lower " + axis + " side", "wall when unset.");
    add_side(axis + "_upper", "the upper " + axis + " side", "wall when unset.");
  }
  return keys;
}

}  // namespace watersmeet::atmosphere
