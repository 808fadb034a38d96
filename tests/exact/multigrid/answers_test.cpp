// Multigrid against the direct solvers: the same answer for every combination of sides, whatever
// the sizes and the stretching, and the ends of an iteration.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "solve/multigrid/multigrid.hpp"
#include "support/poisson_case.hpp"

namespace watersmeet::solve {
namespace {

struct Answer {
  std::vector<double> phi;
  PoissonRecord record;
  std::string description;
};

Answer solve_by(const PoissonProblem& p, PoissonMethod method, const std::vector<double>& rhs,
                const MultigridOptions& options = {}, double limit = 0, int threads = 1,
                Precision precision = Precision::double_, double guess = 0) {
  Queue queue;
  queue.threads = threads;
  test::PoissonCase c(p, precision, queue);
  c.put(0, std::vector<double>(rhs.size(), guess));
  c.put(1, rhs);
  const auto solver = method >= PoissonMethod::mg ? make_multigrid(p, method, c.place, options)
                                                  : make_poisson_solver(p, method, c.place);
  solver->solve(c.fields, {limit, 60});
  return {c.get(0), solver->record(), solver->describe()};
}

PoissonMethod direct_for(const PoissonProblem& p) {
  return refusal(p, PoissonMethod::fft).empty() ? PoissonMethod::fft : PoissonMethod::gemm;
}

// Both to round-off: relative to the largest phi.
void expect_same(const PoissonProblem& p, PoissonMethod method) {
  SCOPED_TRACE(test::text_of(p));
  const std::vector<double> rhs = test::random_cells(p, 17);
  const Answer direct = solve_by(p, direct_for(p), rhs);
  const Answer mine = solve_by(p, method, rhs);
  SCOPED_TRACE(mine.description);
  EXPECT_LE(test::largest_difference(mine.phi, direct.phi), 1e-10 * test::largest(direct.phi));
  EXPECT_EQ(mine.record.end, PoissonEnd::floor) << mine.record.residual;
}

TEST(MultigridAnswers, EveryCombinationOfSides) {
  for (int x = 0; x < 5; ++x)
    for (int y = 0; y < 5; ++y)
      for (int z = 0; z < 5; ++z) {
        expect_same(test::uniform_problem({16, 12, 20}, {0.3, 0.25, 0.2}, {x, y, z}),
                    PoissonMethod::mg);
      }
}

TEST(MultigridAnswers, ConjugateGradientsWithEveryKindOfSide) {
  for (int s = 0; s < 5; ++s) {
    expect_same(test::uniform_problem({16, 24, 8}, {1, 1, 1}, {s, (s + 2) % 5, (s + 3) % 5}),
                PoissonMethod::mgcg);
  }
}

TEST(MultigridAnswers, OddPrimeThinAndFlatGrids) {
  const Index3 sizes[] = {{15, 9, 21}, {13, 8, 10},  {1, 16, 24}, {24, 1, 16}, {16, 24, 1},
                          {1, 1, 64},  {300, 1, 1},  {1, 257, 1}, {2, 2, 2},   {3, 64, 2},
                          {50, 18, 6}, {34, 34, 14}, {2, 1, 96}};
  for (const Index3& n : sizes) {
    for (const std::array<int, 3>& sides :
         {std::array<int, 3>{0, 0, 1}, {0, 0, 0}, {1, 1, 1}, {2, 4, 3}, {1, 2, 0}}) {
      expect_same(test::uniform_problem(n, {0.5, 0.5, 0.5}, sides), PoissonMethod::mg);
    }
  }
}

TEST(MultigridAnswers, FlatAndTallCells) {
  for (const double height : {1.0 / 16, 0.25, 4.0, 16.0}) {
    expect_same(test::uniform_problem({32, 16, 16}, {1, 1, height}, {0, 1, 1}), PoissonMethod::mg);
  }
}

TEST(MultigridAnswers, StretchedAxes) {
  for (int z = 1; z < 5; ++z) {
    PoissonProblem p = test::uniform_problem({16, 24, 20}, {1, 1, 1}, {0, 1, z});
    p.faces[2] = test::crowded_faces(20, 13, 2.0);
    expect_same(p, PoissonMethod::mg);
    p.faces[1] = test::crowded_faces(24, 20, 0.8);
    p.faces[0] = test::crowded_faces(16, 16, 0.5);
    expect_same(p, PoissonMethod::mg);
    expect_same(p, PoissonMethod::mgcg);
  }
  // Odd periodic sizes beside stretched z: damped lines.
  PoissonProblem p = test::uniform_problem({15, 8, 12}, {1, 1, 1}, {0, 0, 1});
  p.faces[2] = test::crowded_faces(12, 9, 1.5);
  expect_same(p, PoissonMethod::mg);
  // A long odd axis that only lines can serve.
  expect_same(test::uniform_problem({64, 64, 25}, {1, 1, 1}, {0, 1, 2}), PoissonMethod::mg);
}

TEST(MultigridAnswers, OddPeriodicSizesAreAnnounced) {
  const PoissonProblem p = test::uniform_problem({27, 64, 64}, {1, 1, 1}, {0, 0, 1});
  const Answer a = solve_by(p, PoissonMethod::mg, test::random_cells(p, 1));
  EXPECT_NE(a.description.find("damped Jacobi (odd periodic size)"), std::string::npos)
      << a.description;
}

TEST(MultigridAnswers, TheMeanOfARightHandSideIsTakenOff) {
  const PoissonProblem p = test::uniform_problem({16, 16, 16}, {1, 1, 1}, {0, 1, 1});
  std::vector<double> rhs = test::random_cells(p, 8);
  const Answer compatible = solve_by(p, PoissonMethod::mg, rhs);
  for (double& r : rhs) r += 3;
  const Answer shifted = solve_by(p, PoissonMethod::mg, rhs);
  EXPECT_EQ(shifted.record.end, PoissonEnd::floor);
  EXPECT_LE(test::largest_difference(compatible.phi, shifted.phi),
            1e-12 * test::largest(compatible.phi));
  double sum = 0;
  for (const double v : shifted.phi) sum += v;
  EXPECT_LE(std::fabs(sum) / static_cast<double>(shifted.phi.size()),
            1e-15 * test::largest(shifted.phi));
}

TEST(MultigridAnswers, LimitReachedAndNotExceeded) {
  const PoissonProblem p = test::uniform_problem({32, 32, 16}, {1, 1, 1}, {0, 0, 1});
  const std::vector<double> rhs = test::random_cells(p, 4);
  for (const PoissonMethod method : {PoissonMethod::mg, PoissonMethod::mgcg}) {
    test::PoissonCase c(p, Precision::double_, Queue{});
    c.put(1, rhs);
    const auto solver = make_multigrid(p, method, c.place);
    solver->solve(c.fields, {1e-6, 60});
    const PoissonRecord first = solver->record();
    EXPECT_EQ(first.end, PoissonEnd::converged);
    EXPECT_LE(first.residual, 1e-6);
    EXPECT_NEAR(first.residual, c.residual(), 1e-12);
    EXPECT_DOUBLE_EQ(first.first_residual, test::largest(rhs));
    // From its own answer nothing is left to do.
    solver->solve(c.fields, {1e-6, 60});
    EXPECT_EQ(solver->record().cycles, 0);
    EXPECT_EQ(solver->record().end, PoissonEnd::converged);
    solver->solve(c.fields, {1e-30, 3});
    EXPECT_LE(solver->record().cycles, 3);
    EXPECT_EQ(solver->record().end, PoissonEnd::most_cycles);
  }
}

// A limit below round-off ends at the floor, within the cycles that lead there and two more.
TEST(MultigridAnswers, FloorIsFoundInBothPrecisions) {
  const PoissonProblem p = test::uniform_problem({32, 32, 32}, {1, 1, 1}, {1, 1, 1});
  const std::vector<double> rhs = test::random_cells(p, 9);
  const Answer fine = solve_by(p, PoissonMethod::mg, rhs);
  EXPECT_EQ(fine.record.end, PoissonEnd::floor);
  EXPECT_LE(fine.record.cycles, 16);
  EXPECT_LE(fine.record.residual, 1e-13);
  const Answer coarse = solve_by(p, PoissonMethod::mg, rhs, {}, 0, 1, Precision::single_);
  EXPECT_EQ(coarse.record.end, PoissonEnd::floor);
  EXPECT_LE(coarse.record.cycles, 10);
  EXPECT_LE(coarse.record.residual, 1e-4);
}

// A guess that is no number, or that no cycle can repair: once more, from zero.
TEST(MultigridAnswers, AHopelessGuessIsDropped) {
  const PoissonProblem p = test::uniform_problem({16, 16, 16}, {1, 1, 1}, {0, 1, 2});
  const std::vector<double> rhs = test::random_cells(p, 2);
  const Answer good = solve_by(p, PoissonMethod::mg, rhs);
  for (const double guess : {std::numeric_limits<double>::quiet_NaN(), 1e300}) {
    const Answer a = solve_by(p, PoissonMethod::mg, rhs, {}, 0, 1, Precision::double_, guess);
    EXPECT_EQ(a.record.end, PoissonEnd::floor);
    EXPECT_LE(test::largest_difference(a.phi, good.phi), 1e-12 * test::largest(good.phi));
  }
  // A right-hand side that is no number ends in a stall, not in a loop.
  std::vector<double> broken = rhs;
  broken[7] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(solve_by(p, PoissonMethod::mg, broken).record.end, PoissonEnd::stalled);
  EXPECT_EQ(solve_by(p, PoissonMethod::mgcg, broken).record.end, PoissonEnd::stalled);
}

TEST(MultigridAnswers, NothingIsLeftOfAnyScale) {
  const PoissonProblem p = test::uniform_problem({16, 16, 16}, {1e-3, 1e-3, 1e-3}, {0, 1, 1});
  const std::vector<double> rhs = test::random_cells(p, 6);
  const Answer one = solve_by(p, PoissonMethod::mg, rhs);
  for (const double scale : {1e-200, 1e-30, 1e30, 1e200}) {
    std::vector<double> scaled = rhs;
    for (double& v : scaled) v *= scale;
    Answer a = solve_by(p, PoissonMethod::mg, scaled);
    EXPECT_EQ(a.record.end, PoissonEnd::floor);
    for (double& v : a.phi) v /= scale;
    EXPECT_LE(test::largest_difference(a.phi, one.phi), 1e-11 * test::largest(one.phi)) << scale;
  }
  const Answer none = solve_by(p, PoissonMethod::mg, std::vector<double>(rhs.size(), 0.0));
  EXPECT_EQ(none.record.end, PoissonEnd::converged);
  EXPECT_EQ(test::largest(none.phi), 0.0);
}

TEST(MultigridAnswers, SameBitsOnAnyNumberOfThreads) {
  PoissonProblem p = test::uniform_problem({48, 40, 24}, {1, 1, 1}, {0, 1, 1});
  for (const bool lines : {false, true}) {
    if (lines) p.faces[2] = test::crowded_faces(24, 20, 2.0);
    const std::vector<double> rhs = test::random_cells(p, 12);
    for (const PoissonMethod method : {PoissonMethod::mg, PoissonMethod::mgcg}) {
      const Answer one = solve_by(p, method, rhs, {}, 1e-9);
      for (const int threads : {2, 3}) {
        EXPECT_EQ(solve_by(p, method, rhs, {}, 1e-9, threads).phi, one.phi);
      }
    }
  }
}

TEST(MultigridAnswers, AStepThatDoesNotHappenLeavesAll) {
  const PoissonProblem p = test::uniform_problem({16, 16, 16}, {1, 1, 1}, {0, 1, 2});
  test::PoissonCase c(p, Precision::double_, Queue{});
  c.put(0, test::random_cells(p, 1));
  c.put(1, test::random_cells(p, 2));
  const std::vector<double> before = c.get(0);
  exec::Clock clock;
  c.fields.clock = &clock;
  for (const PoissonMethod method : {PoissonMethod::mg, PoissonMethod::mgcg}) {
    const auto solver = make_multigrid(p, method, c.place);
    solver->solve(c.fields, {});
    EXPECT_EQ(c.get(0), before);
  }
  clock.active = 1;
  make_multigrid(p, PoissonMethod::mg, c.place)->solve(c.fields, {});
  EXPECT_NE(c.get(0), before);
}

TEST(MultigridAnswers, WhatCannotBeHalvedIsRefused) {
  const PoissonProblem p = test::uniform_problem({4, 2 * 2053, 8}, {1, 1, 1}, {0, 1, 1});
  EXPECT_EQ(
      refusal(p, PoissonMethod::mg),
      "mg halves the number of cells along an axis while it is even: 4106 along y end at 2053, "
      "and the coarsest level may have 2048; choose a size with more factors of 2");
  EXPECT_EQ(
      refusal(test::uniform_problem({4, 8192, 2047}, {1, 1, 1}, {0, 1, 1}), PoissonMethod::mgcg),
      "");
}

TEST(MultigridAnswers, BytesAreThoseOfTheLevels) {
  const PoissonProblem p = test::uniform_problem({128, 128, 128}, {1, 1, 1}, {0, 0, 1});
  const double cells = 128.0 * 128 * 128;
  // Two arrays in single precision on all levels. A row of 128 cells lies on 192, one of 64 on 128:
  // ghosts and whole lines; with ghost rows that is a factor 1.6 and, an eighth of it, 2.1.
  const auto mg = static_cast<double>(
      multigrid_bytes(p, PoissonMethod::mg, p.cells, Precision::double_, Backend::cpu));
  EXPECT_GE(mg, 8 * cells * 8 / 7);
  EXPECT_LE(mg, 8 * cells * (1.6 + 2.1 / 8 * 1.5));
  const auto mgcg = static_cast<double>(
      multigrid_bytes(p, PoissonMethod::mgcg, p.cells, Precision::double_, Backend::cpu));
  EXPECT_GE(mgcg - mg, 24 * cells);
}

// What is told to begin with 0 reads no guess.
TEST(MultigridAnswers, FromZero) {
  for (const PoissonMethod method : {PoissonMethod::mg, PoissonMethod::mgcg}) {
    const PoissonProblem p = test::uniform_problem({32, 16, 24}, {1, 1, 1}, {0, 0, 1});
    test::PoissonCase c(p, Precision::double_, Queue{});
    const std::vector<double> rhs = test::random_cells(p, 6);
    c.put(1, rhs);
    const auto solver = make_multigrid(p, method, c.place);
    c.put(0, std::vector<double>(rhs.size(), 0.0));
    solver->solve(c.fields, {1e-10, 60});
    const std::vector<double> phi = c.get(0);
    c.fields.from_zero = true;
    c.put(0, std::vector<double>(rhs.size(), std::numeric_limits<double>::quiet_NaN()));
    solver->solve(c.fields, {1e-10, 60});
    EXPECT_EQ(c.get(0), phi);
    EXPECT_NEAR(solver->record().first_residual, test::largest(rhs), 1e-14);
  }
}

}  // namespace
}  // namespace watersmeet::solve
