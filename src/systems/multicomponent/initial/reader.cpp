// Reading the entries of [[initial]], and every fault that their keys alone show.
#include <fmt/format.h>

#include <cmath>

#include "systems/multicomponent/initial/state.hpp"

namespace watersmeet::multicomponent {

using config::FaultKind;
using config::Input;

InitialState::InitialState(Input& input, const std::vector<Fluid>& fluids, const CellGrid& grid)
    : grid_(grid), constants_(input.constants()) {
  const std::size_t entries = input.count("initial");
  if (entries == 0) {
    input.fault(FaultKind::missing_key, "initial", "the case has no initial state",
                "add a section [[initial]] with `fluid` and `pressure`");
    return;
  }
  for (std::size_t n = 0; n < entries; ++n) read_entry(input, n, fluids);
  if (!input.has_faults()) sample(input);
  if (input.has_faults()) {
    entries_.clear();
    return;
  }
  at_points_ = entries_;
}

void InitialState::read_entry(Input& input, std::size_t number, const std::vector<Fluid>& fluids) {
  Entry entry;
  entry.path = "initial[" + std::to_string(number) + "]";
  const std::string shape = entry.path + ".shape";
  const bool has_shape = input.is_set(shape);
  if (number == 0 && has_shape) {
    input.fault(FaultKind::conflict, shape,
                "the first entry has a shape, which leaves the rest of the grid without fluid",
                "put an entry without a shape before it, for the surrounding fluid");
  }
  if (number > 0 && !has_shape) {
    input.fault(FaultKind::missing_key, shape,
                fmt::format("{} has no shape and would cover all entries before it", entry.path),
                "only the first entry covers the whole grid");
  }
  std::optional<ReadShape> read;
  if (has_shape) {
    read = read_shape(input, shape, grid_);
    if (read) {
      entry.shape = read->shape;
      entry.half_width = read->half_width;
      if (!read->inside.empty()) entry.inside.emplace(read->inside, constants_);
    }
  }
  const bool is_shock =
      has_shape && input.is_good(shape + ".kind") && input.text(shape + ".kind") == "shock";
  if (!is_shock) {
    read_quantities(input, entry, fluids);
    if (number > 0 && entry.given.empty() && !input.has_faults()) {
      input.fault(FaultKind::missing_key, entry.path, fmt::format("{} changes nothing", entry.path),
                  "give it a fluid, density, pressure or velocity");
    }
  } else {
    for (const char* key : {"fluid", "density", "pressure", "velocity"}) {
      if (!input.is_set(entry.path + "." + key)) continue;
      input.fault(
          FaultKind::conflict, entry.path + "." + key,
          fmt::format("the state behind a shock follows from its jump; it takes no {}", key),
          "remove it, or use kind = \"half_space\" for a state of your own");
    }
    // The entries beneath must have been read without a fault.
    if (!read || input.has_faults() || !place_shock(input, entry, *read->shock)) return;
  }
  entries_.push_back(std::move(entry));
}

void InitialState::read_quantities(Input& input, Entry& entry, const std::vector<Fluid>& fluids) {
  const std::string& path = entry.path;
  const bool first = path == "initial[0]";
  const std::string fluid_key = path + ".fluid", density_key = path + ".density",
                    pressure_key = path + ".pressure", velocity_key = path + ".velocity";
  const Fluid* fluid = nullptr;
  if (input.is_set(fluid_key)) {
    fluid = find_fluid(input, fluid_key, fluids);
    if (fluid != nullptr) {
      add_number(input, entry, at_Gamma, fluid_key, fluid->Gamma());
      add_number(input, entry, at_Pi, fluid_key, fluid->Pi());
    }
  } else if (first) {
    input.fault(FaultKind::missing_key, fluid_key, "the first entry must name its fluid",
                "add `fluid = ...` to it");
  }
  if (input.is_set(density_key)) {
    add_expression(input, entry, at_rho, density_key, input.expression(density_key));
  } else if (fluid != nullptr && fluid->density) {
    add_number(input, entry, at_rho, "physics.fluids." + fluid->name + ".density", *fluid->density);
  } else if (fluid != nullptr) {
    input.fault(FaultKind::missing_key, density_key,
                fmt::format("{} has no density: neither it nor its fluid `{}` gives one", path,
                            fluid->name),
                fmt::format("add `density = ...` here or to physics.fluids.{}", fluid->name));
  }
  if (input.is_set(pressure_key)) {
    add_expression(input, entry, at_p, pressure_key, input.expression(pressure_key));
  } else if (first) {
    input.fault(FaultKind::missing_key, pressure_key, "the first entry must give its pressure",
                "add `pressure = ...` to it");
  }
  if (input.is_set(velocity_key)) {
    const std::array<std::string, 3> texts = input.expressions3(velocity_key);
    for (std::size_t a = 0; a < 3; ++a)
      add_expression(input, entry, at_u + a, velocity_key, texts[a]);
  }
  check_constants(input, entry, fluid);
}

// Numbers outside the equation of state, found before any cell is evaluated. The fluid of an entry
// that names none is known only cell by cell.
void InitialState::check_constants(Input& input, const Entry& entry, const Fluid* fluid) const {
  for (const Given& given : entry.given) {
    if (given.expression || !input.is_good(given.key)) continue;
    if (!std::isfinite(given.number)) {
      input.fault(FaultKind::range, given.key, given.key + " is not finite");
    } else if (given.quantity == at_rho && !(given.number > 0)) {
      input.fault(FaultKind::range, given.key,
                  fmt::format("{} is {:g}; it must be positive", given.key, given.number));
    } else if (given.quantity == at_p && fluid != nullptr && !(given.number + fluid->p_c > 0)) {
      input.fault(
          FaultKind::range, given.key,
          fmt::format("{} is {:g}; it must be above {:g}, where the sound speed of {} falls to 0",
                      given.key, given.number, 0.0 - fluid->p_c, fluid->name));
    }
  }
}

void InitialState::add_number(const Input& input, Entry& entry, std::size_t quantity,
                              const std::string& key, double number) const {
  entry.given.push_back({quantity, key, input.place(FaultKind::range, key), number, std::nullopt});
}

void InitialState::add_expression(const Input& input, Entry& entry, std::size_t quantity,
                                  const std::string& key, const std::string& text) const {
  CellExpression expression(text, constants_);
  if (expression.is_constant()) {
    add_number(input, entry, quantity, key, expression.at({0, 0, 0}));
  } else {
    entry.given.push_back(
        {quantity, key, input.place(FaultKind::range, key), 0.0, std::move(expression)});
  }
}

}  // namespace watersmeet::multicomponent
