// Reads [boundary], with every fault that can be found in the case alone.
#include "systems/boussinesq/boundary/conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "systems/prescribed_values.hpp"
#include "systems/side_conditions.hpp"

namespace watersmeet::boussinesq {

using config::FaultKind;

using systems::is_zero;

BoundaryConditions::BoundaryConditions(config::Input& input, const Parameters& parameters,
                                       const Index3& cells, const std::array<double, 6>& side_width)
    : cells_(cells), width_(side_width), constants_(input.constants()) {
  for (int axis = 0; axis < 3; ++axis) read_axis(input, parameters, axis);
  description_ = systems::describe_sides(input, 3, cells, [](int) { return "no_slip"; });
}

void BoundaryConditions::read_axis(config::Input& input, const Parameters& parameters, int axis) {
  const std::size_t a = static_cast<std::size_t>(axis);
  const auto paths = systems::side_paths(input, axis);
  if (!paths) return;
  bool periodic[2] = {false, false};
  SideCondition conditions[2];
  for (const std::size_t upper : {0, 1}) {
    if (!read_side(input, parameters, (*paths)[upper], axis, width_[2 * a + upper], periodic[upper],
                   conditions[upper])) {
      return;
    }
  }
  if (!systems::periodic_together(input, axis, *paths, periodic)) return;
  // Along an axis of one cell there are no faces, and nothing counts.
  if (cells_[a] == 1 || periodic[0]) return;
  periodic_[a] = false;
  for (const std::size_t upper : {0, 1}) sides_[2 * a + upper] = std::move(conditions[upper]);
}

// False when the condition is not known.
bool BoundaryConditions::read_side(config::Input& input, const Parameters& parameters,
                                   const std::string& path, int axis, double h, bool& periodic,
                                   SideCondition& side) const {
  side.path = path;
  side.kind = "no_slip";
  if (input.is_set(path + ".kind")) {
    if (!input.is_good(path + ".kind")) return false;
    side.kind = input.text(path + ".kind");
  }
  periodic = side.kind == "periodic";
  std::vector<std::string> given;
  for (const char* key : {"velocity", "slip", "stress", "temperature", "temperature_gradient",
                          "temperature_flux", "temperature_robin", "scalars"}) {
    if (input.is_set(path + "." + key)) given.push_back(path + "." + key);
  }
  if (periodic) {
    if (given.empty()) return true;
    input.fault(FaultKind::conflict, given.front(), "a periodic side takes no prescribed values",
                "remove it");
    return false;
  }
  side.of.resize(static_cast<std::size_t>(parameters.variables()));
  read_velocity(input, parameters, axis, h, side);
  const bool open = side.kind == "open";
  if (open && cells_[static_cast<std::size_t>(axis)] > 1 &&
      cells_[static_cast<std::size_t>(axis)] < 4) {
    input.fault(FaultKind::range, path + ".kind",
                fmt::format("an open side needs at least 4 cells across it, and grid.cells has {} "
                            "along {}",
                            cells_[static_cast<std::size_t>(axis)], "xyz"[axis]),
                "use at least 4 cells, or one cell, along which nothing flows");
  }
  read_scalar(input, path + ".temperature", parameters.scalars[0], h, open, side.of[temperature]);
  check_scalar_names(input, path + ".scalars", parameters.scalars);
  for (std::size_t n = 1; n < parameters.scalars.size(); ++n) {
    read_scalar(input, path + ".scalars." + parameters.scalars[n].name + ".", parameters.scalars[n],
                h, open, side.of[first_scalar + n]);
  }
  for (AffineCondition& condition : side.of) {
    if (systems::reads_state(condition.expression, systems::place_variables(), constants_))
      condition.state = std::exchange(condition.expression, "0");
    condition.place = input.place(FaultKind::range, condition.key);
  }
  return true;
}

void BoundaryConditions::read_velocity(config::Input& input, const Parameters& parameters, int axis,
                                       double h, SideCondition& side) const {
  const std::string& path = side.path;
  const bool slips = side.kind == "partial_slip", sheared = side.kind == "stress",
             open = side.kind == "open";
  const auto only_for = [&](const char* key, const char* kind, bool is_kind) {
    const std::string full = path + "." + key;
    if (input.is_set(full) && !is_kind) {
      input.fault(FaultKind::conflict, full,
                  fmt::format("a side of kind {} has no `{}`", side.kind, key),
                  fmt::format("remove it, or use kind = \"{}\"", kind));
    } else if (!input.is_set(full) && is_kind) {
      input.fault(FaultKind::missing_key, full,
                  fmt::format("`{}` is {} and needs `{}`", path, kind, key),
                  fmt::format("add `{}`", key));
    }
    return input.is_set(full) && is_kind;
  };
  const double slip = only_for("slip", "partial_slip", slips) ? input.real(path + ".slip") : 1;
  std::array<std::string, 3> stress{"0", "0", "0"}, velocity{"0", "0", "0"};
  if (only_for("stress", "stress", sheared)) stress = input.expressions3(path + ".stress");
  if (input.is_good(path + ".stress") &&
      !is_zero(stress[static_cast<std::size_t>(axis)], constants_)) {
    input.fault(FaultKind::conflict, fmt::format("{}.stress[{}]", path, axis),
                "no stress acts across a side, where the fluid keeps the velocity of the wall",
                "set it to 0");
  }
  if (sheared && !(parameters.viscosity > 0)) {
    input.fault(FaultKind::conflict, path + ".kind",
                "a prescribed stress needs a viscosity above 0, and the viscosity is 0",
                "set physics.viscosity above 0");
  }
  if (input.is_set(path + ".velocity")) velocity = input.expressions3(path + ".velocity");
  for (int a = 0; a < 3; ++a) {
    const std::size_t v = static_cast<std::size_t>(a);
    const std::string part = fmt::format("[{}]", a);
    AffineCondition& c = side.of[v];
    c.key = path + ".velocity";
    if (a == axis) {
      if (open && input.is_set(c.key) && input.is_good(c.key) &&
          !is_zero(velocity[v], constants_)) {
        input.fault(
            FaultKind::conflict, c.key,
            fmt::format(
                "the velocity along {} through an open side follows from the pressure and cannot "
                "be prescribed; only the velocity along the side can, for fluid that enters",
                "xyz"[a]),
            "set 0 across the side, or use kind = \"no_slip\", which prescribes it");
      }
      c = {0, 1, velocity[v], c.key, part};
    } else if (open) {
      c = {2 * parameters.viscosity / h, 1, velocity[v], c.key, part};
    } else if (sheared || side.kind == "free_slip") {
      if (input.is_good(c.key) && input.is_set(c.key) && !is_zero(velocity[v], constants_)) {
        input.fault(FaultKind::conflict, c.key,
                    fmt::format("a side of kind {} does not drag the fluid along {}: only the "
                                "velocity across it counts",
                                side.kind, "xyz"[a]),
                    "set 0 along the side, or use kind = \"no_slip\"");
      }
      if (sheared) {
        c = {1, h / parameters.viscosity, stress[v], path + ".stress", part};
      } else {
        c = {1, 0, "0", c.key};
      }
    } else {
      c = {1 - 2 * slip, 2 * slip, velocity[v], c.key, part};
    }
  }
}

// prefix: "boundary.x_lower.temperature" or "boundary.x_lower.scalars.salt."
void BoundaryConditions::read_scalar(config::Input& input, const std::string& prefix,
                                     const Scalar& scalar, double h, bool open,
                                     AffineCondition& condition) const {
  const bool dotted = prefix.back() == '.';
  const std::string value = dotted ? prefix + "value" : prefix;
  const std::string stem = dotted ? prefix : prefix + "_";
  std::vector<std::string> given;
  for (const std::string& key : {value, stem + "gradient", stem + "flux", stem + "robin"}) {
    if (input.is_set(key)) given.push_back(key);
  }
  condition = {1, 0, "0", value};
  if (open) condition = {2 * scalar.diffusivity / h, 1, "0", value};
  if (given.empty()) return;
  if (open && given[0] != value) {
    input.fault(
        FaultKind::conflict, given[0],
        fmt::format(
            "an open side takes a value for the {} of fluid that enters, and no other condition",
            scalar.name),
        fmt::format("`{}`", value));
    return;
  }
  if (given.size() > 1) {
    input.fault(
        FaultKind::conflict, given[1],
        fmt::format("`{}` is given together with `{}` ({}); a side has one condition for the {}",
                    given[1], given[0], input.origin(given[0]), scalar.name),
        "remove one of them");
    return;
  }
  condition.key = given[0];
  if (given[0] == value) {
    condition = {open ? condition.factor : -1.0, open ? 1.0 : 2.0, input.expression(value), value};
  } else if (given[0] == stem + "gradient") {
    condition = {1, h, input.expression(given[0]), given[0]};
  } else if (given[0] == stem + "flux") {
    if (!(scalar.diffusivity > 0)) {
      input.fault(FaultKind::conflict, given[0],
                  fmt::format("a diffusive flux of the {} needs a diffusivity", scalar.name),
                  "set a diffusivity above 0");
      return;
    }
    condition = {1, -h / scalar.diffusivity, input.expression(given[0]), given[0]};
  } else if (input.is_good(given[0])) {
    const std::array<std::string, 3> abc = input.expressions3(given[0]);
    double ab[2] = {0, 0};
    for (std::size_t n = 0; n < 2; ++n) {
      const bool varies =
          systems::reads_state(abc[n], systems::place_variables(), constants_) ||
          !config::Expression(abc[n], systems::place_variables(), constants_).is_constant();
      if (varies) {
        input.fault(FaultKind::bad_value, given[0],
                    fmt::format("{} of a T + b dT/dn = c must be a number, not `{}`",
                                n == 0 ? "a" : "b", abc[n]),
                    "only c may vary");
        return;
      }
      ab[n] = config::Expression(abc[n], {}, constants_).constant();
    }
    const double below = 0.5 * ab[0] + ab[1] / h;
    if (below == 0 || !std::isfinite(below)) {
      input.fault(FaultKind::bad_value, given[0],
                  fmt::format("a = {:g} and b = {:g} do not determine the ghost value beside cells "
                              "of the width h = {:g}: a/2 + b/h is 0",
                              ab[0], ab[1], h),
                  "give a and b the same sign");
      return;
    }
    condition = {-(0.5 * ab[0] - ab[1] / h) / below, 1 / below, abc[2], given[0], "[2]"};
  }
}

std::array<bool, 6> BoundaryConditions::open() const {
  std::array<bool, 6> all{};
  for (int side = 0; side < 6; ++side) all[static_cast<std::size_t>(side)] = open(side);
  return all;
}

bool BoundaryConditions::any_open() const {
  const std::array<bool, 6> all = open();
  return std::find(all.begin(), all.end(), true) != all.end();
}

Real3 place_on_side(const StaggeredGrid& grid, int side, int variable, const Index3& index) {
  Real3 x{};
  for (int a = 0; a < 3; ++a) {
    const std::size_t n = static_cast<std::size_t>(a);
    if (a == side / 2) {
      x[n] = grid.face(a, side % 2 == 0 ? 0 : grid.cells()[n]);
    } else {
      x[n] = variable == a ? grid.face(a, index[n]) : grid.centre(a, index[n]);
    }
  }
  return x;
}

std::vector<double> BoundaryConditions::tabulate(int side, int variable, const StaggeredGrid& grid,
                                                 double t) const {
  const int a = side / 2 == 0 ? 1 : 0, b = side / 2 == 2 ? 1 : 2;
  const std::size_t first = static_cast<std::size_t>(a), second = static_cast<std::size_t>(b);
  const config::Expression expression(
      this->side(side).of[static_cast<std::size_t>(variable)].expression,
      systems::place_variables(), constants_);
  systems::Places places;
  Index3 at{0, 0, 0};
  for (at[second] = 0; at[second] < cells_[second]; ++at[second]) {
    for (at[first] = 0; at[first] < cells_[first]; ++at[first]) {
      places.add(place_on_side(grid, side, variable, at));
    }
  }
  std::vector<double> values(places.size());
  systems::evaluate_at(expression, places, t, 1, values.data());
  return values;
}

std::optional<double> BoundaryConditions::mean_value(int side, int variable,
                                                     const StaggeredGrid& grid) const {
  if (!has(side)) return std::nullopt;
  const AffineCondition& condition = this->side(side).of[static_cast<std::size_t>(variable)];
  if ((!open(side) && condition.factor != -1) || !condition.state.empty()) return std::nullopt;
  // With its scale the expression is 2 T_w of gh = 2 T_w - in or, at an open side, the value that enters.
  const double factor = (open(side) ? 1.0 : 0.5) * condition.scale;
  const config::Expression expression(condition.expression, systems::place_variables(), constants_);
  if (expression.is_constant()) return factor * expression.constant();
  const std::vector<double> values = tabulate(side, variable, grid, 0);
  const int a = side / 2 == 0 ? 1 : 0, b = side / 2 == 2 ? 1 : 2;
  const std::size_t row = static_cast<std::size_t>(cells_[static_cast<std::size_t>(a)]);
  double sum = 0, area = 0;
  for (std::size_t n = 0; n < values.size(); ++n) {
    const double weight = grid.width(a, static_cast<std::int64_t>(n % row)) *
                          grid.width(b, static_cast<std::int64_t>(n / row));
    sum += weight * values[n];
    area += weight;
  }
  return factor * sum / area;
}

double BoundaryConditions::largest_speed(int side, int component, const StaggeredGrid& grid) const {
  if (!has(side)) return 0;
  const AffineCondition& condition = this->side(side).of[static_cast<std::size_t>(component)];
  // gh = (1 - 2 s) in + 2 s V, or V itself on the face; a stress prescribes none.
  const double share = component == side / 2 ? 1 : 1 - condition.factor;
  if (!(share > 0)) return 0;
  double largest = 0;
  for (const double value : tabulate(side, component, grid, 0))
    largest = std::max(largest, std::abs(value));
  return largest * std::abs(condition.scale) / share;
}

void BoundaryConditions::check_net_inflow(config::Input& input, const StaggeredGrid& grid) const {
  // With open sides, the net inflow leaves through them.
  if (any_open()) return;
  double net = 0, all = 0;
  std::string key;
  for (int side = 0; side < 6; ++side) {
    const int axis = side / 2;
    if (!has(side)) continue;
    const AffineCondition& normal = this->side(side).of[static_cast<std::size_t>(axis)];
    if (is_zero(normal.expression, constants_)) continue;
    key = normal.key;
    const int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
    const std::size_t row = static_cast<std::size_t>(cells_[static_cast<std::size_t>(a)]);
    const std::vector<double> values = tabulate(side, axis, grid, 0);
    for (std::size_t n = 0; n < values.size(); ++n) {
      const double through = values[n] * grid.width(a, static_cast<std::int64_t>(n % row)) *
                             grid.width(b, static_cast<std::int64_t>(n / row));
      net += side % 2 == 0 ? through : -through;
      all += std::abs(through);
    }
  }
  // What sums over a side lose by rounding; the solver takes it off.
  if (std::abs(net) <= 1e-10 * all) return;
  input.fault(FaultKind::range, key,
              fmt::format("the inflow exceeds the outflow by {:g} in volume per time, of {:g} "
                          "through all sides; the fluid is incompressible",
                          net, all),
              "prescribe velocities across the sides whose sum over all faces is 0");
}

}  // namespace watersmeet::boussinesq
