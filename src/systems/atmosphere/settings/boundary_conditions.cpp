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
      if (!systems::has_kind(input, path,
                             "add kind = \"wall\", \"open\", \"inflow\" or \"periodic\""))
        return;
      kinds[upper] = input.text(path + ".kind");
    }
    periodic[upper] = kinds[upper] == "periodic";
  }
  if (!systems::periodic_together(input, static_cast<int>(axis), *paths, periodic)) return;
  periodic_[axis] = periodic[0];
  for (const std::size_t upper : {0, 1}) {
    sides_[2 * axis + upper] = periodic[upper]            ? BoundaryKind::none
                               : kinds[upper] == "open"   ? BoundaryKind::open
                               : kinds[upper] == "inflow" ? BoundaryKind::inflow
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

// Keys that lateral sides of some kinds alone have.
struct KeysOfKinds {
  std::vector<BoundaryKind> kinds;
  const char* name;  // of the first
  std::vector<const char*> keys;

  bool are_of(BoundaryKind kind) const {
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
  }
};
const KeysOfKinds keys_of_walls = {{BoundaryKind::wall}, "wall", {".heat_flux", ".stress"}},
                  keys_of_inflows = {{BoundaryKind::inflow}, "inflow", {".theta", ".velocity"}},
                  keys_of_openings = {
                      {BoundaryKind::open, BoundaryKind::inflow}, "open", {".pressure"}};

// Where they are given elsewhere: a fault, and a note where the axis has one cell.
void refuse_elsewhere(config::Input& input, int side, const std::string& path, const Index3& cells,
                      BoundaryKind kind, const KeysOfKinds& own) {
  if (own.are_of(kind)) return;
  const auto axis = static_cast<std::size_t>(side / 2);
  for (const char* const key : own.keys) {
    if (!input.is_set(path + key)) continue;
    if (cells[axis] == 1) {
      systems::note_idle(input, path + key,
                         fmt::format("the grid has one cell along {}", "xyz"[axis]));
    } else if (input.is_set(path + ".kind")) {
      input.fault(config::FaultKind::conflict, path + key,
                  fmt::format("a side of kind {} has no `{}`", input.text(path + ".kind"), key + 1),
                  fmt::format("remove it, or use kind = \"{}\"", own.name));
    }
  }
}

// Calls with(side, path) for the tables of lateral sides that the case gives.
template <class With>
void for_each_lateral(const config::Input& input, const With& with) {
  for (int side = 0; side < 4; ++side) {
    const std::string both = std::string("boundary.") + "xy"[side / 2];
    for (const std::string& path : {both, std::string("boundary.") + systems::name_of_side(side)})
      if (input.is_set(path)) with(side, path);
  }
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
  if (!sphere)
    for_each_lateral(input, [&](int side, const std::string& path) {
      refuse_elsewhere(input, side, path, cells, conditions.kind(side), keys_of_walls);
      if (keys_of_walls.are_of(conditions.kind(side))) add(side, path);
    });
  for (int side = 4; side < 6; ++side)
    add(side, std::string("boundary.") + ground_or_lid[side - 4]);
  return all;
}

std::vector<AirBeyond> read_air_beyond(config::Input& input, const Index3& cells,
                                       const BoundaryConditions& conditions) {
  std::vector<AirBeyond> all;
  for_each_lateral(input, [&](int side, const std::string& path) {
    const BoundaryKind kind = conditions.kind(side);
    for (const KeysOfKinds& own : {keys_of_inflows, keys_of_openings})
      refuse_elsewhere(input, side, path, cells, kind, own);
    AirBeyond beyond{side, path, {}, {}, {}};
    const auto given = [&](const std::string& key) {
      return input.is_set(key) && input.is_good(key);
    };
    if (given(path + ".pressure")) beyond.pressure = input.expression(path + ".pressure");
    if (given(path + ".theta")) beyond.theta = input.expression(path + ".theta");
    if (given(path + ".velocity")) beyond.velocity = input.expressions3(path + ".velocity");
    if (kind == BoundaryKind::inflow || (kind == BoundaryKind::open && !beyond.pressure.empty()))
      all.push_back(std::move(beyond));
  });
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
        config::choice_key(path + ".kind", "", {"periodic", "wall", "open", "inflow"},
                           "Condition of " + what +
                               ": wall is free of friction and serves as a plane of symmetry, open "
                               "extends the departures of the last cell beyond the side, inflow "
                               "gives velocity and theta of the air that comes in; " +
                               otherwise));
    keys.push_back(config::expressions_key(
        path + ".velocity", "length/time", "", "x y z r t",
        "Kind inflow: velocity of the air beyond the side. Where it points into the box it comes "
        "in with theta; elsewhere the side is open. It may read the state of the cell beside the "
        "side. physics.wind when unset."));
    keys.push_back(config::expression_key(
        path + ".theta", "temperature", "", "x y z r t",
        "Kind inflow: departure of the potential temperature of this air from the reference; 0 "
        "when unset."));
    keys.push_back(config::expression_key(
        path + ".pressure", "pressure", "", "x y z r t",
        "Kinds open and inflow: departure of the pressure beyond the side from the reference; that "
        "of the cell beside the side when unset."));
    for (auto key = keys.end() - 3; key != keys.end(); ++key) key->state = state;
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
