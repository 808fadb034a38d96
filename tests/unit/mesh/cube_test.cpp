// Six panels around a cube: twelve edges with rotated axes, eight vertices where three panels meet.
// Panels are laid out in space; the truth for a ghost cell is the panel unfolded over its edge.
#include <gtest/gtest.h>

#include <random>

#include "mesh/ghosts.hpp"
#include "placed_blocks.hpp"

namespace watersmeet::mesh {
namespace {

Index3 operator+(const Index3& a, const Index3& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
Index3 operator-(const Index3& a, const Index3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
Index3 operator*(std::int64_t s, const Index3& a) { return {s * a[0], s * a[1], s * a[2]}; }

// A side of the cube [0, n]^3: cell (i, j) has its centre at corner + (i + 1/2) e[0] + (j + 1/2)
// e[1].
struct Panel {
  Index3 corner;
  std::array<Index3, 2> e;
  Index3 outward;

  Index3 doubled_centre(std::int64_t i, std::int64_t j) const {
    return 2 * corner + (2 * i + 1) * e[0] + (2 * j + 1) * e[1];
  }
};

// Each panel with its axes turned at random, one panel in two left-handed (if `mixed`).
std::vector<Panel> cube_panels(std::int64_t n, bool mixed, std::mt19937& random) {
  std::vector<Panel> panels;
  for (int axis = 0; axis < 3; ++axis) {
    for (int side = 0; side < 2; ++side) {
      std::array<Index3, 3> unit{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
      Panel panel;
      const int sign = side == 1 ? 1 : -1;
      panel.outward = sign * unit[axis];
      Index3 u = unit[(axis + 1) % 3], v = unit[(axis + 2) % 3];
      if (side == 0) std::swap(u, v);
      Index3 corner = side == 1 ? n * unit[axis] : Index3{0, 0, 0};
      for (std::uint32_t turns = random() % 4; turns > 0; --turns) {
        corner = corner + n * u;
        const Index3 old_u = u;
        u = v;
        v = -1 * old_u;
      }
      if (mixed && random() % 2 == 0) std::swap(u, v);
      panel.corner = corner;
      panel.e = {u, v};
      panels.push_back(panel);
    }
  }
  return panels;
}

// Links of edges with the same two end points in space.
std::vector<Link> cube_links(const std::vector<Panel>& panels, std::int64_t n) {
  std::vector<Link> links;
  const Index3 cells{n, n, 1};
  const auto ends = [&](const Panel& p, Face face) {
    const Index3 start = p.corner + (face.side == Side::upper ? n : 0) * p.e[face.axis];
    return std::array<Index3, 2>{start, start + n * p.e[1 - face.axis]};
  };
  for (int p = 0; p < 6; ++p)
    for (int q = 0; q < 6; ++q)
      for (int f = 0; f < 4; ++f)
        for (int h = 0; h < 4; ++h) {
          const Face face{f / 2, f % 2 == 1 ? Side::upper : Side::lower};
          const Face other{h / 2, h % 2 == 1 ? Side::upper : Side::lower};
          const auto a = ends(panels[static_cast<std::size_t>(p)], face);
          const auto b = ends(panels[static_cast<std::size_t>(q)], other);
          const bool same = a == b, reversed = a[0] == b[1] && a[1] == b[0];
          if (p == q || (!same && !reversed)) continue;
          Orientation o;
          o.axis[face.axis] = other.axis;
          o.sign[face.axis] = -face.outward() * other.outward();
          o.axis[1 - face.axis] = 1 - other.axis;
          o.sign[1 - face.axis] = same ? 1 : -1;
          links.push_back(
              {p, face, face_layer(cells, face), q, other, face_layer(cells, other), o});
        }
  return links;
}

TEST(Cube, FacesFollowTheSurfaceAndCornersAreAbsent) {
  std::mt19937 random(4);
  for (int trial = 0; trial < 20; ++trial) {
    const std::int64_t n = 3 + trial % 4, g = 3;
    const bool mixed = trial % 2 == 1;
    const std::vector<Panel> panels = cube_panels(n, mixed, random);
    const std::vector<Link> links = cube_links(panels, n);
    ASSERT_EQ(links.size(), 24u);
    const Mesh mesh(std::vector<Block>(6, Block{{n, n, 1}}), links);
    for (const Link& link : links) {
      // The third axis stays where it is, so right-handed panels meet without a change of hands.
      EXPECT_TRUE(mixed || link.orientation.determinant() == 1);
    }
    EXPECT_EQ(mesh.block(0).ghosts(g), (Index3{g, g, 0}));

    const GhostPlan plan = plan_ghosts(mesh, g, GhostReach::corners);
    EXPECT_EQ(plan.copies.size(), 24u);
    EXPECT_TRUE(plan.open.empty());
    ASSERT_EQ(plan.absent.size(), 24u);
    for (const GhostRegion& region : plan.absent) {
      EXPECT_EQ(region.box.count(), g * g);
      for_each_index(region.box, [&](const Index3& index) {
        ASSERT_EQ(axes_outside(index, {n, n, 1}), 2);
      });
    }
    std::int64_t n_copied = 0;
    for (const GhostCopy& copy : plan.copies) {
      const Panel& panel = panels[static_cast<std::size_t>(copy.dst_block)];
      const Panel& source = panels[static_cast<std::size_t>(copy.src_block)];
      n_copied += copy.dst.count();
      for_each_index(copy.dst, [&](const Index3& index) {
        ASSERT_EQ(axes_outside(index, {n, n, 1}), 1);
        const int a = index[0] < 0 || index[0] >= n ? 0 : 1;
        const std::int64_t beyond =  // twice the distance of the centre past the edge
            index[a] < 0 ? -2 * index[a] - 1 : 2 * (index[a] - n) + 1;
        const Index3 away = (index[a] < 0 ? -1 : 1) * panel.e[a];
        const Index3 folded =
            panel.doubled_centre(index[0], index[1]) - beyond * away - beyond * panel.outward;
        const Index3 from = copy.map(index).index;
        ASSERT_EQ(from[2], 0);
        ASSERT_EQ(source.doubled_centre(from[0], from[1]), folded);
      });
    }
    EXPECT_EQ(n_copied, 6 * 4 * n * g);
    EXPECT_TRUE(plan_ghosts(mesh, g, GhostReach::faces).absent.empty());
  }
}

TEST(Cube, PanelsThinnerThanTheGhostsNeverTakeWhatAVertexMakesAmbiguous) {
  std::mt19937 random(5);
  const std::int64_t n = 2, g = 3;
  const std::vector<Panel> panels = cube_panels(n, true, random);
  const Mesh mesh(std::vector<Block>(6, Block{{n, n, 1}}), cube_links(panels, n));
  const GhostPlan plan = plan_ghosts(mesh, g, GhostReach::corners);
  // Straight over an edge there is one answer however far; the third layer lies on the opposite
  // panel.
  std::int64_t n_copied = 0, n_absent = 0;
  for (const GhostCopy& copy : plan.copies) {
    n_copied += copy.dst.count();
    for_each_index(copy.dst, [&](const Index3& index) {
      ASSERT_EQ(axes_outside(index, {n, n, 1}), 1);
      const std::int64_t layer =
          std::max({-index[0], -index[1], index[0] - n + 1, index[1] - n + 1});
      const bool opposite = panels[static_cast<std::size_t>(copy.src_block)].outward ==
                            -1 * panels[static_cast<std::size_t>(copy.dst_block)].outward;
      ASSERT_EQ(opposite, layer > n);
    });
  }
  for (const GhostRegion& region : plan.absent) n_absent += region.box.count();
  EXPECT_EQ(n_copied, 6 * 4 * n * g);
  EXPECT_EQ(n_absent, 6 * 4 * g * g);
}

// Three of the blocks around a vertical edge, the fourth missing: a re-entrant corner.
TEST(Corners, OneOrderAloneIsNoAnswer) {
  PlacedMesh world;
  world.placed = {
      {{{0, 0, 0}, {4, 4, 1}}, {}}, {{{4, 0, 0}, {8, 4, 1}}, {}}, {{{4, 4, 0}, {8, 8, 1}}, {}}};
  const GhostPlan plan = plan_ghosts(world.mesh(), 2, GhostReach::corners);
  const std::vector<GhostRegion> expected{{0, {{4, 4, 0}, {6, 6, 1}}},
                                          {2, {{-2, -2, 0}, {0, 0, 1}}}};
  EXPECT_EQ(plan.absent, expected);
}

}  // namespace
}  // namespace watersmeet::mesh
