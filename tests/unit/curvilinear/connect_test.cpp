// Links found by coordinates: all 48 orientations of both blocks, parts of faces, periodic faces,
// folded faces, faces without area; and turning blocks of a connected mesh.
#include <gtest/gtest.h>

#include "mesh/curvilinear/connect.hpp"
#include "meshes.hpp"

namespace watersmeet::mesh {
namespace {

// Every pair of coordinates that a link joins is the same point.
void expect_coincident(const MultiBlockMesh& mesh) {
  for (const NodeLink& link : mesh.links) {
    const IndexMap map = link.map();
    for_each_node(link.box, [&](const Index3& node) {
      const Real3 here = sum_of(mesh.block(link.block).at(node), link.shift);
      ASSERT_LT(distance(here, mesh.block(link.neighbour).at(map.cell(node))), 1e-12);
    });
  }
}

MultiBlockMesh two_boxes() {
  MultiBlockMesh mesh;
  mesh.blocks = {box_block({4, 3, 5}, {0, 0, 0}), box_block({3, 3, 5}, {3, 0, 0})};
  return mesh;
}

TEST(Connect, FindsTheCommonFaceUnderEveryOrientation) {
  for (int first = 0; first < 48; ++first) {
    for (int second = 0; second < 48; second += first % 5 == 0 ? 1 : 7) {
      MultiBlockMesh mesh = two_boxes();
      reorient(mesh, 0, Orientation::from_index(first));
      reorient(mesh, 1, Orientation::from_index(second));
      make_right_handed(mesh);
      ASSERT_TRUE(connect(mesh).empty());
      ASSERT_EQ(mesh.links.size(), 2u) << first << " " << second;
      EXPECT_EQ(mesh.links[0].box.count(), 15);
      EXPECT_EQ(mesh.links[0].orientation.determinant(), 1);
      expect_coincident(mesh);
      close_faces(mesh);
      EXPECT_EQ(joined(validate(mesh)), "");
    }
  }
}

TEST(Connect, OnlyBlocksOfTheOtherHandAreReversed) {
  for (int number = 0; number < 48; ++number) {
    MultiBlockMesh mesh = two_boxes();
    connect(mesh);
    close_faces(mesh);
    const Orientation o = Orientation::from_index(number);
    reorient(mesh, 1, o);
    const std::vector<int> turned = make_right_handed(mesh);
    EXPECT_EQ(turned, o.determinant() == 1 ? std::vector<int>{} : std::vector<int>{1});
    EXPECT_EQ(joined(validate(mesh)), "") << number;  // links and patches went along
  }
}

TEST(Connect, FindsPartsOfFaces) {
  // One block below, two above that share its upper face, the right one not up to the end.
  MultiBlockMesh mesh;
  mesh.blocks = {box_block({9, 3, 4}, {0, 0, 0}), box_block({4, 3, 4}, {0, 2, 0}),
                 box_block({5, 3, 3}, {3, 2, 1})};
  ASSERT_TRUE(connect(mesh).empty());
  ASSERT_EQ(mesh.links.size(), 6u);  // 0-1, 0-2, 1-2 and back
  expect_coincident(mesh);
  std::int64_t on_lower = 0;
  for (const NodeLink& link : mesh.links) {
    if (link.block == 0) on_lower += face_cells(link.box, link.face).count();
  }
  EXPECT_EQ(on_lower, 3 * 3 + 4 * 2);
  close_faces(mesh);
  EXPECT_EQ(joined(validate(mesh)), "");
}

TEST(Connect, FindsPeriodicFacesOnceAsked) {
  MultiBlockMesh mesh;
  mesh.blocks = {box_block({4, 3, 1}, {0, 0, 0}), box_block({3, 3, 1}, {3, 0, 0})};
  reorient(mesh, 1, {{1, 0, 2}, {-1, 1, 1}});
  connect(mesh);
  EXPECT_EQ(mesh.links.size(), 2u);
  connect(mesh, {.periods = {{5, 0, 0}, {0, 2, 0}}});
  EXPECT_EQ(mesh.links.size(), 8u);
  expect_coincident(mesh);
  EXPECT_EQ(joined(validate(mesh)), "");  // nothing is open
  int periodic = 0;
  for (const NodeLink& link : mesh.links) periodic += link.periodic() ? 1 : 0;
  EXPECT_EQ(periodic, 6);
}

TEST(Connect, AFaceMayBeFoldedOntoItself) {
  // A half ring of 4 + 6 + 4 cells whose first and last four cells of j = 0 lie on each other: the
  // wake cut of a C-grid in one block.
  MultiBlockMesh mesh;
  CurvilinearBlock block({15, 3, 1});
  for_each_node(block.nodes(), [&](const Index3& node) {
    const double j = static_cast<double>(node[1]);
    const std::int64_t i = node[0];
    if (i >= 4 && i <= 10) {  // around the body of radius 1, from below clockwise
      const double angle = -M_PI / 2 * (1 + static_cast<double>(i - 4) / 3);
      const double radius = (i == 4 || i == 10) && node[1] == 0 ? 0.0 : 1 + j;
      block.set(node, {radius * std::cos(angle), radius * std::sin(angle), 0});
    } else {
      const double away = static_cast<double>(i < 4 ? 4 - i : i - 10);
      block.set(node, {away, i < 4 ? -j : j, 0});
    }
  });
  mesh.blocks = {block};
  ASSERT_TRUE(connect(mesh).empty());
  ASSERT_EQ(mesh.links.size(), 2u);
  EXPECT_EQ(mesh.links[0].box, (Box{{0, 0, 0}, {5, 1, 1}}));
  EXPECT_EQ(mesh.links[0].neighbour_box, (Box{{10, 0, 0}, {15, 1, 1}}));
  EXPECT_EQ(mesh.links[0].orientation.sign[0], -1);
  expect_coincident(mesh);
}

TEST(Connect, FacesWithoutAreaAreDegenerate) {
  // A quarter of a cylinder with its axis: face i_lower is a line.
  MultiBlockMesh mesh;
  CurvilinearBlock block({4, 5, 3});
  for_each_node(block.nodes(), [&](const Index3& node) {
    const double angle = M_PI / 8 * static_cast<double>(node[1]);
    const double r = static_cast<double>(node[0]);
    block.set(node, {r * std::cos(angle), r * std::sin(angle), static_cast<double>(node[2])});
  });
  mesh.blocks = {block};
  connect(mesh);
  ASSERT_EQ(mesh.patches.size(), 1u);
  EXPECT_EQ(mesh.patches[0].kind, "degenerate");
  EXPECT_EQ(mesh.patches[0].box, face_layer(block.n, {0, Side::lower}));
  EXPECT_TRUE(mesh.links.empty());
  close_faces(mesh);
  EXPECT_EQ(joined(validate(mesh)), "");
}

TEST(Connect, NodesThatDifferMoreThanTheToleranceDoNotMeet) {
  MultiBlockMesh mesh = two_boxes();
  for (double& x : mesh.blocks[1].x[0]) x += 1e-5;
  connect(mesh);
  EXPECT_TRUE(mesh.links.empty());
  connect(mesh, {.tolerance = 1e-4});
  EXPECT_EQ(mesh.links.size(), 2u);
}

TEST(Connect, ThreeFacesInOnePlaceAreAFault) {
  MultiBlockMesh mesh = two_boxes();
  mesh.blocks.push_back(mesh.blocks[1]);
  EXPECT_TRUE(says(connect(mesh), {"three faces meet at", "block 0, i_upper", "block 2, i_lower"}));
}

}  // namespace
}  // namespace watersmeet::mesh
