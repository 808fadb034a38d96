// Surface files: nodes of several pieces in the order of the curve that they make.
#include "systems/aerodynamics/surface/file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "support/thread_team.hpp"

namespace watersmeet::aerodynamics {
namespace {

SurfaceNode node(int block, std::int64_t i, double x, double y) {
  SurfaceNode n;
  n.block = block;
  n.node = {i, 0, 0};
  n.x = {x, y, 0};
  n.pressure = 1;
  n.density = 1;
  return n;
}

// A unit circle in pieces that run from angle to angle, in fractions of a turn from the lower side.
std::vector<SurfaceNode> piece(int block, double from, double to, int nodes) {
  std::vector<SurfaceNode> list;
  for (int n = 0; n < nodes; ++n) {
    const double angle = -6.28318530717958648 * (from + (to - from) * n / (nodes - 1));
    list.push_back(node(block, n, std::cos(angle), std::sin(angle)));
  }
  return list;
}

TEST(SurfaceFile, FollowsAClosedCurveFromItsTrailingEdge) {
  // Written in another order, and one of the pieces backwards.
  std::vector<SurfaceNode> nodes = piece(2, 1.0, 0.6, 41);
  for (const SurfaceNode& n : piece(0, 0.0, 0.25, 26)) nodes.push_back(n);
  for (const SurfaceNode& n : piece(1, 0.25, 0.6, 36)) nodes.push_back(n);
  const std::vector<ArcNode> curve = along_curve(nodes);
  ASSERT_EQ(curve.size(), 103u);
  EXPECT_EQ(curve.front().node.block, 0);
  EXPECT_NEAR(curve.front().node.x[0], 1, 1e-15);
  EXPECT_LT(curve[5].node.x[1], 0);  // the lower side first
  for (std::size_t n = 1; n < curve.size(); ++n) EXPECT_GE(curve[n].arc, curve[n - 1].arc);
  // 100 chords of 3.6 degrees.
  EXPECT_NEAR(curve.back().arc, 100 * 2 * std::sin(3.14159265358979324 / 100), 1e-12);
}

TEST(SurfaceFile, SeparateCurvesBeginAtZero) {
  std::vector<SurfaceNode> nodes;
  for (int i = 0; i < 4; ++i) nodes.push_back(node(0, i, i, 0));
  for (int i = 0; i < 3; ++i) nodes.push_back(node(3, i, 2 * i, 7));
  const std::vector<ArcNode> curve = along_curve(nodes);
  ASSERT_EQ(curve.size(), 7u);
  int zeros = 0;
  for (const ArcNode& n : curve) zeros += n.arc == 0;
  EXPECT_EQ(zeros, 2);
}

TEST(SurfaceFile, HoldsTheValuesAskedFor) {
  FreeStream stream;
  stream.flow = {1.0, {{0.5, 0, 0}}, 1 / 1.4};
  stream.mach = 0.5;
  SurfaceNode n = node(1, 4, 0.25, -0.5);
  n.pressure = 1 / 1.4 + 0.125;  // cp = 1
  n.density = 1.2;
  n.velocity = {0.3, 0.4, 0};
  const std::string text = surface_text({n}, {"cp", "mach"}, stream, 2);
  std::istringstream lines(text);
  std::string names, units, row;
  std::getline(lines, names);
  std::getline(lines, units);
  std::getline(lines, row);
  EXPECT_EQ(names, "block,i,j,k,x,y,z,arc,cp,mach");
  EXPECT_EQ(units, "# units: 1,1,1,1,length,length,length,length,1,1");
  double values[10];
  std::istringstream cells(row);
  for (double& value : values) {
    cells >> value;
    cells.ignore();
  }
  EXPECT_EQ(values[0], 1);
  EXPECT_EQ(values[1], 4);
  EXPECT_EQ(values[5], -0.5);
  EXPECT_NEAR(values[8], 1, 1e-14);
  EXPECT_NEAR(values[9], 0.5 / std::sqrt(1.4 * (1 / 1.4 + 0.125) / 1.2), 1e-14);
  EXPECT_EQ(surface_text({}, {}, stream, 3),
            "block,i,j,k,x,y,z\n# units: 1,1,1,1,length,length,length\n");
}

TEST(SurfaceFile, GathersInTheOrderOfTheRanks) {
  test::ThreadTeam::run(3, [&](comm::Communicator& ranks) {
    // The second rank has none.
    std::vector<SurfaceNode> mine;
    for (int n = 0; n < (ranks.rank() == 1 ? 0 : 2 + ranks.rank()); ++n) {
      mine.push_back(node(ranks.rank(), n, n, ranks.rank()));
    }
    const std::vector<SurfaceNode> all = gather_surface(ranks, mine);
    if (ranks.rank() != 0) {
      EXPECT_TRUE(all.empty());
      return;
    }
    ASSERT_EQ(all.size(), 6u);
    EXPECT_EQ(all[1].block, 0);
    EXPECT_EQ(all[2].block, 2);
    EXPECT_EQ(all[5].node[0], 3);
  });
}

}  // namespace
}  // namespace watersmeet::aerodynamics
