#include "systems/stretching.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "config/usual_keys.hpp"
#include "systems/idle_key.hpp"

namespace watersmeet::systems {

using config::FaultKind;
using config::Key;

std::vector<Key> stretching_keys() {
  struct Axis {
    std::string name, stretching, faces;
  };
  std::vector<Key> all;
  for (const Axis& axis : {Axis{"x", "grid.x_stretching", "grid.x_faces"},
                           Axis{"y", "grid.y_stretching", "grid.y_faces"},
                           Axis{"z", "grid.z_stretching", "grid.z_faces"}}) {
    all.push_back(config::bounded_key(axis.stretching, "1", "0.0", 0.0, 10.0,
                                      "Stretching factor s that clusters the " + axis.name +
                                          " faces at both sides, " + axis.name +
                                          " ~ tanh(s (2k/n - 1)); 0 gives uniform cells."));
    all.push_back({.path = axis.faces,
                   .type = config::KeyType::reals,
                   .unit = "length",
                   .help = "Positions of the " + axis.name +
                           " faces: one more than the cells along " + axis.name +
                           ", ascending from grid.lower to grid.upper; in place of " + axis.name +
                           "_stretching."});
  }
  return all;
}

namespace {

// Faces between lower and upper, clustered at both ends by tanh(strength (2 k/n - 1)); ascending,
// the ends exact. strength > 0.
std::vector<double> tanh_faces(std::int64_t cells, double lower, double upper, double strength) {
  std::vector<double> faces;
  for (std::int64_t k = 0; k <= cells; ++k) {
    const double at = 2 * static_cast<double>(k) / static_cast<double>(cells) - 1;
    faces.push_back(0.5 * (lower + upper) +
                    0.5 * (upper - lower) * std::tanh(strength * at) / std::tanh(strength));
  }
  faces.front() = lower;
  faces.back() = upper;
  return faces;
}

bool read_axis(config::Input& input, std::size_t axis, AxisFaces& read) {
  const std::string name(1, "xyz"[axis]);
  const std::int64_t cells = input.integers3("grid.cells")[axis];
  const double lower = input.reals3("grid.lower")[axis], upper = input.reals3("grid.upper")[axis];
  const double stretching = input.real("grid." + name + "_stretching");
  std::string& key = read.key;
  std::vector<double>& faces = read.faces;
  key = "grid." + name + "_faces";
  if (cells == 1)
    note_idle(input, "grid." + name + "_stretching", "the grid has one cell along " + name);
  if (!input.is_set(key)) {
    if (!(stretching > 0) || cells == 1) return true;
    key = "grid." + name + "_stretching";
    faces = tanh_faces(cells, lower, upper, stretching);
    return true;
  }
  faces = input.reals(key);
  if (stretching > 0) {
    input.fault(FaultKind::conflict, key,
                fmt::format("`{}` is given together with grid.{}_stretching", key, name),
                "remove one of them");
  }
  if (static_cast<std::int64_t>(faces.size()) != cells + 1) {
    input.fault(FaultKind::bad_value, key,
                fmt::format("{} faces are given for {} cells along {}", faces.size(), cells, name),
                fmt::format("give {} faces", cells + 1));
    return false;
  }
  const double slack = 1e-12 * (upper - lower);
  if (std::abs(faces.front() - lower) > slack || std::abs(faces.back() - upper) > slack) {
    input.fault(FaultKind::bad_value, key,
                fmt::format("the faces go from {:g} to {:g}, and the box goes from {:g} to {:g}",
                            faces.front(), faces.back(), lower, upper));
  }
  for (std::size_t k = 1; k < faces.size(); ++k) {
    if (faces[k] > faces[k - 1]) continue;
    input.fault(FaultKind::bad_value, key,
                fmt::format("the faces do not ascend: {:g} follows {:g}", faces[k], faces[k - 1]));
    return false;
  }
  return true;
}

}  // namespace

bool read_faces(config::Input& input, std::array<AxisFaces, 3>& axes) {
  for (std::size_t a = 0; a < 3; ++a) {
    if (!read_axis(input, a, axes[a])) return false;
  }
  return true;
}

}  // namespace watersmeet::systems
