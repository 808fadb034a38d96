// Nodes at first order for positivity, and what a run does against a stall: exact statements.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/math.hpp"
#include "mesh/generators/wavybox.hpp"
#include "support/flow_case.hpp"

using namespace watersmeet;
using aerodynamics::Condition;
using aerodynamics::Method;
using test::CurvilinearReference;
using test::FlowRun;
using test::Values;

namespace troubled_test {

namespace {

constexpr int troubled_variable = 3;  // Level::shock_memory()
constexpr aerodynamics::Gas<double> air{1.4, 1e-10};
const aerodynamics::Primitive<double> stream{1, {{0.55, 0.2, 0}}, 1 / 1.4};

Method method_of(int order, double k2) {
  Method method;
  method.gas = air;
  method.order = order;
  method.shock_k2 = k2;
  method.force_window = 0;
  method.residual_drop = 0;
  method.first_order_cycles = 0;
  method.grid_sequencing = false;
  return method;
}

mesh::MultiBlockMesh box() {
  mesh::WavyBox wavy;
  wavy.cells = {16, 16};
  return mesh::make_wavybox(wavy);
}

std::vector<Values> noisy(const mesh::MultiBlockMesh& mesh, double height) {
  std::mt19937 generator(11);
  std::uniform_real_distribution<double> noise(-height, height);
  std::vector<Values> w;
  for (const auto& block : mesh.blocks) {
    w.emplace_back();
    for (std::int64_t i = 0; i < block.count(); ++i) {
      aerodynamics::Primitive<double> f = stream;
      f.rho += noise(generator);
      f.p += noise(generator);
      f.u[0] += noise(generator);
      w.back().push_back(aerodynamics::conserved_of(f, air));
    }
  }
  return w;
}

void copy_memory(aerodynamics::Solver& from, aerodynamics::Solver& to) {
  std::vector<double> values(static_cast<std::size_t>(from.nodes()));
  for (int v = 0; v < from.shock_memory()->variables(); ++v) {
    memory::copy_interior_to_host(*from.shock_memory(), 0, 0, v, values.data(), {});
    memory::copy_interior_from_host(*to.shock_memory(), 0, 0, v, values.data(), {});
  }
}

void mark(aerodynamics::Solver& solver, const std::vector<double>& marks) {
  memory::copy_interior_from_host(*solver.shock_memory(), 0, 0, troubled_variable, marks.data(),
                                  {});
}

}  // namespace

// Order 2 has the derivative of order 1: where all nodes are troubled it is the scheme of order 1,
// and beside a single one all but that node and its neighbours keep their rates.
TEST(Troubled, NodesAreAtFirstOrder) {
  // A sensor so weak that it does nothing by itself.
  const double weak = 1e-14;
  FlowRun high(box(), method_of(2, weak), {test::farfield(stream)}, stream, {});
  FlowRun low(box(), method_of(1, 0), {test::farfield(stream)}, stream, {});
  const auto w = noisy(high.mesh(), 0.2);
  high.set(w);
  low.set(w);
  const auto nodes = static_cast<std::size_t>(high.solver().nodes());
  const std::vector<double> first = low.solver().residual();
  const std::vector<double> free = high.solver().residual();
  std::vector<double> marks(nodes, 1.0);
  mark(high.solver(), marks);
  const std::vector<double> all = high.solver().residual();
  for (std::size_t i = 0; i < first.size(); ++i) ASSERT_NEAR(all[i], first[i], 1e-13);

  // Node (7, 8) of block 0.
  const auto row = static_cast<std::size_t>(high.mesh().block(0).n[0]);
  const std::size_t one = 7 + 8 * row;
  std::fill(marks.begin(), marks.end(), 0.0);
  marks[one] = 1;
  mark(high.solver(), marks);
  const std::vector<double> single = high.solver().residual();
  int others = 0;
  for (int v = 0; v < 5; ++v) {
    const std::size_t at = static_cast<std::size_t>(v) * nodes;
    double lost = 0, largest = 0;
    for (std::size_t i = 0; i < nodes; ++i) {
      const std::size_t x = i % row, y = i / row;
      // Stencils of three nodes that hold the marked one reach two nodes to each side.
      const bool near = (y == 8 && x >= 5 && x <= 9) || (x == 7 && y >= 6 && y <= 10);
      if (i >= row * row || !near) {
        ASSERT_NEAR(single[at + i], free[at + i], 1e-14);
      } else {
        others += std::abs(single[at + i] - free[at + i]) > 1e-6;
        // H is 1 away from the ends: both sides of every pair of nodes get the same.
        lost += single[at + i] - free[at + i];
        largest = max_or_nan(largest, std::abs(single[at + i] - free[at + i]));
      }
    }
    EXPECT_LT(std::abs(lost), 1e-13 * std::max(1.0, largest));
    // In a two-dimensional flow all but the third momentum.
    if (v != aerodynamics::s_mz) {
      ASSERT_NEAR(single[at + one], first[at + one], 1e-13);
    }
  }
  EXPECT_GE(others, 9);
}

// A run that has to limit states marks them, converges and says so; taken up again in the middle
// it continues with the same bits.
TEST(Troubled, ARunRemembersThem) {
  Method method = method_of(3, 1);
  method.cfl = 2.5;
  method.ramp = 0;
  const auto start = [&] {
    return std::make_unique<FlowRun>(box(), method, std::vector<Condition>{test::farfield(stream)},
                                     stream, Queue{});
  };
  auto whole = start();
  std::vector<Values> w = noisy(whole->mesh(), 0);
  for (auto& s : w[0]) {
    for (int v = 0; v < 5; ++v) s[v] *= 300;  // a burst from one of four blocks
  }
  whole->set(w);
  whole->cycles(20);
  EXPECT_NE(whole->solver().measures_taken().find("nodes at first order"), std::string::npos);
  auto resumed = start();
  copy_memory(whole->solver(), resumed->solver());
  resumed->solver().set_clock(whole->now());
  resumed->set(whole->get());
  resumed->solver().restore_scalars(whole->solver().checkpoint_scalars());
  whole->cycles(20);
  resumed->cycles(20);
  EXPECT_EQ(whole->solver().measures_taken(), resumed->solver().measures_taken());
  const auto a = whole->get(), b = resumed->get();
  for (std::size_t block = 0; block < a.size(); ++block) {
    for (std::size_t i = 0; i < a[block].size(); ++i) {
      for (int v = 0; v < 5; ++v) ASSERT_EQ(a[block][i][v], b[block][i][v]);
    }
  }
}

// The residual of a uniform flow stops falling at round-off: the run holds its sensor, then stays
// on one grid, remembers both, and keeps the uniform flow.
TEST(Troubled, StallsAreMet) {
  Method method = method_of(1, 1);
  method.levels = 3;
  method.residual_drop = 1e-300;
  FlowRun whole(box(), method, {test::farfield(stream)}, stream, {});
  whole.set(noisy(whole.mesh(), 0.05));
  whole.cycles(600);
  const std::string words = whole.solver().measures_taken();
  EXPECT_NE(words.find("sensor held since cycle"), std::string::npos) << words;
  EXPECT_NE(words.find("one grid alone since cycle"), std::string::npos) << words;
  FlowRun resumed(box(), method, {test::farfield(stream)}, stream, {});
  copy_memory(whole.solver(), resumed.solver());
  resumed.solver().set_clock(whole.now());
  resumed.set(whole.get());
  resumed.solver().restore_scalars(whole.solver().checkpoint_scalars());
  EXPECT_EQ(resumed.solver().measures_taken(), words);
  whole.cycles(15);
  resumed.cycles(15);
  test::expect_same_and_uniform(whole, resumed, aerodynamics::conserved_of(stream, air), 1e-12);
}

}  // namespace troubled_test
