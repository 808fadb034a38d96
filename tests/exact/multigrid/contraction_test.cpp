// How much a cycle reduces the residual, in the maximum norm, in the long run, for a random
// right-hand side. The bounds are those of the method's analysis with prototypes of the same scheme
// (quoted beside each case): a larger number is a fault of the program. The prototypes were not kept,
// so that nobody can repeat their numbers.
#include <gtest/gtest.h>

#include <cmath>

#include "solve/multigrid/multigrid.hpp"
#include "support/poisson_case.hpp"

namespace watersmeet::solve {
namespace {

constexpr int periodic = 0, neumann = 1, dirichlet = 2;  // pairs of test::side_pairs()

// Residuals of the problem's precision after each cycle, from a zero guess on.
std::vector<double> history(const PoissonProblem& problem, const MultigridOptions& options,
                            int cycles, PoissonMethod method = PoissonMethod::mg) {
  Queue queue;
  queue.threads = 2;
  test::PoissonCase c(problem, Precision::double_, queue);
  c.put(1, test::random_cells(problem, 11));
  const auto solver = make_multigrid(problem, method, c.place, options);
  std::vector<double> residuals;
  PoissonStop stop;
  stop.most_cycles = 1;
  for (int n = 0; n < cycles; ++n) {
    solver->solve(c.fields, stop);
    if (n == 0) residuals.push_back(solver->record().first_residual);
    residuals.push_back(solver->record().residual);
  }
  return residuals;
}

double contraction(const PoissonProblem& problem, const MultigridOptions& options,
                   PoissonMethod method = PoissonMethod::mg) {
  const std::vector<double> r = history(problem, options, 8, method);
  return std::pow(r[8] / r[4], 0.25);
}

MultigridOptions sweeps(int before, int after, double omega = 1.15) {
  MultigridOptions o;
  o.sweeps = {before, after};
  o.omega = omega;
  return o;
}

struct Cubic {
  Index3 cells;
  std::array<int, 3> sides;
};
const Cubic cubic[] = {
    {{64, 64, 32}, {periodic, periodic, neumann}},  {{32, 32, 16}, {periodic, periodic, neumann}},
    {{96, 96, 48}, {periodic, periodic, neumann}},  {{64, 64, 64}, {neumann, neumann, neumann}},
    {{64, 64, 64}, {periodic, periodic, periodic}}, {{128, 128, 64}, {periodic, periodic, neumann}},
};

TEST(MultigridContraction, CubicCellsAtAnySizeAndSides) {
  for (const Cubic& c : cubic) {
    const PoissonProblem p = test::uniform_problem(c.cells, {0.1, 0.1, 0.1}, c.sides);
    SCOPED_TRACE(test::text_of(p));
    EXPECT_LE(contraction(p, sweeps(2, 2)), 0.06);
    EXPECT_LE(contraction(p, sweeps(1, 1)), 0.105);
    // What a user gets, with the over-relaxation by the shape of the cells.
    EXPECT_LE(contraction(p, {}), 0.06);
  }
}

// Without over-relaxation V(1,1) gains 0.21 a cycle, V(2,2) 0.098.
TEST(MultigridContraction, WithoutOverRelaxation) {
  const PoissonProblem p =
      test::uniform_problem({64, 64, 32}, {1, 1, 1}, {periodic, periodic, neumann});
  EXPECT_NEAR(contraction(p, sweeps(1, 1, 1.0)), 0.21, 0.2 * 0.21);
  EXPECT_NEAR(contraction(p, sweeps(2, 2, 1.0)), 0.098, 0.2 * 0.098);
  EXPECT_NEAR(contraction(p, sweeps(2, 1, 1.25)), 0.037, 0.2 * 0.037);
}

// 1.15 instead of what the formula says for squares, 2 / (1 + sqrt(3/4)), and for cells of
// hz = h / 4, of which z alone is coarsened at first.
TEST(MultigridContraction, TheLeastOverRelaxation) {
  const auto formula = [](double c) { return 2 / (1 + std::sqrt(1 - c * c)); };
  const PoissonProblem plane =
      test::uniform_problem({128, 1, 128}, {1, 1, 1}, {periodic, periodic, neumann});
  EXPECT_LT(contraction(plane, {}), contraction(plane, sweeps(2, 2, formula(0.5))));
  const PoissonProblem flat =
      test::uniform_problem({64, 64, 32}, {1, 1, 0.25}, {periodic, periodic, neumann});
  EXPECT_LT(contraction(flat, {}), contraction(flat, sweeps(2, 2, formula(1 - 1.0 / 18))));
}

// 64 x 64 x 32 cells of height hz: semicoarsening until they are cubes, z down to one cell where it
// wants that. Bounds: the table's numbers and a fifth.
TEST(MultigridContraction, FlatAndTallCells) {
  const std::pair<double, double> cases[] = {
      {1 / 1.5, 0.062}, {1 / 2.0, 0.037}, {1 / 4.0, 0.045}, {1 / 16.0, 0.17}, {4.0, 0.045}};
  for (const auto& [height, bound] : cases) {
    const PoissonProblem p =
        test::uniform_problem({64, 64, 32}, {1, 1, height}, {periodic, periodic, neumann});
    SCOPED_TRACE(height);
    EXPECT_LE(contraction(p, {}), 1.2 * bound);
  }
}

// A factor for each half sweep on cubes, against the best single factor of each cycle: what is
// searched for on some grids must gain on all of them. Spectral radii of the search: 0.078, 0.028
// and 0.020 (levels.cpp), and a fifth for grids that it did not see.
TEST(MultigridContraction, FactorsOfHalfSweeps) {
  const std::pair<Sweeps, double> cases[] = {{{1, 1}, 0.078}, {{1, 2}, 0.028}, {{2, 2}, 0.020}};
  for (const auto& [count, radius] : cases) {
    MultigridOptions options;
    options.sweeps = count;
    SCOPED_TRACE(std::to_string(count.before) + " and " + std::to_string(count.after));
    for (const Cubic& c : cubic) {
      const PoissonProblem p = test::uniform_problem(c.cells, {0.1, 0.1, 0.1}, c.sides);
      SCOPED_TRACE(test::text_of(p));
      EXPECT_LE(contraction(p, options), 1.2 * radius);
    }
    if (count.before + count.after != 3) continue;  // those of multigrid_options()
    for (int x = 0; x < 5; ++x)
      for (int y = 0; y <= x; ++y)
        for (int z = 0; z < 5; ++z) {
          const PoissonProblem p = test::uniform_problem({32, 32, 32}, {1, 1, 1}, {x, y, z});
          SCOPED_TRACE(test::text_of(p));
          EXPECT_LE(contraction(p, options), 1.2 * radius);
        }
  }
}

// Nothing is lost on other cells, which keep one factor.
TEST(MultigridContraction, OneSweepBeforeAndTwoAfterOnOtherCells) {
  MultigridOptions options;
  options.sweeps = {1, 2};
  for (const double height : {1 / 1.5, 1 / 2.0, 1 / 4.0, 4.0}) {
    const PoissonProblem p =
        test::uniform_problem({64, 64, 32}, {1, 1, height}, {periodic, periodic, neumann});
    SCOPED_TRACE(height);
    EXPECT_LE(contraction(p, options), 0.105);
  }
}

// Zebra lines along z on every level: V(1,1) does not see the ratio of the spacings.
TEST(MultigridContraction, LinesDoNotSeeTheRatioOfTheSpacings) {
  const std::pair<double, double> cases[] = {{1.0, 0.19}, {1 / 4.0, 0.155}, {1 / 16.0, 0.158}};
  MultigridOptions options = sweeps(1, 1);
  options.lines = true;
  for (const auto& [height, expected] : cases) {
    const PoissonProblem p =
        test::uniform_problem({64, 64, 32}, {1, 1, height}, {periodic, periodic, neumann});
    SCOPED_TRACE(height);
    EXPECT_LE(contraction(p, options), 1.2 * expected);
  }
}

// Where the grid is stretched and z is not coarsened, every mode along z is a problem in x and y
// with a term more on the diagonal: no slower than the one without.
TEST(MultigridContraction, LinesDoNotSeeTheStretching) {
  const double plane =
      contraction(test::uniform_problem({64, 64, 1}, {1, 1, 1}, {periodic, periodic, neumann}),
                  sweeps(1, 1, 1.0));
  for (const double s : {1.5, 2.5, 4.0}) {
    PoissonProblem p =
        test::uniform_problem({64, 64, 32}, {1, 1, 1}, {periodic, periodic, neumann});
    p.faces[2] = test::crowded_faces(32, 32, s);
    SCOPED_TRACE(s);
    EXPECT_LE(contraction(p, sweeps(1, 1)), 1.1 * std::max(plane, 0.19));
  }
}

// A correction needs no more digits than it corrects: ten cycles of either kind go the same way.
TEST(MultigridContraction, CyclesInSinglePrecisionCostNone) {
  const PoissonProblem p =
      test::uniform_problem({64, 64, 32}, {1, 1, 1}, {periodic, periodic, neumann});
  MultigridOptions in_double;
  in_double.cycles = Precision::double_;
  const std::vector<double> mixed = history(p, {}, 10), pure = history(p, in_double, 10);
  for (std::size_t n = 0; n < mixed.size(); ++n) {
    EXPECT_NEAR(mixed[n], pure[n], 1e-4 * pure[n] + 2e-14) << "after " << n << " cycles";
  }
  EXPECT_LE(pure[10] / pure[0], 1e-13);
}

// Several cycles for one residual cost no digits either.
TEST(MultigridContraction, CyclesForOneResidual) {
  const PoissonProblem p =
      test::uniform_problem({32, 32, 32}, {1, 1, 1}, {periodic, dirichlet, neumann});
  MultigridOptions options;
  for (const int inner : {1, 2, 3}) {
    options.most_inner = inner;
    test::PoissonCase c(p, Precision::double_, Queue{});
    c.put(1, test::random_cells(p, 5));
    const auto solver = make_multigrid(p, PoissonMethod::mg, c.place, options);
    solver->solve(c.fields, {1e-10 * test::largest(c.get(1)), 60});
    const PoissonRecord r = solver->record();
    EXPECT_EQ(r.end, PoissonEnd::converged);
    // Ten digits at 0.06 a cycle are 8.2 cycles.
    EXPECT_LE(r.cycles, 9) << inner << " cycles a residual";
  }
}

// One cycle as the preconditioner is not slower than the cycle alone.
TEST(MultigridContraction, ConjugateGradients) {
  const PoissonProblem p =
      test::uniform_problem({64, 64, 32}, {1, 1, 1}, {periodic, periodic, neumann});
  const auto residual_after = [&](PoissonMethod method, const MultigridOptions& o, int cycles) {
    test::PoissonCase c(p, Precision::double_, Queue{});
    c.put(1, test::random_cells(p, 3));
    const auto solver = make_multigrid(p, method, c.place, o);
    PoissonStop stop;
    stop.most_cycles = cycles;
    solver->solve(c.fields, stop);
    EXPECT_EQ(solver->record().cycles, cycles);
    return solver->record().residual;
  };
  // V(1,1) without over-relaxation: about 0.14 an iteration instead of 0.21.
  const double alone = residual_after(PoissonMethod::mg, sweeps(1, 1, 1.0), 8);
  const double together = residual_after(PoissonMethod::mgcg, sweeps(1, 1, 1.0), 8);
  EXPECT_LE(together, alone * std::pow(0.16 / 0.21, 7));
}

}  // namespace
}  // namespace watersmeet::solve
