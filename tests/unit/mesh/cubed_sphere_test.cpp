// The cubed sphere: its metric by derivatives of positions, areas, links of all 12 edges by
// positions, and interpolation along the lines of ghost cells.
#include "mesh/cubed_sphere.hpp"
#include "core/math.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "schemes/gnomonic.hpp"

namespace watersmeet::mesh {
namespace {

constexpr double pi = std::numbers::pi;

double dot(const Real3& a, const Real3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Real3 minus(const Real3& a, const Real3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double distance(const Real3& a, const Real3& b) {
  const Real3 d = minus(a, b);
  return std::sqrt(dot(d, d));
}
schemes::PanelPoint<double> point(double alpha, double beta) {
  const double x = std::tan(alpha), y = std::tan(beta);
  return schemes::panel_point(x, 1 / (1 + x * x), y, 1 / (1 + y * y));
}
double angle(std::int64_t n, double i) { return -pi / 4 + (i + 0.5) * (pi / 2) / double(n); }
Real3 derivative(int panel, double alpha, double beta, int axis) {
  const double h = 1e-5;
  const double da = axis == 0 ? h : 0, db = axis == 1 ? h : 0;
  Real3 d = minus(panel_position(panel, alpha + da, beta + db),
                  panel_position(panel, alpha - da, beta - db));
  for (double& c : d) c /= 2 * h;
  return d;
}

TEST(CubedSphere, TriadsAreRightHanded) {
  for (int p = 0; p < panels; ++p) {
    const PanelFrame& f = panel_frame(p);
    for (int m = 0; m < 3; ++m) {
      const auto a = static_cast<std::size_t>((m + 1) % 3),
                 b = static_cast<std::size_t>((m + 2) % 3);
      EXPECT_EQ(f.ea[a] * f.eb[b] - f.ea[b] * f.eb[a], f.n[static_cast<std::size_t>(m)]) << p;
    }
  }
}

TEST(CubedSphere, MetricIsThatOfThePositions) {
  for (const double alpha : {-0.7, -0.2, 0.4}) {
    for (const double beta : {-0.6, 0.1, 0.75}) {
      for (int p = 0; p < panels; ++p) {
        const auto q = point(alpha, beta);
        const Real3 e1 = derivative(p, alpha, beta, 0), e2 = derivative(p, alpha, beta, 1);
        const double g_11 = dot(e1, e1), g_12 = dot(e1, e2), g_22 = dot(e2, e2);
        EXPECT_NEAR(q.area(), std::sqrt(g_11 * g_22 - g_12 * g_12), 1e-9);
        // The contravariant metric is the inverse of the covariant one.
        EXPECT_NEAR(q.g11() * g_11 + q.g12() * g_12, 1, 1e-9);
        EXPECT_NEAR(q.g11() * g_12 + q.g12() * g_22, 0, 1e-9);
        EXPECT_NEAR(q.g12() * g_12 + q.g22() * g_22, 1, 1e-9);
        const double u = 0.3, v = -1.1;
        EXPECT_NEAR(schemes::squared_length(q, u, v),
                    u * u * g_11 + 2 * u * v * g_12 + v * v * g_22, 1e-9);
        const auto lowered = schemes::covariant(q, u, v);
        EXPECT_NEAR(lowered[0], g_11 * u + g_12 * v, 1e-9);
        EXPECT_NEAR(lowered[1], g_12 * u + g_22 * v, 1e-9);
        // Base vectors along the panel's triad, and back.
        const auto w = schemes::panel_vector(q, u, v);
        const PanelFrame& f = panel_frame(p);
        for (std::size_t m = 0; m < 3; ++m) {
          EXPECT_NEAR(w[0] * f.ea[m] + w[1] * f.eb[m] + w[2] * f.n[m], u * e1[m] + v * e2[m], 1e-9);
        }
        const auto back = schemes::panel_components(q, w);
        EXPECT_NEAR(back[0], u, 1e-14);
        EXPECT_NEAR(back[1], v, 1e-14);
      }
    }
  }
}

// d_j (L g^ij) = 0: the angles are harmonic.
TEST(CubedSphere, CoordinatesAreHarmonic) {
  const double h = 1e-4;
  const auto weighted = [](double a, double b, int i, int j) {
    const auto q = point(a, b);
    return q.area() * (i != j ? q.g12() : i == 0 ? q.g11() : q.g22());
  };
  for (const double a : {-0.7, 0.05, 0.5}) {
    for (const double b : {-0.3, 0.72}) {
      for (int i = 0; i < 2; ++i) {
        // Central differences of fourth order.
        const auto slope = [&](int j) {
          const double da = j == 0 ? h : 0, db = j == 1 ? h : 0;
          return (8 * (weighted(a + da, b + db, i, j) - weighted(a - da, b - db, i, j)) -
                  (weighted(a + 2 * da, b + 2 * db, i, j) -
                   weighted(a - 2 * da, b - 2 * db, i, j))) /
                 (12 * h);
        };
        EXPECT_NEAR(slope(0) + slope(1), 0, 1e-9);
      }
    }
  }
}

// Along the triad of a panel.
Real3 along_frame(const Real3& w, int panel) {
  const PanelFrame& f = panel_frame(panel);
  Real3 local{};
  for (std::size_t m = 0; m < 3; ++m) {
    local[0] += w[m] * f.ea[m];
    local[1] += w[m] * f.eb[m];
    local[2] += w[m] * f.n[m];
  }
  return local;
}

// The velocity of a rotation by its definition, w x r.
TEST(CubedSphere, RotationsHaveTheirComponents) {
  const Real3 w = {0.3, -0.5, 0.8};
  for (int p = 0; p < panels; ++p) {
    const Real3 local = along_frame(w, p);
    const double alpha = 0.6, beta = -0.35;
    const auto q = point(alpha, beta);
    const auto c = schemes::rotation_components(q, local.data());
    const Real3 r = panel_position(p, alpha, beta);
    const Real3 e1 = derivative(p, alpha, beta, 0), e2 = derivative(p, alpha, beta, 1);
    const Real3 velocity = {w[1] * r[2] - w[2] * r[1], w[2] * r[0] - w[0] * r[2],
                            w[0] * r[1] - w[1] * r[0]};
    for (std::size_t m = 0; m < 3; ++m) {
      EXPECT_NEAR(c[0] * e1[m] + c[1] * e2[m], velocity[m], 1e-9) << p;
    }
  }
}

// A rigid rotation has no divergence: what flows through the middle of the four faces of a cell
// adds up to nothing but the error of the midpoint rule, of second order.
TEST(CubedSphere, RotationsHaveNoDivergence) {
  const Real3 w = {0.3, -0.5, 0.8};
  const auto largest = [&](std::int64_t n) {
    const double d = pi / 2 / double(n);
    double worst = 0;
    for (int p = 0; p < panels; ++p) {
      const Real3 local = along_frame(w, p);
      const auto flux = [&](double alpha, double beta, int axis) {
        const auto q = point(alpha, beta);
        return q.area() * schemes::rotation_components(q, local.data())[axis];
      };
      for (std::int64_t j = 0; j < n; ++j) {
        for (std::int64_t i = 0; i < n; ++i) {
          const double a = angle(n, double(i)), b = angle(n, double(j));
          const double out = flux(a + d / 2, b, 0) - flux(a - d / 2, b, 0) + flux(a, b + d / 2, 1) -
                             flux(a, b - d / 2, 1);
          worst = max_or_nan(worst, std::abs(out) / (d * point(a, b).area()));
        }
      }
    }
    return worst;
  };
  const double coarse = largest(32), fine = largest(64);
  EXPECT_LT(fine, 1e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
}

// Numbers of the numerics: the midpoint rule misses the area of the sphere by 1.5e-4 with 32 cells
// and by 9.2e-6 with 128.
TEST(CubedSphere, AreasSumToTheSphere) {
  const auto error = [](std::int64_t n) {
    const AngleTable c = angle_table(n, 0.5, 0, 0);
    double sum = 0;
    for (std::size_t j = 0; j < c.tan.size(); ++j) {
      for (std::size_t i = 0; i < c.tan.size(); ++i) {
        sum += schemes::panel_point(c.tan[i], c.cos2[i], c.tan[j], c.cos2[j]).area();
      }
    }
    const double cell = pi / 2 / double(n);
    return std::abs(6 * sum * cell * cell / (4 * pi) - 1);
  };
  EXPECT_NEAR(error(32), 1.5e-4, 0.05e-4);
  EXPECT_NEAR(error(128), 9.2e-6, 0.05e-6);
  const std::int64_t n = 12;
  double exact = 0;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      exact +=
          panel_area(angle(n, i - 0.5), angle(n, i + 0.5), angle(n, j - 0.5), angle(n, j + 0.5));
    }
  }
  EXPECT_NEAR(6 * exact, 4 * pi, 1e-13);
}

TEST(CubedSphere, TablesAreSymmetricToTheLastBit) {
  for (const double offset : {0.0, 0.5}) {
    const std::int64_t n = 37, after = offset == 0 ? 4 : 3;
    const AngleTable t = angle_table(n, offset, 3, after);
    for (std::size_t i = 0; i < t.tan.size(); ++i) {
      EXPECT_EQ(t.tan[i], -t.tan[t.tan.size() - 1 - i]);
      EXPECT_EQ(t.cos2[i], t.cos2[t.tan.size() - 1 - i]);
    }
    if (offset == 0) {
      EXPECT_EQ(t.tan[3], -1.0);
    }
  }
}

// The middles of the faces of a side, seen from both panels.
TEST(CubedSphere, LinksJoinWhatLiesTogether) {
  const std::int64_t n = 5;
  const Mesh sphere = make_cubed_sphere(n);
  ASSERT_EQ(sphere.links().size(), 24u);
  const auto face_middle = [&](int panel, Face face, const Index3& cell) {
    double place[2] = {angle(n, double(cell[0])), angle(n, double(cell[1]))};
    place[face.axis] = face.outward() * pi / 4;
    return panel_position(panel, place[0], place[1]);
  };
  for (const Link& link : sphere.links()) {
    EXPECT_EQ(link.orientation.determinant(), 1);
    for (std::int64_t m = 0; m < n; ++m) {
      Index3 here = link.box.lower, ghost = here;
      here[1 - link.face.axis] = ghost[1 - link.face.axis] = m;
      ghost[link.face.axis] += link.face.outward();
      const Index3 there = link.map().cell(ghost);
      EXPECT_LT(distance(face_middle(link.block, link.face, here),
                         face_middle(link.neighbour, link.neighbour_face, there)),
                1e-15)
          << link.block << " " << to_text(link.face) << " " << m;
    }
  }
}

// Ghost centres lie on the neighbour's line of centres, where ghost_line() says; a linear function
// of the position is interpolated with an error of fourth order.
TEST(CubedSphere, GhostsLieOnTheNeighboursLines) {
  const auto largest_error = [](std::int64_t n) {
    const Mesh sphere = make_cubed_sphere(n);
    double worst = 0;
    for (int layer = 0; layer < 2; ++layer) {
      const std::vector<GhostStencil> line = ghost_line(n, layer);
      for (const Link& link : sphere.links()) {
        const int along = 1 - link.face.axis;
        for (std::int64_t m = 0; m < n; ++m) {
          const GhostStencil& s = line[static_cast<std::size_t>(m)];
          const double out = pi / 4 + (layer + 0.5) * pi / 2 / double(n);
          double ghost[2];
          ghost[link.face.axis] = link.face.outward() * out;
          ghost[along] = angle(n, double(m));
          const Real3 wanted = panel_position(link.block, ghost[0], ghost[1]);
          // Cells of the neighbour at a place along the panel's own axis.
          const auto there = [&](double place) {
            const int b = link.neighbour_face.axis;
            double at[2];
            at[b] = link.neighbour_face.outward() * (pi / 4 - (layer + 0.5) * pi / 2 / double(n));
            const bool reversed = link.orientation.sign[static_cast<std::size_t>(along)] < 0;
            at[1 - b] = angle(n, reversed ? double(n - 1) - place : place);
            return panel_position(link.neighbour, at[0], at[1]);
          };
          EXPECT_LT(distance(there(s.place), wanted), 1e-14);
          EXPECT_GE(s.place, 0);
          EXPECT_LE(s.place, double(n - 1));
          Real3 sum{0, 0, 0};
          for (std::size_t k = 0; k < 4; ++k) {
            const Real3 r = there(double(s.first + std::int64_t(k)));
            for (std::size_t c = 0; c < 3; ++c) sum[c] += s.weight[k] * r[c];
          }
          worst = max_or_nan(worst, distance(sum, wanted));
        }
      }
    }
    return worst;
  };
  const double order = std::log2(largest_error(64) / largest_error(128));
  EXPECT_GT(order, 3.8);
}

TEST(CubedSphere, NodesOfNeighboursCoincide) {
  const std::int64_t n = 6;
  const MultiBlockMesh nodes = cubed_sphere_nodes(n, 2.0);
  const Mesh sphere = make_cubed_sphere(n);
  for (const Link& link : sphere.links()) {
    for (std::int64_t m = 0; m <= n; ++m) {
      const std::size_t a = static_cast<std::size_t>(link.face.axis);
      Index3 here{0, 0, 0};
      here[a] = link.face.side == Side::upper ? n : 0;
      here[1 - a] = m;
      Index3 there = link.map().point(here, Location::node);
      there[2] = 0;
      EXPECT_LT(distance(nodes.block(link.block).at(here), nodes.block(link.neighbour).at(there)),
                1e-15);
    }
  }
}

TEST(CubedSphere, LongitudesBeginAtPanelZero) {
  EXPECT_NEAR(lon_lat(panel_position(0, 0.2, 0)).lon, 0.2, 1e-15);
  EXPECT_NEAR(lon_lat(panel_position(1, 0, 0)).lon, pi / 2, 1e-15);
  EXPECT_NEAR(lon_lat(panel_position(3, 0, 0)).lon, 3 * pi / 2, 1e-15);
  EXPECT_NEAR(lon_lat(panel_position(4, 0, 0)).lat, pi / 2, 1e-15);
}

}  // namespace
}  // namespace watersmeet::mesh
