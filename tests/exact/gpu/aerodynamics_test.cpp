// Compressible flow on curvilinear blocks on a GPU: the loops of the CPU in the same order, so that
// only reciprocals differ, by units in the last place; and a GPU repeats itself to the last bit.
// Skipped where no GPU answers (continuous integration has none).
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/device.hpp"
#include "core/math.hpp"
#include "mesh/curvilinear/split.hpp"
#include "mesh/generators/glider15.hpp"
#include "mesh/generators/wavybox.hpp"
#include "support/flow_case.hpp"
#include "support/on_gpu.hpp"

using namespace watersmeet;
using aerodynamics::Condition;
using aerodynamics::Method;
using test::FlowRun;
using test::fresh_seed;
using test::Values;

namespace {

const aerodynamics::Primitive<double> stream{1, {{0.55, 0.2, 0.1}}, 1 / 1.4};

Condition condition_of(const std::string& patch, aerodynamics::SurfaceKind kind) {
  Condition c;
  c.patch = patch;
  c.kind = kind;
  c.stream = stream;
  c.given.reservoir = {0.9, 1.1, {{1, 0, 0}}};
  c.given.pressure = 0.7;
  return c;
}

// Blocks with noise on a uniform flow.
struct Case {
  Method method;
  mesh::MultiBlockMesh mesh;
  std::vector<Condition> conditions;
  std::vector<Values> w;

  // Blocks of cells.size() dimensions.
  Case(const std::vector<std::int64_t>& cells, const Method& m)
      : Case(wavy_blocks(cells), m, {condition_of("outer", aerodynamics::SurfaceKind::farfield)}) {}
  Case(mesh::MultiBlockMesh of, const Method& m, std::vector<Condition> boundaries)
      : method(m), mesh(std::move(of)), conditions(std::move(boundaries)) {
    std::mt19937 generator(fresh_seed());
    std::uniform_real_distribution<double> noise(-0.1, 0.1);
    for (const auto& block : mesh.blocks) {
      w.emplace_back();
      for (std::int64_t i = 0; i < block.count(); ++i) {
        aerodynamics::Primitive<double> f = stream;
        f.rho *= 1 + noise(generator);
        f.p *= 1 + noise(generator);
        for (int a = 0; a < mesh.dimensions(); ++a) f.u[a] += noise(generator);
        w.back().push_back(aerodynamics::conserved_of(f, method.gas));
      }
    }
  }
  static mesh::MultiBlockMesh wavy_blocks(const std::vector<std::int64_t>& cells) {
    mesh::WavyBox box;
    box.cells = cells;
    box.blocks.assign(cells.size(), 2);
    return mesh::make_wavybox(box);
  }

  std::unique_ptr<FlowRun> run(const Queue& queue) const {
    auto made = std::make_unique<FlowRun>(mesh, method, conditions, stream, queue);
    made->set(w);
    return made;
  }
};

Method method_of(int order, bool steady) {
  Method method;
  method.gas = {1.4, 1e-10};
  method.order = order;
  method.steady = steady;
  method.coupling.entropy_fix = steady ? 0.05 : 0;
  return method;
}

// Largest difference, relative to the largest value of each variable.
double difference(const std::vector<Values>& a, const std::vector<Values>& b) {
  double worst = 0;
  for (int v = 0; v < 5; ++v) {
    double largest = 1e-300, apart = 0;
    for (std::size_t block = 0; block < a.size(); ++block) {
      for (std::size_t i = 0; i < a[block].size(); ++i) {
        largest = std::max(largest, std::abs(a[block][i][v]));
        const double d = std::abs(a[block][i][v] - b[block][i][v]);
        apart = max_or_nan(apart, d);
      }
    }
    worst = max_or_nan(worst, apart / largest);
  }
  return worst;
}

class AerodynamicsOnGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (cuda_devices().empty()) GTEST_SKIP() << "no GPU answers";
    RecordProperty("seed", std::to_string(fresh_seed()));
    queue_ = make_cuda_queue();
  }
  void TearDown() override {
    if (queue_.backend == Backend::cuda) destroy_queue(queue_);
  }
  Queue queue_;
};

TEST_F(AerodynamicsOnGpu, ResidualsAreThoseOfTheCpu) {
  for (int order = 1; order <= 6; ++order) {
    // Blocks of one order throughout, and blocks whose thin directions have lower ones.
    for (const std::vector<std::int64_t>& cells :
         {std::vector<std::int64_t>{17, 13, 14}, {20, 5, 8}, {33, 14}, {12, 1}}) {
      for (const int variant : {0, 1, 2, 3, 4, 5, 6, 7}) {
        Method method = method_of(order, false);
        method.schedule = variant == 3 ? "direct" : variant == 5 ? "cubes" : "auto";
        if (variant == 1) {
          method.dissipation = aerodynamics::Dissipation::matrix;
          method.shock_k2 = 1;
          method.density_sensor = true;
        }
        if (variant == 7) method.dissipation = aerodynamics::Dissipation::matrix;
        method.entropy_conservative = variant == 2;
        if (variant == 4) method.shock_k2 = 2;
        if (variant == 6) {
          method.dissipate_enthalpy = true;
          method.shock_k2 = 2;
        }
        const Case c(cells, method);
        const auto cpu = c.run({}), gpu = c.run(queue_);
        EXPECT_LT(difference(cpu->by_block(cpu->solver().residual()),
                             gpu->by_block(gpu->solver().residual())),
                  1e-12)
            << "order " << order << ", cells " << cells[0] << " x " << cells[1] << ", variant "
            << variant << ", seed " << fresh_seed();
      }
    }
  }
}

// Stencils gathered by bricks of several shapes and sizes, with the penalties in the same launch,
// by threads of their own and not, and without them.
TEST_F(AerodynamicsOnGpu, GatheredResidualsAreThoseOfTheCpu) {
  for (const int order : {1, 2, 3}) {
    for (const std::vector<std::int64_t>& cells : {std::vector<std::int64_t>{90, 70, 61},
                                                   {16, 150, 20},
                                                   {150, 21, 16},
                                                   {300, 200},
                                                   {250, 170}}) {
      Method method = method_of(order, false);
      method.schedule = order == 1 ? "direct" : "auto";  // where large blocks would march
      const Case c(cells, method);
      const auto cpu = c.run({}), gpu = c.run(queue_);
      EXPECT_EQ(gpu->solver().kernel().name, "order " + std::to_string(order) + " gathered");
      EXPECT_LT(difference(cpu->by_block(cpu->solver().residual()),
                           gpu->by_block(gpu->solver().residual())),
                1e-12)
          << "order " << order << ", cells " << cells[0] << " x " << cells[1] << ", seed "
          << fresh_seed();
    }
  }
}

// Columns that march: one tile and several along each direction, blocks with turned directions,
// thread blocks that begin and end anywhere in them, with a sensor, which changes nothing, and
// without.
TEST_F(AerodynamicsOnGpu, MarchedResidualsAreThoseOfTheCpu) {
  for (const double shock_k2 : {0.0, 2.0}) {
    for (const std::vector<std::int64_t>& cells : {std::vector<std::int64_t>{17, 13, 14},
                                                   {60, 41, 37},
                                                   {16, 150, 20},
                                                   {150, 21, 16},
                                                   {600, 9, 7},
                                                   {6, 7, 300}}) {
      Method method = method_of(1, false);
      method.schedule = "march";
      method.shock_k2 = shock_k2;
      const Case c(cells, method);
      const auto cpu = c.run({}), gpu = c.run(queue_);
      EXPECT_EQ(gpu->solver().kernel().name, "order 1 marched");
      EXPECT_LT(difference(cpu->by_block(cpu->solver().residual()),
                           gpu->by_block(gpu->solver().residual())),
                1e-12)
          << "cells " << cells[0] << " x " << cells[1] << ", seed " << fresh_seed();
    }
  }
}

// All forms of a stage: steps in time, steady steps with blended dissipation and without, and
// cycles whose coarse grids are forced. Large grids march of themselves.
TEST_F(AerodynamicsOnGpu, MarchedStepsAreThoseOfTheCpu) {
  struct Variant {
    const char* schedule;
    bool steady, blended;
    double shock_k2;
  };
  for (const Variant& v : {Variant{"march", false, true, 0},
                           {"march", true, true, 0},
                           {"march", true, false, 0},
                           {"march", true, true, 2},
                           {"auto", true, true, 0}}) {
    Method method = method_of(1, v.steady);
    method.schedule = v.schedule;
    method.blended = v.blended;
    method.shock_k2 = v.shock_k2;
    method.cfl = 0.5;  // without blending the five stages bear less than with it
    method.first_order_cycles = 0;
    method.grid_sequencing = false;
    method.ramp = 2;
    method.program_nodes = 0;
    const bool large = method.schedule == "auto";
    const Case c(
        large ? std::vector<std::int64_t>{34, 32, 30} : std::vector<std::int64_t>{26, 23, 18},
        method);
    const auto cpu = c.run({}), gpu = c.run(queue_), again = c.run(queue_);
    EXPECT_EQ(gpu->solver().kernel().name, "order 1 marched");
    for (FlowRun* run : {cpu.get(), gpu.get(), again.get()}) run->cycles(large ? 3 : 6);
    EXPECT_EQ(gpu->now().events, cpu->now().events);
    EXPECT_NEAR(gpu->now().t / cpu->now().t, 1, 1e-13);
    EXPECT_LT(difference(cpu->get(), gpu->get()), 1e-11)
        << v.schedule << ", steady " << v.steady << ", blended " << v.blended << ", seed "
        << fresh_seed();
    EXPECT_EQ(difference(gpu->get(), again->get()), 0);
  }
}

TEST_F(AerodynamicsOnGpu, StepsAreThoseOfTheCpu) {
  for (const int order : {2, 3, 6}) {
    const Case c({17, 13, 14}, method_of(order, false));
    const auto cpu = c.run({}), gpu = c.run(queue_), again = c.run(queue_);
    for (FlowRun* run : {cpu.get(), gpu.get(), again.get()}) run->cycles(5);
    EXPECT_NEAR(gpu->now().t / cpu->now().t, 1, 1e-13);
    EXPECT_LT(difference(cpu->get(), gpu->get()), 1e-12) << "order " << order;
    EXPECT_EQ(difference(gpu->get(), again->get()), 0) << "order " << order;
    const auto a = cpu->solver().monitor(), b = gpu->solver().monitor();
    EXPECT_NEAR(b.mass / a.mass, 1, 1e-12);
    EXPECT_NEAR(b.residual[0] / a.residual[0], 1, 1e-10);
    EXPECT_NEAR(b.boundary_flux[0], a.boundary_flux[0], 1e-10);
  }
}

// With coarse grids in one kernel, in launches of their own, and some of both.
TEST_F(AerodynamicsOnGpu, CyclesAreThoseOfTheCpu) {
  for (const bool flat : {true, false}) {
    for (const int program_nodes : {-1, 0, 120}) {
      for (const int post : {1, 2}) {
        Method method = method_of(3, true);
        method.first_order_cycles = 2;
        method.ramp = 3;  // the cycles after it are recorded
        method.post = post;
        method.cycle = post == 1 ? aerodynamics::Cycle::v : aerodynamics::Cycle::w;
        method.program_nodes = program_nodes;
        const Case c(
            flat ? std::vector<std::int64_t>{32, 24} : std::vector<std::int64_t>{16, 13, 12},
            method);
        const auto cpu = c.run({}), gpu = c.run(queue_), again = c.run(queue_);
        for (FlowRun* run : {cpu.get(), gpu.get(), again.get()}) run->cycles(12);
        EXPECT_EQ(gpu->now().step, 12);
        EXPECT_EQ(gpu->now().events, cpu->now().events);
        EXPECT_GT(gpu->solver().levels(), 2);
        EXPECT_LT(difference(cpu->get(), gpu->get()), 1e-11)
            << flat << ", programs up to " << program_nodes << ", seed " << fresh_seed();
        EXPECT_EQ(difference(gpu->get(), again->get()), 0);
      }
    }
  }
}

// Sums of penalties before the right-hand side, on a grid too large for one launch: all forms of a
// stage, boundaries of many kinds, and blocks of lower order.
TEST_F(AerodynamicsOnGpu, CyclesOfLargeGridsAreThoseOfTheCpu) {
  using aerodynamics::SurfaceKind;
  mesh::Glider15 glider;
  glider.size = "720k";
  for (const int order : {1, 3}) {
    Method method = method_of(order, true);
    method.first_order_cycles = 1;
    method.grid_sequencing = false;
    method.ramp = 0;
    method.cfl = 0.2;
    method.levels = 2;
    method.cycle = aerodynamics::Cycle::v;
    method.post = 1;
    if (order == 1) method.coupling.wall = aerodynamics::WallPressure::exact;
    const Case c(mesh::split_to_complete_faces(mesh::make_glider15(glider)).mesh, method,
                 {condition_of("vehicle", SurfaceKind::slip_wall),
                  condition_of("base", SurfaceKind::inflow_total),
                  condition_of("symmetry", SurfaceKind::slip_wall),
                  condition_of("inflow", SurfaceKind::farfield),
                  condition_of("outflow", order == 1 ? SurfaceKind::outflow_pressure
                                                     : SurfaceKind::supersonic_outflow)});
    const auto cpu = c.run({}), gpu = c.run(queue_), again = c.run(queue_);
    EXPECT_LT(difference(cpu->by_block(cpu->solver().residual()),
                         gpu->by_block(gpu->solver().residual())),
              1e-12)
        << "order " << order << ", seed " << fresh_seed();
    for (FlowRun* run : {cpu.get(), gpu.get(), again.get()}) run->cycles(2);
    EXPECT_EQ(gpu->now().events, cpu->now().events);
    EXPECT_LT(difference(cpu->get(), gpu->get()), 1e-11)
        << "order " << order << ", seed " << fresh_seed();
    EXPECT_EQ(difference(gpu->get(), again->get()), 0);
  }
}

// The same of a step in time, and of single precision.
TEST_F(AerodynamicsOnGpu, StepsOfLargeGridsAreThoseOfTheCpu) {
  for (const Precision precision : {Precision::double_, Precision::single_}) {
    Method method = method_of(3, false);
    method.precision = precision;
    const Case c({40, 30, 33}, method);
    const auto cpu = c.run({}), gpu = c.run(queue_);
    for (FlowRun* run : {cpu.get(), gpu.get()}) run->cycles(2);
    EXPECT_LT(difference(cpu->get(), gpu->get()), precision == Precision::double_ ? 1e-12 : 1e-5);
  }
}

// Transfers that are damped where the sensor is on: it is made for them alone at order 1, and with
// the steps at order 3.
TEST_F(AerodynamicsOnGpu, DampedCyclesAreThoseOfTheCpu) {
  for (const int order : {1, 3}) {
    for (const std::vector<std::int64_t>& cells :
         {std::vector<std::int64_t>{32, 24}, {16, 13, 12}, {40, 33, 30}}) {
      Method method = method_of(order, true);
      method.cfl = 0.5;
      method.first_order_cycles = 1;
      method.shock_k2 = 2;
      method.density_sensor = true;
      method.transfer_damping = 2;
      const Case c(cells, method);
      const auto cpu = c.run({}), gpu = c.run(queue_), again = c.run(queue_);
      for (FlowRun* run : {cpu.get(), gpu.get(), again.get()}) run->cycles(5);
      EXPECT_LT(difference(cpu->get(), gpu->get()), 1e-11)
          << "order " << order << ", cells " << cells[0] << " x " << cells[1] << ", seed "
          << fresh_seed();
      EXPECT_EQ(difference(gpu->get(), again->get()), 0);
    }
  }
}

// A program whose grids are larger than its thread blocks.
TEST_F(AerodynamicsOnGpu, CyclesOfLargerProgramsAreThoseOfTheCpu) {
  Method method = method_of(1, true);
  method.first_order_cycles = 0;
  method.grid_sequencing = false;
  method.ramp = 2;
  const Case c({256, 128}, method);
  const auto cpu = c.run({}), gpu = c.run(queue_);
  for (FlowRun* run : {cpu.get(), gpu.get()}) run->cycles(5);
  EXPECT_LT(difference(cpu->get(), gpu->get()), 1e-11) << "seed " << fresh_seed();
}

TEST_F(AerodynamicsOnGpu, QuantitiesAreThoseOfTheCpu) {
  using aerodynamics::Quantity;
  Method method = method_of(1, false);
  method.scale = {1.4, 1.4, 1 / 1.4, 3.2, 1 / 2.8125, 1.1};
  const Case c({11, 9, 8}, method);
  const auto evaluate = [&](const Queue& queue, Quantity quantity, int components) {
    const auto run = c.run(queue);
    const std::int64_t nodes = run->solver().nodes();
    std::vector<double> values(static_cast<std::size_t>(nodes * components));
    const std::size_t bytes = values.size() * sizeof(double);
    memory::Buffer packed(memory::working_space(queue.backend), bytes);
    run->solver().evaluate(quantity, components, {{0, 0, 0}, {nodes, 1, 1}}, packed.start());
    copy_bytes(values.data(), packed.start(), bytes, queue);
    synchronize(queue);
    return values;
  };
  for (const Quantity quantity :
       {Quantity::density, Quantity::velocity, Quantity::pressure, Quantity::mach,
        Quantity::temperature, Quantity::entropy, Quantity::total_enthalpy, Quantity::cp}) {
    const int components = quantity == Quantity::velocity ? 3 : 1;
    const std::vector<double> a = evaluate({}, quantity, components);
    const std::vector<double> b = evaluate(queue_, quantity, components);
    double largest = 0, apart = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      largest = std::max(largest, std::abs(a[i]));
      const double d = std::abs(a[i] - b[i]);
      apart = max_or_nan(apart, d);
    }
    EXPECT_GT(largest, 0.1) << static_cast<int>(quantity);
    EXPECT_LT(apart, 1e-13 * largest) << static_cast<int>(quantity) << ", seed " << fresh_seed();
  }
}

TEST_F(AerodynamicsOnGpu, SinglePrecisionFollows) {
  for (const bool marches : {false, true}) {
    Method method = method_of(marches ? 1 : 3, false);
    method.precision = Precision::single_;
    if (marches) method.schedule = "march";
    const Case c({17, 13, 14}, method);
    const auto cpu = c.run({}), gpu = c.run(queue_);
    for (FlowRun* run : {cpu.get(), gpu.get()}) run->cycles(5);
    EXPECT_LT(difference(cpu->get(), gpu->get()), 1e-5) << marches;
  }
}

}  // namespace
