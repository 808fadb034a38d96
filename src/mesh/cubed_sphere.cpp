#include "mesh/cubed_sphere.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.hpp"

namespace watersmeet::mesh {

namespace {

using std::numbers::pi;

constexpr std::array<PanelFrame, panels> frames = {{
    {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}},
    {{-1, 0, 0}, {0, 0, 1}, {0, 1, 0}},
    {{0, -1, 0}, {0, 0, 1}, {-1, 0, 0}},
    {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}},
    {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}},
    {{0, 1, 0}, {1, 0, 0}, {0, 0, -1}},
}};

int dot(const std::array<int, 3>& a, const std::array<int, 3>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
const std::array<int, 3>& axis_of(const PanelFrame& frame, int axis) {
  return axis == 0 ? frame.ea : frame.eb;
}

// The link through a side of a panel: the neighbour is the panel that looks where the side points.
Link link_of(std::int64_t n, int panel, Face face) {
  const PanelFrame& here = frames[static_cast<std::size_t>(panel)];
  Link link;
  link.block = panel;
  link.face = face;
  link.box = face_layer({n, n, 1}, face);
  const std::array<int, 3>& outward = axis_of(here, face.axis);
  const std::array<int, 3>& along = axis_of(here, 1 - face.axis);
  for (int q = 0; q < panels; ++q) {
    const PanelFrame& there = frames[static_cast<std::size_t>(q)];
    if (dot(outward, there.n) != face.outward()) continue;
    link.neighbour = q;
    for (int b = 0; b < 2; ++b) {
      const int towards = dot(here.n, axis_of(there, b));  // where this panel lies, seen from there
      if (towards == 0) continue;
      link.neighbour_face = {b, towards > 0 ? Side::upper : Side::lower};
      const std::size_t a = static_cast<std::size_t>(face.axis);
      link.orientation.axis[a] = b;
      link.orientation.sign[a] = -face.outward() * towards;
      link.orientation.axis[1 - a] = 1 - b;
      link.orientation.sign[1 - a] = dot(along, axis_of(there, 1 - b));
    }
    link.neighbour_box = face_layer({n, n, 1}, link.neighbour_face);
  }
  return link;
}

}  // namespace

const PanelFrame& panel_frame(int panel) { return frames[static_cast<std::size_t>(panel)]; }

PanelAngles panel_angles(double longitude, double latitude) {
  const Real3 r = {std::cos(latitude) * std::cos(longitude),
                   std::cos(latitude) * std::sin(longitude), std::sin(latitude)};
  const auto along = [&r](const std::array<int, 3>& axis) {
    return axis[0] * r[0] + axis[1] * r[1] + axis[2] * r[2];
  };
  int panel = 0;
  for (int p = 1; p < panels; ++p) {
    if (along(panel_frame(p).n) > along(panel_frame(panel).n)) panel = p;
  }
  const PanelFrame& f = panel_frame(panel);
  return {panel, std::atan2(along(f.ea), along(f.n)), std::atan2(along(f.eb), along(f.n))};
}

Real3 panel_position(int panel, double alpha, double beta) {
  const PanelFrame& f = panel_frame(panel);
  const double x = std::tan(alpha), y = std::tan(beta), d = std::sqrt(1 + (x * x + y * y));
  Real3 r;
  for (std::size_t m = 0; m < 3; ++m) r[m] = (f.n[m] + x * f.ea[m] + y * f.eb[m]) / d;
  return r;
}

void copy_panel_frames(double (&rows)[panels][9]) {
  for (int q = 0; q < panels; ++q) {
    const PanelFrame& f = panel_frame(q);
    for (std::size_t c = 0; c < 3; ++c) {
      rows[q][c] = f.ea[c];
      rows[q][3 + c] = f.eb[c];
      rows[q][6 + c] = f.n[c];
    }
  }
}

LonLat lon_lat(const Real3& r) {
  const double lon = std::atan2(r[1], r[0]);
  return {lon < 0 ? lon + 2 * pi : lon, std::atan2(r[2], std::hypot(r[0], r[1]))};
}

Mesh make_cubed_sphere(std::int64_t n) {
  if (n < 1) {
    throw Error(ErrorKind::user_input,
                "a cubed sphere needs at least 1 cell along an edge, not " + std::to_string(n));
  }
  std::vector<Link> links;
  for (int panel = 0; panel < panels; ++panel) {
    for (int axis = 0; axis < 2; ++axis) {
      for (const Side side : {Side::lower, Side::upper}) {
        links.push_back(link_of(n, panel, {axis, side}));
      }
    }
  }
  Uniform angles;
  angles.lower = {-pi / 4, -pi / 4, 0};
  angles.spacing = {pi / 2 / static_cast<double>(n), pi / 2 / static_cast<double>(n), 1};
  return Mesh(std::vector<Block>(panels, Block{{n, n, 1}}), std::move(links), angles);
}

MultiBlockMesh cubed_sphere_nodes(std::int64_t n, double radius) {
  const std::vector<double> tan = angle_table(n, 0, 0, 1).tan;
  MultiBlockMesh mesh;
  for (const PanelFrame& f : frames) {
    CurvilinearBlock block({n + 1, n + 1, 1});
    for (std::int64_t j = 0; j <= n; ++j) {
      for (std::int64_t i = 0; i <= n; ++i) {
        const double x = tan[static_cast<std::size_t>(i)], y = tan[static_cast<std::size_t>(j)];
        const double scale = radius / std::sqrt(1 + (x * x + y * y));
        Real3 r;
        for (std::size_t m = 0; m < 3; ++m) r[m] = scale * (f.n[m] + x * f.ea[m] + y * f.eb[m]);
        block.set({i, j, 0}, r);
      }
    }
    mesh.blocks.push_back(std::move(block));
  }
  return mesh;
}

double panel_area(double alpha0, double alpha1, double beta0, double beta1) {
  const auto from_centre = [](double alpha, double beta) {
    const double x = std::tan(alpha), y = std::tan(beta);
    return std::atan(x * y / std::sqrt(1 + (x * x + y * y)));
  };
  return (from_centre(alpha1, beta1) - from_centre(alpha1, beta0)) -
         (from_centre(alpha0, beta1) - from_centre(alpha0, beta0));
}

AngleTable angle_table(std::int64_t n, double offset, std::int64_t before, std::int64_t after) {
  AngleTable table;
  for (std::int64_t i = -before; i < n + after; ++i) {
    // Twice the place from the middle: a whole number, so that opposite places are exactly so.
    const double twice = 2 * (static_cast<double>(i) + offset) - static_cast<double>(n);
    const double size = std::abs(twice) / static_cast<double>(n);  // in units of pi/4
    const double t = size == 1 ? 1.0 : std::tan(size * (pi / 4));
    table.tan.push_back(std::copysign(t, twice));
    table.cos2.push_back(1 / (1 + t * t));
  }
  return table;
}

std::array<double, 4> cubic_weights(double x) {
  return {-(x - 1) * (x - 2) * (x - 3) / 6, x * (x - 2) * (x - 3) / 2, -x * (x - 1) * (x - 3) / 2,
          x * (x - 1) * (x - 2) / 6};
}

std::vector<GhostStencil> ghost_line(std::int64_t n, int layer) {
  require(n >= 4, "ghost_line: four cells are needed");
  const double spacing = pi / 2 / static_cast<double>(n);
  const double shrink = std::tan(pi / 4 - (layer + 0.5) * spacing);
  const std::vector<double> tan = angle_table(n, 0.5, 0, 0).tan;
  std::vector<GhostStencil> line(static_cast<std::size_t>(n));
  for (std::int64_t m = 0; m < (n + 1) / 2; ++m) {
    GhostStencil s;
    const double angle = std::atan(tan[static_cast<std::size_t>(m)] * shrink);
    s.place = (angle + pi / 4) / spacing - 0.5;
    const auto below = static_cast<std::int64_t>(std::floor(s.place));
    s.first = std::clamp<std::int64_t>(below - 1, 0, n - 4);
    s.weight = cubic_weights(s.place - static_cast<double>(s.first));
    GhostStencil mirror;
    mirror.first = n - 4 - s.first;
    mirror.weight = {s.weight[3], s.weight[2], s.weight[1], s.weight[0]};
    mirror.place = static_cast<double>(n - 1) - s.place;
    line[static_cast<std::size_t>(n - 1 - m)] = mirror;
    line[static_cast<std::size_t>(m)] = s;
  }
  return line;
}

std::vector<double> ghost_table(std::int64_t n) {
  const std::vector<GhostStencil> line = ghost_line(n, 0);
  std::vector<double> values(5 * line.size());
  for (std::size_t m = 0; m < line.size(); ++m) {
    values[m] = static_cast<double>(line[m].first);
    for (std::size_t s = 0; s < 4; ++s) values[(1 + s) * line.size() + m] = line[m].weight[s];
  }
  return values;
}

}  // namespace watersmeet::mesh
