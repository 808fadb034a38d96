// Levels of the multigrid hierarchy: what is halved, the weights, and when an iteration ends.
#include "solve/multigrid/levels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "solve/multigrid/bottom.hpp"
#include "solve/multigrid/control.hpp"
#include "solve/multigrid/multigrid.hpp"
#include "support/poisson_case.hpp"

namespace watersmeet::solve {
namespace {

std::vector<Index3> sizes_of(const PoissonProblem& p) {
  std::vector<Index3> sizes;
  for (const Level& level : make_hierarchy(p).levels) sizes.push_back(level.n());
  return sizes;
}
using Sizes = std::vector<Index3>;

TEST(MultigridLevels, CubesAreHalvedInAllDirections) {
  const PoissonProblem p = test::uniform_problem({384, 384, 192}, {1, 1, 1}, {0, 0, 1});
  EXPECT_EQ(sizes_of(p), (Sizes{{384, 384, 192},
                                {192, 192, 96},
                                {96, 96, 48},
                                {48, 48, 24},
                                {24, 24, 12},
                                {12, 12, 6},
                                {6, 6, 3}}));
  EXPECT_EQ(make_hierarchy(p).describe(), "7 levels, red-black, bottom 6 x 6 x 3");
}

TEST(MultigridLevels, SemicoarseningUntilIsotropic) {
  // hz = h / 4: z alone twice; later down to one cell, when the others are as wide.
  EXPECT_EQ(sizes_of(test::uniform_problem({64, 64, 32}, {1, 1, 0.25}, {0, 0, 1})),
            (Sizes{{64, 64, 32}, {64, 64, 16}, {64, 64, 8}, {32, 32, 4}, {16, 16, 2}, {8, 8, 1}}));
  // hz = 4 h: x and y twice.
  EXPECT_EQ(sizes_of(test::uniform_problem({64, 64, 32}, {1, 1, 4}, {0, 0, 1})),
            (Sizes{{64, 64, 32}, {32, 32, 32}, {16, 16, 32}, {8, 8, 16}, {4, 4, 8}}));
  // Within a factor 1.5 they go together.
  EXPECT_EQ(sizes_of(test::uniform_problem({16, 16, 16}, {1, 1.5, 1}, {0, 0, 1}))[1],
            (Index3{8, 8, 8}));
  EXPECT_EQ(sizes_of(test::uniform_problem({16, 16, 16}, {1, 1.51, 1}, {0, 0, 1}))[1],
            (Index3{8, 16, 8}));
}

TEST(MultigridLevels, OddAndFlatAxesStay) {
  EXPECT_EQ(sizes_of(test::uniform_problem({50, 50, 50}, {1, 1, 1}, {0, 0, 1})),
            (Sizes{{50, 50, 50}, {25, 25, 25}}));
  EXPECT_EQ(sizes_of(test::uniform_problem({64, 1, 32}, {1, 1, 1}, {0, 0, 1})),
            (Sizes{{64, 1, 32}, {32, 1, 16}, {16, 1, 8}}));
  EXPECT_EQ(sizes_of(test::uniform_problem({65, 33, 17}, {1, 1, 1}, {2, 1, 2})).size(), 1u);
}

// Parts in such a unit share levels until every rank has `repeated` cells by itself.
TEST(MultigridLevels, UnitsOfPartsKeepLevelsShared) {
  const auto gathered = [](const Hierarchy& h, int axis, std::int64_t first) {
    Box lower{{0, 0, 0}, h.levels[0].n()}, upper = lower;
    lower.upper[static_cast<std::size_t>(axis)] = upper.lower[static_cast<std::size_t>(axis)] =
        first;
    return static_cast<double>(h.levels[cut_levels(h, {lower, upper}).size() - 1].cells());
  };
  for (const PoissonProblem& p :
       {test::uniform_problem({128, 64, 48}, {1, 1, 1}, {0, 0, 1}),
        test::uniform_problem({64, 64, 128}, {1, 1, 0.25}, {0, 0, 1}),  // z alone at first
        test::uniform_problem({128, 128, 64}, {1, 1, 4}, {0, 0, 1}),    // z last
        test::uniform_problem({50, 50, 50}, {1, 1, 1}, {0, 0, 1})}) {   // once
    SCOPED_TRACE(test::text_of(p));
    const std::vector<mesh::CutUnit> units = multigrid_cut_units(p);
    const Hierarchy h = make_hierarchy(p);
    EXPECT_GT(units.size(), 1u);
    EXPECT_EQ(units.front().cells, (Index3{1, 1, 1}));
    for (std::size_t u = 0; u < units.size(); ++u) {
      EXPECT_EQ(units[u].repeated, static_cast<double>(h.levels[u].cells()));
      for (int a = 0; a < 3; ++a) {
        const std::int64_t unit = units[u].cells[static_cast<std::size_t>(a)];
        EXPECT_LE(gathered(h, a, unit), units[u].repeated);
        // Half of it is too little from the level on that halves it.
        if (unit > 1) {
          EXPECT_GT(gathered(h, a, unit / 2), units[u].repeated);
        }
      }
    }
  }
  // No more than a level that is gathered anyhow.
  EXPECT_EQ(multigrid_cut_units(test::uniform_problem({32, 32, 32}, {1, 1, 1}, {0, 0, 1})).size(),
            1u);
}

// An axis that stays odd and becomes the strongest direction ends the hierarchy, unless the
// bottom's matrices would be large.
TEST(MultigridLevels, OddStrongAxesEndInTheBottom) {
  const Hierarchy h = make_hierarchy(test::uniform_problem({27, 64, 64}, {1, 1, 1}, {1, 1, 1}));
  EXPECT_EQ(h.bottom().n(), (Index3{27, 32, 32}));
  const Hierarchy l = make_hierarchy(test::uniform_problem({4096, 3, 1}, {1, 0.1, 1}, {1, 1, 1}));
  EXPECT_LE(l.bottom().n()[0], 256);
}

TEST(MultigridLevels, SmoothersFollowTheGrid) {
  const auto smoother = [](const PoissonProblem& p) {
    return make_hierarchy(p).levels.front().smoother;
  };
  PoissonProblem p = test::uniform_problem({64, 64, 32}, {1, 1, 1}, {0, 0, 1});
  EXPECT_EQ(smoother(p), Smoother::red_black);
  p.faces[2] = test::crowded_faces(32, 32, 0.2);  // widths differ by 4 %
  EXPECT_EQ(smoother(p), Smoother::red_black);
  p.faces[2] = test::crowded_faces(32, 32, 2);
  EXPECT_EQ(smoother(p), Smoother::zebra_z);
  p.cells[0] = 63;
  EXPECT_EQ(smoother(p), Smoother::jacobi_lines_z);
  p.faces[2].clear();
  EXPECT_EQ(smoother(p), Smoother::jacobi);
  p.sides[0] = p.sides[1] = PoissonSide::neumann;
  EXPECT_EQ(smoother(p), Smoother::red_black);
  // An odd z that has become the strong direction.
  const Hierarchy h = make_hierarchy(test::uniform_problem({64, 64, 25}, {1, 1, 1}, {0, 0, 1}));
  EXPECT_EQ(h.levels[0].smoother, Smoother::red_black);
  EXPECT_EQ(h.levels[1].smoother, Smoother::zebra_z);
}

TEST(MultigridLevels, OverRelaxationOfYavneh) {
  const auto omega = [](double height) {
    return make_hierarchy(test::uniform_problem({32, 32, 32}, {1, 1, height}, {0, 0, 1}))
        .levels[0]
        .omega;
  };
  // 2 / (1 + sqrt(1 - c^2)) with c = 1 - 1 / (1 + 1 + 1.5^2).
  const double c = 1 - 1 / 4.25;
  EXPECT_NEAR(omega(1 / 1.5), 2 / (1 + std::sqrt(1 - c * c)), 1e-12);
  EXPECT_NEAR(omega(1 / 1.5), 1.22, 0.005);
  EXPECT_DOUBLE_EQ(omega(1), 1.15);     // 1.146 by the formula
  EXPECT_DOUBLE_EQ(omega(0.25), 1.15);  // z is coarsened alone
}

// On every level and axis: the operator of constants is 0 where no side is Dirichlet, fluxes are
// shared by two cells, shares of a coarse cell add to 1, interpolation keeps constants (between
// Dirichlet sides lines through 0) and, on uniform axes, is 3/4 and 1/4.
TEST(MultigridLevels, WeightsOfStretchedAxes) {
  for (int sides = 0; sides < 5; ++sides) {
    PoissonProblem p = test::uniform_problem({32, 16, 16}, {1, 1, 1}, {sides, 1, 1});
    for (const bool stretched : {false, true}) {
      if (stretched) p.faces[0] = test::crowded_faces(32, 20, 1.5);
      const Hierarchy h = make_hierarchy(p);
      for (std::size_t l = 0; l + 1 < h.levels.size(); ++l) {
        const AxisOperator& o = h.levels[l].axis[0];
        const AxisTransfer& t = h.levels[l].transfer[0];
        const std::size_t n = o.width.size();
        for (std::size_t i = 0; i < n; ++i) {
          const bool first = i == 0, last = i + 1 == n;
          const bool open = (first && p.sides[0] == PoissonSide::dirichlet) ||
                            (last && p.sides[1] == PoissonSide::dirichlet);
          const double sum = o.lower[i] + o.upper[i] - o.diagonal[i];
          if (open) {
            EXPECT_LT(sum, 0);
          } else {
            EXPECT_NEAR(sum, 0, 1e-12 * o.diagonal[i]);
          }
          if (!last) {
            EXPECT_NEAR(o.upper[i] * o.width[i], o.lower[i + 1] * o.width[i + 1], 1e-12);
          }
          if (t.coarsened && !open) {
            EXPECT_NEAR(t.near[i] + t.far[i], 1, 1e-14);
          }
          if (t.coarsened && i % 2 == 1) {
            EXPECT_NEAR(t.share[i - 1] + t.share[i], 1, 1e-14);
          }
          if (t.coarsened && !stretched && !first && !last) {
            EXPECT_NEAR(t.near[i], 0.75, 1e-14);
          }
          if (t.coarsened && !stretched && open) {
            EXPECT_NEAR(t.near[i], 0.5, 1e-14);
          }
        }
      }
    }
  }
}

// F and B are inverse to each other, and B Lambda F is L.
TEST(MultigridLevels, ModesOfTheBottomAreThoseOfTheOperator) {
  for (int sides = 0; sides < 5; ++sides) {
    PoissonProblem p = test::uniform_problem({7, 6, 1}, {0.5, 1, 2}, {sides, sides, 1});
    p.faces[1] = test::crowded_faces(6, 4, 1.2);
    const Hierarchy h = make_hierarchy(p);
    const BottomModes modes = make_bottom_modes(h.levels.front());
    for (std::size_t a = 0; a < 2; ++a) {
      const AxisModes& m = modes.axis[a];
      const AxisOperator& o = h.levels.front().axis[a];
      const auto n = static_cast<std::size_t>(m.n);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          double identity = 0, matrix = 0;
          for (std::size_t k = 0; k < n; ++k) {
            const double product = m.back[k * n + i] * m.forward[j * n + k];
            identity += product;
            matrix += product * m.eigenvalue[k];
          }
          double expected = i == j ? -o.diagonal[i] : 0;
          if ((i + n - 1) % n == j) expected += o.lower[i];
          if ((i + 1) % n == j) expected += o.upper[i];
          EXPECT_NEAR(identity, i == j ? 1 : 0, 1e-12);
          EXPECT_NEAR(matrix, expected, 1e-10);
        }
      }
    }
  }
}

SolveControl begun(double limit, int most_cycles) {
  SolveControl c;
  c.round_off = 1e-16;
  c.operator_norm = 12;
  begin_solve(c, limit, most_cycles, 0, 1);
  return c;
}

TEST(MultigridControl, EndsAtTheLimitWithTheCyclesThatItTakes) {
  SolveControl c = begun(1e-4, 60);
  judge(c, 1.0, 1.0);
  EXPECT_EQ(c.running, 1);
  EXPECT_EQ(c.inner, 2);
  judge(c, 0.05 * 0.05, 1.0);
  EXPECT_EQ(c.cycles, 2);
  EXPECT_NEAR(c.factor, 0.05, 1e-12);
  EXPECT_EQ(c.inner, 2);  // 0.0025 * 0.05 is above 1e-4
  judge(c, 0.0025 * 0.0025, 1.0);
  EXPECT_EQ(c.running, 0);
  EXPECT_EQ(c.end, SolveEnd::converged);
  EXPECT_EQ(c.cycles, 4);
  EXPECT_EQ(c.first, 1.0);
  SolveControl one = begun(0.1, 60);
  judge(one, 1.0, 1.0);
  EXPECT_EQ(one.inner, 1);  // 0.06 is enough
}

TEST(MultigridControl, FloorAndStallAreToldApart) {
  SolveControl c = begun(0, 60);
  judge(c, 1e-13, 1.0);
  judge(c, 5e-15, 1.0);
  EXPECT_EQ(c.running, 1);
  judge(c, 4e-15, 1.0);  // two cycles, hardly anything: within 16 units of 12 + 1
  EXPECT_EQ(c.end, SolveEnd::floor);
  EXPECT_EQ(c.running, 0);

  SolveControl s = begun(0, 60);
  judge(s, 1.0, 1.0);
  judge(s, 0.9, 1.0);
  EXPECT_EQ(s.running, 1);
  EXPECT_EQ(s.reset, 1);  // once more from zero
  EXPECT_EQ(s.inner, 0);
  judge(s, 0.8, 1.0);
  EXPECT_EQ(s.reset, 0);
  EXPECT_EQ(s.inner, 2);
  judge(s, 0.7, 1.0);
  EXPECT_EQ(s.running, 0);
  EXPECT_EQ(s.end, SolveEnd::stalled);
  EXPECT_EQ(s.first, 1.0);
}

TEST(MultigridControl, NoNumberNeverLoops) {
  SolveControl c = begun(1e-10, 60);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  judge(c, nan, nan);
  EXPECT_EQ(c.reset, 1);
  judge(c, nan, 0.0);
  EXPECT_EQ(c.running, 0);
  EXPECT_EQ(c.end, SolveEnd::stalled);
}

TEST(MultigridControl, MostCyclesIsTheMost) {
  SolveControl c = begun(0, 3);
  double norm = 1;
  judge(c, norm, 1.0);
  int cycles = 0;
  while (c.running) {
    cycles += c.inner;
    for (int n = 0; n < c.inner; ++n) norm *= 0.05;
    judge(c, norm, 1.0);
  }
  EXPECT_EQ(cycles, 3);
  EXPECT_EQ(c.cycles, 3);
  EXPECT_EQ(c.end, SolveEnd::most_cycles);
}

}  // namespace
}  // namespace watersmeet::solve
