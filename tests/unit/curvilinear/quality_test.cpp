// Numbers of quality for cells whose angles and ratios are known.
#include <gtest/gtest.h>

#include "mesh/curvilinear/quality.hpp"
#include "mesh/generators/channel.hpp"
#include "mesh/generators/round.hpp"
#include "meshes.hpp"

namespace watersmeet::mesh {
namespace {

TEST(Quality, ABoxOfBricks) {
  MultiBlockMesh mesh;
  mesh.blocks = {box_block({4, 3, 5}, {0, 0, 0}, {2, 1, 0.5})};
  const MeshQuality q = quality_of(mesh);
  EXPECT_DOUBLE_EQ(q.smallest_volume.value, 1);
  EXPECT_DOUBLE_EQ(q.largest_volume.value, 1);
  EXPECT_DOUBLE_EQ(q.smallest_angle.value, 90);
  EXPECT_DOUBLE_EQ(q.skewness.value, 0);
  EXPECT_DOUBLE_EQ(q.stretching.value, 1);
  EXPECT_DOUBLE_EQ(q.aspect_ratio.value, 4);
  EXPECT_EQ(q.folded_corners, 0);
}

TEST(Quality, ShearedStretchedAndFoldedCellsAreFound) {
  MultiBlockMesh mesh;
  CurvilinearBlock sheared({3, 3, 1});
  for_each_node(sheared.nodes(), [&](const Index3& node) {  // 30 degrees between the lines
    const double i = static_cast<double>(node[0]), j = static_cast<double>(node[1]);
    sheared.set(node, {i + j * std::sqrt(0.75), 0.5 * j, 0});
  });
  mesh.blocks = {sheared, box_block({4, 3, 1}, {9, 0, 0})};
  MeshQuality q = quality_of(mesh);
  EXPECT_NEAR(q.smallest_angle.value, 30, 1e-9);
  EXPECT_EQ(q.smallest_angle.block, 0);
  EXPECT_NEAR(q.skewness.value, 0.5, 1e-12);
  for (std::int64_t j = 0; j < 3; ++j)
    mesh.blocks[1].set({3, j, 0}, {14, static_cast<double>(j), 0});
  q = quality_of(mesh);
  EXPECT_NEAR(q.stretching.value, 3, 1e-12);
  EXPECT_EQ(q.stretching.block, 1);
  EXPECT_EQ(q.stretching.at[0], 2);
  mesh.blocks[1].set({1, 1, 0}, {11.2, 2.1, 0});  // beyond the corner of its cell
  EXPECT_GT(quality_of(mesh).folded_corners, 0);
  EXPECT_GT(quality_of(mesh).skewness.value, 1);
}

TEST(Quality, FirstCellsOfWalls) {
  const MultiBlockMesh mesh = make_cylinder({.cells = {64, 16}, .first_cell = 0.01});
  const MeshQuality q = quality_of(mesh);
  ASSERT_EQ(q.first_cells.size(), 1u);
  EXPECT_EQ(q.first_cells[0].boundary, "cylinder");
  EXPECT_NEAR(q.first_cells[0].largest, 0.01, 1e-8);
  // At the ends of a block the one-sided normal is half a cell's angle off.
  EXPECT_NEAR(q.first_cells[0].smallest, 0.01 * std::cos(M_PI / 64), 1e-8);
}

}  // namespace
}  // namespace watersmeet::mesh
