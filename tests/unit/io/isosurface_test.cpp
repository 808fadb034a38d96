// Iso-surfaces: exact for linear values, closed, oriented, with the areas, volumes and lengths of known shapes.
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "core/error.hpp"
#include "io/hdf5_file.hpp"
#include "io/isosurface.hpp"
#include "support/temporary.hpp"

namespace watersmeet::io {
namespace {

// Points of a lattice at multiples of h along each axis.
struct Grid {
  Index3 n;
  Real3 h;
  std::vector<double> values, places;

  template <class F>
  Grid(const Index3& cells, const Real3& spacing, const F& f) : n(cells), h(spacing) {
    for (std::int64_t k = 0; k < n[2]; ++k)
      for (std::int64_t j = 0; j < n[1]; ++j)
        for (std::int64_t i = 0; i < n[0]; ++i) {
          const Real3 x = {double(i) * h[0], double(j) * h[1], double(k) * h[2]};
          values.push_back(f(x[0], x[1], x[2]));
          places.insert(places.end(), x.begin(), x.end());
        }
  }
};

Isosurface found(const Grid& grid, double level) {
  Isosurface surface;
  add_isosurface(surface, grid.n, 0, grid.values, level);
  return surface;
}

Real3 place(const std::vector<double>& places, std::int64_t point) {
  const auto at = static_cast<std::size_t>(3 * point);
  return {places[at], places[at + 1], places[at + 2]};
}

// Area, and volume below the triangles as their normals say, of a surface.
std::array<double, 2> area_and_volume(const Isosurface& surface, const std::vector<double>& at) {
  double area = 0, volume = 0;
  for (std::size_t c = 0; c < surface.cells.size(); c += 3) {
    const Real3 p = place(at, surface.cells[c]), q = place(at, surface.cells[c + 1]),
                r = place(at, surface.cells[c + 2]);
    const Real3 u = {q[0] - p[0], q[1] - p[1], q[2] - p[2]},
                v = {r[0] - p[0], r[1] - p[1], r[2] - p[2]};
    const Real3 normal = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                          u[0] * v[1] - u[1] * v[0]};
    area += 0.5 * std::hypot(normal[0], normal[1], normal[2]);
    volume += (p[0] * normal[0] + p[1] * normal[1] + p[2] * normal[2]) / 6;
  }
  return {area, volume};
}

TEST(Isosurface, OfLinearValuesIsThePlane) {
  const Grid grid({7, 5, 6}, {0.5, 1, 0.25},
                  [](double x, double y, double z) { return 2 * x - y + 3 * z; });
  const Isosurface surface = found(grid, 1.3);
  const std::vector<double> at = surface.at_points(grid.places, 3);
  ASSERT_GT(surface.cells.size(), 60u);
  for (std::int64_t p = 0; p < std::ssize(surface.points); ++p) {
    const Real3 x = place(at, p);
    EXPECT_NEAR(2 * x[0] - x[1] + 3 * x[2], 1.3, 1e-14);
  }
  EXPECT_EQ(surface.levels, std::vector<double>(surface.points.size(), 1.3));
  // Normals go to lower values.
  const Real3 p = place(at, surface.cells[0]), q = place(at, surface.cells[1]),
              r = place(at, surface.cells[2]);
  const double to_x = (q[1] - p[1]) * (r[2] - p[2]) - (q[2] - p[2]) * (r[1] - p[1]);
  EXPECT_LT(to_x, 0);
}

TEST(Isosurface, OfAPlaneAcrossABoxHasTheAreaOfTheCut) {
  for (int axis = 0; axis < 3; ++axis) {
    const Grid grid({4, 6, 5}, {1, 0.5, 2}, [axis](double x, double y, double z) {
      return -std::array<double, 3>{x, y, z}[static_cast<std::size_t>(axis)];
    });
    const Isosurface surface = found(grid, -0.7);
    const std::array<double, 3> sides = {3, 2.5, 8};
    const double area = sides[0] * sides[1] * sides[2] / sides[static_cast<std::size_t>(axis)];
    const auto [measured, volume] = area_and_volume(surface, surface.at_points(grid.places, 3));
    EXPECT_NEAR(measured, area, 1e-12);
    EXPECT_NEAR(volume, area * 0.7 / 3, 1e-12);  // normals along the axis: p.n is 0.7 all over
  }
}

TEST(Isosurface, OfASphereIsClosedAndOfSecondOrder) {
  constexpr double radius = 0.8, pi = std::numbers::pi;
  std::vector<double> areas, volumes;
  for (const std::int64_t n : {17, 33}) {
    const double h = 2.0 / double(n - 1);
    const Grid grid({n, n, n}, {h, h, h}, [](double x, double y, double z) {
      return -std::hypot(x - 1.01, y - 0.98, z - 1);
    });
    const Isosurface surface = found(grid, -radius);
    // Each edge belongs to two triangles, which go along it in opposite directions.
    std::map<std::pair<std::int64_t, std::int64_t>, int> edges;
    for (std::size_t c = 0; c < surface.cells.size(); c += 3)
      for (std::size_t e = 0; e < 3; ++e)
        ++edges[{surface.cells[c + e], surface.cells[c + (e + 1) % 3]}];
    for (const auto& [edge, times] : edges) {
      ASSERT_EQ(times, 1);
      ASSERT_EQ(edges.count({edge.second, edge.first}), 1u);
    }
    // Euler's number of a sphere.
    EXPECT_EQ(std::ssize(surface.points) - std::ssize(edges) / 2 + std::ssize(surface.cells) / 3,
              2);
    const auto [area, volume] = area_and_volume(surface, surface.at_points(grid.places, 3));
    areas.push_back(std::abs(area / (4 * pi * radius * radius) - 1));
    volumes.push_back(std::abs(volume / (4 * pi / 3 * radius * radius * radius) - 1));
  }
  EXPECT_LT(areas[0], 0.02);
  EXPECT_LT(volumes[0], 0.02);
  EXPECT_NEAR(std::log2(areas[0] / areas[1]), 2, 0.2);
  EXPECT_NEAR(std::log2(volumes[0] / volumes[1]), 2, 0.2);
}

TEST(Isosurface, OfAPlaneOfValuesIsALine) {
  for (const Index3& n : {Index3{41, 37, 1}, Index3{41, 1, 37}, Index3{1, 41, 37}}) {
    const Grid grid(n, {0.05, 0.05, 0.05}, [&](double x, double y, double z) {
      const std::array<double, 3> middle = {n[0] > 1 ? 1.0 : 0.0, n[1] > 1 ? 0.9 : 0.0,
                                            n[2] > 1 ? 0.95 : 0.0};
      return std::hypot(x - middle[0], y - middle[1], z - middle[2]);
    });
    Isosurface surface = found(grid, 0.6);
    add_isosurface(surface, grid.n, 0, grid.values, 0.3);
    EXPECT_EQ(surface.corners, 2);
    EXPECT_EQ(surface.cells.size(), 2 * surface.points.size());  // closed lines
    const std::vector<double> at = surface.at_points(grid.places, 3);
    double length = 0;
    for (std::size_t c = 0; c < surface.cells.size(); c += 2) {
      const Real3 p = place(at, surface.cells[c]), q = place(at, surface.cells[c + 1]);
      length += std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
    }
    EXPECT_NEAR(length, 2 * std::numbers::pi * 0.9, 0.01);
  }
}

TEST(Isosurface, LeavesOutWhatIsNoNumber) {
  Grid grid({5, 5, 5}, {1, 1, 1}, [](double x, double, double) { return x; });
  const std::size_t whole = found(grid, 1.5).cells.size();
  grid.values[62] = std::numeric_limits<double>::quiet_NaN();  // in the middle
  EXPECT_EQ(found(grid, 1.5).cells.size(), whole - 4 * whole / 16);
  EXPECT_TRUE(found(grid, 7).cells.empty());
  Isosurface none;
  EXPECT_THROW(add_isosurface(none, {5, 1, 1}, 0, std::vector<double>{1, 2, 3, 4, 5}, 2), Error);
}

class IsosurfaceFiles : public Folder {};

TEST_F(IsosurfaceFiles, AreVtkhdfAlsoWithoutASurface) {
  const Grid grid({3, 3, 3}, {1, 1, 1}, [](double x, double, double) { return x; });
  for (const double level : {0.5, 5.0}) {
    const Isosurface surface = found(grid, level);
    write_isosurface(in("a.vtkhdf"), surface, surface.at_points(grid.places, 3),
                     {{"x", "length", 1, surface.levels},
                      {"place", "length", 3, surface.at_points(grid.places, 3)}},
                     {0.25, 7, "m", "s"}, {});
    const Hdf5File file = Hdf5File::open(in("a.vtkhdf"));
    const Hdf5Group vtk = file.root().open_group("VTKHDF");
    EXPECT_EQ(vtk.text("Type"), "PolyData");
    EXPECT_EQ(vtk.open_dataset("Points").extents(), (Extents{surface.points.size(), 3}));
    std::int64_t cells = 0;
    vtk.open_group("Polygons").open_dataset("NumberOfCells").read(&cells, ElementType::int64);
    EXPECT_EQ(cells, level < 1 ? 4 * 8 : 0);
    EXPECT_EQ(vtk.open_group("PointData").open_dataset("x").text("units"), "length");
    EXPECT_EQ(file.root().open_group("run").integer("step"), 7);
  }
}

}  // namespace
}  // namespace watersmeet::io
