// Reads [boundary] and its patches, with every fault of the case alone.
#include "systems/multicomponent/boundary/conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "systems/prescribed_values.hpp"
#include "systems/side_conditions.hpp"

namespace watersmeet::multicomponent {

using config::FaultKind;

namespace {

BoundaryKind kind_of(const std::string& name) {
  if (name == "inflow") return BoundaryKind::inflow;
  if (name == "nonreflecting") return BoundaryKind::nonreflecting;
  if (name == "reflecting" || name == "symmetry") return BoundaryKind::reflecting;
  return BoundaryKind::absorbing;
}

// Keys of a prescribed state that stand below a path.
std::vector<std::string> values_given(const config::Input& input, const std::string& path) {
  std::vector<std::string> given;
  for (const char* name : {"fluid", "density", "pressure", "velocity"}) {
    if (input.is_set(path + "." + name)) given.push_back(path + "." + name);
  }
  return given;
}

std::string number_text(double value) { return fmt::format("{:.17g}", value); }

}  // namespace

BoundaryConditions::BoundaryConditions(config::Input& input, const std::vector<Fluid>& fluids,
                                       const CellGrid& grid, bool axisymmetric)
    : grid_(grid), axisymmetric_(axisymmetric), constants_(input.constants()) {
  for (int axis = 0; axis < 3; ++axis) read_axis(input, fluids, axis);
  description_ = systems::describe_sides(input, 3, grid.cells, [axisymmetric](int side) {
    return axisymmetric && side == 2 ? "reflecting" : "absorbing";
  });
  for (std::size_t p = 0; p < input.count("boundary.patch"); ++p) read_patch(input, fluids, p);
}

void BoundaryConditions::read_axis(config::Input& input, const std::vector<Fluid>& fluids,
                                   int axis) {
  const std::size_t a = static_cast<std::size_t>(axis);
  const auto paths = systems::side_paths(input, axis);
  if (!paths) return;
  const bool together = (*paths)[0] == (*paths)[1];
  bool periodic[2] = {false, false};
  std::size_t number[2] = {0, 0};
  for (const std::size_t upper : {0, 1}) {
    const std::string& path = (*paths)[upper];
    const bool is_axis = axisymmetric_ && axis == 1 && upper == 0;
    if (together && upper == 1) {
      periodic[1] = periodic[0];
      number[1] = number[0];
      continue;
    }
    if (input.is_set(path)) {
      if (!read_condition(input, fluids, path, periodic[upper])) return;
      if (is_axis && (periodic[0] || conditions_.back().kind != BoundaryKind::reflecting)) {
        input.fault(FaultKind::bad_value, path + ".kind",
                    "the lower y side of an axisymmetric grid is its axis, which reflects",
                    together ? "give boundary.y_upper only"
                             : "remove boundary.y_lower, or make it \"symmetry\"");
        return;
      }
    } else {
      conditions_.push_back(
          {path, is_axis ? BoundaryKind::reflecting : BoundaryKind::absorbing, {}});
    }
    number[upper] = conditions_.size() - 1;
  }
  if (!systems::periodic_together(input, axis, *paths, periodic) || grid_.cells[a] == 1) return;
  periodic_[a] = periodic[0];
  if (periodic[0]) return;
  for (const int upper : {0, 1}) {
    cover_side(2 * axis + upper, number[upper]);
    if (conditions_[number[upper]].kind == BoundaryKind::reflecting && !(together && upper == 1)) {
      refuse_thin(input, axis, (*paths)[static_cast<std::size_t>(upper)]);
    }
  }
}

// Appends the condition; false, and a fault, without a valid kind.
bool BoundaryConditions::read_condition(config::Input& input, const std::vector<Fluid>& fluids,
                                        const std::string& path, bool& periodic) {
  const std::string key = path + ".kind";
  if (!systems::has_kind(input, path, "add kind = \"inflow\" or \"nonreflecting\"")) return false;
  if (!input.is_good(key)) return false;
  const std::string kind = input.text(key);
  periodic = kind == "periodic";
  BoundaryCondition condition{path, kind_of(kind), {}};
  const std::vector<std::string> given = values_given(input, path);
  if (condition.prescribes()) {
    read_values(input, fluids, condition);
  } else if (!given.empty()) {
    input.fault(FaultKind::conflict, given.front(),
                fmt::format("a side that is {} prescribes no state", kind),
                "remove it, or use kind = \"inflow\" or \"nonreflecting\"");
  }
  conditions_.push_back(std::move(condition));
  return true;
}

void BoundaryConditions::read_values(config::Input& input, const std::vector<Fluid>& fluids,
                                     BoundaryCondition& condition) {
  const std::string& path = condition.path;
  const auto prescribe = [&](int variable, const std::string& key, const std::string& text,
                             const std::string& component = "") {
    condition.values.push_back(
        {variable, path + "." + key, text, path + "." + key + component,
         systems::reads_state(text, systems::place_variables(), constants_)});
  };
  const bool has_density = input.is_set(path + ".density");
  if (input.is_set(path + ".fluid")) {
    const Fluid* const fluid = find_fluid(input, path + ".fluid", fluids);
    if (fluid != nullptr) {
      prescribe(w_gamma, "fluid", number_text(fluid->Gamma()));
      prescribe(w_pi, "fluid", number_text(fluid->Pi()));
      if (!has_density && fluid->density) {
        prescribe(w_rho, "fluid", number_text(*fluid->density));
      } else if (!has_density) {
        input.fault(FaultKind::missing_key, path + ".fluid",
                    fmt::format("the density of `{}` is not known", fluid->name),
                    fmt::format("add {}.density or physics.fluids.{}.density", path, fluid->name));
      }
    }
  }
  if (has_density) prescribe(w_rho, "density", input.expression(path + ".density"));
  if (input.is_set(path + ".pressure")) {
    prescribe(w_p, "pressure", input.expression(path + ".pressure"));
  }
  if (input.is_set(path + ".velocity")) {
    const auto velocity = input.expressions3(path + ".velocity");
    for (int a = 0; a < 3; ++a) {
      prescribe(w_u + a, "velocity", velocity[static_cast<std::size_t>(a)], fmt::format("[{}]", a));
    }
  }
}

void BoundaryConditions::cover_side(int side, std::size_t condition) {
  const auto axes = systems::axes_of_side(side);
  patches_.push_back({side,
                      {0, 0},
                      {grid_.cells[static_cast<std::size_t>(axes[0])],
                       grid_.cells[static_cast<std::size_t>(axes[1])]},
                      condition});
}

// A mirror needs three layers of cells in front of it.
void BoundaryConditions::refuse_thin(config::Input& input, int axis, const std::string& path) {
  if (grid_.cells[static_cast<std::size_t>(axis)] != 2) return;
  input.fault(FaultKind::range, path,
              fmt::format("a side that reflects needs 3 cells in front of it; there are 2 along {}",
                          "xyz"[axis]),
              "use 1 cell, along which nothing varies, or at least 3");
}

void BoundaryConditions::read_patch(config::Input& input, const std::vector<Fluid>& fluids,
                                    std::size_t number) {
  const std::string path = fmt::format("boundary.patch[{}]", number);
  for (const char* key : {".side", ".kind", ".lower", ".upper"}) {
    if (!input.is_good(path + key)) return;
  }
  const std::string name = input.text(path + ".side");
  int side = 0;
  while (side < 5 && name != systems::name_of_side(side)) ++side;
  const int axis = side / 2;
  const std::size_t across = static_cast<std::size_t>(axis);
  if (grid_.cells[across] == 1) {
    input.fault(
        FaultKind::bad_value, path + ".side",
        fmt::format("the grid has no {} side: it is one cell thick along {}", name, "xyz"[axis]));
    return;
  }
  if (periodic_[across]) {
    input.fault(FaultKind::conflict, path + ".side",
                fmt::format("the {} side is periodic and can have no patch", name));
    return;
  }
  if (axisymmetric_ && side == 2) {
    input.fault(FaultKind::conflict, path + ".side",
                "the lower y side of an axisymmetric grid is its axis and can have no patch");
    return;
  }
  bool periodic = false;
  if (!read_condition(input, fluids, path, periodic)) return;
  if (conditions_.back().kind == BoundaryKind::reflecting) refuse_thin(input, axis, path + ".kind");

  const Real3 lower = input.reals3(path + ".lower"), upper = input.reals3(path + ".upper");
  Patch patch{side, {0, 0}, {0, 0}, conditions_.size() - 1};
  const auto axes = systems::axes_of_side(side);
  for (std::size_t n = 0; n < 2; ++n) {
    const std::size_t a = static_cast<std::size_t>(axes[n]);
    if (grid_.cells[a] == 1) {  // nothing varies along it
      patch.upper[n] = 1;
      continue;
    }
    // The first cell whose centre is not below `lower`, and the first above `upper`.
    const double most = static_cast<double>(grid_.cells[a]);
    const double first = std::ceil(grid_.in_cells(a, lower[a]) - 0.5);
    const double last = std::floor(grid_.in_cells(a, upper[a]) - 0.5) + 1;
    patch.lower[n] = static_cast<std::int64_t>(std::clamp(first, 0.0, most));
    patch.upper[n] = static_cast<std::int64_t>(std::clamp(last, 0.0, most));
    if (patch.lower[n] < patch.upper[n]) continue;
    input.fault(
        FaultKind::bad_value, path + ".upper",
        fmt::format("the patch covers no face of the {} side: no centre lies between {:g} and {:g} "
                    "along {}",
                    name, lower[a], upper[a], "xyz"[a]),
        fmt::format("centres are at {:g}, {:g} ... {:g}", grid_.place(a, 0, 0),
                    grid_.place(a, 1, 0), grid_.place(a, grid_.cells[a] - 1, 0)));
    return;
  }
  patches_.push_back(patch);
}

}  // namespace watersmeet::multicomponent
