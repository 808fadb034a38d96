// Orientations and index maps against integer matrices and against points placed in space and
// rotated there.
#include "mesh/orientation.hpp"

#include <gtest/gtest.h>

#include <set>

#include "mesh/index_map.hpp"

namespace watersmeet::mesh {
namespace {

using Matrix = std::array<std::array<std::int64_t, 3>, 3>;

Matrix matrix_of(const Orientation& o) {
  Matrix m{};
  for (int a = 0; a < 3; ++a) m[o.axis[a]][a] = o.sign[a];
  return m;
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) c[i][j] += a[i][k] * b[k][j];
  return c;
}

Index3 product(const Matrix& m, const Index3& v) {
  Index3 w{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) w[i] += m[i][j] * v[j];
  return w;
}

std::int64_t determinant(const Matrix& m) {
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

Index3 cross(const Index3& u, const Index3& v) {
  return {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
}

constexpr std::array<Location, 8> all_locations{
    Location::cell,   Location::x_face, Location::y_face, Location::z_face,
    Location::x_edge, Location::y_edge, Location::z_edge, Location::node};

// The drawing in core/types.hpp, written out: in which axes a location is on a lower face.
constexpr bool on_lower_face[8][3] = {
    {false, false, false}, {true, false, false}, {false, true, false}, {false, false, true},
    {false, true, true},   {true, false, true},  {true, true, false},  {true, true, true}};

// Twice the position of a point relative to the centre of its block of n cells.
Index3 doubled_position(const Index3& index, Location where, const Index3& n) {
  Index3 x{};
  for (int a = 0; a < 3; ++a) {
    x[a] = 2 * index[a] + (on_lower_face[static_cast<int>(where)][a] ? 0 : 1) - n[a];
  }
  return x;
}

TEST(Orientation, FromIndexGivesAll48Once) {
  std::set<std::array<std::array<int, 3>, 2>> seen;
  for (int i = 0; i < 48; ++i) {
    const Orientation o = Orientation::from_index(i);
    EXPECT_TRUE(o.valid());
    seen.insert({o.axis, o.sign});
  }
  EXPECT_EQ(seen.size(), 48u);
  static_assert(Orientation::from_index(0).identity());
  static_assert(!Orientation{{0, 0, 1}, {1, 1, 1}}.valid());
  static_assert(!Orientation{{0, 1, 2}, {1, 2, 1}}.valid());
  static_assert(!Orientation{{0, 1, 3}, {1, 1, 1}}.valid());
}

TEST(Orientation, StaggeredAxesAreTheDrawnOnes) {
  for (int l = 0; l < 8; ++l)
    for (int a = 0; a < 3; ++a) EXPECT_EQ(staggered(all_locations[l], a), on_lower_face[l][a]);
}

TEST(Orientation, ComposesInvertsAndTakesDeterminantLikeMatrices) {
  for (int i = 0; i < 48; ++i) {
    const Orientation a = Orientation::from_index(i);
    EXPECT_EQ(a.determinant(), determinant(matrix_of(a)));
    EXPECT_TRUE(a.then(a.inverse()).identity());
    EXPECT_TRUE(a.inverse().then(a).identity());
    for (int j = 0; j < 48; ++j) {
      const Orientation b = Orientation::from_index(j);
      EXPECT_EQ(matrix_of(a.then(b)), product(matrix_of(b), matrix_of(a)));
    }
  }
}

TEST(Orientation, PointsOfEveryLocationGoWhereTheRotatedPointIs) {
  const Index3 n{3, 4, 5};
  for (int i = 0; i < 48; ++i) {
    const Orientation o = Orientation::from_index(i);
    const Index3 m = o.size(n);
    for (const Location where : all_locations) {
      for (std::int64_t z = -2; z <= n[2] + 2; ++z)
        for (std::int64_t y = -2; y <= n[1] + 2; ++y)
          for (std::int64_t x = -2; x <= n[0] + 2; ++x) {
            const Index3 index{x, y, z};
            const Index3 image = o.point(index, n, where);
            ASSERT_EQ(doubled_position(image, o.location(where), m),
                      product(matrix_of(o), doubled_position(index, where, n)));
            ASSERT_EQ(o.inverse().point(image, m, o.location(where)), index);
            if (where == Location::cell) {
              const Box one{index, {x + 1, y + 1, z + 1}};
              ASSERT_EQ(o.box(one, n), (Box{image, {image[0] + 1, image[1] + 1, image[2] + 1}}));
            }
          }
    }
  }
}

TEST(Orientation, BoxOfManyCellsHoldsTheImagesOfItsCells) {
  const Index3 n{3, 4, 5};
  const Box box{{-1, 1, 2}, {2, 4, 7}};
  for (int i = 0; i < 48; ++i) {
    const Orientation o = Orientation::from_index(i);
    const Box image = o.box(box, n);
    EXPECT_EQ(image.count(), box.count());
    const Index3 first = o.cell(box.lower, n);
    const Index3 last = o.cell({box.upper[0] - 1, box.upper[1] - 1, box.upper[2] - 1}, n);
    for (int a = 0; a < 3; ++a) {
      EXPECT_EQ(image.lower[a], std::min(first[a], last[a]));
      EXPECT_EQ(image.upper[a], std::max(first[a], last[a]) + 1);
    }
  }
}

TEST(Orientation, ComponentsTransformAsVectorsAndAxialVectors) {
  const Index3 u{2, -3, 5}, v{7, 11, -13};
  const Index3 w = cross(u, v);  // an axial vector if u and v are vectors
  for (int i = 0; i < 48; ++i) {
    const Orientation o = Orientation::from_index(i);
    const Index3 u_to = product(matrix_of(o), u), v_to = product(matrix_of(o), v);
    const Index3 w_to = cross(u_to, v_to);
    for (int c = 0; c < 3; ++c) {
      const Component local = o.component(Kind::local, c);
      EXPECT_EQ(u[c], local.sign * u_to[local.component]);
      const Component pseudo = o.component(Kind::pseudo, c);
      EXPECT_EQ(w[c], pseudo.sign * w_to[pseudo.component]);
      EXPECT_EQ(o.component(Kind::scalar, c), (Component{c, 1}));
      EXPECT_EQ(o.component(Kind::cartesian, c), (Component{c, 1}));
    }
  }
}

TEST(IndexMap, OntoCarriesTheBoxAndItsPoints) {
  const Box from{{-2, 5, 1}, {1, 9, 6}};  // 3 x 4 x 5 cells
  const Index3 n{3, 4, 5};
  for (int i = 0; i < 48; ++i) {
    const Orientation o = Orientation::from_index(i);
    const Index3 m = o.size(n), corner{10, -20, 30};
    const Box to{corner, {10 + m[0], -20 + m[1], 30 + m[2]}};
    const IndexMap map = IndexMap::onto(o, from, to);
    EXPECT_EQ(map.box(from), to);
    EXPECT_EQ(map.inverse().box(to), from);
    for (const Location where : all_locations) {
      const Index3 inside{1, 2, 3};
      const Index3 expected = o.point(inside, n, where);
      const Index3 image = map.point({-2 + 1, 5 + 2, 1 + 3}, where);
      EXPECT_EQ(image, (Index3{10 + expected[0], -20 + expected[1], 30 + expected[2]}));
      EXPECT_EQ(map.inverse().point(image, o.location(where)), (Index3{-1, 7, 4}));
    }
  }
}

TEST(IndexMap, ThenIsOneAfterTheOther) {
  const Index3 index{4, -7, 9};
  for (int i = 0; i < 48; ++i)
    for (int j = 0; j < 48; ++j) {
      const IndexMap a{Orientation::from_index(i), {1, 20, -3}};
      const IndexMap b{Orientation::from_index(j), {-5, 6, 70}};
      for (const Location where : all_locations) {
        ASSERT_EQ(a.then(b).point(index, where),
                  b.point(a.point(index, where), a.orientation.location(where)));
      }
      ASSERT_EQ(a.then(a.inverse()), IndexMap{});
    }
}

}  // namespace
}  // namespace watersmeet::mesh
