#include "systems/multicomponent/initial/shape_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "config/nearest.hpp"

namespace watersmeet::multicomponent {
namespace {

using config::FaultKind;
using config::Input;
using config::join;

const std::vector<std::string> axis_names = {"x", "y", "z"};

std::size_t axis_of(const std::string& name) {
  return static_cast<std::size_t>(std::find(axis_names.begin(), axis_names.end(), name) -
                                  axis_names.begin());
}

// What a kind needs and what it may have besides; every kind may have `smoothing`. A plane stands
// across one axis, whose name is the key of its place.
struct Kind {
  std::string name;
  bool plane;
  std::vector<std::string> needed, optional;
};
const std::vector<Kind>& kinds() {
  static const std::vector<Kind> list = {
      {"half_space", true, {"side"}, {}},
      {"sphere", false, {"centre", "radius"}, {}},
      {"sphere_row", false, {"radius", "count", "gap", "first", "direction"}, {}},
      {"cylinder", false, {"centre", "radius"}, {"axis"}},
      {"box", false, {"lower", "upper"}, {}},
      {"bubbles", false, {"file"}, {}},
      {"expression", false, {"inside"}, {}},
      {"shock", true, {"side"}, {"pressure_jump", "mach"}},
  };
  return list;
}
const std::vector<std::string> all_members = {
    "x",    "y",         "z",     "side",      "centre", "radius", "count",
    "gap",  "first",     "axis",  "direction", "file",   "inside", "pressure_jump",
    "mach", "smoothing", "lower", "upper"};

bool holds(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

// Whether the keys are those of the kind, each without a fault.
bool check_members(Input& input, const std::string& path, const Kind& kind) {
  bool good = true;
  std::vector<std::string> takes = kind.needed;
  takes.insert(takes.end(), kind.optional.begin(), kind.optional.end());
  if (kind.plane) takes.insert(takes.begin(), axis_names.begin(), axis_names.end());
  takes.push_back("smoothing");
  for (const std::string& member : all_members) {
    const std::string key = path + "." + member;
    if (!input.is_set(key)) continue;
    if (!input.is_good(key)) good = false;
    if (holds(takes, member)) continue;
    input.fault(FaultKind::conflict, key, fmt::format("a {} has no `{}`", kind.name, member),
                fmt::format("it takes {}", join(takes)));
    good = false;
  }
  std::vector<std::string> missing;
  for (const std::string& member : kind.needed)
    if (!input.is_set(path + "." + member)) missing.push_back(member);
  if (!missing.empty()) {
    input.fault(FaultKind::missing_key, path,
                fmt::format("a {} needs {}", kind.name, join(missing, " and ", "`")),
                fmt::format("it takes {}", join(takes)));
    good = false;
  }
  return good;
}

// Axis and place of a plane.
std::optional<std::size_t> plane_axis(Input& input, const std::string& path, const Kind& kind,
                                      const CellGrid& grid) {
  std::vector<std::string> given;
  for (const std::string& axis : axis_names)
    if (input.is_set(path + "." + axis)) given.push_back(axis);
  if (given.size() != 1) {
    input.fault(given.empty() ? FaultKind::missing_key : FaultKind::conflict, path,
                fmt::format("a {} lies at one position along one axis; {}", kind.name,
                            given.empty() ? "none is given" : join(given, " and ") + " are given"),
                "give x, y or z, for example x = 0.5");
    return std::nullopt;
  }
  const std::size_t axis = axis_of(given[0]);
  if (grid.active(axis)) return axis;
  input.fault(FaultKind::conflict, path + "." + given[0],
              fmt::format("a {} across {} has no meaning where the grid has one cell", kind.name,
                          given[0]));
  return std::nullopt;
}

std::vector<Sphere> row_of_spheres(const Input& input, const std::string& path) {
  const double radius = input.real(path + ".radius");
  const double pitch = 2 * radius + input.real(path + ".gap");
  const std::size_t axis = axis_of(input.text(path + ".direction"));
  const Real3 first = input.reals3(path + ".first");
  const std::int64_t count = input.integer(path + ".count");
  std::vector<Sphere> list;
  for (std::int64_t n = 0; n < count; ++n) {
    list.push_back({first, radius});
    list.back().centre[axis] += static_cast<double>(n) * pitch;
  }
  return list;
}

std::vector<Sphere> spheres_of_file(Input& input, const std::string& path) {
  SphereFile file = read_spheres(input.file(path + ".file"));
  for (const std::string& fault : file.faults)
    input.fault(FaultKind::bad_value, path + ".file", fault);
  if (!file.faults.empty()) file.spheres.clear();
  return file.spheres;
}

// A side at or beyond that of the grid is no interface, and neither are those of axes of one cell.
std::shared_ptr<const Shape> read_box(Input& input, const std::string& path, const CellGrid& grid) {
  Real3 lower = input.reals3(path + ".lower"), upper = input.reals3(path + ".upper");
  for (std::size_t a = 0; a < 3; ++a) {
    if (grid.active(a) && !(lower[a] < upper[a])) {
      input.fault(FaultKind::conflict, path + ".upper[" + std::to_string(a) + "]",
                  fmt::format("the upper corner of the box, {:g}, is not above the lower one, {:g}",
                              upper[a], lower[a]));
      return nullptr;
    }
    const double margin = 1e-6 * grid.smallest_width(a);
    if (!grid.active(a) || lower[a] <= grid.lower(a) + margin) lower[a] = -infinity;
    if (!grid.active(a) || upper[a] >= grid.upper(a) - margin) upper[a] = infinity;
  }
  return box(lower, upper);
}

bool check_inside(Input& input, const std::string& path, const Shape& shape, const CellGrid& grid) {
  const Bounds bounds = shape.bounds();
  for (std::size_t a = 0; a < 3; ++a) {
    if (!grid.active(a)) continue;
    if (bounds.lower[a] < grid.upper(a) && bounds.upper[a] > grid.lower(a)) continue;
    input.fault(
        FaultKind::conflict, path,
        fmt::format("this shape lies outside the grid: it ends at {0} = {1:g}, and the grid "
                    "goes from {2:g} to {3:g}",
                    axis_names[a],
                    bounds.lower[a] >= grid.upper(a) ? bounds.lower[a] : bounds.upper[a],
                    grid.lower(a), grid.upper(a)));
    return false;
  }
  return true;
}

std::optional<ShockRequest> read_shock(Input& input, const std::string& path, std::size_t axis) {
  ShockRequest request;
  request.axis = axis;
  request.place = input.real(path + "." + axis_names[axis]);
  request.lower = input.text(path + ".side") == "lower";
  const bool jump = input.is_set(path + ".pressure_jump"), mach = input.is_set(path + ".mach");
  if (jump == mach) {
    input.fault(jump ? FaultKind::conflict : FaultKind::missing_key, path,
                jump ? "a shock is given by its pressure jump or by its Mach number, not by both"
                     : "a shock needs its pressure_jump or its mach",
                "for example pressure_jump = 4e7 or mach = 1.22");
    return std::nullopt;
  }
  if (jump) request.pressure_jump = input.real(path + ".pressure_jump");
  if (mach) request.mach = input.real(path + ".mach");
  return request;
}

// Whether the sphere, and what is smeared around it, comes near the grid.
bool touches(const Sphere& sphere, double reach, const CellGrid& grid) {
  for (std::size_t a = 0; a < 3; ++a) {
    const double r = sphere.radius + reach;
    if (!grid.active(a)) continue;
    if (sphere.centre[a] + r < grid.lower(a) || sphere.centre[a] - r > grid.upper(a)) return false;
  }
  return true;
}

// Lengths so large that differences of them do not distinguish one cell from the next.
double largest_length(const CellGrid& grid) {
  double least = infinity;
  for (std::size_t a = 0; a < 3; ++a)
    if (grid.active(a)) least = std::min(least, grid.smallest_width(a));
  return 1e12 * least;
}

bool check_length(Input& input, const std::string& key, const std::string& what, double length,
                  const CellGrid& grid) {
  const double most = largest_length(grid);
  if (std::abs(length) <= most) return true;
  input.fault(FaultKind::range, key,
              fmt::format("{} {:g} is too large: numbers of this size do not resolve the cells of "
                          "this grid; at most {:g} is possible",
                          what, length, most));
  return false;
}

bool check_reach(Input& input, const std::string& path, const std::vector<Sphere>& list,
                 const CellGrid& grid) {
  for (const Sphere& sphere : list) {
    if (!check_length(input, path, "the radius", sphere.radius, grid)) return false;
    for (std::size_t a = 0; a < 3; ++a) {
      if (!grid.active(a)) continue;
      if (!check_length(input, path, "a centre at " + axis_names[a] + " =", sphere.centre[a], grid))
        return false;
    }
  }
  return true;
}

std::shared_ptr<const Shape> make_shape(Input& input, const std::string& path,
                                        const std::string& kind, const CellGrid& grid,
                                        double half_width) {
  // Beyond this distance a cell is all inside or all outside.
  const double reach = 1.01 * (half_width + grid.half_diagonal());
  std::vector<Sphere> list;
  if (kind == "box") return read_box(input, path, grid);
  if (kind == "cylinder") {
    Real3 centre = input.reals3(path + ".centre");
    for (std::size_t a = 0; a < 3; ++a)
      if (!grid.active(a)) centre[a] = grid.place(a, 0, 0);
    const std::string axis = input.is_set(path + ".axis") ? input.text(path + ".axis") : "z";
    const double radius = input.real(path + ".radius");
    if (!check_reach(input, path, {{centre, radius}}, grid)) return nullptr;
    return cylinder(static_cast<int>(axis_of(axis)), centre, radius);
  }
  if (kind == "sphere") {
    list.push_back({input.reals3(path + ".centre"), input.real(path + ".radius")});
  } else if (kind == "sphere_row") {
    list = row_of_spheres(input, path);
  } else {
    list = spheres_of_file(input, path);
  }
  if (list.empty() || !check_reach(input, path, list, grid)) return nullptr;
  // Shapes outside the grid affect no cell.
  std::vector<Sphere> near;
  for (const Sphere& sphere : list)
    if (touches(sphere, reach, grid)) near.push_back(sphere);
  if (near.empty()) near.push_back(list.front());  // for the message about its place
  return spheres(std::move(near), reach, grid.active());
}

}  // namespace

std::optional<ReadShape> read_shape(Input& input, const std::string& path, const CellGrid& grid) {
  if (!input.is_good(path + ".kind")) return std::nullopt;
  const std::string name = input.text(path + ".kind");
  const auto kind =
      std::find_if(kinds().begin(), kinds().end(), [&](const Kind& k) { return k.name == name; });
  bool good = check_members(input, path, *kind);
  constexpr std::size_t no_axis = 3;
  const std::size_t axis =
      kind->plane ? plane_axis(input, path, *kind, grid).value_or(no_axis) : no_axis;
  if (!good || (kind->plane && axis == no_axis)) return std::nullopt;

  ReadShape read;
  // The front of a shock is a jump unless it is asked to be wider.
  const double smoothing = input.is_set(path + ".smoothing") ? input.real(path + ".smoothing")
                           : name == "shock"                 ? 0.0
                                                             : 1.0;
  read.half_width = smoothing * std::sqrt(3.0) * grid.largest_spacing();
  if (!check_length(input, path + ".smoothing", "a half width of", read.half_width, grid))
    return std::nullopt;
  if (name == "expression") {
    read.inside = input.expression(path + ".inside");
    return read;
  }
  if (name == "shock") {
    read.shock = read_shock(input, path, axis);
    if (!read.shock) return std::nullopt;
  }
  if (kind->plane) {
    read.shape = half_space(static_cast<int>(axis), input.real(path + "." + axis_names[axis]),
                            input.text(path + ".side") == "lower");
  } else {
    read.shape = make_shape(input, path, name, grid, read.half_width);
  }
  if (!read.shape || !check_inside(input, path, *read.shape, grid)) return std::nullopt;
  return read;
}

}  // namespace watersmeet::multicomponent
