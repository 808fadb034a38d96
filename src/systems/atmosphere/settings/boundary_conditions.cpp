#include "systems/atmosphere/settings/boundary_conditions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "config/expression.hpp"
#include "config/usual_keys.hpp"
#include "systems/idle_key.hpp"
#include "systems/side_conditions.hpp"

namespace watersmeet::atmosphere {

using config::Key;

BoundaryConditions::BoundaryConditions(config::Input& input, const Index3& cells) {
  for (std::size_t axis = 0; axis < 2; ++axis) {
    read_axis(input, axis);
    if (cells[axis] > 1) continue;
    periodic_[axis] = true;
    sides_[2 * axis] = sides_[2 * axis + 1] = BoundaryKind::none;
  }
  sides_[4] = sides_[5] = BoundaryKind::wall;
  description_ = systems::describe_sides(input, 2, cells, [](int) { return "wall"; });
}

void BoundaryConditions::read_axis(config::Input& input, std::size_t axis) {
  const auto paths = systems::side_paths(input, static_cast<int>(axis));
  if (!paths) return;
  std::string kinds[2] = {"wall", "wall"};
  bool periodic[2];
  for (const std::size_t upper : {0, 1}) {
    const std::string& path = (*paths)[upper];
    if (input.is_set(path)) {
      if (!systems::has_kind(input, path, "add kind = \"wall\", \"open\" or \"periodic\"")) return;
      kinds[upper] = input.text(path + ".kind");
    }
    periodic[upper] = kinds[upper] == "periodic";
  }
  if (!systems::periodic_together(input, static_cast<int>(axis), *paths, periodic)) return;
  periodic_[axis] = periodic[0];
  for (const std::size_t upper : {0, 1}) {
    sides_[2 * axis + upper] = periodic[upper]          ? BoundaryKind::none
                               : kinds[upper] == "open" ? BoundaryKind::open
                                                        : BoundaryKind::wall;
  }
}

BoundaryCall BoundaryConditions::call(const Box& part, const Index3& cells) const {
  BoundaryCall call;
  for (std::size_t s = 0; s < 6; ++s) {
    if (sides_[s] == BoundaryKind::none) continue;
    if (!systems::at_border(part, cells, static_cast<int>(s))) continue;
    call.side[s] = sides_[s];
    call.any = true;
  }
  return call;
}

namespace {

constexpr const char* ground_or_lid[] = {"ground", "lid"};

// No pass is made for a flux of 0.
std::string kept(const std::string& text) {
  const bool number = config::Expression::check(text, {}, {}).empty();
  return number && config::Expression(text, {}).constant() == 0 ? std::string() : text;
}

SideFluxes fluxes_of(config::Input& input, int side, const std::string& path) {
  SideFluxes fluxes{side, path, {}, {}};
  const std::string heat = path + ".heat_flux", stress = path + ".stress";
  const auto given = [&](const std::string& key) {
    return input.is_set(key) && input.is_good(key);
  };
  if (given(heat)) fluxes.heat = kept(input.expression(heat));
  if (!given(stress)) return fluxes;
  fluxes.stress = input.expressions3(stress);
  for (std::string& component : fluxes.stress) component = kept(component);
  constexpr const char* along[] = {"y and z: the first", "x and z: the second",
                                   "x and y, on a sphere to the east and north: the third"};
  const auto across = static_cast<std::size_t>(side / 2);
  if (!fluxes.stress[across].empty())
    input.fault(config::FaultKind::bad_value, fmt::format("{}[{}]", stress, across),
                fmt::format("the {} drags the air along {} component must be 0",
                            side < 4 ? "wall" : ground_or_lid[side - 4], along[across]),
                "set it to 0");
  return fluxes;
}

// Lateral sides that are no walls have none: a fault, and a note where the axis has one cell.
bool is_wall(config::Input& input, int side, const std::string& path, const Index3& cells,
             BoundaryKind kind) {
  if (kind == BoundaryKind::wall) return true;
  const auto axis = static_cast<std::size_t>(side / 2);
  for (const char* const key : {".heat_flux", ".stress"}) {
    if (!input.is_set(path + key)) continue;
    if (cells[axis] == 1) {
      systems::note_idle(input, path + key,
                         fmt::format("the grid has one cell along {}", "xyz"[axis]));
    } else if (input.is_set(path + ".kind")) {
      input.fault(config::FaultKind::conflict, path + key,
                  fmt::format("a side of kind {} has no `{}`", input.text(path + ".kind"), key + 1),
                  "remove it, or use kind = \"wall\"");
    }
  }
  return false;
}

}  // namespace

std::vector<SideFluxes> read_side_fluxes(config::Input& input, bool sphere, const Index3& cells,
                                         const BoundaryConditions& conditions) {
  std::vector<SideFluxes> all;
  const auto add = [&](int side, const std::string& path) {
    SideFluxes fluxes = fluxes_of(input, side, path);
    const auto there = [](const std::string& text) { return !text.empty(); };
    if (there(fluxes.heat) || std::any_of(fluxes.stress.begin(), fluxes.stress.end(), there))
      all.push_back(std::move(fluxes));
  };
  for (int side = 0; side < 4 && !sphere; ++side) {
    const std::string both = std::string("boundary.") + "xy"[side / 2];
    for (const std::string& path : {both, std::string("boundary.") + systems::name_of_side(side)})
      if (is_wall(input, side, path, cells, conditions.kind(side))) add(side, path);
  }
  for (int side = 4; side < 6; ++side)
    add(side, std::string("boundary.") + ground_or_lid[side - 4]);
  return all;
}

std::vector<Key> boundary_keys(const std::string& coordinates, const std::string& state) {
  std::vector<Key> keys;
  const auto add_fluxes = [&](const std::string& path, const std::string& names,
                              const std::string& heat, const std::string& stress) {
    keys.push_back(
        config::expression_key(path + ".heat_flux", "mass/time^3", "", names + " t", heat));
    keys.push_back(config::expressions_key(path + ".stress", "mass/(length time^2)", "",
                                           names + " t", stress));
    for (auto key = keys.end() - 2; key != keys.end(); ++key) key->state = state;
  };
  const auto add_side = [&](const std::string& path, const std::string& what,
                            const std::string& otherwise) {
    keys.push_back(
        config::choice_key(path + ".kind", "", {"periodic", "wall", "open"},
                           "Condition of " + what +
                               ": wall is free of friction and serves as a plane of symmetry, open "
                               "extends the departures of the last cell beyond the side; " +
                               otherwise));
    add_fluxes(path, "x y z r",
               "Kind wall: heat from " + what +
                   " into the air, per area and time; it goes to the cells beside the wall, whose "
                   "state it may read. x, y and z are those of the wall, height that of the middle "
                   "of the cell. 0 when unset.",
               "Kind wall: force of " + what +
                   " on the air, per area, likewise; the component across the wall must be 0. The "
                   "wall is free of friction when unset.");
  };
  systems::for_each_side_table(2, "wall when unset.", add_side);
  const auto add_level = [&](const std::string& name, const std::string& which) {
    add_fluxes("boundary." + name, coordinates,
               fmt::format("Heat from the {0} into the air, per horizontal area and time; it "
                           "goes to the {1} cell, whose state it may read. z is the height of "
                           "the {0}, height that of the middle of the cell. 0 when unset.",
                           name, which),
               fmt::format("Force of the {0} on the air, per horizontal area, likewise; the "
                           "third component must be 0. The {0} is free of friction when "
                           "unset.",
                           name));
  };
  add_level("ground", "lowest");
  add_level("lid", "highest");
  return keys;
}

}  // namespace watersmeet::atmosphere
