// Volumes of cells against integrals known in closed form, and blocks turned in all 48 ways.
#include <gtest/gtest.h>

#include <random>

#include "meshes.hpp"

namespace watersmeet::mesh {
namespace {

TEST(CellVolume, ParallelepipedAndPlaneQuadrilateral) {
  CurvilinearBlock block({2, 2, 2});
  // Edges a, b, c from a corner: the volume is their triple product, here 2*3*5 + shear = 30.
  const Real3 a{2, 0, 0}, b{1, 3, 0}, c{0.5, -1, 5};
  for_each_node(block.nodes(), [&](const Index3& node) {
    Real3 p{100, -50, 3};
    for (std::size_t m = 0; m < 3; ++m) {
      p[m] += static_cast<double>(node[0]) * a[m] + static_cast<double>(node[1]) * b[m] +
              static_cast<double>(node[2]) * c[m];
    }
    block.set(node, p);
  });
  EXPECT_NEAR(cell_volume(block, {0, 0, 0}), 30.0, 1e-12);

  CurvilinearBlock flat({2, 2, 1});  // a trapezium with parallel sides 3 and 1, height 2
  flat.set({0, 0, 0}, {0, 0, 0});
  flat.set({1, 0, 0}, {3, 0, 0});
  flat.set({0, 1, 0}, {1, 2, 0});
  flat.set({1, 1, 0}, {2, 2, 0});
  EXPECT_NEAR(cell_volume(flat, {0, 0, 0}), 4.0, 1e-15);
}

TEST(CellVolume, BilinearFacesCountAsTheSurfaceTheyAre) {
  // The unit cube with its upper corner (1, 1, 1) raised by h: the upper face is z = 1 + h x y,
  // and the integral of h x y over the square is h / 4. Cuts into triangles would give h / 3 or
  // h / 6.
  CurvilinearBlock cube = box_block({2, 2, 2}, {0, 0, 0});
  cube.set({1, 1, 1}, {1, 1, 1.6});
  EXPECT_NEAR(cell_volume(cube, {0, 0, 0}), 1 + 0.6 / 4, 1e-15);
  // A pyramid: four nodes in its tip; a third of base times height.
  CurvilinearBlock pyramid = box_block({2, 2, 2}, {0, 0, 0});
  for (const int i : {0, 1}) {
    for (const int j : {0, 1}) pyramid.set({i, j, 1}, {0.3, 0.4, 2});
  }
  EXPECT_NEAR(cell_volume(pyramid, {0, 0, 0}), 2.0 / 3, 1e-15);
}

TEST(CellVolume, PartsOfACurvedBlockAddUpToTheWhole) {
  // Inner faces are shared, so the sum over a block depends on its outer faces only: moving inner
  // nodes changes nothing.
  std::mt19937 random(3);
  std::uniform_real_distribution<double> move(-0.2, 0.2);
  CurvilinearBlock block = box_block({4, 3, 5}, {-1, 2, 0});
  const auto total = [&] {
    double sum = 0;
    for_each_node(block.cells(), [&](const Index3& cell) { sum += cell_volume(block, cell); });
    return sum;
  };
  EXPECT_NEAR(total(), 3 * 2 * 4, 1e-12);
  for_each_node({{1, 1, 1}, {3, 2, 4}}, [&](const Index3& node) {
    block.set(node, sum_of(block.at(node), {move(random), move(random), move(random)}));
  });
  EXPECT_NEAR(total(), 3 * 2 * 4, 1e-12);
}

TEST(Block, LocalSpacingSkipsCollapsedEdges) {
  CurvilinearBlock block = box_block({3, 3, 1}, {0, 0, 0}, {0.5, 0.25, 1});
  EXPECT_DOUBLE_EQ(local_spacing(block, {1, 1, 0}), 0.25);
  block.set({1, 0, 0}, block.at({0, 0, 0}));
  EXPECT_DOUBLE_EQ(local_spacing(block, {0, 0, 0}), 0.25);
}

TEST(Block, TurnedInEachOfTheOrientationsAndBack) {
  const CurvilinearBlock block = box_block({3, 4, 5}, {1, 2, 3}, {1, 2, 4});
  for (int number = 0; number < 48; ++number) {
    const Orientation o = Orientation::from_index(number);
    const CurvilinearBlock turned = reoriented(block, o);
    const double expected = o.determinant() * 8.0;
    EXPECT_NEAR(cell_volume(turned, {0, 0, 0}), expected, 1e-12) << number;
    const CurvilinearBlock back = reoriented(turned, o.inverse());
    EXPECT_EQ(back.n, block.n);
    EXPECT_EQ(back.x, block.x) << number;
  }
}

TEST(Block, NamesOfFacesGoThereAndBack) {
  for (const std::string& name : face_names()) EXPECT_EQ(face_name(*face_named(name)), name);
  EXPECT_FALSE(face_named("x_lower"));
  EXPECT_EQ(faces_of(2).size(), 4u);
}

}  // namespace
}  // namespace watersmeet::mesh
