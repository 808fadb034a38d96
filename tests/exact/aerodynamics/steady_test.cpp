// Steady runs: disturbances of a uniform flow leave, on one grid and by cycles over several, and a
// run knows when it has converged.
#include <gtest/gtest.h>

#include <cmath>

#include "core/math.hpp"
#include "mesh/generators/wavybox.hpp"
#include "support/flow_case.hpp"

using namespace watersmeet;
using aerodynamics::Method;
using test::FlowRun;
using test::Values;

namespace steady_test {

namespace {

const aerodynamics::Primitive<double> stream{1, {{0.55, 0.2, 0}}, 1 / 1.4};

Method steady(int order) {
  Method method;
  method.gas = {1.4, 1e-10};
  method.order = order;
  method.coupling.entropy_fix = 0.05;
  method.cfl = 1.5;
  method.force_window = 0;
  // The start would leave nothing to converge: the solution is the same for all orders.
  method.first_order_cycles = 0;
  method.grid_sequencing = false;
  return method;
}

// A bump of density and pressure in the middle of the box.
std::vector<Values> disturbed(const mesh::MultiBlockMesh& mesh, double height) {
  std::vector<Values> w;
  for (const auto& block : mesh.blocks) {
    w.emplace_back();
    for (std::size_t i = 0; i < static_cast<std::size_t>(block.count()); ++i) {
      const double x = block.x[0][i] - 5, y = block.x[1][i] - 5;
      aerodynamics::Primitive<double> f = stream;
      const double bump = 1 + height * std::exp(-0.5 * (x * x + y * y));
      f.rho *= bump;
      f.p *= bump;
      w.back().push_back(aerodynamics::conserved_of(f, {1.4, 1e-10}));
    }
  }
  return w;
}

// Cycles until the run says that it has converged.
std::int64_t cycles_to_converge(Method method, double drop, double largest_error) {
  method.residual_drop = drop;
  mesh::WavyBox box;
  box.cells = {16, 16};
  FlowRun run(mesh::make_wavybox(box), method, {test::farfield(stream)}, stream, {});
  run.set(disturbed(run.mesh(), 0.3));
  for (int c = 0; c < 1000; ++c) {
    run.solver().begin_step(1e300, true);
    if (!run.now().active) {
      EXPECT_EQ(run.now().status, exec::ClockStatus::converged);
      double error = 0;
      const auto uniform = aerodynamics::conserved_of(stream, {1.4, 1e-10});
      for (const Values& block : run.get()) {
        for (const auto& s : block) {
          for (int v = 0; v < 5; ++v) error = max_or_nan(error, std::abs(s[v] - uniform[v]));
        }
      }
      EXPECT_LT(error, largest_error);
      const aerodynamics::Monitor m = run.solver().monitor();
      EXPECT_LE(m.residual_ratio, drop);
      EXPECT_EQ(m.supersonic, 0);
      return run.now().step;
    }
    run.solver().run_stages();
  }
  ADD_FAILURE() << "not converged; residual ratio " << run.solver().monitor().residual_ratio;
  return 1000;
}

}  // namespace

TEST(Steady, OneGridConverges) {
  for (const int order : {1, 3, 6}) {
    Method method = steady(order);
    method.levels = 1;
    cycles_to_converge(method, 1e-4, 1e-3);
    method.blended = false;
    method.cfl = 1.0;
    cycles_to_converge(method, 1e-4, 1e-3);
  }
}

// A prototype, which was not kept, took 110 W cycles for a factor of 4e-7 around a section
// (256 x 256 cells, five levels, order 3): 17 for each power of ten. Nobody can repeat that number.
TEST(Steady, CyclesConverge) {
  Method method = steady(3);
  method.levels = 3;
  const std::int64_t by_w = cycles_to_converge(method, 1e-10, 1e-9);
  EXPECT_LE(by_w, 170);
  method.cycle = aerodynamics::Cycle::v;
  EXPECT_GT(cycles_to_converge(method, 1e-10, 1e-9), by_w);
}

// Grid after grid, then first order, then the wanted one: the start by itself finds the uniform
// flow, and a run that is taken up again in the middle of it continues with the same bits.
TEST(Steady, StartsOnCoarseGrids) {
  Method method = steady(3);
  method.first_order_cycles = 10;
  method.grid_sequencing = true;
  method.levels = 3;
  method.residual_drop = 0;
  mesh::WavyBox box;
  box.cells = {16, 16};
  FlowRun whole(mesh::make_wavybox(box), method, {test::farfield(stream)}, stream, {});
  whole.set(disturbed(whole.mesh(), 0.3));
  whole.cycles(13);
  const auto middle = whole.get();
  const exec::Clock clock = whole.now();
  EXPECT_EQ(clock.step, 13);
  whole.cycles(30);
  FlowRun resumed(mesh::make_wavybox(box), method, {test::farfield(stream)}, stream, {});
  resumed.solver().set_clock(clock);
  resumed.set(middle);
  resumed.solver().restore_scalars(whole.solver().checkpoint_scalars());
  resumed.cycles(30);
  test::expect_same_and_uniform(whole, resumed, aerodynamics::conserved_of(stream, {1.4, 1e-10}),
                                1e-4);
}

// Stages of order 1 do not read the sensor, transfers do: in a cycle and while a run starts.
TEST(Steady, TransfersOfFirstOrderAreDamped) {
  mesh::WavyBox box;
  box.cells = {16, 16};
  for (const bool sequencing : {false, true}) {
    std::vector<std::vector<Values>> results;
    for (const double damping : {0.0, 1e-300, 2.0}) {
      Method method = steady(1);
      method.levels = 3;
      method.shock_k2 = 1;
      method.transfer_damping = damping;
      method.grid_sequencing = sequencing;
      method.first_order_cycles = sequencing ? 2 : 0;
      FlowRun run(mesh::make_wavybox(box), method, {test::farfield(stream)}, stream, {});
      run.set(disturbed(run.mesh(), 0.3));
      run.cycles(3);
      results.push_back(run.get());
    }
    double none = 0, damped = 0;
    for (std::size_t i = 0; i < results[0][0].size(); ++i) {
      for (int v = 0; v < 5; ++v) {
        none = max_or_nan(none, std::abs(results[0][0][i][v] - results[1][0][i][v]));
        damped = max_or_nan(damped, std::abs(results[0][0][i][v] - results[2][0][i][v]));
      }
    }
    EXPECT_EQ(none, 0);
    EXPECT_GT(damped, 1e-4) << sequencing;
  }
}

// A disturbance that a step alone would turn into negative pressures.
TEST(Steady, StatesStayAdmissible) {
  Method method = steady(3);
  method.levels = 1;
  method.cfl = 2.5;
  method.first_order_cycles = 0;
  method.ramp = 0;
  method.shock_k2 = 1;
  mesh::WavyBox box;
  box.cells = {16, 16};
  FlowRun run(mesh::make_wavybox(box), method, {test::farfield(stream)}, stream, {});
  run.set(disturbed(run.mesh(), 400));
  run.cycles(30);
  for (const Values& block : run.get()) {
    for (const auto& s : block) {
      const auto f = aerodynamics::primitive_of(s, {1.4, 1e-10});
      ASSERT_GT(f.rho, 0);
      ASSERT_GT(f.p, 0);
    }
  }
  EXPECT_GT(run.solver().monitor().limited, 0);
}

// The lists of operations that a GPU runs in one kernel (coarse_program.hpp), here node by node.
TEST(Steady, ProgramsOfCoarseGridsDoWhatTheirCyclesDo) {
  for (const bool flat : {true, false}) {
    for (const aerodynamics::Cycle cycle : {aerodynamics::Cycle::v, aerodynamics::Cycle::w}) {
      for (const int post : {1, 2}) {
        mesh::WavyBox box;
        box.cells =
            flat ? std::vector<std::int64_t>{32, 23} : std::vector<std::int64_t>{16, 13, 12};
        box.blocks = flat ? std::vector<std::int64_t>{2, 2} : std::vector<std::int64_t>{2, 1, 1};
        Method method = steady(3);
        method.cycle = cycle;
        method.post = post;
        method.first_order_cycles = 2;
        method.grid_sequencing = true;
        method.ramp = 3;
        method.program_nodes = 0;
        FlowRun one(mesh::make_wavybox(box), method, {test::farfield(stream)}, stream, {});
        method.program_nodes = flat ? 300 : 100000;  // all coarse grids in space, some in the plane
        FlowRun other(mesh::make_wavybox(box), method, {test::farfield(stream)}, stream, {});
        EXPECT_GT(one.solver().levels(), 3);
        for (FlowRun* run : {&one, &other}) {
          run->set(disturbed(run->mesh(), 0.3));
          run->cycles(9);
        }
        const std::vector<Values> a = one.get(), b = other.get();
        double apart = 0, moved = 0;
        const std::vector<Values> before = disturbed(one.mesh(), 0.3);
        for (std::size_t block = 0; block < a.size(); ++block) {
          for (std::size_t i = 0; i < a[block].size(); ++i) {
            for (int v = 0; v < 5; ++v) {
              apart = max_or_nan(apart, std::abs(a[block][i][v] - b[block][i][v]));
              moved = max_or_nan(moved, std::abs(a[block][i][v] - before[block][i][v]));
            }
          }
        }
        EXPECT_LT(apart, 1e-12) << flat << " " << static_cast<int>(cycle) << " " << post;
        EXPECT_GT(moved, 0.01);
        EXPECT_EQ(one.now().events, other.now().events);
      }
    }
  }
}

}  // namespace steady_test
