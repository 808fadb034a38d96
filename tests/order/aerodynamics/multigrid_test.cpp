// Cycles of multigrid around a section (NACA 0012, M 0.63, 2 degrees, order 3, W cycles) until the
// residual has fallen to 1e-6 of what it was when the wanted order began: their number must hardly
// depend on the size of the mesh, on sizes that are no powers of two, and on how the mesh is cut
// into blocks.
#include <gtest/gtest.h>

#include <cmath>

#include "mesh/curvilinear/nodes.hpp"
#include "mesh/curvilinear/split.hpp"
#include "mesh/generators/finish.hpp"
#include "mesh/generators/naca4.hpp"
#include "support/flow_case.hpp"

using namespace watersmeet;

namespace {

constexpr aerodynamics::Gas<double> air{1.4, 1e-10};

mesh::MultiBlockMesh section(std::int64_t around, std::int64_t outward) {
  mesh::Naca4 naca;
  naca.topology = "o";
  naca.cells = {around, outward};
  return mesh::make_naca4(naca);
}

// Every block cut in two about the middle of an axis.
mesh::MultiBlockMesh halved(const mesh::MultiBlockMesh& whole, std::size_t axis) {
  mesh::Cuts cuts(whole.blocks.size());
  for (std::size_t b = 0; b < cuts.size(); ++b) {
    for (std::size_t a = 0; a < 3; ++a) {
      const std::int64_t n = whole.blocks[b].n[a];
      cuts[b][a] = {0, n - 1};
      if (a == axis) cuts[b][a].insert((n - 1) / 2);
    }
  }
  return mesh::split_at(whole, mesh::complete_face_cuts(whole, cuts)).mesh;
}

// The two blocks of an O mesh as one, joined to itself behind the trailing edge.
mesh::MultiBlockMesh joined(const mesh::MultiBlockMesh& two) {
  const Index3 half = two.blocks[0].n;
  mesh::CurvilinearBlock whole({2 * half[0] - 1, half[1], 1});
  for (std::int64_t b = 0; b < 2; ++b) {
    const mesh::CurvilinearBlock& part = two.blocks[static_cast<std::size_t>(b)];
    mesh::for_each_node(part.nodes(), [&](const Index3& node) {
      whole.set({node[0] + b * (half[0] - 1), node[1], 0}, part.at(node));
    });
  }
  mesh::MultiBlockMesh mesh;
  mesh.blocks.push_back(whole);
  mesh.add_patch("airfoil", "slip_wall", 0, {1, mesh::Side::lower});
  mesh.add_patch("farfield", "farfield", 0, {1, mesh::Side::upper});
  mesh::finish(mesh, "naca4");
  return mesh;
}

// Fifteen blocks of 9 to 23 nodes along an axis: five columns around, cut anywhere, by three rows.
mesh::MultiBlockMesh in_fifteen(const mesh::MultiBlockMesh& two) {
  mesh::Cuts cuts(2);
  cuts[0] = {{{0, 19, 32}, {0, 22, 41, 64}, {0, 0}}};
  cuts[1] = {{{0, 8, 20, 32}, {0, 22, 41, 64}, {0, 0}}};
  return mesh::split_at(two, mesh::complete_face_cuts(two, cuts)).mesh;
}

int cycles_of(const mesh::MultiBlockMesh& mesh) {
  const double mach = 0.63, angle = 2 * M_PI / 180;
  const aerodynamics::Primitive<double> stream{
      1, {{mach * std::cos(angle), mach * std::sin(angle), 0}}, 1 / 1.4};
  aerodynamics::Method method;
  method.gas = air;
  method.order = 3;
  method.coupling.entropy_fix = 0.05;
  method.first_order_cycles = 10;
  method.residual_drop = 0;
  method.force_window = 0;
  aerodynamics::Condition far, wall;
  far.patch = "farfield";
  far.kind = aerodynamics::SurfaceKind::farfield;
  far.stream = stream;
  wall.patch = "airfoil";
  test::FlowRun run(mesh, method, {far, wall}, stream, {});
  std::vector<test::Values> w;
  for (const auto& block : mesh.blocks) {
    w.emplace_back(static_cast<std::size_t>(block.count()),
                   aerodynamics::conserved_of(stream, air));
  }
  run.set(w);
  run.cycles(30);  // two coarser grids, then first order
  const double first = run.solver().monitor().residual[0];
  for (int cycle = 1; cycle <= 200; ++cycle) {
    run.cycles(1);
    if (run.solver().monitor().residual[0] <= 1e-6 * first) return cycle;
  }
  return 1000;
}

}  // namespace

TEST(Multigrid, CyclesDependLittleOnTheMesh) {
  const int usual = cycles_of(section(64, 64));
  EXPECT_LT(usual, 150);
  EXPECT_LT(usual, 1.3 * cycles_of(section(32, 32)));
  EXPECT_LT(cycles_of(section(128, 128)), 1.3 * usual);
  EXPECT_LT(cycles_of(section(62, 58)), 1.3 * usual);
  EXPECT_LT(cycles_of(section(70, 66)), 1.3 * usual);
  const mesh::MultiBlockMesh four = halved(section(64, 64), 0);
  EXPECT_EQ(four.blocks.size(), 4u);
  EXPECT_NEAR(cycles_of(four), usual, 0.2 * usual);
  EXPECT_NEAR(cycles_of(halved(four, 1)), usual, 0.2 * usual);
  const mesh::MultiBlockMesh one = joined(section(64, 64));
  EXPECT_EQ(one.blocks.size(), 1u);
  EXPECT_NEAR(cycles_of(one), usual, 0.2 * usual);
  const mesh::MultiBlockMesh fifteen = in_fifteen(section(64, 64));
  EXPECT_EQ(fifteen.blocks.size(), 15u);
  EXPECT_NEAR(cycles_of(fifteen), usual, 0.2 * usual);
}
