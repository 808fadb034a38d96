#include "systems/shallow_water/boundary/conditions.hpp"

#include <fmt/format.h>

#include <utility>

#include "config/usual_keys.hpp"
#include "systems/prescribed_values.hpp"
#include "systems/side_conditions.hpp"

namespace watersmeet::shallow_water {

using config::FaultKind;
using config::Key;

namespace {

struct Word {
  const char* word;
  BoundaryKind kind;
};
// The first is what a side is when nothing is said.
constexpr Word words[] = {{"wall", BoundaryKind::wall},     {"open", BoundaryKind::open},
                          {"inflow", BoundaryKind::inflow}, {"level", BoundaryKind::level},
                          {"flow", BoundaryKind::flow},     {"far", BoundaryKind::far}};

bool wants_velocity(BoundaryKind kind) {
  return kind == BoundaryKind::inflow || kind == BoundaryKind::flow;
}

}  // namespace

BoundaryConditions::BoundaryConditions(config::Input& input, const Index3& cells)
    : constants_(input.constants()) {
  for (BoundaryCondition& side : sides_) side.kind = BoundaryKind::none;
  for (int axis = 0; axis < 2; ++axis) read_axis(input, cells, axis);
  description_ = systems::describe_sides(input, 2, cells, [](int) { return words[0].word; });
}

void BoundaryConditions::read_axis(config::Input& input, const Index3& cells, int axis) {
  const std::size_t a = static_cast<std::size_t>(axis);
  const auto paths = systems::side_paths(input, axis);
  if (!paths) return;
  BoundaryCondition conditions[2];
  bool periodic[2] = {false, false};
  for (const std::size_t upper : {0, 1}) {
    const std::string& path = (*paths)[upper];
    conditions[upper].path = path;
    if (input.is_set(path) &&
        !read_condition(input, path, axis, conditions[upper], periodic[upper])) {
      return;
    }
  }
  if (!systems::periodic_together(input, axis, *paths, periodic)) return;
  if (cells[a] == 1) return;
  periodic_[a] = periodic[0];
  if (periodic[0]) return;
  for (const std::size_t upper : {0, 1}) sides_[2 * a + upper] = conditions[upper];
}

bool BoundaryConditions::read_condition(config::Input& input, const std::string& path, int axis,
                                        BoundaryCondition& condition, bool& periodic) {
  const std::string key = path + ".kind";
  if (!systems::has_kind(input, path, "add kind = \"far\" or \"inflow\"")) return false;
  if (!input.is_good(key)) return false;
  const std::string word = input.text(key);
  periodic = word == "periodic";
  for (const Word& w : words) {
    if (word == w.word) condition.kind = w.kind;
  }
  const bool surface = input.is_set(path + ".surface"), velocity = input.is_set(path + ".velocity");
  const auto refuse = [&](const char* what) {
    input.fault(FaultKind::conflict, path + "." + what,
                fmt::format("a side of kind {} takes no {}", word, what), "remove it");
  };
  const auto miss = [&](const char* what) {
    input.fault(FaultKind::missing_key, path,
                fmt::format("`{}` is of kind {} and needs a {}", path, word, what),
                fmt::format("add {} = ...", what));
  };
  const bool far = !periodic && condition.kind == BoundaryKind::far;
  const bool takes_surface = !periodic && condition.has_surface();
  const bool takes_velocity =
      !periodic && (far || wants_velocity(condition.kind) || condition.kind == BoundaryKind::level);
  if (surface && !takes_surface) refuse("surface");
  if (velocity && !takes_velocity) refuse("velocity");
  if (!surface && takes_surface) miss("surface");
  if (!velocity && !periodic && wants_velocity(condition.kind)) miss("velocity");
  condition.surface_place = input.place(FaultKind::range, path + ".surface");
  condition.velocity_place = input.place(FaultKind::range, path + ".velocity");
  if (surface && takes_surface) condition.values[0] = input.expression(path + ".surface");
  if (velocity && takes_velocity) {
    const auto v = input.expressions3(path + ".velocity");
    condition.values[1] = v[0];
    condition.values[2] = v[1];
    const auto must_be_zero = [&](int a, const std::string& why, const char* suggestion) {
      const std::string& text = v[static_cast<std::size_t>(a)];
      if (!input.is_good(path + ".velocity") || systems::is_zero(text, constants_)) return;
      input.fault(FaultKind::bad_value, fmt::format("{}.velocity[{}]", path, a), why, suggestion);
    };
    must_be_zero(2, "shallow water has no velocity along z: the third component must be 0", "0");
    if (condition.kind == BoundaryKind::level) {
      must_be_zero(axis,
                   fmt::format("the velocity along {} through a side of kind level follows from "
                               "the level; only the velocity along the side can be prescribed, "
                               "for water that enters",
                               "xy"[axis]),
                   "set 0 across the side, or use kind = \"inflow\", which prescribes it");
    }
  }
  for (std::size_t v = 0; v < 3; ++v) {
    if (systems::reads_state(condition.values[v], side_variables(), constants_))
      condition.state[v] = std::exchange(condition.values[v], "0");
  }
  return true;
}

FacesOfSide faces_of_side(const mesh::Uniform& geometry, const Box& box, int side,
                          std::int64_t more, std::int64_t period) {
  const std::size_t a = static_cast<std::size_t>(side / 2), b = 1 - a;
  const std::int64_t at = side % 2 == 1 ? box.upper[a] : box.lower[a];
  const double face = geometry.lower[a] + static_cast<double>(at) * geometry.spacing[a];
  const double cell = geometry.coordinate(static_cast<int>(a), side % 2 == 1 ? at - 1 : at);
  FacesOfSide faces;
  for (std::int64_t n = box.lower[b] - more; n < box.upper[b] + more; ++n) {
    const std::int64_t cell_along = period > 0 ? (n + period) % period : n;
    const double along = geometry.coordinate(static_cast<int>(b), cell_along);
    faces.x.push_back(a == 0 ? face : along);
    faces.y.push_back(a == 0 ? along : face);
    faces.cell_x.push_back(a == 0 ? cell : along);
    faces.cell_y.push_back(a == 0 ? along : cell);
  }
  return faces;
}

std::vector<double> bed_before(const FacesOfSide& faces, const std::string& bed,
                               const config::Constants& constants) {
  const double* const columns[2] = {faces.cell_x.data(), faces.cell_y.data()};
  std::vector<double> values(faces.x.size());
  config::Expression(bed, {"x", "y"}, constants)
      .evaluate_row(values.size(), columns, values.data());
  return values;
}

const std::vector<std::string>& side_variables() {
  static const std::vector<std::string> names = {"x", "y", "t"};
  return names;
}

std::vector<Key> boundary_keys() {
  std::vector<Key> keys;
  std::vector<std::string> kinds = {"periodic"};
  for (const Word& w : words) kinds.push_back(w.word);
  const auto add_side = [&](const std::string& path, const std::string& what,
                            const std::string& otherwise) {
    keys.push_back(
        config::choice_key(path + ".kind", "", kinds, "Condition of " + what + "; " + otherwise));
    Key surface = config::expression_key(
        path + ".surface", "length", "", "x y t",
        "Kinds inflow, level and far: level of the water at the side; required.");
    Key velocity = config::expressions_key(
        path + ".velocity", "length/time", "", "x y t",
        "Velocity at the side: required for inflow and flow, 0 when unset for far; for level "
        "the tangential velocity of entering water. The third component must be 0.");
    surface.state = velocity.state = "surface bed depth velocity.x velocity.y speed froude";
    keys.insert(keys.end(), {surface, velocity});
  };
  systems::for_each_side_table(
      2, "wall when unset. If one side is periodic, the opposite one must be too.", add_side);
  return keys;
}

}  // namespace watersmeet::shallow_water
