#include "mesh/generators/wing.hpp"

#include <algorithm>
#include <cmath>

#include "mesh/curvilinear/nodes.hpp"
#include "mesh/generators/finish.hpp"
#include "mesh/generators/naca4.hpp"
#include "mesh/generators/spacing.hpp"

namespace watersmeet::mesh {

namespace {

// A place along the span.
struct Station {
  double y = 0;
  double thickness = 1;  // in parts of that of the section
};

// On the wing, in the cap, beyond it; neighbours share the station at their ends.
std::array<std::vector<Station>, 3> stations_of(const Wing& o, double section_thickness) {
  const double cap = 0.5 * section_thickness * o.taper * o.root_chord;  // radius
  const std::int64_t outer_cells =
      o.outer_cells > 0 ? o.outer_cells : std::max<std::int64_t>(o.cells[2] / 2, 1);
  const double end = o.far * o.root_chord;
  const auto cap_cells = static_cast<double>(o.cap_cells);
  demand(cap < o.span && o.span + cap < end, "wing",
         "far must be more than the span, which is " + short_text(o.span / o.root_chord) +
             " root chords");
  std::array<std::vector<Station>, 3> stations;
  // Towards the tip the cells become as wide as the first of the cap.
  const double first =
      std::min(cap * std::sin(M_PI / 2 / cap_cells), o.span / static_cast<double>(o.cells[2] + 1));
  for (const double s : stretched(o.cells[2], first / o.span)) {
    stations[0].push_back({o.span * (1 - s), 1});
  }
  std::reverse(stations[0].begin(), stations[0].end());
  for (std::int64_t c = 0; c <= o.cap_cells; ++c) {
    const double angle = M_PI / 2 * static_cast<double>(c) / cap_cells;
    const bool last = c == o.cap_cells;
    stations[1].push_back(
        {o.span + cap * (last ? 1 : std::sin(angle)), last ? 0 : std::cos(angle)});
  }
  const double start = o.span + cap;
  const double width =
      std::min(cap / cap_cells / (end - start), 1 / static_cast<double>(outer_cells + 1));
  for (const double s : stretched(outer_cells, width)) {
    stations[2].push_back({start + s * (end - start), 0});
  }
  return stations;
}

}  // namespace

MultiBlockMesh make_wing(const Wing& o) {
  demand(o.cells[0] % 2 == 0, "wing", "the cells around must be even, half for each side");
  demand(o.taper <= 1, "wing", "taper must be 1 or less");
  demand(o.sweep_deg < 80, "wing", "sweep_deg must be less than 80");
  const NacaSection section = naca_section(o.digits, o.trailing_edge, "wing");
  demand(section.camber == 0, "wing", "a cambered section has no slit to collapse to: digits 00..");
  const CMesh c =
      c_mesh(o.cells[0], o.wake_cells, o.cells[1], o.far, o.trailing_cell, o.first_cell, "wing");
  const auto stations = stations_of(o, section.thickness);
  const double slope = std::tan(o.sweep_deg * M_PI / 180);

  const auto position = [&](const Station& station, std::int64_t column, std::size_t row) {
    const Real3 p = c_mesh_point(c, section, station.thickness, column, row);
    // Chord and sweep are those of the station at the wing, and fade outward and along the wake.
    const double along = std::min(station.y, o.span) / o.span;
    const double behind =
        std::max(c.u[static_cast<std::size_t>(std::abs(column))] - 1, 0.0) / (c.u.back() - 1);
    const double near = (1 - c.rows[row] / c.rows.back()) * (1 - behind);
    const double chord = o.root_chord * (1 - (1 - o.taper) * along * near);
    const double nose = slope * o.span * along * near;
    return Real3{nose + chord * p[0], station.y, chord * p[1]};
  };

  const auto surface = static_cast<std::int64_t>(c.surface);
  const auto end = static_cast<std::int64_t>(c.u.size()) - 1;
  const std::int64_t limits[] = {-end, -surface, 0, surface, end};
  MultiBlockMesh mesh;
  for (std::size_t part = 0; part < 3; ++part) {
    for (int quarter = 0; quarter < 4; ++quarter) {
      const int b = static_cast<int>(mesh.blocks.size());
      const auto planes = static_cast<std::int64_t>(stations[part].size());
      CurvilinearBlock block({limits[quarter + 1] - limits[quarter] + 1, o.cells[1] + 1, planes});
      for_each_node(block.nodes(), [&](const Index3& node) {
        block.set(node, position(stations[part][static_cast<std::size_t>(node[2])],
                                 limits[quarter] + node[0], static_cast<std::size_t>(node[1])));
      });
      mesh.blocks.push_back(block);
      mesh.add_patch("farfield", "farfield", b, {1, Side::upper});
      if (quarter == 0) mesh.add_patch("farfield", "farfield", b, {0, Side::lower});
      if (quarter == 3) mesh.add_patch("farfield", "farfield", b, {0, Side::upper});
      if (part == 0) mesh.add_patch("symmetry", "symmetry", b, {2, Side::lower});
      if (part == 2) mesh.add_patch("farfield", "farfield", b, {2, Side::upper});
      if (part < 2 && (quarter == 1 || quarter == 2)) {
        mesh.add_patch("wing", "slip_wall", b, {1, Side::lower});
      }
    }
  }
  finish(mesh, "wing");
  return mesh;
}

}  // namespace watersmeet::mesh
