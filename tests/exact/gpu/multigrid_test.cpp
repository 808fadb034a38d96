// Multigrid on the GPU against the CPU: the same numbers to round-off after any number of cycles,
// by one kernel a step and by fused passes, and the same ends of an iteration. Skipped where no GPU
// answers.
#include "solve/multigrid/multigrid.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>

#include "exec/clock_access.hpp"
#include "support/poisson_case.hpp"

namespace watersmeet::solve {
namespace {

class GpuMultigrid : public testing::Test {
 protected:
  void SetUp() override {
    if (cuda_devices().empty()) GTEST_SKIP() << "no CUDA device";
    gpu = make_cuda_queue();
  }
  void TearDown() override { destroy_queue(gpu); }

  struct Result {
    std::vector<double> phi;
    PoissonRecord record;
    std::string description;
  };
  static Result solve_on(const Queue& queue, const PoissonProblem& p, const MultigridOptions& o,
                         const PoissonStop& stop, PoissonMethod method = PoissonMethod::mg,
                         double guess = 0, Precision precision = Precision::double_) {
    test::PoissonCase c(p, precision, queue);
    const std::vector<double> rhs = test::random_cells(p, 31);
    c.put(0, std::vector<double>(rhs.size(), guess));
    c.put(1, rhs);
    const auto solver = make_multigrid(p, method, c.place, o);
    solver->solve(c.fields, stop);
    const PoissonRecord record = solver->record();
    return {c.get(0), record, solver->describe()};
  }

  // phi after `cycles`, in double throughout.
  void expect_same_cycles(const PoissonProblem& p, MultigridOptions o, int cycles,
                          PoissonMethod method = PoissonMethod::mg) {
    o.cycles = Precision::double_;
    PoissonStop stop;
    stop.most_cycles = cycles;
    const Result cpu = solve_on(Queue{}, p, o, stop, method);
    const Result mine = solve_on(gpu, p, o, stop, method);
    SCOPED_TRACE(test::text_of(p) + mine.description);
    EXPECT_EQ(mine.record.cycles, cpu.record.cycles);
    EXPECT_NEAR(mine.record.residual, cpu.record.residual,
                1e-10 * cpu.record.residual + 1e-13 * cpu.record.first_residual);
    EXPECT_DOUBLE_EQ(mine.record.first_residual, cpu.record.first_residual);
    EXPECT_LE(test::largest_difference(mine.phi, cpu.phi), 1e-12 * test::largest(cpu.phi));
  }

  Queue gpu;
};

MultigridOptions schedule(bool fused, int half_sweeps, Sweeps sweeps = {}) {
  MultigridOptions o;
  o.fused = fused;
  o.half_sweeps = half_sweeps;
  o.sweeps = sweeps;
  return o;
}

std::vector<MultigridOptions> schedules() {
  return {schedule(false, 4),        schedule(true, 4),         schedule(true, 2),
          schedule(true, 4, {1, 1}), schedule(true, 4, {2, 1}), schedule(true, 2, {2, 1}),
          schedule(true, 4, {3, 2}), schedule(false, 4, {1, 2})};
}

TEST_F(GpuMultigrid, EveryCombinationOfSides) {
  for (int x = 0; x < 5; ++x)
    for (int y = 0; y < 5; ++y)
      for (int z = 0; z < 5; ++z) {
        // More cells than one thread block holds in double: passes and the small levels.
        const PoissonProblem p = test::uniform_problem({64, 40, 24}, {1, 1, 1}, {x, y, z});
        expect_same_cycles(p, schedule(true, 2), 3);
        if (x != y) continue;
        expect_same_cycles(p, schedule(true, 4), 3);
        expect_same_cycles(p, schedule(false, 4), 3);
      }
}

TEST_F(GpuMultigrid, EverySchedule) {
  for (const MultigridOptions& o : schedules()) {
    SCOPED_TRACE("V(" + std::to_string(o.sweeps.before) + "," + std::to_string(o.sweeps.after) +
                 ") fused " + std::to_string(o.fused) + " of " + std::to_string(o.half_sweeps));
    for (const int cycles : {1, 2, 3, 5}) {
      expect_same_cycles(test::uniform_problem({96, 64, 48}, {1, 1, 1}, {0, 1, 1}), o, cycles);
    }
    expect_same_cycles(test::uniform_problem({64, 64, 64}, {1, 1, 0.25}, {0, 0, 1}), o, 3);
    expect_same_cycles(test::uniform_problem({64, 96, 64}, {1, 1, 4}, {1, 2, 0}), o, 3);
  }
}

TEST_F(GpuMultigrid, OddThinFlatAndStretchedGrids) {
  const Index3 sizes[] = {{15, 9, 21},   {13, 8, 10},  {1, 64, 96},  {96, 1, 64}, {64, 96, 1},
                          {1, 1, 640},   {300, 1, 1},  {1, 257, 1},  {2, 2, 2},   {3, 64, 2},
                          {50, 66, 130}, {33, 64, 64}, {67, 34, 150}};
  for (const Index3& n : sizes) {
    for (const std::array<int, 3>& sides :
         {std::array<int, 3>{0, 0, 1}, {1, 1, 1}, {2, 4, 3}, {0, 0, 0}}) {
      const PoissonProblem p = test::uniform_problem(n, {1, 1, 1}, sides);
      expect_same_cycles(p, schedule(true, 4), 3);
      expect_same_cycles(p, schedule(false, 4), 3);
    }
  }
  for (int z = 1; z < 5; ++z) {
    PoissonProblem p = test::uniform_problem({48, 40, 40}, {1, 1, 1}, {0, 1, z});
    p.faces[2] = test::crowded_faces(40, 30, 2.0);
    expect_same_cycles(p, schedule(true, 4), 3);
    p.faces[1] = test::crowded_faces(40, 36, 0.8);
    p.faces[0] = test::crowded_faces(48, 48, 0.5);
    p.sides[0] = p.sides[1] = PoissonSide::neumann;
    expect_same_cycles(p, schedule(true, 4), 3);
  }
  PoissonProblem odd_ring = test::uniform_problem({45, 40, 40}, {1, 1, 1}, {0, 0, 1});
  odd_ring.faces[2] = test::crowded_faces(40, 30, 2.0);
  expect_same_cycles(odd_ring, schedule(true, 4), 3);
}

TEST_F(GpuMultigrid, ConjugateGradients) {
  for (const std::array<int, 3>& sides : {std::array<int, 3>{0, 0, 1}, {2, 1, 4}}) {
    const PoissonProblem p = test::uniform_problem({48, 32, 40}, {1, 1, 1}, sides);
    expect_same_cycles(p, {}, 4, PoissonMethod::mgcg);
  }
}

// In single precision the bits differ, the cycles do not.
TEST_F(GpuMultigrid, CyclesInSinglePrecision) {
  const PoissonProblem p = test::uniform_problem({128, 96, 64}, {1, 1, 1}, {0, 0, 1});
  PoissonStop stop;
  stop.limit = 1e-9;
  const Result cpu = solve_on(Queue{}, p, {}, stop);
  for (const MultigridOptions& o : {schedule(true, 4), schedule(true, 2), schedule(false, 4)}) {
    const Result mine = solve_on(gpu, p, o, stop);
    EXPECT_EQ(mine.record.end, PoissonEnd::converged);
    EXPECT_EQ(mine.record.cycles, cpu.record.cycles);
    EXPECT_NEAR(mine.record.residual, cpu.record.residual, 0.05 * cpu.record.residual);
    EXPECT_LE(test::largest_difference(mine.phi, cpu.phi), 1e-9 * test::largest(cpu.phi));
  }
  for (const Precision precision : {Precision::single_, Precision::double_}) {
    const Result floor = solve_on(gpu, p, {}, {}, PoissonMethod::mg, 0, precision);
    EXPECT_EQ(floor.record.end, PoissonEnd::floor) << floor.record.residual;
    EXPECT_LE(floor.record.cycles, 18);
  }
}

TEST_F(GpuMultigrid, EndsAsOnTheCpu) {
  const PoissonProblem p = test::uniform_problem({64, 48, 40}, {1, 1, 1}, {0, 1, 2});
  const Result good = solve_on(gpu, p, {}, {});
  EXPECT_EQ(good.record.end, PoissonEnd::floor);
  for (const double guess : {std::numeric_limits<double>::quiet_NaN(), 1e300}) {
    const Result a = solve_on(gpu, p, {}, {}, PoissonMethod::mg, guess);
    EXPECT_EQ(a.record.end, PoissonEnd::floor);
    EXPECT_LE(test::largest_difference(a.phi, good.phi), 1e-12 * test::largest(good.phi));
  }
  PoissonStop few;
  few.most_cycles = 3;
  EXPECT_EQ(solve_on(gpu, p, {}, few).record.end, PoissonEnd::most_cycles);
  EXPECT_EQ(solve_on(gpu, p, {}, few).record.cycles, 3);
}

// The graph is recorded once and used for registers that change places, for solves that do not
// happen, and again.
TEST_F(GpuMultigrid, OneGraphServesAllSolves) {
  const PoissonProblem p = test::uniform_problem({64, 64, 32}, {1, 1, 1}, {0, 0, 1});
  test::PoissonCase c(p, Precision::double_, gpu);
  const std::vector<double> rhs = test::random_cells(p, 2), other = test::random_cells(p, 3);
  c.put(1, rhs);
  const memory::Buffer clock_memory(MemorySpace::device, sizeof(exec::Clock));
  auto* const clock = clock_memory.as<exec::Clock>();
  const auto set_active = [&](int active) {
    exec::Clock value;
    value.active = active;
    exec::write_clock(clock, value, gpu);
  };
  c.fields.clock = clock;
  const auto solver = make_multigrid(p, PoissonMethod::mg, c.place);
  PoissonStop stop;
  stop.limit = 1e-10;
  set_active(0);
  c.put(0, other);
  solver->solve(c.fields, stop);
  EXPECT_EQ(c.get(0), other);
  set_active(1);
  c.put(0, std::vector<double>(rhs.size(), 0.0));
  solver->solve(c.fields, stop);
  const PoissonRecord first = solver->record();
  EXPECT_EQ(first.end, PoissonEnd::converged);
  EXPECT_LE(c.residual(), 1.01 * stop.limit);
  const std::vector<double> phi = c.get(0);
  // The same solve gives the same bits.
  c.put(0, std::vector<double>(rhs.size(), 0.0));
  solver->solve(c.fields, stop);
  EXPECT_EQ(c.get(0), phi);
  EXPECT_EQ(solver->record().residual, first.residual);
  // Solution and right-hand side in each other's memory.
  c.state.swap(0, 1);
  c.put(0, std::vector<double>(rhs.size(), 0.0));
  c.put(1, rhs);
  solver->solve(c.fields, stop);
  EXPECT_EQ(c.get(0), phi);
  // From its own answer nothing is left to do.
  solver->solve(c.fields, stop);
  EXPECT_EQ(solver->record().cycles, 0);
  // Except for the mean, which is subtracted again: its own is a rounding.
  const std::vector<double> again = c.get(0);
  for (std::size_t i = 0; i < phi.size(); ++i) ASSERT_NEAR(again[i], phi[i], 1e-15);
}

// A solve that is told to begin with 0 reads no guess, and gives the same bits as one that is given
// zeros; where nothing is left to do it writes the zeros.
TEST_F(GpuMultigrid, FromZero) {
  for (const std::array<int, 3>& sides : {std::array<int, 3>{0, 0, 1}, {2, 1, 4}}) {
    const PoissonProblem p = test::uniform_problem({96, 64, 48}, {1, 1, 1}, sides);
    for (const bool fused : {true, false}) {
      test::PoissonCase c(p, Precision::double_, gpu);
      const std::vector<double> rhs = test::random_cells(p, 6);
      const std::vector<double> none(rhs.size(), std::numeric_limits<double>::quiet_NaN());
      c.put(1, rhs);
      const auto solver = make_multigrid(p, PoissonMethod::mg, c.place, schedule(fused, 4, {1, 2}));
      c.put(0, std::vector<double>(rhs.size(), 0.0));
      solver->solve(c.fields, {1e-10, 60});
      const std::vector<double> phi = c.get(0);
      const PoissonRecord given = solver->record();
      c.fields.from_zero = true;
      c.put(0, none);
      solver->solve(c.fields, {1e-10, 60});
      EXPECT_EQ(c.get(0), phi);
      EXPECT_EQ(solver->record().cycles, given.cycles);
      EXPECT_EQ(solver->record().first_residual, given.first_residual);
      EXPECT_EQ(solver->record().residual, given.residual);
      c.put(0, none);
      solver->solve(c.fields, {2, 60});
      EXPECT_EQ(solver->record().cycles, 0);
      EXPECT_EQ(c.get(0), std::vector<double>(rhs.size(), 0.0));
      c.put(0, none);
      solver->solve(c.fields, {0, 60});
      EXPECT_EQ(solver->record().end, PoissonEnd::floor);
    }
  }
}

// Sizes of turbulent convection. Times are printed for whoever tunes the passes; they decide
// nothing.
TEST_F(GpuMultigrid, SolvesOfTurbulentConvection) {
  for (const Index3& n : {Index3{64, 64, 32}, {128, 128, 64}, {256, 256, 128}, {384, 384, 192}}) {
    const PoissonProblem p = test::uniform_problem(n, {1, 1, 1}, {0, 0, 1});
    test::PoissonCase c(p, Precision::double_, gpu);
    const std::vector<double> rhs = test::random_cells(p, 4), zero(rhs.size(), 0.0);
    c.put(1, rhs);
    for (const int inner : {1, 2, 3}) {
      for (MultigridOptions o :
           {schedule(true, 4), schedule(true, 2), schedule(true, 4, {1, 1}), schedule(false, 4)}) {
        o.most_inner = inner;
        for (const Precision cycles : {Precision::single_, Precision::double_}) {
          o.cycles = cycles;
          if (!o.fused && (inner != 2 || cycles == Precision::double_)) continue;
          const auto solver = make_multigrid(p, PoissonMethod::mg, c.place, o);
          PoissonStop stop;
          stop.limit = 1e-10 * test::largest(rhs);
          double least = 1e9;
          PoissonRecord record;
          for (int repeat = 0; repeat < 5; ++repeat) {
            c.put(0, zero);
            synchronize(gpu);
            const auto begin = std::chrono::steady_clock::now();
            solver->solve(c.fields, stop);
            record = solver->record();
            const auto end = std::chrono::steady_clock::now();
            least = std::min(least, std::chrono::duration<double, std::milli>(end - begin).count());
          }
          EXPECT_EQ(record.end, PoissonEnd::converged);
          // Ten digits: 8.2 cycles at 0.06, 10.2 of V(1,1) at 0.105.
          EXPECT_LE(record.cycles, o.sweeps.before == 1 ? 12 : 9);
          std::printf("%4d^2 x %3d V(%d,%d) %s %s, %d a residual: %d cycles, %.3f ms\n", int(n[0]),
                      int(n[2]), o.sweeps.before, o.sweeps.after,
                      cycles == Precision::single_ ? "single" : "double",
                      o.fused ? (o.half_sweeps == 4 ? "fused 4" : "fused 2") : "plain", inner,
                      record.cycles, least);
        }
      }
    }
    EXPECT_LE(c.residual(), 1.01e-10 * test::largest(rhs));
  }
}

}  // namespace
}  // namespace watersmeet::solve
