#pragma once
// The equiangular cubed sphere: six panels of n x n cells, the faces of a cube seen from its centre
// (schemes/gnomonic.hpp). Panels 0 to 3 stand around the equator, eastwards, centred at the
// longitudes 0, 90, 180 and 270 degrees; 4 is the north pole, 5 the south pole.
//
//             +---+                  alpha runs to the right, beta upwards. The edges of 4 and 5
//             | 4 |                  are joined to those of 0 to 3 as the cube folds:
//         +---+---+---+---+          0 above 5 and below 4; 1, 2 and 3 meet the other sides of
//         | 0 | 1 | 2 | 3 |          4 and 5, turned
//         +---+---+---+---+
//             | 5 |                  (4 and 5 drawn anywhere; panel_frame() has the truth)
//             +---+
//
// Cells are equidistant in both angles. On both sides of an edge the cells are the same ones seen
// along it, and the centres of the ghost cells of a panel lie on the great circles of the centres
// of its neighbour's cells: only the places along these differ (ghost_line).

#include <array>
#include <cstdint>
#include <vector>

#include "mesh/curvilinear/multi_block_mesh.hpp"
#include "mesh/mesh.hpp"

namespace watersmeet::mesh {

constexpr int panels = 6;

// The right-handed triad of a panel: along alpha, along beta, outwards.
struct PanelFrame {
  std::array<int, 3> ea, eb, n;
};
const PanelFrame& panel_frame(int panel);
// The panel that a direction in radians meets, and the angles along its axes.
struct PanelAngles {
  int panel;
  double alpha, beta;
};
PanelAngles panel_angles(double longitude, double latitude);
// ea, eb and n of every panel, by Cartesian components: for loops that turn vectors.
void copy_panel_frames(double (&rows)[panels][9]);

// Position on the unit sphere.
Real3 panel_position(int panel, double alpha, double beta);
// Longitude in [0, 2 pi), latitude in [-pi/2, pi/2].
struct LonLat {
  double lon, lat;
};
LonLat lon_lat(const Real3& position);

// Six blocks of n x n x 1 cells with their 24 links.
Mesh make_cubed_sphere(std::int64_t n);

// The corners of the cells of all panels on a sphere of this radius, for viewers: blocks of
// (n + 1) x (n + 1) nodes without links.
MultiBlockMesh cubed_sphere_nodes(std::int64_t n, double radius);

// Area on the unit sphere of the part of a panel between these angles, exact.
double panel_area(double alpha0, double alpha1, double beta0, double beta1);

// tan and cos^2 of the angles -pi/4 + (i + offset) (pi/2)/n, i = -before ... n + after - 1; what
// lies at opposite angles has the same bits, but for the sign of the tangent, and the edges have
// exactly tan = +-1.
struct AngleTable {
  std::vector<double> tan, cos2;
};
AngleTable angle_table(std::int64_t n, double offset, std::int64_t before, std::int64_t after);

// Where the centre of the ghost cell m of a panel's layer (0 next to the edge) lies along the line
// of the centres of the neighbour's cells in that distance from the edge, as a stencil of four
// cells and Lagrange's cubic weights. m and the cells count along the panel's own axis; mirrored
// ghosts have mirrored stencils. n must be 4 or more.
std::array<double, 4> cubic_weights(double x);  // of values at 0, 1, 2 and 3
struct GhostStencil {
  std::int64_t first = 0;
  std::array<double, 4> weight{};
  double place = 0;  // in cells, 0 at the centre of cell 0
};
std::vector<GhostStencil> ghost_line(std::int64_t n, int layer);
// That of the first layer for the loops: of all ghosts the first cells, then each of the four weights.
std::vector<double> ghost_table(std::int64_t n);

}  // namespace watersmeet::mesh
