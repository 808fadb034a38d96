// Direct Poisson solvers on the GPU against the CPU: every combination of sides, awkward sizes, all
// kernels of the columns, padded layouts, guarded steps, and slabs whose ranks share the GPU.
#include <gtest/gtest.h>

#include <random>

#include "support/poisson_slabs.hpp"
#include "support/thread_team.hpp"

namespace watersmeet {
namespace {

using solve::PoissonMethod;
using test::PoissonCase;
using test::PoissonProblem;

class GpuPoisson : public testing::Test {
 protected:
  void SetUp() override {
    if (cuda_devices().empty()) GTEST_SKIP() << "no CUDA device";
    queue = make_cuda_queue();
  }
  void TearDown() override { destroy_queue(queue); }

  // Largest difference of CPU and GPU over the largest phi; the residual on the GPU is judged too.
  double difference(const PoissonProblem& problem, PoissonMethod method,
                    Precision precision = Precision::double_) const {
    PoissonCase host(problem, precision, Queue{}), device(problem, precision, queue);
    const std::vector<double> rhs = test::random_cells(problem, 11);
    host.put(host.fields.rhs, rhs);
    device.put(device.fields.rhs, rhs);
    device.put(device.fields.solution, std::vector<double>(rhs.size(), 77));
    const std::vector<double> expected = host.solve(method), found = device.solve(method);
    EXPECT_EQ(device.get(device.fields.rhs), host.get(host.fields.rhs));
    // What the CPU leaves is round-off; the GPU may leave four times that, or some units of the
    // last place where the CPU left none.
    const double unit = precision == Precision::double_ ? 1e-15 : 1e-6;
    EXPECT_LE(device.residual(), 4 * (host.residual() + unit * test::largest(rhs)));
    const double largest = test::largest(expected);
    return test::largest_difference(found, expected) / (largest > 0 ? largest : 1);
  }

  Queue queue;
};

template <class F>
void for_all_sides(const F& f) {
  for (int x = 0; x < 5; ++x)
    for (int y = 0; y < 5; ++y)
      for (int z = 0; z < 5; ++z) f(std::array<int, 3>{x, y, z});
}

TEST_F(GpuPoisson, HasTheAnswersOfTheCpuForAllSides) {
  for_all_sides([&](const std::array<int, 3>& pairs) {
    for (const Index3& cells : {Index3{18, 7, 11}, Index3{33, 40, 20}}) {
      PoissonProblem problem = test::uniform_problem(cells, {0.3, 0.25, 0.5}, pairs);
      for (const bool stretched : {false, true}) {
        if (stretched) problem.faces[2] = test::crowded_faces(cells[2], 3.0, 1.5);
        SCOPED_TRACE(test::text_of(problem));
        EXPECT_LE(difference(problem, PoissonMethod::fft), 1e-12);
      }
    }
  });
}

TEST_F(GpuPoisson, FlatAndTinyAxes) {
  for_all_sides([&](const std::array<int, 3>& pairs) {
    for (const Index3& cells :
         {Index3{1, 6, 7}, Index3{50, 1, 9}, Index3{6, 4, 1}, Index3{1, 1, 12}, Index3{1, 9, 1},
          Index3{7, 1, 1}, Index3{1, 1, 1}, Index3{2, 2, 2}, Index3{3, 2, 5}}) {
      const PoissonProblem problem = test::uniform_problem(cells, {0.3, 0.25, 0.5}, pairs);
      SCOPED_TRACE(test::text_of(problem));
      EXPECT_LE(difference(problem, PoissonMethod::fft), 1e-12);
    }
  });
}

// Every radix, primes, lines of several blocks' worth, and lines so long that a block takes one
// pair.
TEST_F(GpuPoisson, LinesOfAnyLength) {
  for (int pair = 0; pair < 5; ++pair) {
    for (const std::int64_t n : {5, 12, 16, 30, 64, 77, 96, 100, 101, 128, 384, 512, 1023, 2048}) {
      for (const bool along_x : {true, false}) {
        const Index3 cells = along_x ? Index3{n, 3, 4} : Index3{21, n, 2};
        const PoissonProblem problem = test::uniform_problem(
            cells, {0.3, 0.25, 0.5}, {along_x ? pair : 0, along_x ? 1 : pair, 1});
        SCOPED_TRACE(test::text_of(problem));
        EXPECT_LE(difference(problem, PoissonMethod::fft), 1e-12);
      }
    }
  }
}

// Sections of 4, 8 and 16 cells, few and many of them, and columns that are marched.
TEST_F(GpuPoisson, ColumnsOfAnyLength) {
  for (int z = 0; z < 5; ++z) {
    for (const std::int64_t n : {2,   3,   4,   5,   17,  32,  48,   49,   63,   64,
                                 127, 129, 192, 255, 400, 601, 1000, 1024, 1025, 1500}) {
      const PoissonProblem problem =
          test::uniform_problem({19, 3, n}, {0.3, 0.25, 0.05}, {0, 1, z});
      SCOPED_TRACE(test::text_of(problem));
      EXPECT_LE(difference(problem, PoissonMethod::fft), 1e-12);
      EXPECT_LE(difference(problem, PoissonMethod::fft, Precision::single_), 1e-4);
    }
  }
}

// Grids so large that x and y are transformed plane by plane in one launch; sizes whose last groups
// of lines are incomplete.
TEST_F(GpuPoisson, PlaneByPlane) {
  for (const auto& pairs : std::vector<std::array<int, 3>>{{0, 0, 1}, {1, 2, 0}, {3, 4, 1}}) {
    const PoissonProblem problem = test::uniform_problem({250, 135, 126}, {0.3, 0.25, 0.5}, pairs);
    SCOPED_TRACE(test::text_of(problem));
    EXPECT_LE(difference(problem, PoissonMethod::fft), 1e-12);
    EXPECT_LE(difference(problem, PoissonMethod::fft, Precision::single_), 1e-5);
  }
}

// The divergence of a velocity, made on the way into the solver, against the same as a right-hand
// side.
TEST_F(GpuPoisson, TakesTheFacesOfAVelocity) {
  const PoissonProblem problem =
      test::uniform_problem({250, 135, 126}, {0.3, 0.25, 0.5}, {0, 1, 1});
  PoissonCase c(problem, Precision::double_, queue);
  memory::State velocity({{problem.cells, {1, 1, 1}}}, 3, 1, Precision::double_, queue);
  const BlockLayout& layout = velocity.layout(0);
  std::vector<double> values(velocity.register_bytes() / sizeof(double));
  std::mt19937_64 bits(17);
  std::uniform_real_distribution<double> number(-1, 1);
  for (double& v : values) v = number(bits);
  copy_bytes(velocity.start(0), values.data(), velocity.register_bytes(), queue);
  const double inverse[3] = {1 / 0.3, 1 / 0.25, 1 / 0.5};
  std::vector<double> rhs;
  for (std::int64_t k = 0; k < problem.cells[2]; ++k) {
    for (std::int64_t j = 0; j < problem.cells[1]; ++j) {
      for (std::int64_t i = 0; i < problem.cells[0]; ++i) {
        double sum = 0;
        for (int a = 0; a < 3; ++a) {
          const double* const face =
              values.data() + layout.first + a * layout.stride_var + layout.at(i, j, k);
          sum += (face[layout.stride[a]] - face[0]) * inverse[a];
        }
        rhs.push_back(sum);
      }
    }
  }
  c.put(c.fields.rhs, rhs);
  const auto solver = solve::make_poisson_solver(problem, PoissonMethod::fft, c.place);
  solver->solve(c.fields, {});
  solver->record();
  const std::vector<double> expected = c.get(c.fields.solution);

  const std::vector<double> widths(static_cast<std::size_t>(problem.cells[2]), inverse[2]);
  const memory::Buffer table(MemorySpace::device, widths.size() * sizeof(double));
  copy_bytes(table.start(), widths.data(), table.bytes(), queue);
  solve::FaceField faces;
  for (int a = 0; a < 3; ++a) {
    faces.component[a] =
        static_cast<const double*>(velocity.start(0)) + layout.first + a * layout.stride_var;
  }
  faces.stride_j = layout.stride[1];
  faces.stride_k = layout.stride[2];
  faces.inverse_x = inverse[0];
  faces.inverse_y = inverse[1];
  faces.inverse_width_z = table.start();
  c.fields.faces = &faces;
  ASSERT_TRUE(solver->takes_faces());
  c.put(c.fields.rhs, std::vector<double>(rhs.size(), 9));
  c.put(c.fields.solution, std::vector<double>(rhs.size(), 9));
  solver->solve(c.fields, {});
  solver->record();
  const std::vector<double> found = c.get(c.fields.solution);
  EXPECT_LE(test::largest_difference(found, expected), 1e-12 * test::largest(expected));
}

TEST_F(GpuPoisson, DenseTransforms) {
  for_all_sides([&](const std::array<int, 3>& pairs) {
    for (const Index3& cells :
         {Index3{18, 7, 11}, Index3{1, 9, 4}, Index3{20, 1, 5}, Index3{6, 5, 1}}) {
      for (const int stretched : {0, 1, 2, 7}) {
        PoissonProblem problem = test::uniform_problem(cells, {0.3, 0.25, 0.5}, pairs);
        for (std::size_t a = 0; a < 3; ++a) {
          if (stretched & (1 << a)) problem.faces[a] = test::crowded_faces(cells[a], 3.0, 1.2);
        }
        SCOPED_TRACE(test::text_of(problem));
        EXPECT_LE(difference(problem, PoissonMethod::gemm), 1e-12);
      }
    }
  });
}

TEST_F(GpuPoisson, SinglePrecision) {
  for_all_sides([&](const std::array<int, 3>& pairs) {
    PoissonProblem problem = test::uniform_problem({40, 15, 12}, {0.3, 0.25, 0.5}, pairs);
    problem.faces[2] = test::crowded_faces(12, 6.0, 1.0);
    SCOPED_TRACE(test::text_of(problem));
    EXPECT_LE(difference(problem, PoissonMethod::fft, Precision::single_), 3e-6);
    problem.faces[0] = test::crowded_faces(40, 6.0, 1.0);
    EXPECT_LE(difference(problem, PoissonMethod::gemm, Precision::single_), 3e-6);
  });
}

// The grid of a step: the solver is made once and used again, with and without a clock.
TEST_F(GpuPoisson, AnInactiveClockKeepsTheSolution) {
  for (const PoissonMethod method : {PoissonMethod::fft, PoissonMethod::gemm}) {
    const PoissonProblem problem = test::uniform_problem({48, 40, 24}, {1, 1, 1}, {0, 0, 1});
    PoissonCase c(problem, Precision::double_, queue);
    c.put(c.fields.rhs, test::random_cells(problem, 3));
    const auto solver = solve::make_poisson_solver(problem, method, c.place);
    solver->solve(c.fields, {});
    solver->record();
    const std::vector<double> phi = c.get(c.fields.solution);
    const std::vector<double> before(c.size(), 0.5);
    c.put(c.fields.solution, before);
    exec::Clock clock;
    const memory::Buffer on_device(MemorySpace::device, sizeof clock);
    c.fields.clock = on_device.as<exec::Clock>();
    for (const int active : {0, 1}) {
      clock.active = active;
      copy_bytes(on_device.start(), &clock, sizeof clock, queue);
      solver->solve(c.fields, {});
      solver->record();
      EXPECT_EQ(c.get(c.fields.solution), active ? phi : before);
    }
  }
}

TEST_F(GpuPoisson, SlabsThatShareTheGpu) {
  for (int z = 0; z < 5; ++z) {
    for (const int y : {1, 2}) {
      for (const auto& first : std::vector<std::vector<std::int64_t>>{{0, 9}, {0, 1, 22}}) {
        const PoissonProblem problem =
            test::uniform_problem({18, 7, 23}, {0.3, 0.25, 0.5}, {0, y, z});
        SCOPED_TRACE(test::text_of(problem));
        test::ThreadTeam::run(static_cast<int>(first.size()), [&](comm::Communicator& ranks) {
          select_cuda_device(0);
          Queue mine = make_cuda_queue();
          auto team = std::make_unique<comm::Team>(
              ranks, comm::make_message_transport(ranks, Backend::cuda, false), mine,
              comm::Overlap::off);
          const test::SlabJudgement j = test::judge_slabs(
              problem, PoissonMethod::fft, Precision::double_, first, std::move(team), mine);
          EXPECT_LE(j.difference, 1e-12);
          EXPECT_LE(j.residual, 1e-12);
          destroy_queue(mine);
        });
      }
    }
  }
}

}  // namespace
}  // namespace watersmeet
