// Boxes, blocks, geometry, links across a face, and the message of every fault that a mesh can
// have.
#include "mesh/mesh.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "mesh/box.hpp"

namespace watersmeet::mesh {
namespace {

constexpr Face x_lower{0, Side::lower}, x_upper{0, Side::upper};
constexpr Face y_lower{1, Side::lower}, y_upper{1, Side::upper};

// Two blocks of 3 x 4 x 5 and 2 x 4 x 5 cells side by side along x.
struct Pair {
  std::vector<Block> blocks{Block{{3, 4, 5}}, Block{{2, 4, 5}, {3, 0, 0}}};
  std::vector<Link> links;
  Pair() {
    const Link link{0, x_upper, {{2, 0, 0}, {3, 4, 5}}, 1, x_lower, {{0, 0, 0}, {1, 4, 5}}, {}};
    links = {link, link.inverse()};
  }
};

void expect_fault(const Pair& pair, const std::vector<std::string>& words) {
  try {
    const Mesh mesh(pair.blocks, pair.links);
    FAIL() << "no fault found, expected: " << words[0];
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::user_input);
    for (const std::string& word : words) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos)
          << "'" << word << "' is missing in: " << error.what();
    }
  }
}

TEST(Mesh, AcceptsAPairAndFindsItsLinks) {
  const Pair pair;
  const Mesh mesh(pair.blocks, pair.links);
  ASSERT_EQ(mesh.links(0, x_upper).size(), 1u);
  EXPECT_EQ(mesh.links(0, x_upper)[0], pair.links[0]);
  ASSERT_EQ(mesh.links(1, x_lower).size(), 1u);
  EXPECT_EQ(mesh.links(1, x_lower)[0], pair.links[1]);
  for (int b = 0; b < 2; ++b) {
    EXPECT_TRUE(mesh.links(b, y_lower).empty());
    EXPECT_TRUE(mesh.links(b, {2, Side::upper}).empty());
  }
  EXPECT_TRUE(mesh.links(0, x_lower).empty());
}

TEST(Mesh, NamesEveryFault) {
  Pair pair;
  pair.blocks.clear();
  expect_fault(pair, {"no blocks"});

  pair = Pair();
  pair.blocks[1].n[2] = 0;
  expect_fault(pair, {"block 1", "2 x 4 x 0", "at least 1"});

  pair = Pair();
  pair.links[0].neighbour = 7;
  expect_fault(pair, {"no block 7", "has 2", "no inverse"});

  pair = Pair();
  pair.links[0].face.axis = 3;
  expect_fault(pair, {"axis of a face"});

  pair = Pair();
  pair.links[0].orientation.axis = {0, 0, 2};
  expect_fault(pair, {"not a permutation"});

  pair = Pair();
  pair.links[0].box.upper[1] = 0;
  expect_fault(pair, {"block 0", "is empty"});

  pair = Pair();
  pair.links[0].box = {{1, 0, 0}, {2, 4, 5}};  // a layer that does not touch the face
  pair.links[1] = pair.links[0].inverse();
  expect_fault(pair, {"[1, 2) x [0, 4) x [0, 5)", "does not lie on the upper x face of block 0",
                      "[2, 3) x [0, 4) x [0, 5)"});

  pair = Pair();
  pair.links[0].neighbour_box.upper[2] = 6;
  pair.links[1] = pair.links[0].inverse();
  expect_fault(pair, {"[0, 1) x [0, 4) x [0, 6)", "lower x face of block 1", "do not fit",
                      "1 x 4 x 5", "1 x 4 x 6"});

  pair = Pair();
  pair.links[0].orientation = {{0, 2, 1}, {1, 1, 1}};  // 4 x 5 against 5 x 4
  pair.links[1] = pair.links[0].inverse();
  expect_fault(pair, {"do not fit", "1 x 5 x 4"});

  pair = Pair();
  pair.links[0].orientation.sign[0] = -1;
  pair.links[1] = pair.links[0].inverse();
  expect_fault(pair, {"upper x face", "into inward", "lower x face"});

  pair = Pair();
  pair.links.pop_back();
  expect_fault(pair, {"link from block 0, upper x face", "to block 1, lower x face", "no inverse"});

  pair = Pair();
  pair.links[1].orientation.sign = {1, -1, -1};  // fits, but is not the way back
  expect_fault(pair, {"no inverse"});

  pair = Pair();
  Link part = pair.links[0];
  part.box.lower[1] = part.neighbour_box.lower[1] = 3;
  pair.links.push_back(part);
  pair.links.push_back(part.inverse());
  expect_fault(pair, {"block 0, upper x face", "[2, 3) x [3, 4) x [0, 5)", "linked twice",
                      "block 1, lower x face", "[0, 1) x [3, 4) x [0, 5)"});
}

TEST(Mesh, ReportsAllFaultsTogether) {
  Pair pair;
  pair.links[0].box.upper[1] = 0;
  pair.links[1].neighbour = -1;
  expect_fault(pair, {"is empty", "no block -1"});
}

TEST(Mesh, AcceptsAFaceFoldedOntoItself) {
  // The seam of a tripolar grid: the upper y face meets itself turned around.
  const Box row{{0, 3, 0}, {6, 4, 1}};
  const Link fold{0, y_upper, row, 0, y_upper, row, {{0, 1, 2}, {-1, -1, 1}}};
  ASSERT_EQ(fold.inverse(), fold);
  const Mesh mesh({Block{{6, 4, 1}}}, {fold});
  EXPECT_EQ(mesh.links(0, y_upper)[0].map().cell({0, 4, 0}), (Index3{5, 3, 0}));
  EXPECT_EQ(mesh.links(0, y_upper)[0].map().cell({1, 6, 0}), (Index3{4, 1, 0}));
}

TEST(Link, MapsGhostLayersIntoTheNeighbour) {
  // The drawing in link.hpp with other sizes: the neighbour's upper x face, turned by 180 degrees.
  const Link link{0,
                  x_upper,
                  {{6, 1, 0}, {7, 4, 2}},
                  1,
                  x_upper,
                  {{4, 2, 3}, {5, 5, 5}},
                  {{0, 1, 2}, {-1, -1, 1}}};
  const IndexMap map = link.map();
  EXPECT_EQ(map.cell({7, 1, 0}), (Index3{4, 4, 3}));
  EXPECT_EQ(map.cell({7, 3, 1}), (Index3{4, 2, 4}));
  EXPECT_EQ(map.cell({9, 2, 0}), (Index3{2, 3, 3}));
  EXPECT_EQ(map.point({7, 1, 0}, Location::x_face), (Index3{5, 4, 3}));  // the shared face itself
  EXPECT_EQ(link.inverse().map(), map.inverse());
}

TEST(Box, PeriodicAxesAreLinkedAndThinAxesDegenerate) {
  const Mesh mesh = make_box({8, 1, 1}, {0, 0, 0}, {2, 3, 4}, {true, true, false});
  EXPECT_EQ(mesh.links().size(), 4u);
  const Block& block = mesh.block(0);
  EXPECT_FALSE(block.degenerate(0));
  EXPECT_TRUE(block.degenerate(1));
  EXPECT_TRUE(block.degenerate(2));
  EXPECT_EQ(block.ghosts(3), (Index3{3, 0, 0}));
  EXPECT_EQ(mesh.links(0, x_upper)[0].map().cell({8, 0, 0}), (Index3{0, 0, 0}));
  EXPECT_EQ(mesh.links(0, x_lower)[0].map().cell({-1, 0, 0}), (Index3{7, 0, 0}));
}

TEST(Box, OneCellBetweenOthersOrFoldedIsNotDegenerate) {
  Pair pair;
  pair.blocks[1].n[0] = 1;
  const Mesh thin(pair.blocks, pair.links);
  EXPECT_FALSE(thin.block(1).degenerate(0));
  EXPECT_EQ(thin.block(1).ghosts(2), (Index3{2, 2, 2}));

  pair.blocks[0].n[0] = 1;  // both: the neighbour is the same cell of another block
  pair.links[0].box = {{0, 0, 0}, {1, 4, 5}};
  pair.links[1] = pair.links[0].inverse();
  EXPECT_FALSE(Mesh(pair.blocks, pair.links).block(0).degenerate(0));

  // One periodic row, shifted by two cells when it comes round.
  const Link first{0, y_upper, {{0, 0, 0}, {4, 1, 1}}, 0, y_lower, {{2, 0, 0}, {6, 1, 1}}, {}};
  const Link rest{0, y_upper, {{4, 0, 0}, {6, 1, 1}}, 0, y_lower, {{0, 0, 0}, {2, 1, 1}}, {}};
  const Mesh sheared({Block{{6, 1, 1}}}, {first, rest, first.inverse(), rest.inverse()});
  EXPECT_FALSE(sheared.block(0).degenerate(1));

  // One row whose neighbour above is the row itself read backwards.
  const Box row{{0, 0, 0}, {6, 1, 1}};
  const Mesh fold({Block{{6, 1, 1}}},
                  {{0, y_upper, row, 0, y_upper, row, {{0, 1, 2}, {-1, -1, 1}}}});
  EXPECT_FALSE(fold.block(0).degenerate(1));
  EXPECT_TRUE(fold.block(0).degenerate(2));
}

TEST(Box, RefusesWrongSizesAndCorners) {
  const auto message = [](Index3 cells, Real3 upper) -> std::string {
    try {
      make_box(cells, {0, 0, 0}, upper, {true, true, true});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::user_input);
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message({1, 2, 3}, {1, 1, 1}), "");
  EXPECT_NE(message({4, 0, 4}, {1, 1, 1}).find("at least 1 cell along y, not 0"),
            std::string::npos);
  EXPECT_NE(message({4, 4, 4}, {1, 1, -1}).find("above its beginning along z"), std::string::npos);
  EXPECT_NE(message({4, 4, 4}, {std::numeric_limits<double>::quiet_NaN(), 1, 1}).find("along x"),
            std::string::npos);
}

TEST(Geometry, PlacesCellsAndStaggeredPoints) {
  const Mesh centred = make_box({4, 8, 1}, {1, -2, 0}, {3, 2, 5}, {true, true, true});
  const Uniform& g = centred.geometry();
  EXPECT_EQ(g.spacing, (Real3{0.5, 0.5, 5}));
  EXPECT_DOUBLE_EQ(g.coordinate(0, 0), 1.25);
  EXPECT_DOUBLE_EQ(g.coordinate(1, 7), 1.75);
  EXPECT_EQ(g.position({0, 0, 0}, Location::node), (Real3{1, -2, 0}));
  EXPECT_EQ(g.position({4, 0, 0}, Location::x_face), (Real3{3, -1.75, 2.5}));
  EXPECT_EQ(g.position({4, 0, 0}, Location::x_edge), (Real3{3.25, -2, 0}));

  const Mesh at_nodes = make_box({4, 8, 1}, {1, -2, 0}, {3, 2, 5}, {true, true, true}, 0.0);
  EXPECT_DOUBLE_EQ(at_nodes.geometry().coordinate(0, 0), 1.0);
  EXPECT_DOUBLE_EQ(at_nodes.geometry().coordinate(0, 3), 2.5);
  EXPECT_EQ(at_nodes.geometry().position({0, 0, 0}, Location::x_face), (Real3{0.75, -2, 0}));
}

}  // namespace
}  // namespace watersmeet::mesh
