#include "run/sampling/probes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>

#include "config/path.hpp"
#include "mesh/cubed_sphere.hpp"
#include "mesh/curvilinear/nodes.hpp"
#include "run/run_plan.hpp"

namespace watersmeet::run {
namespace {

using config::FaultKind;

struct Nearest {
  Index3 cell{0, 0, 0};
  Real3 place{0, 0, 0};
  bool inside = true;  // of the grid's bounds
};

Nearest nearest_in_box(const mesh::GridDescription& grid, const Real3& wanted) {
  Nearest found;
  for (std::size_t a = 0; a < 3; ++a) {
    const NearestAlong along = nearest_along(grid, a, wanted[a]);
    found.cell[a] = along.cell;
    found.place[a] = along.centre;
    found.inside = found.inside && along.inside;
  }
  return found;
}

// The node of these blocks that is nearest. Nodes are numbered through all blocks, one after the
// other.
Nearest nearest_node(const mesh::MultiBlockMesh& blocks, const Index3& n, const Real3& wanted) {
  constexpr double far = std::numeric_limits<double>::infinity();
  Nearest found;
  double least = far;
  Real3 lower{far, far, far}, upper{-far, -far, -far};
  std::int64_t index = 0;
  for (const mesh::CurvilinearBlock& block : blocks.blocks) {
    mesh::for_each_node(block.nodes(), [&](const Index3& node) {
      const Real3 x = block.at(node);
      double distance = 0;
      for (std::size_t a = 0; a < 3; ++a) {
        lower[a] = std::min(lower[a], x[a]);
        upper[a] = std::max(upper[a], x[a]);
        distance += std::pow(x[a] - wanted[a], 2);
      }
      if (!(distance >= least)) {
        least = distance;
        found.cell = {index % n[0], index / n[0] % n[1], index / (n[0] * n[1])};
        found.place = x;
      }
      ++index;
    });
  }
  for (std::size_t a = 0; a < 3; ++a) {
    if (lower[a] < upper[a] && !(lower[a] <= wanted[a] && wanted[a] <= upper[a]))
      found.inside = false;
  }
  return found;
}

// The level of a column of cells that holds a height, or the one next to it. `height` gives the
// height of the corner (i, j, k) of the block. Heights of corners are exact, also on a sphere,
// where the mean of the Cartesian positions of four corners lies below their level: by
// 700 m on the Earth with cells of 200 km.
struct Level {
  std::int64_t k = 0;
  double middle = 0;
};

template <typename Height>
Level level_at(std::int64_t i, std::int64_t j, std::int64_t levels, double wanted,
               const Height& height) {
  const auto face = [&](std::int64_t k) {
    return (height(Index3{i, j, k}) + height(Index3{i + 1, j, k}) + height(Index3{i, j + 1, k}) +
            height(Index3{i + 1, j + 1, k})) /
           4;
  };
  Level level;
  while (level.k + 1 < levels && face(level.k + 1) <= wanted) ++level.k;
  level.middle = (face(level.k) + face(level.k + 1)) / 2;
  return level;
}

// Longitude, latitude and height.
Nearest nearest_on_sphere(const mesh::GridDescription& grid, const Real3& wanted) {
  const std::int64_t n = grid.n()[0], levels = grid.levels;
  const auto [panel, i, j] = panel_place(n, wanted[0], wanted[1]);
  const auto middle = [n](std::int64_t cell) {
    return ((static_cast<double>(cell) + 0.5) / static_cast<double>(n) - 0.5) * M_PI / 2;
  };
  const mesh::LonLat at = mesh::lon_lat(mesh::panel_position(panel, middle(i), middle(j)));
  Nearest found;
  found.inside = std::abs(wanted[1]) <= M_PI / 2;
  Level level;
  const mesh::MultiBlockMesh corners = grid.corners();
  const mesh::CurvilinearBlock& block = corners.block(panel);
  if (block.n[2] > levels) {  // else one layer of cells has one layer of corners, and no height
    const auto height = [&](const Index3& corner) {
      const Real3 x = block.at(corner);
      return std::hypot(x[0], x[1], x[2]) - grid.sphere_radius;
    };
    level = level_at(i, j, levels, wanted[2], height);
    // Below mountains too, as in a box; one part in a million of the top is rounding.
    const double top = height({i, j, levels}), ground = height({i, j, 0});
    const double margin = 1e-6 * top;
    if (wanted[2] > top + margin || wanted[2] < std::min(ground, 0.0) - margin)
      found.inside = false;
  }
  found.cell = {i, j, panel * levels + level.k};
  found.place = {at.lon, at.lat, level.middle};
  return found;
}

Nearest nearest(const mesh::GridDescription& grid, const Real3& wanted) {
  if (grid.blocks) return nearest_node(*grid.blocks, grid.n(), wanted);
  if (grid.kind == mesh::GridKind::cubed_sphere) return nearest_on_sphere(grid, wanted);
  if (grid.kind == mesh::GridKind::box) return nearest_in_box(grid, wanted);
  // Levels follow the ground: the column first, then its level at this height.
  const mesh::MultiBlockMesh corners = grid.corners();
  const mesh::CurvilinearBlock& block = corners.block(0);
  const mesh::Uniform& g = grid.geometry();
  Nearest found = nearest_in_box(grid, {wanted[0], wanted[1], g.lower[2]});
  const auto height = [&](const Index3& corner) { return block.at(corner)[2]; };
  const std::int64_t i = found.cell[0], j = found.cell[1], levels = block.n[2] - 1;
  const Level level = level_at(i, j, levels, wanted[2], height);
  found.cell[2] = level.k;
  found.place[2] = level.middle;
  // Below hills, where the column begins above this height, it is its lowest cell.
  if (wanted[2] > height({i, j, levels}) || wanted[2] < std::min(height({i, j, 0}), g.lower[2]))
    found.inside = false;
  return found;
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

// The bounds of a box along an axis.
std::pair<double, double> extent(const mesh::GridDescription& grid, std::size_t axis) {
  const std::vector<double>& faces = grid.faces[axis];
  if (!faces.empty()) return {faces.front(), faces.back()};
  const mesh::Uniform& g = grid.geometry();
  return {g.lower[axis], g.lower[axis] + static_cast<double>(grid.n()[axis]) * g.spacing[axis]};
}

}  // namespace

double cell_face(const mesh::GridDescription& grid, std::size_t axis, std::int64_t cell) {
  if (!grid.faces[axis].empty()) return grid.faces[axis][static_cast<std::size_t>(cell)];
  const mesh::Uniform& g = grid.geometry();
  return g.lower[axis] + (static_cast<double>(cell) + g.offset - 0.5) * g.spacing[axis];
}

double cell_centre(const mesh::GridDescription& grid, std::size_t axis, std::int64_t cell) {
  return (cell_face(grid, axis, cell) + cell_face(grid, axis, cell + 1)) / 2;
}

PanelPlace panel_place(std::int64_t n, double longitude, double latitude) {
  const mesh::PanelAngles at = mesh::panel_angles(longitude, latitude);
  const auto cell_at = [&](double angle) {
    const double cells = std::floor((2 * angle / M_PI + 0.5) * static_cast<double>(n));
    return static_cast<std::int64_t>(std::clamp(cells, 0.0, static_cast<double>(n - 1)));
  };
  return {at.panel, cell_at(at.alpha), cell_at(at.beta)};
}

NearestAlong nearest_along(const mesh::GridDescription& grid, std::size_t axis, double wanted) {
  const std::int64_t n = grid.n()[axis];
  const mesh::Uniform& g = grid.geometry();
  const std::vector<double>& faces = grid.faces[axis];
  NearestAlong found;
  if (faces.empty()) {
    const double steps = std::round((wanted - g.lower[axis]) / g.spacing[axis] - g.offset);
    // Points of a periodic grid: the upper end is the lower one again.
    const bool around = g.offset == 0 && steps == static_cast<double>(n);
    found.cell =
        around ? 0 : static_cast<std::int64_t>(std::clamp(steps, 0.0, static_cast<double>(n - 1)));
  } else {
    found.cell = std::clamp<std::int64_t>(
        std::upper_bound(faces.begin(), faces.end(), wanted) - faces.begin() - 1, 0, n - 1);
  }
  found.centre = cell_centre(grid, axis, found.cell);
  const auto [lower, upper] = extent(grid, axis);
  found.inside = n == 1 || (lower <= wanted && wanted <= upper);
  return found;
}

std::string extent_text(const mesh::GridDescription& grid, std::size_t axis) {
  const auto [lower, upper] = extent(grid, axis);
  return fmt::format("the grid is from {:g} to {:g} along {}", lower, upper, "xyz"[axis]);
}

void check_probes(config::Input& input, const mesh::GridDescription& grid,
                  const systems::Observation& system) {
  const std::vector<systems::QuantityInfo> quantities = system.quantities();
  const std::string fields_are = "the fields of " + input.text("case.system") + " are ",
                    known = names_of(quantities);
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
                  fields_are + known);
    for (const std::string& field : input.texts(path + ".fields")) {
      const auto found = std::find_if(quantities.begin(), quantities.end(),
                                      [&](const auto& q) { return q.name == field; });
      if (found == quantities.end()) {
        input.fault(FaultKind::bad_value, path + ".fields", "no field `" + field + "` to probe",
                    fields_are + known);
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
    const Real3 at = input.reals3(path + ".at");
    if (nearest(grid, at).inside) continue;
    std::string extent;
    for (std::size_t a = 0; a < 3 && grid.is_box(); ++a)
      if (extent.empty() && !nearest_along(grid, a, at[a]).inside) extent = extent_text(grid, a);
    input.fault(FaultKind::range, path + ".at", "probe `" + name + "` lies outside the grid",
                grid.kind == mesh::GridKind::cubed_sphere ? "longitude and latitude are in radians"
                                                          : extent);
  }
}

std::vector<systems::SeriesColumn> probe_columns(const config::Input& input,
                                                 const systems::Observation& system) {
  std::vector<systems::SeriesColumn> all;
  for (std::size_t p = 0; p < input.count("output.probe"); ++p) {
    const std::string path = path_of_probe(p);
    if (!input.is_good(path + ".name") || !input.is_good(path + ".fields")) continue;
    for (const systems::QuantityInfo& field : fields_named(system, input.texts(path + ".fields"))) {
      for (const systems::SeriesColumn& column : columns_of(input.text(path + ".name"), field))
        all.push_back(column);
    }
  }
  return all;
}

Probes::Probes(const config::Input& input, const mesh::GridDescription& grid,
               const systems::Observation& system) {
  for (std::size_t p = 0; p < input.count("output.probe"); ++p) {
    const std::string path = path_of_probe(p);
    const Nearest found = nearest(grid, input.reals3(path + ".at"));
    probes_.push_back({found.cell, found.place, input.text(path + ".name"),
                       fields_named(system, input.texts(path + ".fields"))});
  }
  columns_ = probe_columns(input, system);
}

// Every field is evaluated once for all its probes. Of each number the rank that has the cell gives
// the bits and all others 0, so that their sum is the number itself.
std::vector<double> Probes::values(Engine& engine) const {
  std::vector<std::int64_t> bits(columns_.size(), 0);
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

std::vector<std::string> Probes::place_texts() const {
  std::vector<std::string> lines;
  for (const Probe& probe : probes_) {
    lines.push_back(fmt::format("probe {} at ({:.6g}, {:.6g}, {:.6g})", probe.name, probe.place[0],
                                probe.place[1], probe.place[2]));
  }
  return lines;
}

}  // namespace watersmeet::run
