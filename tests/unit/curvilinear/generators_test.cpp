// Generators against volumes, shapes and relations known in closed form. That their meshes are
// valid (links, volumes, boundaries) they check themselves, so that making one is a test of it.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.hpp"
#include "mesh/curvilinear/split.hpp"
#include "mesh/generators/channel.hpp"
#include "mesh/generators/glider15.hpp"
#include "mesh/generators/naca4.hpp"
#include "mesh/generators/ringleb.hpp"
#include "mesh/generators/round.hpp"
#include "mesh/generators/spacing.hpp"
#include "mesh/generators/wavybox.hpp"
#include "mesh/generators/wing.hpp"
#include "meshes.hpp"

namespace watersmeet::mesh {
namespace {

double volume_of(const MultiBlockMesh& mesh) {
  double sum = 0;
  for (const CurvilinearBlock& block : mesh.blocks) {
    for_each_node(block.cells(), [&](const Index3& cell) { sum += cell_volume(block, cell); });
  }
  return sum;
}

// Calls f(block, node, position) for the nodes of all patches of the name.
template <class F>
void on_patch(const MultiBlockMesh& mesh, const std::string& name, const F& f) {
  for (const BoundaryPatch& patch : mesh.patches) {
    if (patch.name != name) continue;
    for_each_node(patch.box,
                  [&](const Index3& node) { f(patch, node, mesh.block(patch.block).at(node)); });
  }
}

TEST(Spacing, GrowsByAConstantRatioFromTheFirst) {
  for (const double first : {1e-7, 1e-3, 0.05, 0.0625, 0.2, 0.3}) {
    const std::vector<double> x = stretched(16, first);
    EXPECT_NEAR(x[1] / first, 1, 1e-9) << first;
    EXPECT_EQ(x.front(), 0);
    EXPECT_EQ(x.back(), 1);
    const double ratio = (x[2] - x[1]) / (x[1] - x[0]);
    for (std::size_t i = 2; i + 1 < x.size(); ++i) {
      EXPECT_NEAR((x[i + 1] - x[i]) / (x[i] - x[i - 1]) / ratio, 1, 1e-6) << first;
    }
  }
}

TEST(Generators, BumpHasTheAreaUnderItsWall) {
  const MultiBlockMesh mesh = make_bump({.cells = {240, 8}, .blocks = {3, 2}});
  EXPECT_EQ(mesh.blocks.size(), 6u);
  // 3 * 0.8 less the integral of 0.0625 exp(-25 x^2) from -1.5 to 1.5, by the trapezoidal rule
  // whose error for a Gaussian is far below this tolerance.
  const double bump = 0.0625 * std::sqrt(M_PI) / 5 * std::erf(7.5);
  EXPECT_NEAR(volume_of(mesh), 3 * 0.8 - bump, 1e-12);
  on_patch(mesh, "bump", [](const BoundaryPatch&, const Index3&, const Real3& p) {
    EXPECT_NEAR(p[1], 0.0625 * std::exp(-25 * p[0] * p[0]), 1e-15);
  });
  EXPECT_THROW(make_bump({.amplitude = 0.9}), Error);
}

TEST(Generators, WedgeHasTheAreaOfItsTrapezium) {
  const MultiBlockMesh mesh = make_wedge({.cells = {25, 12}});
  const double slope = std::tan(M_PI / 18);
  EXPECT_NEAR(volume_of(mesh), 1.25 - slope / 2, 1e-13);
  EXPECT_EQ(mesh.blocks[0].n[0], 6);  // a fifth of 25 cells
  on_patch(mesh, "wedge", [&](const BoundaryPatch&, const Index3&, const Real3& p) {
    EXPECT_NEAR(p[1], slope * p[0], 1e-15);
  });
  EXPECT_THROW(make_wedge({.angle_deg = 60}), Error);
}

TEST(Generators, CylinderIsAPolygonBetweenCircles) {
  const MultiBlockMesh mesh = make_cylinder({.cells = {32, 11}});
  ASSERT_EQ(mesh.blocks.size(), 4u);
  // The area between regular polygons of 32 corners on the circles of radius 0.5 and 20.
  const double area = 16 * std::sin(2 * M_PI / 32) * (400 - 0.25);
  EXPECT_NEAR(volume_of(mesh), area, 1e-9);
  const CurvilinearBlock& block = mesh.blocks[2];
  const double ratio = (block.at({2, 3, 0})[0] - block.at({1, 3, 0})[0]) /
                       (block.at({1, 3, 0})[0] - block.at({0, 3, 0})[0]);
  EXPECT_NEAR(ratio, std::pow(40.0, 1.0 / 11), 1e-12);
  const MultiBlockMesh fine = make_cylinder({.cells = {32, 11}, .first_cell = 1e-3});
  EXPECT_NEAR(length_of(fine.blocks[1].at({1, 2, 0})), 0.501, 1e-9);
}

// The front is a half of the whole, the same nodes, and lets the flow out where it was cut.
TEST(Generators, FrontsAreHalves) {
  const MultiBlockMesh cylinder = make_cylinder({.cells = {32, 11}, .part = "front"});
  EXPECT_EQ(cylinder.blocks.size(), 2u);
  EXPECT_NEAR(volume_of(cylinder), 0.5 * volume_of(make_cylinder({.cells = {32, 11}})), 1e-9);
  const MultiBlockMesh sphere = make_sphere({.cells = {12, 9}, .part = "front"});
  EXPECT_EQ(sphere.blocks.size(), 5u);
  EXPECT_EQ(sphere.links.size(), 16u);  // eight edges, seen from both sides
  EXPECT_NEAR(volume_of(sphere) / volume_of(make_sphere({.cells = {12, 9}})), 0.5, 1e-12);
  for (const MultiBlockMesh* mesh : {&cylinder, &sphere}) {
    for (const CurvilinearBlock& block : mesh->blocks) {
      for_each_node(block.nodes(), [&](const Index3& n) { EXPECT_LE(block.at(n)[0], 0.0); });
    }
    on_patch(*mesh, "outflow", [](const BoundaryPatch& patch, const Index3&, const Real3& p) {
      EXPECT_EQ(patch.kind, "supersonic_outflow");
      EXPECT_NEAR(p[0], 0, 1e-15 * length_of(p));
    });
  }
  EXPECT_THROW(make_sphere({.cells = {13, 9}, .part = "front"}), Error);
}

// Towards a bow shock the outer boundary is a parabola through x = -ahead and, at x = 0, far.
TEST(Generators, FrontsFollowABowShock) {
  const MultiBlockMesh cylinder =
      make_cylinder({.cells = {64, 12}, .far = 1.7, .ahead = 0.9, .part = "front"});
  const MultiBlockMesh sphere =
      make_sphere({.cells = {12, 9}, .far = 1.1, .ahead = 0.65, .part = "front"});
  EXPECT_EQ(sphere.links.size(), 16u);
  const auto expect_parabola = [](const MultiBlockMesh& mesh, const char* body, double ahead,
                                  double far) {
    double foremost = 0, widest = 0;
    on_patch(mesh, "farfield", [&](const BoundaryPatch&, const Index3&, const Real3& p) {
      const double y = std::hypot(p[1], p[2]);
      EXPECT_NEAR(p[0], -ahead * (1 - std::pow(y / far, 2)), 1e-14);
      foremost = std::min(foremost, p[0]);
      widest = std::max(widest, y);
    });
    EXPECT_NEAR(foremost, -ahead, 1e-14);
    EXPECT_NEAR(widest, far, 1e-14);
    on_patch(mesh, body, [](const BoundaryPatch&, const Index3&, const Real3& p) {
      EXPECT_NEAR(length_of(p), 0.5, 1e-15);
    });
  };
  expect_parabola(cylinder, "cylinder", 0.9, 1.7);
  expect_parabola(sphere, "sphere", 0.65, 1.1);
  // Every line keeps its ratio of spacings, or its first cell.
  const CurvilinearBlock& block = cylinder.blocks[0];
  for (const std::int64_t j : {0, 7, 16}) {
    const double outer = length_of(block.at({12, j, 0}));
    EXPECT_NEAR(length_of(block.at({5, j, 0})), 0.5 * std::pow(outer / 0.5, 5.0 / 12), 1e-14);
  }
  const MultiBlockMesh fine = make_cylinder(
      {.cells = {64, 12}, .far = 1.7, .ahead = 0.9, .first_cell = 0.01, .part = "front"});
  for (const std::int64_t j : {0, 7, 16}) {
    EXPECT_NEAR(length_of(fine.blocks[0].at({1, j, 0})), 0.51, 1e-9);
  }
  EXPECT_THROW(make_cylinder({.far = 1.7, .ahead = 0.9}), Error);  // of the whole
  EXPECT_THROW(make_sphere({.ahead = 0.5, .part = "front"}), Error);
  // Between tip and side this one passes within 0.49 of the axis.
  EXPECT_THROW(make_cylinder({.far = 0.51, .ahead = 0.9, .part = "front"}), Error);
}

TEST(Generators, SphereIsClosedAndSmoothlyMade) {
  const MultiBlockMesh mesh = make_sphere({.cells = {12, 9}, .radius = 1, .far = 3});
  ASSERT_EQ(mesh.blocks.size(), 6u);
  EXPECT_EQ(mesh.links.size(), 24u);  // twelve edges, seen from both sides
  // The polyhedral shell comes near 4/3 pi (27 - 1) with the square of the cells' size.
  const double exact = 4.0 / 3 * M_PI * 26;
  const double coarse = exact - volume_of(mesh);
  const double fine = exact - volume_of(make_sphere({.cells = {24, 9}, .radius = 1, .far = 3}));
  EXPECT_GT(coarse, 0);
  EXPECT_NEAR(coarse / fine, 4, 0.1);
  on_patch(mesh, "sphere", [](const BoundaryPatch&, const Index3&, const Real3& p) {
    EXPECT_NEAR(length_of(p), 1, 1e-15);
  });
}

TEST(Generators, WavyBoxFillsItsBoxAndTurnsItsBlocks) {
  const MultiBlockMesh flat = make_wavybox({.cells = {7, 5}, .blocks = {2, 3}});
  EXPECT_EQ(flat.blocks.size(), 6u);
  EXPECT_NEAR(volume_of(flat), 100, 1e-11);
  int turned = 0;
  for (const CurvilinearBlock& block : flat.blocks) turned += block.n[0] == 6 ? 1 : 0;
  EXPECT_GT(turned, 0);
  EXPECT_LT(turned, 6);
  const MultiBlockMesh periodic =
      make_wavybox({.cells = {5, 6, 7}, .blocks = {2, 1, 2}, .seed = 5, .periodic = true});
  EXPECT_TRUE(periodic.patches.empty());
  EXPECT_EQ(periodic.links.size(), 24u);  // every face of four blocks
  EXPECT_NEAR(volume_of(periodic), 1000, 1e-10);
  // The displacement at a quarter of the box, from the formula: 0.3 sin(pi/2) sin(pi/2) in x,
  // 0.3 sin(pi) sin(pi/2) = 0 in y.
  const MultiBlockMesh plain = make_wavybox({.cells = {8, 8}, .blocks = {1, 1}, .turns = "none"});
  EXPECT_NEAR(plain.blocks[0].at({2, 2, 0})[0], 2.8, 1e-14);
  EXPECT_NEAR(plain.blocks[0].at({2, 2, 0})[1], 2.5, 1e-14);
  EXPECT_NEAR(plain.blocks[0].at({1, 2, 0})[1], 2.5 + 0.3, 1e-14);
  EXPECT_THROW(make_wavybox({.cells = {4, 4}, .blocks = {2, 2, 2}}), Error);
}

TEST(Generators, RinglebLinesAreLinesOfConstantSpeedAndStreamFunction) {
  const MultiBlockMesh mesh = make_ringleb({.cells = {12, 20}, .blocks = {2, 2}});
  EXPECT_EQ(mesh.blocks.size(), 4u);
  // Lines of constant speed are circles of radius 1/(2 rho q^2) about (J/2, 0) (Chiocchia 1985).
  const double q = 0.5, c = std::sqrt(1 - 0.2 * q * q), rho = std::pow(c, 5);
  const double J = 1 / c + 1 / (3 * c * c * c) + 1 / (5 * rho) - 0.5 * std::log((1 + c) / (1 - c));
  const auto on_circle = [&](const BoundaryPatch&, const Index3&, const Real3& p) {
    EXPECT_NEAR(std::hypot(p[0] - J / 2, p[1]), 1 / (2 * rho * q * q), 1e-13);
  };
  on_patch(mesh, "upper", on_circle);
  on_patch(mesh, "lower", on_circle);
  EXPECT_THROW(make_ringleb({.q_end = 0.8}), Error);
}

TEST(Naca, ThicknessNoseAndTrailingEdges) {
  const NacaSection closed = naca_section("0012", "closed", "t");
  const NacaSection extended = naca_section("0012", "extended", "t");
  // 0.6 (0.2969 sqrt .3 - 0.126 .3 - 0.3516 .09 + 0.2843 .027 - 0.1036 .0081), by hand.
  EXPECT_NEAR(closed.upper(std::sqrt(0.3))[1],
              0.6 * (0.162618828 - 0.0378 - 0.031644 + 0.0076761 - 0.00083916), 1e-9);
  EXPECT_NEAR(extended.nose_radius(), 0.5 * 0.17814 * 0.17814, 1e-15);
  for (const NacaSection& s : {closed, extended}) {
    EXPECT_EQ(s.upper(1)[1], 0);
    EXPECT_EQ(s.upper(1), s.lower(1));
    // The thickness just before the edge agrees with the angle there.
    const double du = 1e-5, x = (1 - du) * (1 - du);
    EXPECT_NEAR(s.upper(1 - du)[1] / (1 - x), std::tan(s.trailing_angle() / 2), 1e-5);
  }
  // The zero of the published thickness lies at 1.008930411365 (Vassberg & Jameson): continuous.
  EXPECT_NEAR(extended.upper(1 - 1e-12)[1], 0, 1e-11);
  const NacaSection cambered = naca_section("2412", "closed", "t");
  // At the place of the largest camber the line is level: 0.02 plus or minus the thickness.
  const double u = std::sqrt(0.4), half = closed.upper(u)[1];
  EXPECT_NEAR(cambered.upper(u)[1], 0.02 + half, 1e-12);
  EXPECT_NEAR(cambered.lower(u)[1], 0.02 - half, 1e-12);
  EXPECT_THROW(naca_section("012", "closed", "t"), Error);
  EXPECT_THROW(naca_section("2012", "closed", "t"), Error);
}

TEST(Naca, CMeshWrapsTheSectionAndItsWake) {
  for (const char* digits : {"0012", "4412"}) {
    const MultiBlockMesh mesh = make_naca4({.digits = digits,
                                            .cells = {64, 32},
                                            .far = 50,
                                            .trailing_cell = 0.01,
                                            .first_cell = 0.002});
    ASSERT_EQ(mesh.blocks.size(), 4u);
    EXPECT_EQ(mesh.links.size(), 8u);  // three cuts across and the wake, seen from both sides
    const CurvilinearBlock& upper = mesh.blocks[2];
    EXPECT_EQ(upper.n, (Index3{33, 33, 1}));
    EXPECT_NEAR(upper.at({32, 0, 0})[0], 1, 1e-15);
    EXPECT_NEAR(1 - upper.at({31, 0, 0})[0], 0.01, 1e-3);
    EXPECT_NEAR(distance(upper.at({32, 0, 0}), upper.at({32, 1, 0})), 0.002, 1e-4);
    // The vertex of the outer parabola, half a nose radius (about 0.008) from far.
    EXPECT_NEAR(upper.at({0, 32, 0})[0], -50, 0.1);
    const CurvilinearBlock& wake = mesh.blocks[3];
    EXPECT_NEAR(wake.at({16, 0, 0})[0], 50, 1e-12);
  }
  EXPECT_THROW(make_naca4({.cells = {63, 32}}), Error);
  EXPECT_THROW(make_naca4({.cells = {2, 32}, .trailing_cell = 0.1}), Error);
  EXPECT_THROW(make_naca4({.far = 0.5}), Error);
}

TEST(Naca, OMeshHasTheSectionAndACircleFarAway) {
  const MultiBlockMesh mesh = make_naca4({.topology = "o", .cells = {64, 64}, .far = 147});
  ASSERT_EQ(mesh.blocks.size(), 2u);
  EXPECT_EQ(mesh.links.size(), 4u);
  const NacaSection section = naca_section("0012", "extended", "t");
  for (int b = 0; b < 2; ++b) {
    const CurvilinearBlock& block = mesh.blocks[static_cast<std::size_t>(b)];
    for (std::int64_t i = 0; i < block.n[0]; ++i) {
      const Real3 wall = block.at({i, 0, 0});
      const double height = section.upper(std::sqrt(std::fmax(wall[0], 0)))[1];
      EXPECT_NEAR(wall[1], b == 0 ? -height : height, 1e-9);
      EXPECT_NEAR(length_of(block.at({i, block.n[1] - 1, 0})), 147, 1.0);
    }
    // Unit aspect: exp(2 pi) radii in as many cells as around; away from the edge.
    const double along = distance(block.at({16, 30, 0}), block.at({17, 30, 0}));
    const double outward = distance(block.at({16, 30, 0}), block.at({16, 31, 0}));
    EXPECT_NEAR(along / outward, 1, 0.06);
  }
  EXPECT_THROW(make_naca4({.topology = "o", .first_cell = 0.1}), Error);
}

TEST(Wing, PlanformAndClosedTip) {
  const Wing options{.cells = {48, 16, 12}, .cap_cells = 5};
  const MultiBlockMesh mesh = make_wing(options);
  ASSERT_EQ(mesh.blocks.size(), 12u);
  const double tip = options.taper * options.root_chord;
  const double slope = std::tan(M_PI / 6), cap = 0.05 * tip;
  double area = 0;
  for (const BoundaryPatch& patch : mesh.patches) {
    if (patch.name != "wing" || patch.block != 2) continue;  // the upper side up to the tip
    const CurvilinearBlock& block = mesh.block(patch.block);
    for_each_node(face_cells(patch.box, patch.face), [&](const Index3& cell) {
      Index3 i = cell, k = cell, both = cell;
      ++i[0], ++k[2], ++both[0], ++both[2];
      const Real3 d = difference_of(block.at(both), block.at(cell));
      const Real3 e = difference_of(block.at(k), block.at(i));
      area += 0.5 * std::abs(d[0] * e[1] - d[1] * e[0]);
    });
  }
  EXPECT_NEAR(area, options.span * 0.5 * (options.root_chord + tip), 1e-12);
  on_patch(mesh, "wing", [&](const BoundaryPatch&, const Index3&, const Real3& p) {
    const double along = std::fmin(p[1] / options.span, 1.0);
    const double chord = options.root_chord * (1 - 0.438 * along);
    const double x = (p[0] - slope * options.span * along) / chord;
    EXPECT_GE(x, -1e-12);
    EXPECT_LE(x, 1 + 1e-12);
    EXPECT_LE(p[1], options.span + cap + 1e-12);
    const double beyond = std::fmax(0.0, (p[1] - options.span) / cap);
    const double half = naca_section("0010", "extended", "t").upper(std::sqrt(std::fabs(x)))[1];
    EXPECT_NEAR(std::abs(p[2]) / chord, half * std::sqrt(std::fmax(0.0, 1 - beyond * beyond)),
                1e-7);
  });
  // The two sides of the slit beyond the cap are linked: blocks 9 and 10.
  int slit = 0;
  for (const NodeLink& link : mesh.links) slit += link.block == 9 && link.neighbour == 10 ? 1 : 0;
  EXPECT_EQ(slit, 2);  // there and at the nose
  EXPECT_THROW(make_wing({.digits = "2412"}), Error);
  EXPECT_THROW(make_wing({.far = 1.2}), Error);
}

TEST(Glider, SizesAndSubFaces) {
  const struct {
    const char* size;
    std::int64_t nodes, smallest, largest;
  } expected[] = {{"720k", 720000, 6912, 99840}, {"1500k", 1500000, 10080, 201600}};
  for (const auto& e : expected) {
    const MultiBlockMesh mesh = make_glider15({.size = e.size});
    ASSERT_EQ(mesh.blocks.size(), 15u);
    EXPECT_EQ(mesh.node_count(), e.nodes);
    std::int64_t smallest = e.nodes, largest = 0;
    for (const CurvilinearBlock& block : mesh.blocks) {
      smallest = std::min(smallest, block.count());
      largest = std::max(largest, block.count());
    }
    EXPECT_EQ(smallest, e.smallest);
    EXPECT_EQ(largest, e.largest);
  }
  const MultiBlockMesh small = make_glider15({.size = "small"});
  const SplitMesh split = split_to_complete_faces(small);
  EXPECT_EQ(split.mesh.blocks.size(), 18u);
  EXPECT_EQ(joined(validate(split.mesh)), "");
}

TEST(Glider, NoseIsASphereAndTheBaseHasTheSectionOfTheCones) {
  const MultiBlockMesh mesh = make_glider15({.size = "small"});
  for_each_node(face_layer(mesh.blocks[0].n, {2, Side::lower}), [&](const Index3& node) {
    EXPECT_NEAR(distance(mesh.blocks[0].at(node), {1, 0, 0}), 1, 1e-14);
  });
  const CurvilinearBlock& centre = mesh.blocks[0];
  // Billig for Mach 6: 0.143 exp(3.24/36) = 0.15647, times 1.4.
  EXPECT_NEAR(centre.at({5, 0, 9})[0], -1.4 * 0.143 * std::exp(0.09), 1e-14);
  const auto cone = [](double degrees) {  // at x = 20
    const double d = degrees * M_PI / 180;
    return std::cos(d) + (20 - 1 + std::sin(d)) * std::tan(d);
  };
  double top = 0, bottom = 0, side = 0;
  on_patch(mesh, "base", [&](const BoundaryPatch&, const Index3&, const Real3& p) {
    EXPECT_EQ(p[0], 20);
    if (p[1] == 0) {  // the heights are those of the cones in the symmetry plane
      top = std::fmax(top, p[2]);
      bottom = std::fmin(bottom, p[2]);
    }
    side = std::fmax(side, p[1]);
  });
  EXPECT_NEAR(top, cone(9), 1e-12);
  EXPECT_NEAR(bottom, -cone(4), 1e-12);
  EXPECT_NEAR(side, cone(17), 1e-12);
  on_patch(mesh, "symmetry",
           [](const BoundaryPatch&, const Index3&, const Real3& p) { EXPECT_EQ(p[1], 0); });
}

TEST(Glider, TheWakeCoreHasCornersWhereThreeBlocksMeet) {
  const MultiBlockMesh mesh =
      make_glider15({.size = "small", .upper_angle_deg = 6, .lower_angle_deg = 6});
  const auto cone = [](double degrees) {  // at x = 20
    const double d = degrees * M_PI / 180;
    return std::cos(d) + (20 - 1 + std::sin(d)) * std::tan(d);
  };
  // In units of the half axes: a third of |y|^2.5 + |z|^2.5 = 1, two thirds of a box of 0.9.
  const CurvilinearBlock& core = mesh.blocks[14];
  const auto in_axes = [&](const Index3& node) {
    const Real3 p = core.at(node);
    return Real3{p[1] / cone(17), p[2] / cone(6), 0};
  };
  const std::int64_t last = core.n[2] - 1;
  const Real3 corner = in_axes({core.n[0] - 1, core.n[1] - 1, last});
  EXPECT_NEAR(length_of(corner), std::pow(2, 0.1) / 3 + 0.6 * std::sqrt(2), 1e-12);
  EXPECT_NEAR(corner[0], corner[1], 1e-12);
  EXPECT_NEAR(in_axes({core.n[0] - 1, (core.n[1] - 1) / 2, last})[0], 1.0 / 3 + 0.6, 1e-12);
  // The lines that meet there are no flat corner: 2 atan(1.205/0.849) = 110 degrees and less where
  // the cells are long.
  const Real3 e = difference_of(in_axes({core.n[0] - 2, core.n[1] - 1, last}), corner);
  const Real3 f = difference_of(in_axes({core.n[0] - 1, core.n[1] - 2, last}), corner);
  const double angle = std::acos(dot_product(e, f) / length_of(e) / length_of(f)) * 180 / M_PI;
  EXPECT_GT(angle, 90);
  EXPECT_LT(angle, 125);
}

TEST(Glider, IsAMirrorImageOfItselfWhereBothSidesAreAlike) {
  const MultiBlockMesh mesh =
      make_glider15({.size = "small", .upper_angle_deg = 6, .lower_angle_deg = 6});
  const auto mirrored = [&](int block, int other, const Orientation& turn) {
    const CurvilinearBlock& a = mesh.block(block);
    const CurvilinearBlock& b = mesh.block(other);
    for_each_node(a.nodes(), [&](const Index3& node) {
      const Real3 p = a.at(node), q = b.at(turn.cell(node, a.n));
      ASSERT_LT(distance(p, {q[0], q[1], -q[2]}), 1e-12);
    });
  };
  const Orientation flip{{0, 1, 2}, {-1, 1, 1}};
  mirrored(0, 0, flip);  // i runs upwards in all but the wake core, where j does
  for (const int b : {1, 4, 7, 10}) mirrored(b, b + 2, flip);
  for (const int b : {2, 5, 8, 11}) mirrored(b, b, flip);
  for (const int b : {13, 14}) mirrored(b, b, {{0, 1, 2}, {1, -1, 1}});
}

}  // namespace
}  // namespace watersmeet::mesh
