// The solver against the plain right-hand side of tests/support/curvilinear_reference.hpp, and what
// must hold exactly: a uniform flow stays, interfaces conserve, threads leave no trace.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/math.hpp"
#include "mesh/curvilinear/nodes.hpp"
#include "support/flow_case.hpp"

using namespace watersmeet;
using aerodynamics::Condition;
using aerodynamics::Method;
using aerodynamics::SurfaceKind;
using test::CurvilinearReference;
using test::FlowRun;
using test::map_of;
using test::Values;

namespace solver_test {
using Conserved = CurvilinearReference::Conserved;

namespace {

const aerodynamics::Primitive<double> stream{1.1, {{0.6, -0.35, 0.2}}, 0.9};

CurvilinearReference::Setup setup_of(bool flat, int order, unsigned seed) {
  CurvilinearReference::Setup setup;
  // Nodes 13, 9 and 12, 8: orders up to 6 and up to 4; in three dimensions 5 and 2 as well.
  setup.cells = {std::vector<int>{12, 8}, std::vector<int>{11, 7}, std::vector<int>{0}};
  if (!flat) setup.cells[2] = {4, 12, 1};
  setup.stored = test::right_handed_turns(flat ? 4 : 12, flat, seed);
  setup.order = order;
  return setup;
}

Method unsteady(int order, Precision precision = Precision::double_) {
  Method method;
  method.precision = precision;
  method.gas = {1.4, 1e-10};
  method.order = order;
  method.steady = false;
  method.rule.cfl = 1.0;
  return method;
}

Condition outer(const std::function<aerodynamics::Primitive<double>(const Real3&, double)>& flow) {
  Condition c;
  c.patch = "outer";
  c.kind = SurfaceKind::farfield;
  c.outside = flow;
  return c;
}

std::vector<Values> noisy_values(const CurvilinearReference& reference, double height,
                                 const aerodynamics::Gas<double>& gas) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> noise(-height, height);
  std::vector<Values> w;
  for (const auto& block : reference.blocks()) {
    w.emplace_back(block.nodes.x.size());
    for (Conserved& s : w.back()) {
      s = aerodynamics::conserved_of(
          aerodynamics::Primitive<double>{1 + noise(generator),
                                          {{noise(generator), noise(generator), noise(generator)}},
                                          1 + noise(generator)},
          gas);
    }
  }
  return w;
}

Queue threads(int count) {
  Queue queue;
  queue.threads = count;
  return queue;
}

// Largest difference of V dW/dt between solver and reference, in units of the largest rate.
double difference(FlowRun& run, const std::vector<Values>& rates) {
  const std::vector<Values> r = run.by_block(run.solver().residual());
  double worst = 0, largest = 0;
  for (std::size_t b = 0; b < rates.size(); ++b) {
    for (std::size_t i = 0; i < rates[b].size(); ++i) {
      for (int v = 0; v < 5; ++v) {
        worst = max_or_nan(worst, std::abs(r[b][i][v] + rates[b][i][v]));
        largest = max_or_nan(largest, std::abs(rates[b][i][v]));
      }
    }
  }
  return worst / largest;
}

aerodynamics::Primitive<double> varied(const Real3& x, double) {
  return {1 + 0.1 * std::sin(3 * x[0]), {{0.5 + 0.1 * x[1], 0.2 * x[2], -0.3}}, 1 + 0.2 * x[1]};
}

}  // namespace

TEST(Solver, ResidualIsThatOfTheReference) {
  for (int order = 1; order <= 6; ++order) {
    for (const bool flat : {true, false}) {
      const auto setup = setup_of(flat, order, static_cast<unsigned>(order));
      const CurvilinearReference reference(setup, map_of(setup));
      const auto w = noisy_values(reference, 0.2, setup.gas);
      const auto rates = reference.rates(
          w, [&](const Real3& x) { return aerodynamics::conserved_of(varied(x, 0), setup.gas); });
      FlowRun run(test::mesh_of(reference), unsteady(order), {outer(varied)}, stream, {});
      run.set(w);
      EXPECT_LT(difference(run, rates), 1e-13) << "order " << order << (flat ? ", plane" : "");
      FlowRun single(test::mesh_of(reference), unsteady(order, Precision::single_), {outer(varied)},
                     stream, {});
      single.set(w);
      EXPECT_LT(difference(single, rates), 3e-6) << "order " << order << ", single precision";
    }
  }
}

TEST(Solver, UniformFlowStays) {
  for (int order = 1; order <= 6; ++order) {
    for (const bool flat : {true, false}) {
      const auto setup = setup_of(flat, order, static_cast<unsigned>(20 + order));
      const CurvilinearReference reference(setup, map_of(setup));
      Method method = unsteady(order);
      method.compatible_sbp6 = order == 5;
      method.dissipation =
          order % 2 == 0 ? aerodynamics::Dissipation::matrix : aerodynamics::Dissipation::scalar;
      method.shock_k2 = order == 3 ? 1 : 0;
      method.entropy_conservative = order == 4;
      FlowRun run(test::mesh_of(reference), method,
                  {outer([](const Real3&, double) { return stream; })}, stream, {});
      const Conserved w = aerodynamics::conserved_of(stream, method.gas);
      run.set(reference.values_like(w));
      const auto r = run.by_block(run.solver().residual());
      EXPECT_LT(reference.largest_rate(r, stream), 1e-12) << "order " << order;
      // Steps do not disturb it either.
      run.advance(0.02);
      EXPECT_GT(run.now().step, 1);
      double change = 0;
      for (const Values& block : run.get()) {
        for (const Conserved& s : block) {
          for (int v = 0; v < 5; ++v) change = max_or_nan(change, std::abs(s[v] - w[v]));
        }
      }
      EXPECT_LT(change, 1e-12) << "order " << order;
    }
  }
}

TEST(Solver, PeriodicBlocksConserve) {
  for (int order = 1; order <= 6; ++order) {
    auto setup = setup_of(false, order, static_cast<unsigned>(40 + order));
    setup.periodic = true;
    const CurvilinearReference reference(setup, map_of(setup));
    Method method = unsteady(order);
    method.shock_k2 = order > 3 ? 1 : 0;
    method.entropy_conservative = order == 2;
    FlowRun run(test::mesh_of(reference, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}), method, {}, stream,
                threads(2));
    ASSERT_TRUE(run.mesh().patches.empty());
    run.set(noisy_values(reference, 0.3, setup.gas));
    const auto r = run.by_block(run.solver().residual());
    for (int v = 0; v < 5; ++v) {
      const auto [sum, magnitude] = reference.total_of(r, v);
      EXPECT_LT(std::abs(sum) / magnitude, 1e-13) << "order " << order << ", value " << v;
    }
    const aerodynamics::Monitor before = run.solver().monitor();
    run.advance(0.02);
    EXPECT_GT(run.now().step, 1);
    const aerodynamics::Monitor after = run.solver().monitor();
    EXPECT_LT(std::abs(after.mass / before.mass - 1), 1e-13) << "order " << order;
    EXPECT_LT(std::abs(after.energy / before.energy - 1), 1e-13) << "order " << order;
  }
}

// In a flow of uniform total enthalpy H the residual of the energy is H times that of the mass at
// nodes without penalties, where dissipation acts on E + p; where it acts on E it is not.
TEST(Solver, DissipationOfEnthalpyKeepsIt) {
  constexpr double enthalpy = 3.2;
  for (const bool flat : {true, false}) {
    for (int order = 1; order <= 6; ++order) {
      const auto setup = setup_of(flat, order, static_cast<unsigned>(60 + order));
      const CurvilinearReference reference(setup, map_of(setup));
      std::vector<Values> w = noisy_values(reference, 0.2, setup.gas);
      for (Values& block : w) {
        for (Conserved& s : block) {
          aerodynamics::Primitive<double> f = aerodynamics::primitive_of(s, setup.gas);
          f.p = (enthalpy - 0.5 * dot(f.u, f.u)) * f.rho * 0.4 / 1.4;
          s = aerodynamics::conserved_of(f, setup.gas);
        }
      }
      for (const bool kept : {true, false}) {
        Method method = unsteady(order);
        method.shock_k2 = order % 2 == 0 ? 1 : 0;
        method.dissipate_enthalpy = kept;
        FlowRun run(test::mesh_of(reference), method, {outer(varied)}, stream, {});
        run.set(w);
        const auto r = run.by_block(run.solver().residual());
        double apart = 0, largest = 0;
        for (std::size_t b = 0; b < r.size(); ++b) {
          const mesh::CurvilinearBlock& block = run.mesh().blocks[b];
          mesh::for_each_node(block.nodes(), [&](const Index3& node) {
            for (std::size_t a = 0; a < 3; ++a) {
              if (block.n[a] > 1 && (node[a] == 0 || node[a] == block.n[a] - 1)) return;
            }
            const Conserved& here = r[b][block.offset(node)];
            largest = max_or_nan(largest, std::abs(here[aerodynamics::s_energy]));
            apart = max_or_nan(apart, std::abs(here[aerodynamics::s_energy] -
                                               enthalpy * here[aerodynamics::s_rho]));
          });
        }
        if (kept) {
          EXPECT_LT(apart, 1e-12 * largest) << "order " << order;
        } else {
          EXPECT_GT(apart, 1e-4 * largest) << "order " << order;
        }
      }
    }
  }
}

// sum V H dW/dt = -(what passes the boundaries), also at nodes that patches share.
TEST(Solver, BoundariesPassWhatIsLost) {
  const auto setup = setup_of(false, 3, 3);
  const CurvilinearReference reference(setup, map_of(setup));
  mesh::MultiBlockMesh mesh = test::mesh_of(reference);
  // The first patch is cut into four that share nodes.
  const mesh::BoundaryPatch whole = mesh.patches.front();
  mesh.patches.erase(mesh.patches.begin());
  const int a = whole.face.axis == 0 ? 1 : 0, b = whole.face.axis == 2 ? 1 : 2;
  const auto middle = [&](int axis) {
    return whole.box.lower[static_cast<std::size_t>(axis)] + whole.box.size(axis) / 2;
  };
  for (const bool upper_a : {false, true}) {
    for (const bool upper_b : {false, true}) {
      mesh::BoundaryPatch part = whole;
      (upper_a ? part.box.lower : part.box.upper)[static_cast<std::size_t>(a)] =
          middle(a) + (upper_a ? 0 : 1);
      (upper_b ? part.box.lower : part.box.upper)[static_cast<std::size_t>(b)] =
          middle(b) + (upper_b ? 0 : 1);
      part.name = upper_a ? "wall" : "outer";
      mesh.patches.push_back(part);
    }
  }
  Condition wall;
  wall.patch = "wall";
  FlowRun run(mesh, unsteady(3), {outer(varied), wall}, stream, {});
  run.set(noisy_values(reference, 0.2, setup.gas));
  const auto r = run.by_block(run.solver().residual());
  const aerodynamics::Monitor monitor = run.solver().monitor();
  for (int v = 0; v < 5; ++v) {
    const auto [sum, magnitude] = reference.total_of(r, v);
    EXPECT_LT(std::abs(sum - monitor.boundary_flux[static_cast<std::size_t>(v)]) / magnitude, 1e-13)
        << "value " << v;
  }
}

TEST(Solver, ThreadsLeaveNoTrace) {
  const auto setup = setup_of(false, 4, 8);
  const CurvilinearReference reference(setup, map_of(setup));
  std::vector<std::vector<Values>> results;
  for (const int count : {1, 3}) {
    FlowRun run(test::mesh_of(reference), unsteady(4), {outer(varied)}, stream, threads(count));
    run.set(noisy_values(reference, 0.2, setup.gas));
    run.advance(0.02);
    results.push_back(run.get());
  }
  for (std::size_t b = 0; b < results[0].size(); ++b) {
    for (std::size_t i = 0; i < results[0][b].size(); ++i) {
      for (int v = 0; v < 5; ++v) ASSERT_EQ(results[0][b][i][v], results[1][b][i][v]);
    }
  }
}

// A pressure below zero anywhere, also where neighbours are sound, ends a run.
TEST(Solver, InadmissibleStatesEndARun) {
  const auto setup = setup_of(false, 3, 8);
  const CurvilinearReference reference(setup, map_of(setup));
  FlowRun run(test::mesh_of(reference), unsteady(3), {outer(varied)}, stream, {});
  auto w = noisy_values(reference, 0.2, setup.gas);
  for (const std::size_t node : {0, 37, 200}) {
    const Conserved sound = w[1][node];
    w[1][node][aerodynamics::s_energy] = -1;
    run.set(w);
    run.solver().begin_step(1, true);
    EXPECT_FALSE(run.now().active);
    EXPECT_EQ(run.now().status, exec::ClockStatus::not_finite) << "node " << node;
    w[1][node] = sound;
  }
}

}  // namespace solver_test
