#include "systems/atmosphere/settings/boundary_conditions.hpp"

#include "config/expression.hpp"
#include "config/usual_keys.hpp"
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
      if (!systems::has_kind(input, path, "add kind = \"open\"")) return;
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

GroundFluxes::GroundFluxes(config::Input& input) {
  const auto given = [&](const std::string& key) {
    return input.is_set(key) && input.is_good(key);
  };
  // No pass is made for a flux of 0.
  const auto kept = [](const std::string& text) {
    const bool number = config::Expression::check(text, {}, {}).empty();
    return number && config::Expression(text, {}).constant() == 0 ? std::string() : text;
  };
  if (given(heat_key)) heat = kept(input.expression(heat_key));
  if (!given(stress_key)) return;
  const auto components = input.expressions3(stress_key);
  for (std::size_t c = 0; c < 2; ++c) stress[c] = kept(components[c]);
  if (kept(components[2]).empty()) return;
  input.fault(
      config::FaultKind::bad_value, stress_key + "[2]",
      "the ground drags the air along x and y, on a sphere to the east and north: the third "
      "component must be 0",
      "set it to 0");
}

std::vector<Key> boundary_keys() {
  std::vector<Key> keys;
  const auto add_side = [&](const std::string& path, const std::string& what,
                            const std::string& otherwise) {
    keys.push_back(
        config::choice_key(path + ".kind", "", {"periodic", "wall", "open"},
                           "Condition of " + what +
                               ": wall is free of friction and serves as a plane of symmetry, open "
                               "extends the departures of the last cell beyond the side; " +
                               otherwise));
  };
  systems::for_each_side_table(2, "wall when unset.", add_side);
  return keys;
}

std::vector<Key> ground_keys(const std::string& coordinates, const std::string& state) {
  std::vector<Key> keys = {
      config::expression_key("boundary.ground.heat_flux", "mass/time^3", "", coordinates + " t",
                             "Heat from the ground into the air, per horizontal area and time; it "
                             "goes to the lowest cell, whose state it may read. z is the height of "
                             "the ground, height that of the middle of the cell. 0 when unset."),
      config::expressions_key("boundary.ground.stress", "mass/(length time^2)", "",
                              coordinates + " t",
                              "Force of the ground on the air, per horizontal area, likewise; the "
                              "third component must be 0. The ground is free of friction when "
                              "unset.")};
  for (Key& key : keys) key.state = state;
  return keys;
}

}  // namespace watersmeet::atmosphere
