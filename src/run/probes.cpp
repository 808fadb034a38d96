#include "run/probes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>

#include "config/path.hpp"
#include "core/error.hpp"

namespace watersmeet::run {
namespace {

using config::FaultKind;

struct Nearest {
  Index3 cell{0, 0, 0};
  Real3 place{0, 0, 0};
  bool inside = true;  // of the grid's bounds
};

// Faces of the cells of a box along an axis.
double face(const systems::System& system, std::size_t axis, std::int64_t i) {
  const auto uneven = system.uneven_faces();
  if (!uneven[axis].empty()) return uneven[axis][static_cast<std::size_t>(i)];
  const mesh::Uniform& g = system.mesh().geometry();
  return g.lower[axis] + (static_cast<double>(i) + g.offset - 0.5) * g.spacing[axis];
}

Nearest nearest_in_box(const systems::System& system, const Real3& wanted) {
  Nearest found;
  const Index3 n = system.mesh().block(0).n;
  const auto uneven = system.uneven_faces();
  for (std::size_t a = 0; a < 3; ++a) {
    const std::vector<double>& faces = uneven[a];
    std::int64_t i = 0;
    if (faces.empty()) {
      const mesh::Uniform& g = system.mesh().geometry();
      const double steps = std::round((wanted[a] - g.lower[a]) / g.spacing[a] - g.offset);
      // Points of a periodic grid: the upper end is the lower one again.
      const bool around = g.offset == 0 && steps == static_cast<double>(n[a]);
      i = around ? 0
                 : static_cast<std::int64_t>(std::clamp(steps, 0.0, static_cast<double>(n[a] - 1)));
    } else {
      i = std::clamp<std::int64_t>(
          std::upper_bound(faces.begin(), faces.end(), wanted[a]) - faces.begin() - 1, 0, n[a] - 1);
    }
    found.cell[a] = i;
    found.place[a] = (face(system, a, i) + face(system, a, i + 1)) / 2;
    // Along an axis of one cell there is no choice.
    const double lower = uneven[a].empty() ? system.mesh().geometry().lower[a] : faces.front();
    const double upper =
        uneven[a].empty() ? lower + static_cast<double>(n[a]) * system.mesh().geometry().spacing[a]
                          : faces.back();
    if (n[a] > 1 && !(lower <= wanted[a] && wanted[a] <= upper)) found.inside = false;
  }
  return found;
}

// The node or the middle of a cell of these blocks that is nearest. Its index counts through all
// blocks, one after the other.
struct NearestPoint {
  std::int64_t index = 0;
  Real3 place{0, 0, 0};
  bool inside = false;
};

NearestPoint nearest_point(const mesh::MultiBlockMesh& blocks, bool cells, const Real3& wanted) {
  NearestPoint found;
  double least = std::numeric_limits<double>::infinity();
  constexpr double far = std::numeric_limits<double>::infinity();
  Real3 lower{far, far, far}, upper{-far, -far, -far};
  std::int64_t index = 0;
  for (const mesh::CurvilinearBlock& block : blocks.blocks) {
    const Box box = cells ? block.cells() : block.nodes();
    for (std::int64_t k = 0; k < box.upper[2]; ++k) {
      for (std::int64_t j = 0; j < box.upper[1]; ++j) {
        for (std::int64_t i = 0; i < box.upper[0]; ++i, ++index) {
          Real3 middle{0, 0, 0};
          for (int corner = 0; corner < (cells ? 8 : 1); ++corner) {
            const Index3 node = {std::min(i + (corner & 1), block.n[0] - 1),
                                 std::min(j + (corner >> 1 & 1), block.n[1] - 1),
                                 std::min(k + (corner >> 2 & 1), block.n[2] - 1)};
            for (std::size_t a = 0; a < 3; ++a) {
              const double x = block.at(node)[a];
              middle[a] += x / (cells ? 8 : 1);
              lower[a] = std::min(lower[a], x);
              upper[a] = std::max(upper[a], x);
            }
          }
          double distance = 0;
          for (std::size_t a = 0; a < 3; ++a) distance += std::pow(middle[a] - wanted[a], 2);
          if (distance >= least) continue;
          least = distance;
          found = {index, middle, false};
        }
      }
    }
  }
  found.inside = true;
  for (std::size_t a = 0; a < 3; ++a) {
    if (lower[a] < upper[a] && !(lower[a] <= wanted[a] && wanted[a] <= upper[a]))
      found.inside = false;
  }
  return found;
}

Nearest nearest(const systems::System& system, const Real3& wanted) {
  const Index3 n = system.mesh().block(0).n;
  const auto of_index = [&n](const NearestPoint& point) {
    const std::int64_t i = point.index;
    return Nearest{{i % n[0], i / n[0] % n[1], i / (n[0] * n[1])}, point.place, point.inside};
  };
  if (const mesh::MultiBlockMesh* blocks = system.curvilinear())
    return of_index(nearest_point(*blocks, false, wanted));
  if (const double radius = system.sphere_radius(); radius > 0) {
    const auto around = [&wanted](double r) {
      return Real3{r * std::cos(wanted[1]) * std::cos(wanted[0]),
                   r * std::cos(wanted[1]) * std::sin(wanted[0]), r * std::sin(wanted[1])};
    };
    Nearest found =
        of_index(nearest_point(system.cell_corners(), true, around(radius + wanted[2])));
    const Real3& x = found.place;
    const double r = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    const double lon = std::atan2(x[1], x[0]);
    found.place = {lon < 0 ? lon + 2 * M_PI : lon, std::asin(x[2] / r), r - radius};
    found.inside = std::abs(wanted[1]) <= M_PI / 2;
    return found;
  }
  if (system.moved_corners()) return of_index(nearest_point(system.cell_corners(), true, wanted));
  return nearest_in_box(system, wanted);
}

std::vector<systems::SeriesColumn> columns_of(const std::string& probe,
                                              const systems::QuantityInfo& field) {
  std::vector<systems::SeriesColumn> columns;
  for (int c = 0; c < field.components; ++c) {
    std::string name = probe + "_" + field.name;
    if (field.components == 3) name += std::string("_") + "xyz"[c];
    if (field.components == 2 || field.components > 3) name += "_" + std::to_string(c);
    columns.push_back({name, field.units, "", ""});
  }
  return columns;
}

std::string path_of_probe(std::size_t number) { return fmt::format("output.probe[{}]", number); }

}  // namespace

void check_probes(config::Input& input, const systems::System& system) {
  const std::vector<systems::QuantityInfo> quantities = system.quantities();
  std::string known;
  for (const systems::QuantityInfo& q : quantities) known += (known.empty() ? "" : ", ") + q.name;
  std::set<std::string> taken = {"step", "t", "dt"};
  for (const systems::SeriesColumn& column : system.series_columns()) taken.insert(column.name);
  for (std::size_t p = 0; p < input.count("output.probe"); ++p) {
    const std::string path = path_of_probe(p);
    if (!input.is_good(path + ".name") || !input.is_good(path + ".at") ||
        !input.is_good(path + ".fields"))
      continue;
    const std::string name = input.text(path + ".name");
    if (!config::is_identifier(name)) {
      input.fault(FaultKind::bad_value, path + ".name",
                  "`" + name + "` is not a name; use letters, digits and _");
    }
    if (input.texts(path + ".fields").empty())
      input.fault(FaultKind::missing_key, path + ".fields", "probe `" + name + "` has no fields",
                  "the fields of " + system.name() + " are " + known);
    for (const std::string& field : input.texts(path + ".fields")) {
      const auto found = std::find_if(quantities.begin(), quantities.end(),
                                      [&](const auto& q) { return q.name == field; });
      if (found == quantities.end()) {
        input.fault(FaultKind::bad_value, path + ".fields", "no field `" + field + "` to probe",
                    "the fields of " + system.name() + " are " + known);
        continue;
      }
      for (const systems::SeriesColumn& column : columns_of(name, *found)) {
        if (taken.insert(column.name).second) continue;
        input.fault(FaultKind::conflict, path + ".name",
                    "the time series would have the column `" + column.name + "` twice",
                    "choose another name, and name each field once");
      }
    }
    if (input.has_faults()) continue;  // without a grid there is no place
    if (nearest(system, input.reals3(path + ".at")).inside) continue;
    input.fault(FaultKind::range, path + ".at", "probe `" + name + "` lies outside the grid",
                system.sphere_radius() > 0 ? "longitude and latitude are in radians" : "");
  }
}

Probes::Probes(const config::Input& input, const systems::System& system) {
  for (std::size_t p = 0; p < input.count("output.probe"); ++p) {
    const std::string path = path_of_probe(p);
    const Nearest found = nearest(system, input.reals3(path + ".at"));
    Probe probe{input.text(path + ".name"), found.cell, found.place, {}};
    for (const std::string& field : input.texts(path + ".fields")) {
      for (const systems::QuantityInfo& q : system.quantities()) {
        if (q.name == field) probe.fields.push_back(q);
      }
    }
    probes_.push_back(std::move(probe));
  }
}

std::vector<systems::SeriesColumn> Probes::columns() const {
  std::vector<systems::SeriesColumn> all;
  for (const Probe& probe : probes_) {
    for (const systems::QuantityInfo& field : probe.fields) {
      for (const systems::SeriesColumn& column : columns_of(probe.name, field))
        all.push_back(column);
    }
  }
  return all;
}

// Every field is asked for once for all its probes. Of each number the rank that has the cell gives
// the bits and all others 0, so that their sum is the number itself.
std::vector<double> Probes::values(Engine& engine) const {
  std::vector<std::int64_t> bits(columns().size(), 0);
  std::set<std::string> done;
  for (const Probe& first : probes_) {
    for (const systems::QuantityInfo& field : first.fields) {
      if (!done.insert(field.name).second) continue;
      std::vector<Index3> cells;
      std::vector<std::size_t> columns;  // the first of each cell
      std::size_t column = 0;
      for (const Probe& probe : probes_) {
        for (const systems::QuantityInfo& other : probe.fields) {
          if (other.name == field.name) {
            cells.push_back(probe.cell);
            columns.push_back(column);
          }
          column += static_cast<std::size_t>(other.components);
        }
      }
      const std::vector<std::vector<double>> values = engine.quantity_in_cells(field, cells);
      for (std::size_t c = 0; c < cells.size(); ++c) {
        for (std::size_t m = 0; m < values[c].size(); ++m)
          bits[columns[c] + m] = std::bit_cast<std::int64_t>(values[c][m]);
      }
    }
  }
  if (!bits.empty()) engine.team().communicator().all_reduce_sum(std::span<std::int64_t>(bits));
  std::vector<double> values;
  for (const std::int64_t word : bits) values.push_back(std::bit_cast<double>(word));
  return values;
}

std::vector<std::string> Probes::words() const {
  std::vector<std::string> lines;
  for (const Probe& probe : probes_) {
    lines.push_back(fmt::format("probe {} at ({:.6g}, {:.6g}, {:.6g})", probe.name, probe.place[0],
                                probe.place[1], probe.place[2]));
  }
  return lines;
}

}  // namespace watersmeet::run
