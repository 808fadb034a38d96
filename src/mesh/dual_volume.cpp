// Volumes of the cells between the nodes of a curvilinear block, averaged to the nodes.

#include "core/vec.hpp"
#include "mesh/metrics.hpp"

namespace watersmeet::mesh {

namespace {

using Point = Vec<double, 3>;

Point minus(const Point& a, const Point& b) { return {{a[0] - b[0], a[1] - b[1], a[2] - b[2]}}; }

// Gauss's two points on [0, 1] are exact: the Jacobian of the trilinear map is quadratic along each
// direction. corner[4 c + 2 b + a] has the computational coordinates (a, b, c).
double hexahedron(const Point (&corner)[8]) {
  constexpr double gauss[2] = {0.5 - 0.28867513459481288, 0.5 + 0.28867513459481288};
  double volume = 0;
  for (int g = 0; g < 8; ++g) {
    const double at[3] = {gauss[g & 1], gauss[(g >> 1) & 1], gauss[g >> 2]};
    Point tangent[3] = {};
    for (int axis = 0; axis < 3; ++axis) {
      for (int v = 0; v < 8; ++v) {
        if ((v >> axis) & 1) continue;
        double weight = 1;
        for (int other = 0; other < 3; ++other) {
          if (other != axis) weight *= (v >> other) & 1 ? at[other] : 1 - at[other];
        }
        const Point edge = minus(corner[v | (1 << axis)], corner[v]);
        for (int m = 0; m < 3; ++m) tangent[axis][m] += weight * edge[m];
      }
    }
    volume += dot(tangent[0], cross(tangent[1], tangent[2])) / 8;
  }
  return volume;
}

// Half the cross product of the diagonals.
double quadrilateral(const Point (&corner)[8]) {
  const Point d = minus(corner[3], corner[0]), e = minus(corner[2], corner[1]);
  return 0.5 * (d[0] * e[1] - d[1] * e[0]);
}

}  // namespace

std::vector<double> dual_volumes(const NodeCoordinates& nodes) {
  const Index3& n = nodes.n;
  const bool flat = n[2] == 1;
  const std::int64_t stride[3] = {1, n[0], n[0] * n[1]};
  const auto size = static_cast<std::size_t>(n[0] * n[1] * n[2]);
  std::vector<double> sum(size, 0.0);
  std::vector<std::int8_t> cells(size, 0);
  const std::int64_t layers = flat ? 1 : n[2] - 1;
  const int corners = flat ? 4 : 8;
  for (std::int64_t k = 0; k < layers; ++k) {
    for (std::int64_t j = 0; j + 1 < n[1]; ++j) {
      for (std::int64_t i = 0; i + 1 < n[0]; ++i) {
        Point corner[8] = {};
        std::size_t at[8] = {};
        for (int v = 0; v < corners; ++v) {
          at[v] = static_cast<std::size_t>((i + (v & 1)) * stride[0] +
                                           (j + ((v >> 1) & 1)) * stride[1] +
                                           (k + (v >> 2)) * stride[2]);
          corner[v] = {{nodes.x[at[v]], nodes.y[at[v]], flat ? 0.0 : nodes.z[at[v]]}};
        }
        const double volume = flat ? quadrilateral(corner) : hexahedron(corner);
        for (int v = 0; v < corners; ++v) {
          sum[at[v]] += volume;
          ++cells[at[v]];
        }
      }
    }
  }
  for (std::size_t a = 0; a < size; ++a) sum[a] /= cells[a];
  return sum;
}

}  // namespace watersmeet::mesh
