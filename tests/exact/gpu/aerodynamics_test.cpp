// Compressible flow on curvilinear blocks on a GPU: the loops of the CPU in the same order, so that
// only reciprocals differ, by units in the last place; and a GPU repeats itself to the last bit.
// Skipped where no GPU answers (continuous integration has none).
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/device.hpp"
#include "mesh/generators/wavybox.hpp"
#include "support/flow_case.hpp"

using namespace watersmeet;
using aerodynamics::Condition;
using aerodynamics::Method;
using test::FlowRun;
using test::Values;

namespace {

const aerodynamics::Flow<double> stream{1, {{0.55, 0.2, 0.1}}, 1 / 1.4};

unsigned fresh_seed() {
  static const unsigned seed = std::random_device{}();
  return seed;
}

// Blocks of cells.size() dimensions; noise on a uniform flow.
struct Case {
  std::vector<std::int64_t> cells;
  Method method;
  mesh::MultiBlockMesh mesh;
  std::vector<Values> w;

  Case(const std::vector<std::int64_t>& wanted, const Method& m) : cells(wanted), method(m) {
    mesh::WavyBox box;
    box.cells = cells;
    box.blocks.assign(cells.size(), 2);
    mesh = mesh::make_wavybox(box);
    std::mt19937 generator(fresh_seed());
    std::uniform_real_distribution<double> noise(-0.1, 0.1);
    for (const auto& block : mesh.blocks) {
      w.emplace_back();
      for (std::int64_t i = 0; i < block.count(); ++i) {
        aerodynamics::Flow<double> f = stream;
        f.rho *= 1 + noise(generator);
        f.p *= 1 + noise(generator);
        for (int a = 0; a < (cells.size() == 2 ? 2 : 3); ++a) f.u[a] += noise(generator);
        w.back().push_back(aerodynamics::state_of(f, method.gas));
      }
    }
  }

  std::unique_ptr<FlowRun> run(const Queue& queue) const {
    Condition outer;
    outer.patch = "outer";
    outer.kind = aerodynamics::SurfaceKind::farfield;
    outer.stream = stream;
    auto made =
        std::make_unique<FlowRun>(mesh, method, std::vector<Condition>{outer}, stream, queue);
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
        apart = d <= apart ? apart : d;
      }
    }
    worst = std::max(worst, apart / largest);
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
      for (const int variant : {0, 1, 2, 3, 4}) {
        Method method = method_of(order, false);
        method.schedule = variant == 3 ? "direct" : "auto";
        if (variant == 1) {
          method.dissipation = aerodynamics::Dissipation::matrix;
          method.shock_k2 = 1;
          method.density_sensor = true;
        }
        method.entropy_conservative = variant == 2;
        if (variant == 4) method.shock_k2 = 2;
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

TEST_F(AerodynamicsOnGpu, CyclesAreThoseOfTheCpu) {
  for (const bool flat : {true, false}) {
    Method method = method_of(3, true);
    method.first_order_cycles = 2;
    const Case c(flat ? std::vector<std::int64_t>{32, 24} : std::vector<std::int64_t>{16, 13, 12},
                 method);
    const auto cpu = c.run({}), gpu = c.run(queue_), again = c.run(queue_);
    for (FlowRun* run : {cpu.get(), gpu.get(), again.get()}) run->cycles(8);
    EXPECT_EQ(gpu->now().step, 8);
    EXPECT_GT(gpu->solver().levels(), 2);
    EXPECT_LT(difference(cpu->get(), gpu->get()), 1e-11);
    EXPECT_EQ(difference(gpu->get(), again->get()), 0);
  }
}

TEST_F(AerodynamicsOnGpu, SinglePrecisionFollows) {
  Method method = method_of(3, false);
  method.precision = Precision::single_;
  const Case c({17, 13, 14}, method);
  const auto cpu = c.run({}), gpu = c.run(queue_);
  for (FlowRun* run : {cpu.get(), gpu.get()}) run->cycles(5);
  EXPECT_LT(difference(cpu->get(), gpu->get()), 1e-5);
}

}  // namespace
