// Splitting until links join complete faces: least cuts, cuts that travel, nothing lost.
#include <gtest/gtest.h>

#include "mesh/curvilinear/connect.hpp"
#include "mesh/curvilinear/split.hpp"
#include "meshes.hpp"

namespace watersmeet::mesh::split_test {
namespace {

double volume_of(const MultiBlockMesh& mesh) {
  double sum = 0;
  for (const CurvilinearBlock& block : mesh.blocks) {
    for_each_node(block.cells(), [&](const Index3& cell) { sum += cell_volume(block, cell); });
  }
  return sum;
}

bool complete(const MultiBlockMesh& mesh) {
  for (const NodeLink& link : mesh.links) {
    if (!(link.box == face_layer(mesh.block(link.block).n, link.face))) return false;
  }
  return true;
}

// Cells of the faces of patches with this name.
std::int64_t patch_cells(const MultiBlockMesh& mesh, const std::string& name) {
  std::int64_t sum = 0;
  for (const BoundaryPatch& patch : mesh.patches) {
    if (patch.name == name) sum += face_cells(patch.box, patch.face).count();
  }
  return sum;
}

TEST(Split, CompleteFacesStayAsTheyAre) {
  MultiBlockMesh mesh;
  mesh.blocks = {box_block({4, 3, 5}, {0, 0, 0}), box_block({3, 3, 5}, {3, 0, 0})};
  connect(mesh);
  close_faces(mesh);
  const SplitMesh split = split_to_complete_faces(mesh);
  EXPECT_EQ(split.mesh.blocks.size(), 2u);
  EXPECT_EQ(split.mesh.links, mesh.links);
  EXPECT_EQ(split.mesh.patches, mesh.patches);
  EXPECT_EQ(split.parent, (std::vector<int>{0, 1}));
}

TEST(Split, CutsTravelThroughLinksInAnyOrientation) {
  // Two blocks above one; the cut of the lower block travels on into the block below it, turned.
  for (int number = 0; number < 48; ++number) {
    MultiBlockMesh mesh;
    mesh.blocks = {box_block({9, 3, 4}, {0, 0, 0}), box_block({4, 3, 4}, {0, 2, 0}),
                   box_block({6, 3, 4}, {3, 2, 0}), box_block({9, 5, 4}, {0, -4, 0})};
    reorient(mesh, 3, Orientation::from_index(number));
    reorient(mesh, 0, Orientation::from_index(47 - number));
    make_right_handed(mesh);
    ASSERT_TRUE(connect(mesh).empty());
    close_faces(mesh);
    ASSERT_FALSE(complete(mesh));
    const SplitMesh split = split_to_complete_faces(mesh);
    EXPECT_EQ(split.mesh.blocks.size(), 6u);
    EXPECT_EQ(joined(validate(split.mesh)), "");
    EXPECT_TRUE(complete(split.mesh));
    EXPECT_NEAR(volume_of(split.mesh), volume_of(mesh), 1e-10);
    EXPECT_EQ(patch_cells(split.mesh, "outer"), patch_cells(mesh, "outer"));
    for (std::size_t b = 0; b < split.mesh.blocks.size(); ++b) {
      const CurvilinearBlock& whole = mesh.block(split.parent[b]);
      EXPECT_EQ(split.mesh.blocks[b].at({0, 0, 0}), whole.at(split.first_node[b]));
    }
  }
}

TEST(Split, APeriodicBlockWithAPartialFaceIsItsOwnNeighbour) {
  // Periodic along x only for half of the face: the cut goes round.
  MultiBlockMesh mesh;
  mesh.blocks = {box_block({5, 5, 1}, {0, 0, 0})};
  const Face lower{0, Side::lower}, upper{0, Side::upper};
  mesh.add_link(
      {0, upper, {{4, 0, 0}, {5, 3, 1}}, 0, lower, {{0, 0, 0}, {1, 3, 1}}, {}, {-4, 0, 0}});
  close_faces(mesh);
  EXPECT_EQ(joined(validate(mesh)), "");
  const SplitMesh split = split_to_complete_faces(mesh);
  EXPECT_EQ(split.mesh.blocks.size(), 2u);
  EXPECT_EQ(joined(validate(split.mesh)), "");
  EXPECT_TRUE(complete(split.mesh));
}

TEST(Split, CutsGivenByTheCallerGoThroughAllNeighbours) {
  MultiBlockMesh mesh;
  mesh.blocks = {box_block({4, 5, 1}, {0, 0, 0}), box_block({3, 5, 1}, {3, 0, 0})};
  connect(mesh);
  close_faces(mesh);
  Cuts cuts(2);
  cuts[0][1] = {2};
  const SplitMesh split = split_at(mesh, complete_face_cuts(mesh, cuts));
  EXPECT_EQ(split.mesh.blocks.size(), 4u);
  EXPECT_EQ(joined(validate(split.mesh)), "");
  EXPECT_EQ(split.mesh.links.size(), 8u);
}

}  // namespace
}  // namespace watersmeet::mesh::split_test
