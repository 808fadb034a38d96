// Every message of the checker, with block, face, node and coordinates.
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "mesh/curvilinear/connect.hpp"
#include "meshes.hpp"

namespace watersmeet::mesh {
namespace {

MultiBlockMesh good() {
  MultiBlockMesh mesh;
  mesh.blocks = {box_block({4, 3, 5}, {0, 0, 0}), box_block({3, 3, 5}, {3, 0, 0})};
  connect(mesh);
  close_faces(mesh);
  return mesh;
}

TEST(Validate, AcceptsAGoodMesh) { EXPECT_EQ(joined(validate(good())), ""); }

TEST(Validate, NegativeVolume) {
  MultiBlockMesh mesh = good();
  mesh.blocks[0].set({1, 1, 1}, {6, 1, 1});  // far past its neighbour at x = 2
  const auto faults = validate(mesh);
  ASSERT_EQ(faults.size(), 1u) << joined(faults);
  EXPECT_TRUE(says(faults, {"block 0, cell (1, ", "has the volume -", "must be positive"}));
  reorient(mesh, 0, {{0, 1, 2}, {1, 1, -1}});
  EXPECT_TRUE(says(validate(mesh), {"cells of the block are not"}));
  mesh = good();
  reorient(mesh, 1, {{0, 1, 2}, {1, 1, -1}});
  EXPECT_TRUE(says(validate(mesh), {"block 1", "left-handed"}));
}

TEST(Validate, CoordinatesThatAreNoNumbers) {
  MultiBlockMesh mesh = good();
  mesh.blocks[1].set({1, 1, 2}, {4, NAN, 2});
  EXPECT_TRUE(says(validate(mesh), {"block 1, node (1, 1, 2)", "(4, nan, 2)", "not finite"}));
}

TEST(Validate, Gap) {
  MultiBlockMesh mesh = good();
  mesh.blocks[1].set({0, 2, 3}, {3.001, 2, 3});
  const auto faults = validate(mesh);
  ASSERT_EQ(faults.size(), 1u) << joined(faults);
  EXPECT_TRUE(says(
      faults, {"block 0, i_upper", "there is a gap, 1 of 15 nodes", "node (3, 2, 3) at (3, 2, 3)",
               "node (0, 2, 3) of block 1 at (3.001, 2, 3)", "0.001 apart", "allowed 1e-06"}));
  // Relative to the local spacing, here 0.999.
  mesh.blocks[1].set({0, 2, 3}, {3 + 0.9e-6, 2, 3});
  EXPECT_TRUE(validate(mesh).empty());
}

TEST(Validate, SubFacesThatDoNotMatch) {
  MultiBlockMesh mesh = good();
  for (NodeLink& link : mesh.links) {
    Box& box = link.block == 0 ? link.neighbour_box : link.box;
    box.upper[1] = 2;
  }
  const auto faults = validate(mesh);
  EXPECT_EQ(faults.size(), 2u) << joined(faults);  // a pair of links is reported once
  EXPECT_TRUE(
      says(faults, {"link from block 0, i_upper, nodes (3, 0, 0) to (3, 2, 4)",
                    "sub-faces do not match, 1 x 3 x 5 nodes", "from (3, 0, 0) to (3, 2, 4)",
                    "meet 1 x 2 x 5 from (3, 0, 0) to (3, 1, 4)"}));
  EXPECT_TRUE(says(faults, {"block 1, i_lower, nodes (0, 1, 0) to (0, 2, 4)",
                            "from (3, 1, 0) to (3, 2, 4)", "has no boundary"}));
}

TEST(Validate, LinksOffTheirFacesOrBlocks) {
  MultiBlockMesh mesh = good();
  mesh.links[0].neighbour = 7;
  EXPECT_TRUE(says(validate(mesh), {"there is no block 7 (the mesh has 2, counted from 0)"}));
  mesh = good();
  mesh.links[0].box.upper[2] = 9;
  EXPECT_TRUE(
      says(validate(mesh), {"nodes (3, 0, 0) to (3, 2, 8)", "not a rectangle on face i_upper",
                            "which has nodes (3, 0, 0) to (3, 2, 4)"}));
  mesh = good();
  mesh.links.pop_back();
  EXPECT_TRUE(says(validate(mesh), {"has no inverse link"}));
  mesh = good();
  for (NodeLink& link : mesh.links) link.orientation.sign[0] = -1;
  EXPECT_TRUE(says(validate(mesh), {"outward through i_upper does not lead inward"}));
  mesh = good();
  for (NodeLink& link : mesh.links) link.orientation.sign[1] = -1;
  EXPECT_TRUE(says(validate(mesh), {"right-handed axes into left-handed"}));
  EXPECT_TRUE(says(validate(mesh), {"there is a gap, 10 of 15"}));
}

TEST(Validate, FacesWithoutBoundaryAndWithTwo) {
  MultiBlockMesh mesh = good();
  const BoundaryPatch first = mesh.patches.front();
  mesh.patches.erase(mesh.patches.begin());
  EXPECT_TRUE(says(validate(mesh), {"block 0, i_lower, nodes (0, 0, 0) to (0, 2, 4) from "
                                    "(0, 0, 0) to (0, 2, 4) has no boundary"}));
  mesh.patches.push_back(first);
  mesh.patches.push_back(first);
  mesh.patches.back().name = "second";
  mesh.patches.back().box.lower[1] = 1;
  EXPECT_TRUE(says(validate(mesh),
                   {"block 0, i_lower, nodes (0, 1, 0) to (0, 2, 4) from (0, 1, 0) to (0, 2, 4)",
                    "`outer`", "`second`"}));
  // Patches that share only their edge are no fault.
  mesh = good();
  mesh.patches[0].box.upper[1] = 2;
  mesh.patches.push_back(mesh.patches[0]);
  mesh.patches.back().box = {{0, 1, 0}, {1, 3, 5}};
  EXPECT_EQ(joined(validate(mesh)), "");
}

TEST(Validate, NamesOfBoundariesAndKinds) {
  MultiBlockMesh mesh = good();
  mesh.patches[0].kind = "slipwall";
  EXPECT_TRUE(says(validate(mesh), {"boundary `outer`", "i_lower", "no kind `slipwall`",
                                    "did you mean `slip_wall`?"}));
  EXPECT_TRUE(says(validate(mesh), {"block 0, i_lower, nodes (0, 0, 0) to (0, 2, 4) from "
                                    "(0, 0, 0) to (0, 2, 4): no kind"}));
  // Names are those of files and columns.
  for (const char* const name : {"", "left,right", "a/b", "qu\"ote", "two\nlines"}) {
    mesh = good();
    mesh.patches[1].name = name;
    const auto faults = validate(mesh);
    ASSERT_EQ(faults.size(), 1u) << name << joined(faults);
    EXPECT_TRUE(says(faults, {"on block 0, j_lower, nodes (0, 0, 0) to (3, 0, 4) from (0, 0, 0) to "
                              "(3, 0, 4): a name has 1 to 100 characters"}))
        << joined(faults);
  }
  mesh.patches[1].name = std::string(101, 'n');
  EXPECT_EQ(validate(mesh).size(), 1u);
  for (const std::string& name : {std::string(100, 'n'), std::string("with space"),
                                  std::string("a.b-c_d:e(f)"), std::string("\xc3\xbc")}) {
    mesh.patches[1].name = name;
    EXPECT_EQ(joined(validate(mesh)), "") << name;
  }
}

TEST(Validate, DegenerateFacesHaveNoArea) {
  MultiBlockMesh mesh = good();
  mesh.patches[0].kind = "degenerate";
  const auto faults = validate(mesh);
  ASSERT_EQ(faults.size(), 1u) << joined(faults);
  EXPECT_TRUE(
      says(faults, {"boundary `outer` on block 0, i_lower", "of kind degenerate has no area",
                    "the area of its cell at (0, 0, 0) is 1"}));
  // A wedge around the z axis, in the plane and in space, whose axis is off by single precision.
  for (const std::int64_t layers : {1, 3}) {
    MultiBlockMesh polar;
    polar.blocks = {CurvilinearBlock({4, 5, layers})};
    for_each_node(polar.blocks[0].nodes(), [&](const Index3& n) {
      const double r = n[0] == 0 ? 1e-7 : static_cast<double>(n[0]);
      const double angle = 0.2 * static_cast<double>(n[1]);
      polar.blocks[0].set(n, {r * std::cos(angle), r * std::sin(angle), static_cast<double>(n[2])});
    });
    polar.add_patch("axis", "degenerate", 0, {0, Side::lower});
    close_faces(polar);
    EXPECT_EQ(joined(validate(polar)), "");
    polar.patches[0].face = {0, Side::upper};
    polar.patches[0].box = face_layer(polar.blocks[0].n, polar.patches[0].face);
    EXPECT_TRUE(says(validate(polar), {"block 0, i_upper", "of kind degenerate has no area"}));
  }
}

TEST(Validate, SizesAndDimensions) {
  MultiBlockMesh mesh;
  EXPECT_TRUE(says(validate(mesh), {"no blocks"}));
  mesh.blocks = {box_block({4, 3, 1}, {0, 0, 0}), box_block({4, 3, 2}, {3, 0, 0}),
                 box_block({1, 3, 1}, {6, 0, 0})};
  EXPECT_TRUE(says(validate(mesh), {"block 1 has 4 x 3 x 2 nodes", "a 2-D mesh"}));
  EXPECT_TRUE(says(validate(mesh), {"block 2 has 1 x 3 x 1 nodes"}));
  mesh.blocks.erase(mesh.blocks.begin() + 1, mesh.blocks.end());
  mesh.blocks[0].x[1].pop_back();
  EXPECT_TRUE(says(validate(mesh), {"block 0 has 11 coordinates for 12 nodes"}));
  EXPECT_THROW(require_valid(mesh, "a mesh"), Error);
}

}  // namespace
}  // namespace watersmeet::mesh
