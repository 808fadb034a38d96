// Coarse levels: the same nodes on both sides of every link, operators that keep constants and
// integrals, odd and prime sizes, directions that cannot become coarser.
#include <gtest/gtest.h>

#include <random>

#include "mesh/curvilinear/coarsen.hpp"
#include "mesh/curvilinear/connect.hpp"
#include "mesh/generators/glider15.hpp"
#include "mesh/generators/naca4.hpp"
#include "mesh/generators/round.hpp"
#include "mesh/generators/wavybox.hpp"
#include "meshes.hpp"

namespace watersmeet::mesh {
namespace {

using Nodes = std::vector<std::int64_t>;

// The nodes of a link that are kept on its two sides are the same nodes: from the map of the fine
// level alone, without looking at coordinates.
void expect_same_nodes(const MultiBlockMesh& mesh, const KeptNodes& kept) {
  for (const NodeLink& link : mesh.links) {
    const IndexMap map = link.map();
    for (int a = 0; a < mesh.dimensions(); ++a) {
      if (a == link.face.axis) continue;
      const int b = link.orientation.axis[a];
      std::set<std::int64_t> here, there;
      for (const std::int64_t i : kept[static_cast<std::size_t>(link.block)][a]) {
        if (i < link.box.lower[a] || i >= link.box.upper[a]) continue;
        Index3 node = link.box.lower;
        node[a] = i;
        here.insert(map.cell(node)[b]);
      }
      for (const std::int64_t i : kept[static_cast<std::size_t>(link.neighbour)][b]) {
        if (i >= link.neighbour_box.lower[b] && i < link.neighbour_box.upper[b]) there.insert(i);
      }
      EXPECT_EQ(here, there) << "blocks " << link.block << " and " << link.neighbour;
    }
  }
}

// Every level of the mesh: valid, with nodes that are nodes of the finer level.
int expect_good_levels(const MultiBlockMesh& mesh, const CoarsenOptions& options = {}) {
  const Hierarchy levels = coarsen(mesh, options);
  const MultiBlockMesh* fine = &mesh;
  for (const CoarseLevel& level : levels.levels) {
    expect_same_nodes(*fine, level.kept);
    EXPECT_EQ(joined(validate(level.mesh)), "");
    for (std::size_t b = 0; b < fine->blocks.size(); ++b) {
      for (int a = 0; a < 3; ++a) {
        const Nodes& kept = level.kept[b][a];
        EXPECT_EQ(kept.front(), 0);
        EXPECT_EQ(kept.back(), fine->blocks[b].n[a] - 1);
        for (std::size_t c = 1; c < kept.size(); ++c) {
          EXPECT_GE(kept[c] - kept[c - 1], 1);
          EXPECT_LE(kept[c] - kept[c - 1], 2);
        }
      }
    }
    EXPECT_GE(fine->node_count(),
              options.least_drop * static_cast<double>(level.mesh.node_count()));
    fine = &level.mesh;
  }
  EXPECT_FALSE(levels.end.empty());
  return static_cast<int>(levels.levels.size()) + 1;
}

TEST(Coarsen, EverySecondNodeOrOneSingleIntervalInTheMiddle) {
  EXPECT_EQ(kept_of(1), (Nodes{0, 1}));
  EXPECT_EQ(kept_of(2), (Nodes{0, 2}));
  EXPECT_EQ(kept_of(3), (Nodes{0, 1, 3}));
  EXPECT_EQ(kept_of(8), (Nodes{0, 2, 4, 6, 8}));
  EXPECT_EQ(kept_of(9), (Nodes{0, 2, 4, 5, 7, 9}));
  EXPECT_EQ(kept_of(7), (Nodes{0, 2, 3, 5, 7}));
  EXPECT_EQ(kept_of(7, true), (Nodes{0, 2, 3, 4, 5, 7}));
  for (std::int64_t n = 1; n < 200; ++n) {
    const Nodes kept = kept_of(n), both = kept_of(n, true);
    EXPECT_EQ(static_cast<std::int64_t>(kept.size()), (n + 1) / 2 + 1) << n;
    Nodes back(both.rbegin(), both.rend());
    for (std::int64_t& node : back) node = n - node;
    EXPECT_EQ(back, both) << n;
    EXPECT_LE(both.size(), kept.size() + 1) << n;
  }
}

TEST(Coarsen, LinksInAllOrientationsKeepTheSameNodes) {
  // 7 and 11 intervals have an odd number of pairs: reversed lists differ.
  for (int number = 0; number < 48; ++number) {
    MultiBlockMesh mesh;
    mesh.blocks = {box_block({8, 12, 6}, {0, 0, 0}), box_block({5, 12, 6}, {7, 0, 0}),
                   box_block({8, 4, 6}, {0, 11, 0})};
    reorient(mesh, 1, Orientation::from_index(number));
    reorient(mesh, 2, Orientation::from_index((7 * number + 5) % 48));
    make_right_handed(mesh);
    ASSERT_TRUE(connect(mesh).empty());
    close_faces(mesh);
    ASSERT_EQ(mesh.links.size(), 4u);
    EXPECT_EQ(expect_good_levels(mesh), 3);
  }
}

TEST(Coarsen, PartsOfFacesAndPatchesKeepTheirEnds) {
  MultiBlockMesh mesh;
  mesh.blocks = {box_block({18, 8, 1}, {0, 0, 0}), box_block({8, 6, 1}, {0, 7, 0}),
                 box_block({11, 6, 1}, {7, 7, 0})};
  reorient(mesh, 2, {{1, 0, 2}, {-1, 1, 1}});
  ASSERT_TRUE(connect(mesh).empty());
  const Face below{1, Side::lower};
  mesh.patches.push_back({"inlet", "farfield", 0, below, {{0, 0, 0}, {6, 1, 1}}});
  close_faces(mesh);
  ASSERT_EQ(joined(validate(mesh)), "");
  const KeptNodes kept = kept_nodes(mesh);
  expect_same_nodes(mesh, kept);
  // 0 to 5, to 7 where the upper blocks meet, to 17.
  EXPECT_EQ(kept[0][0], (Nodes{0, 2, 3, 5, 7, 9, 11, 13, 15, 17}));
  EXPECT_EQ(kept[1][0], (Nodes{0, 2, 3, 5, 7}));  // 5 is the patch's, carried through the link
  EXPECT_EQ(kept[0][2], Nodes{0});
  expect_good_levels(mesh);
}

TEST(Coarsen, ADirectionJoinedToItselfBackwardsIsTheSameFromBothEnds) {
  // The ends of a strip joined after half a turn: its cross direction is its own image.
  MultiBlockMesh mesh;
  mesh.blocks = {CurvilinearBlock({5, 8, 4})};
  const Face lower{0, Side::lower}, upper{0, Side::upper};
  mesh.add_link({0, upper, face_layer(mesh.blocks[0].n, upper), 0, lower,
                 face_layer(mesh.blocks[0].n, lower), Orientation{{0, 1, 2}, {1, -1, -1}}});
  const KeptNodes kept = kept_nodes(mesh, {.stop = 2});
  EXPECT_EQ(kept[0][1], (Nodes{0, 2, 3, 4, 5, 7}));
  EXPECT_EQ(kept[0][2], (Nodes{0, 1, 2, 3}));
  EXPECT_EQ(kept[0][0], (Nodes{0, 2, 4}));
  expect_same_nodes(mesh, kept);
}

TEST(Coarsen, ThinDirectionsStayAndWallsStopEarlier) {
  MultiBlockMesh mesh;
  mesh.blocks = {box_block({17, 5, 3}, {0, 0, 0})};
  close_faces(mesh);
  EXPECT_EQ(kept_nodes(mesh)[0][1].size(), 3u);
  EXPECT_EQ(kept_nodes(mesh)[0][2].size(), 3u);  // as it is
  mesh.patches[2].kind = "slip_wall";            // j_lower
  ASSERT_EQ(mesh.patches[2].face, (Face{1, Side::lower}));
  const KeptNodes kept = kept_nodes(mesh);
  EXPECT_EQ(kept[0][0].size(), 9u);
  EXPECT_EQ(kept[0][1].size(), 5u);
  // Only one direction of three still shrinks, by 17/9.
  const Hierarchy levels = coarsen(mesh);
  EXPECT_TRUE(levels.levels.empty());
  EXPECT_NE(levels.end.find("by a factor of 1.89"), std::string::npos) << levels.end;
  // 17, 9, 5, 3 nodes.
  EXPECT_EQ(expect_good_levels(mesh, {.least_drop = 1.5}), 4);
  EXPECT_EQ(expect_good_levels(mesh, {.levels = 2, .least_drop = 1.5}), 2);
  EXPECT_EQ(expect_good_levels(mesh, {.levels = 1}), 1);
}

TEST(Coarsen, AStoppedNeighbourStopsAllThatAreJoinedToIt) {
  // The j of block 1 is the i of block 0, three nodes beyond its own needs; k of both is thin.
  MultiBlockMesh mesh;
  mesh.blocks = {box_block({9, 5, 1}, {0, 0, 0}), box_block({9, 9, 1}, {8, 0, 0})};
  mesh.blocks[1] = box_block({9, 5, 1}, {8, 0, 0});
  ASSERT_TRUE(connect(mesh).empty());
  close_faces(mesh);
  for (BoundaryPatch& patch : mesh.patches) {
    if (patch.block == 1 && patch.face == Face{1, Side::lower}) patch.kind = "slip_wall";
  }
  const KeptNodes kept = kept_nodes(mesh);
  EXPECT_EQ(kept[1][1].size(), 5u);
  EXPECT_EQ(kept[0][1].size(), 5u);  // by the wall of the other block
  EXPECT_EQ(kept[0][0].size(), 5u);
}

TEST(Coarsen, LevelsOfTheGenerators) {
  // 16 x 8 cells in each of four turned blocks: 17 x 9, 9 x 5, 5 x 3, and then only one direction
  // shrinks, by 5/3.
  EXPECT_EQ(expect_good_levels(make_wavybox({.cells = {16, 8}, .blocks = {2, 2}, .turns = "none"})),
            3);
  EXPECT_GE(expect_good_levels(make_wavybox(
                {.cells = {7, 11, 5}, .blocks = {2, 2, 2}, .seed = 4, .periodic = true})),
            2);
  EXPECT_GE(expect_good_levels(make_naca4({.cells = {128, 64}})), 4);
  EXPECT_GE(expect_good_levels(make_naca4({.topology = "o", .cells = {140, 132}})), 4);
  EXPECT_GE(expect_good_levels(make_sphere({.cells = {13, 17}})), 3);
  EXPECT_GE(expect_good_levels(make_glider15({.size = "small"})), 2);
}

TEST(Coarsen, CellsThatFoldEndTheLevels) {
  // A bay that the coarse lines cut off: its wall is a steep sine of the index.
  MultiBlockMesh mesh;
  mesh.blocks = {box_block({9, 9, 1}, {0, 0, 0})};
  for_each_node(mesh.blocks[0].nodes(), [&](const Index3& node) {
    const Real3 p = mesh.blocks[0].at(node);
    mesh.blocks[0].set(node, {p[0], p[1] + (node[0] % 4 == 2 ? 0.0 : 0.4 * p[0] * p[0]), 0});
  });
  for (std::int64_t j = 0; j < 9; ++j) {  // every second line of j folds back
    for (std::int64_t i = 0; i < 9; ++i) {
      const Real3 p = mesh.blocks[0].at({i, j, 0});
      if (j == 4) mesh.blocks[0].set({i, j, 0}, {p[0], p[1] - 9, 0});
    }
  }
  const Hierarchy levels = coarsen(mesh);
  EXPECT_TRUE(levels.levels.empty());
  EXPECT_NE(levels.end.find("without positive volume: block 0, cell (0, 1, 0)"), std::string::npos)
      << levels.end;
}

// Quadratures H: 2(1), 4(2), 6(3) (Strand 1994).
std::vector<double> norm_of(std::size_t n, int order) {
  const std::vector<std::vector<double>> ends = {{0.5},
                                                 {17.0 / 48, 59.0 / 48, 43.0 / 48, 49.0 / 48},
                                                 {13649.0 / 43200, 12013.0 / 8640, 2711.0 / 4320,
                                                  5359.0 / 4320, 7877.0 / 8640, 43801.0 / 43200}};
  const std::vector<double>& end = ends[static_cast<std::size_t>(order / 2 - 1)];
  std::vector<double> h(n, 1);
  for (std::size_t i = 0; i < end.size(); ++i) h[i] = h[n - 1 - i] = end[i];
  return h;
}

TEST(Coarsen, ProlongationKeepsConstantsAndLinesOfTheIndex) {
  for (const std::int64_t n : {1, 2, 3, 7, 16, 29, 97}) {
    const Nodes kept = kept_of(n);
    const std::vector<Between> p = prolongation(kept);
    ASSERT_EQ(static_cast<std::int64_t>(p.size()), n + 1);
    for (std::int64_t f = 0; f <= n; ++f) {
      const Between& row = p[static_cast<std::size_t>(f)];
      ASSERT_GE(row.below, 0);
      ASSERT_LT(row.below + 1, static_cast<std::int64_t>(kept.size()));
      EXPECT_TRUE(row.weight == 0 || row.weight == 0.5 || row.weight == 1);
      // A function of the fine index.
      const auto at = [&](std::int64_t c) {
        return 3 - 0.25 * static_cast<double>(kept[static_cast<std::size_t>(c)]);
      };
      EXPECT_EQ((1 - row.weight) * at(row.below) + row.weight * at(row.below + 1),
                3 - 0.25 * static_cast<double>(f));
    }
  }
  EXPECT_EQ(prolongation({0}).size(), 1u);  // k in the plane
}

TEST(Coarsen, RestrictionKeepsTheIntegral) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> value(-1, 1);
  for (const std::int64_t n : {12, 17, 31, 46, 97}) {
    for (const int order : {2, 4, 6}) {
      for (const int coarse_order : {2, order}) {
        const Nodes kept = kept_of(n);
        if (coarse_order == 6 && kept.size() < 12) continue;
        if (coarse_order == 4 && kept.size() < 8) continue;
        const std::vector<double> hf = norm_of(static_cast<std::size_t>(n) + 1, order);
        const std::vector<double> hc = norm_of(kept.size(), coarse_order);
        const auto rows = restriction(kept, hf, hc);
        std::vector<double> r(hf.size());
        double fine = 0, coarse = 0, scale = 0;
        for (std::size_t f = 0; f < r.size(); ++f) {
          r[f] = value(random);
          fine += hf[f] * r[f];
          scale += hf[f] * std::abs(r[f]);
        }
        for (std::size_t c = 0; c < rows.size(); ++c) {
          for (std::int64_t d = -1; d <= 1; ++d) {
            const double weight = rows[c][static_cast<std::size_t>(d + 1)];
            const std::int64_t f = kept[c] + d;
            if (f < 0 || f > n) {
              EXPECT_EQ(weight, 0);
              continue;
            }
            coarse += hc[c] * weight * r[static_cast<std::size_t>(f)];
          }
        }
        EXPECT_NEAR(coarse, fine, 1e-14 * scale);
      }
    }
  }
  // By hand: inside, pairs on both sides give half of each neighbour; H of 2(1) is 1 there.
  const auto rows = restriction(kept_of(8), norm_of(9, 2), norm_of(5, 2));
  EXPECT_EQ(rows[2], (std::array<double, 3>{0.5, 1, 0.5}));
  EXPECT_EQ(rows[0], (std::array<double, 3>{0, 1, 1}));
}

}  // namespace
}  // namespace watersmeet::mesh
