// The direct solvers on the CPU: residuals for every combination of sides, the null space, exact
// modes, and the same bits on any number of threads.
#include <gtest/gtest.h>

#include <numbers>

#include "core/error.hpp"
#include "support/poisson_case.hpp"

namespace watersmeet {
namespace {

using solve::PoissonMethod;
using test::PoissonCase;
using test::PoissonProblem;
using test::PoissonSide;

struct Judgement {
  double residual;  // over the largest right-hand side
  double floor;     // of it: what rounding phi once already makes, also over that
  double mean;      // of phi, by volume, over its largest value
};
Judgement judge(const PoissonProblem& problem, PoissonMethod method, Precision precision,
                unsigned seed) {
  PoissonCase c(problem, precision, Queue{});
  c.put(c.fields.rhs, test::random_cells(problem, seed));
  const std::vector<double> rhs = c.get(c.fields.rhs);
  c.put(c.fields.solution, std::vector<double>(rhs.size(), 77));  // no guess is needed
  const std::vector<double> phi = c.solve(method);
  EXPECT_EQ(c.get(c.fields.rhs), rhs);
  double mean = 0, volume = 0;
  std::size_t at = 0;
  for (std::int64_t k = 0; k < problem.cells[2]; ++k)
    for (std::int64_t j = 0; j < problem.cells[1]; ++j)
      for (std::int64_t i = 0; i < problem.cells[0]; ++i, ++at) {
        const double w = problem.width(0, i) * problem.width(1, j) * problem.width(2, k);
        mean += phi[at] * w;
        volume += w;
      }
  const double scale = std::max(test::largest(phi), 1e-300);
  const double most = std::max(test::largest(rhs), 1e-300);
  double norm = 0;  // of L: the largest sum of the sizes of a row
  for (int a = 0; a < 3; ++a) {
    double along = 0;
    for (std::int64_t i = 0; i < problem.cells[static_cast<std::size_t>(a)]; ++i) {
      along = std::max(along, 2 * (1 / problem.distance(a, i) + 1 / problem.distance(a, i + 1)) /
                                  problem.width(a, i));
    }
    norm += along;
  }
  const double round_off = precision == Precision::double_ ? 1.1e-16 : 6e-8;
  return {c.residual() / most, round_off * norm * test::largest(phi) / most,
          std::fabs(mean / volume) / scale};
}

template <class F>
void for_all_sides(const F& f) {
  for (int x = 0; x < 5; ++x)
    for (int y = 0; y < 5; ++y)
      for (int z = 0; z < 5; ++z) f(std::array<int, 3>{x, y, z});
}

void expect_round_off(const PoissonProblem& problem, PoissonMethod method, double floors,
                      unsigned seed) {
  SCOPED_TRACE(test::text_of(problem));
  const Judgement j = judge(problem, method, Precision::double_, seed);
  EXPECT_LT(j.residual, std::max(1e-13, floors * j.floor));
  if (problem.singular()) {
    EXPECT_LT(j.mean, 1e-14);
  }
}

// Odd, prime and tiny sizes, and some that take every radix.
const Index3 sizes[] = {{8, 6, 7}, {5, 12, 9}, {2, 3, 2}, {17, 4, 33}, {36, 20, 3}, {11, 64, 5}};
// Fewer than three axes.
const Index3 flat_sizes[] = {{1, 6, 7}, {5, 1, 9}, {6, 4, 1}, {1, 1, 12}, {1, 9, 1}, {7, 1, 1}};

TEST(DirectPoisson, ResidualsAreRoundOffForAllSides) {
  unsigned seed = 1;
  for_all_sides([&](const std::array<int, 3>& pairs) {
    for (const Index3& cells : sizes) {
      PoissonProblem problem = test::uniform_problem(cells, {0.3, 0.25, 0.5}, pairs);
      for (const bool stretched : {false, true}) {
        if (stretched) problem.faces[2] = test::crowded_faces(cells[2], 3.0, 1.5);
        expect_round_off(problem, PoissonMethod::fft, 4, ++seed);
      }
    }
  });
}

TEST(DirectPoisson, FlatAxes) {
  unsigned seed = 1;
  for_all_sides([&](const std::array<int, 3>& pairs) {
    for (const Index3& cells : flat_sizes) {
      const PoissonProblem problem = test::uniform_problem(cells, {0.3, 0.25, 0.5}, pairs);
      expect_round_off(problem, PoissonMethod::fft, 4, ++seed);
    }
  });
}

// Stretched along x, y or both: dense along these axes alone, Fourier along the other.
TEST(DirectPoisson, DenseTransformsLeaveRoundOff) {
  unsigned seed = 1;
  for_all_sides([&](const std::array<int, 3>& pairs) {
    for (const Index3& cells : {Index3{12, 7, 9}, Index3{5, 70, 3}, Index3{1, 9, 4}}) {
      for (const int stretched : {1, 2, 3, 7}) {
        PoissonProblem problem = test::uniform_problem(cells, {0.3, 0.25, 0.5}, pairs);
        for (std::size_t a = 0; a < 3; ++a) {
          if (stretched & (1 << a)) problem.faces[a] = test::crowded_faces(cells[a], 3.0, 1.2);
        }
        // An eigenvector is known to some ten roundings of S, less than the square root of n of
        // them.
        expect_round_off(problem, PoissonMethod::gemm, 16, ++seed);
      }
    }
  });
}

// Two ways to the same numbers: dense matrices against fast transforms, on equal cells given once
// by their width and once by their faces.
TEST(DirectPoisson, DenseAndFastTransformsAgree) {
  for_all_sides([&](const std::array<int, 3>& pairs) {
    PoissonProblem problem = test::uniform_problem({15, 19, 8}, {0.25, 0.5, 0.25}, pairs);
    SCOPED_TRACE(test::text_of(problem));
    const std::vector<double> rhs = test::random_cells(problem, 17);
    const auto solution = [&](PoissonMethod method) {
      PoissonCase c(problem, Precision::double_, Queue{});
      c.put(c.fields.rhs, rhs);
      return c.solve(method);
    };
    const std::vector<double> fast = solution(PoissonMethod::fft);
    const double allowed = 1e-12 * test::largest(fast);
    EXPECT_LT(test::largest_difference(solution(PoissonMethod::gemm), fast), allowed);
    for (int f = 0; f <= 15; ++f) problem.faces[0].push_back(0.25 * f);
    EXPECT_LT(test::largest_difference(solution(PoissonMethod::gemm), fast), allowed);
  });
}

// One cell: phi = 0 where constants are free, else rhs over the sum of its leaks.
TEST(DirectPoisson, OneCell) {
  for_all_sides([&](const std::array<int, 3>& pairs) {
    const PoissonProblem problem = test::uniform_problem({1, 1, 1}, {0.5, 2, 4}, pairs);
    SCOPED_TRACE(test::text_of(problem));
    PoissonCase c(problem, Precision::double_, Queue{});
    c.put(c.fields.rhs, {3.0});
    double leaks = 0;
    for (std::size_t s = 0; s < 6; ++s) {
      const double h = problem.spacing[s / 2];
      if (problem.sides[s] == PoissonSide::dirichlet) leaks += 2 / (h * h);
    }
    const double expected = leaks > 0 ? -3.0 / leaks : 0.0;
    EXPECT_NEAR(c.solve(PoissonMethod::fft)[0], expected, 1e-14 * std::fabs(expected));
  });
}

// A mode is multiplied by its eigenvalue, which is known in closed form.
TEST(DirectPoisson, AModeIsSolvedExactly) {
  using std::numbers::pi;
  const Index3 n{24, 15, 10};
  const Real3 h{0.1, 0.2, 0.15};
  // The factor of an axis: phi along it, and 2 / h sin(angle).
  struct Mode {
    std::function<double(double)> value;
    double angle;
  };
  const auto mode = [&](int pair, std::size_t a, int m) {
    const double cells = static_cast<double>(n[a]);
    const auto wave = [&](double number, double shift) -> Mode {
      return {[=](double i) { return std::cos(2 * number * (i + 0.5) - shift); }, number};
    };
    switch (pair) {
      case 0:
        return wave(pi * m / cells, 0.3);
      case 1:
        return wave(pi * m / (2 * cells), 0);
      case 2:
        return wave(pi * m / (2 * cells), pi / 2);
      case 3:
        return wave(pi * (2 * m - 1) / (4 * cells), 0);
      default:
        return wave(pi * (2 * m - 1) / (4 * cells), pi / 2);
    }
  };
  for_all_sides([&](const std::array<int, 3>& pairs) {
    const PoissonProblem problem = test::uniform_problem(n, h, pairs);
    SCOPED_TRACE(test::text_of(problem));
    std::array<Mode, 3> modes;
    double mu = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      modes[a] = mode(pairs[a], a, static_cast<int>(a) + 1);
      mu += std::pow(2 / h[a] * std::sin(modes[a].angle), 2);
    }
    const auto phi = [&](const Index3& c) {
      double value = 1;
      for (std::size_t a = 0; a < 3; ++a) value *= modes[a].value(static_cast<double>(c[a]));
      return value;
    };
    PoissonCase c(problem, Precision::double_, Queue{});
    c.set(c.fields.rhs, [&](const Index3& cell) { return -mu * phi(cell); });
    const std::vector<double> found = c.solve(PoissonMethod::fft);
    c.set(c.fields.solution, phi);
    EXPECT_LT(test::largest_difference(found, c.get(c.fields.solution)), 3e-14);
  });
}

// What a singular problem cannot answer, the mean, is taken off.
TEST(DirectPoisson, AnIncompatibleMeanIsTakenOff) {
  for (const int z : {0, 1}) {
    PoissonProblem problem = test::uniform_problem({12, 10, 9}, {1, 1, 1}, {0, 1, z});
    problem.faces[2] = test::crowded_faces(9, 9.0, 1.2);
    PoissonCase c(problem, Precision::double_, Queue{});
    std::vector<double> rhs = test::random_cells(problem, 5);
    c.put(c.fields.rhs, rhs);
    const std::vector<double> phi = c.solve(PoissonMethod::fft);
    for (double& v : rhs) v += 4.0;
    c.put(c.fields.rhs, rhs);
    EXPECT_LT(test::largest_difference(c.solve(PoissonMethod::fft), phi),
              1e-13 * test::largest(phi));
    EXPECT_LT(c.residual(), 1e-12);
  }
}

TEST(DirectPoisson, SinglePrecision) {
  unsigned seed = 100;
  for_all_sides([&](const std::array<int, 3>& pairs) {
    PoissonProblem problem = test::uniform_problem({20, 15, 12}, {0.3, 0.25, 0.5}, pairs);
    problem.faces[2] = test::crowded_faces(12, 6.0, 1.0);
    SCOPED_TRACE(test::text_of(problem));
    const Judgement j = judge(problem, PoissonMethod::fft, Precision::single_, ++seed);
    EXPECT_LT(j.residual, 4 * j.floor);
    // The error itself is small too, also that of the lowest modes.
    PoissonCase one(problem, Precision::single_, Queue{});
    one.put(one.fields.rhs, test::random_cells(problem, seed));
    PoissonCase two(problem, Precision::double_, Queue{});
    two.put(two.fields.rhs, one.get(one.fields.rhs));
    const std::vector<double> phi = two.solve(PoissonMethod::fft);
    EXPECT_LT(test::largest_difference(one.solve(PoissonMethod::fft), phi),
              3e-6 * test::largest(phi));
  });
}

TEST(DirectPoisson, SameBitsOnAnyNumberOfThreads) {
  for (const Index3& cells : {Index3{37, 22, 13}, Index3{64, 1, 40}}) {
    const PoissonProblem problem = test::uniform_problem(cells, {1, 1, 1}, {0, 1, 1});
    std::vector<double> first;
    for (const int threads : {1, 2, 3, 7}) {
      Queue queue;
      queue.threads = threads;
      PoissonCase c(problem, Precision::double_, queue);
      c.put(c.fields.rhs, test::random_cells(problem, 3));
      std::vector<double> phi = c.solve(PoissonMethod::fft);
      const std::vector<double> dense = c.solve(PoissonMethod::gemm);
      phi.insert(phi.end(), dense.begin(), dense.end());
      if (threads == 1) first = phi;
      EXPECT_EQ(phi, first) << threads << " threads";
    }
  }
}

// A step that does not happen leaves phi as it is.
TEST(DirectPoisson, AnInactiveClockKeepsTheSolution) {
  const PoissonProblem problem = test::uniform_problem({8, 8, 8}, {1, 1, 1}, {0, 0, 1});
  PoissonCase c(problem, Precision::double_, Queue{});
  c.put(c.fields.rhs, test::random_cells(problem, 3));
  const std::vector<double> before(c.size(), 0.5);
  c.put(c.fields.solution, before);
  exec::Clock clock;
  c.fields.clock = &clock;
  EXPECT_EQ(c.solve(PoissonMethod::fft), before);
  clock.active = 1;
  EXPECT_NE(c.solve(PoissonMethod::fft), before);
}

TEST(DirectPoisson, SaysWhatItIs) {
  const auto text = [](const PoissonProblem& problem, PoissonMethod expected = PoissonMethod::fft) {
    const PoissonCase c(problem, Precision::double_, Queue{});
    const auto solver = solve::make_poisson_solver(problem, PoissonMethod::automatic, c.place);
    EXPECT_EQ(solver->method(), expected);
    EXPECT_FALSE(solver->iterative());
    EXPECT_EQ(solver->record().end, solve::PoissonEnd::direct);
    return solver->describe();
  };
  EXPECT_EQ(text(test::uniform_problem({4, 4, 4}, {1, 1, 1}, {0, 1, 1})),
            "Fourier in x, cosine in y, tridiagonal in z");
  EXPECT_EQ(text(test::uniform_problem({4, 4, 4}, {1, 1, 1}, {2, 3, 0})),
            "sine in x, quarter-wave in y, tridiagonal in z");
  EXPECT_EQ(text(test::uniform_problem({4, 1, 4}, {1, 1, 1}, {1, 0, 1})),
            "cosine in x, tridiagonal in z");
  EXPECT_EQ(text(test::uniform_problem({1, 1, 4}, {1, 1, 1}, {0, 0, 1})), "tridiagonal in z");
  PoissonProblem stretched = test::uniform_problem({4, 6, 4}, {1, 1, 1}, {0, 0, 1});
  stretched.faces[1] = test::crowded_faces(6, 1, 1);
  EXPECT_EQ(text(stretched, PoissonMethod::gemm), "Fourier in x, dense in y, tridiagonal in z");
  EXPECT_EQ(text(test::uniform_problem({17, 6, 4}, {1, 1, 1}, {0, 0, 1}), PoissonMethod::gemm),
            "dense in x, Fourier in y, tridiagonal in z");
}

// The judge itself: one cell that is too large shows by the diagonal of L, which is known.
TEST(PoissonResidual, SeesWhatIsWrong) {
  PoissonProblem problem = test::uniform_problem({6, 5, 8}, {1, 1, 1}, {0, 1, 1});
  problem.faces[2] = test::crowded_faces(8, 4.0, 1.0);
  PoissonCase c(problem, Precision::double_, Queue{});
  c.put(c.fields.rhs, test::random_cells(problem, 9));
  std::vector<double> phi = c.solve(PoissonMethod::fft);
  EXPECT_LT(c.residual(), 1e-12);
  const double h = problem.width(2, 3);
  phi[3 * 30 + 2 * 6 + 2] += 1e-3;
  c.put(c.fields.solution, phi);
  // Both neighbours in x and y, and along z over the distances of the centres.
  const double expected =
      1e-3 * (4 + (1 / problem.distance(2, 3) + 1 / problem.distance(2, 4)) / h);
  EXPECT_NEAR(c.residual(), expected, 1e-10);
}

}  // namespace
}  // namespace watersmeet
