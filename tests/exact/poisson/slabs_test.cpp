// Direct solvers on slabs, ranks being threads: the answers of one rank, and what is refused.
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "support/poisson_slabs.hpp"
#include "support/thread_team.hpp"

namespace watersmeet {
namespace {

using solve::PoissonMethod;
using test::PoissonCase;
using test::PoissonProblem;

std::unique_ptr<comm::Team> team_of(comm::Communicator& ranks) {
  return std::make_unique<comm::Team>(
      ranks, comm::make_message_transport(ranks, Backend::cpu, false), Queue{}, comm::Overlap::off);
}

// The judgement of all ranks, which are threads.
test::SlabJudgement compare(const PoissonProblem& problem, PoissonMethod method,
                            Precision precision, const std::vector<std::int64_t>& first) {
  test::SlabJudgement result;
  test::ThreadTeam::run(static_cast<int>(first.size()), [&](comm::Communicator& ranks) {
    const test::SlabJudgement mine =
        test::judge_slabs(problem, method, precision, first, team_of(ranks), Queue{});
    if (ranks.rank() == 0) result = mine;
  });
  return result;
}

TEST(SlabsOfDirectPoisson, HaveTheAnswersOfOneRank) {
  for (int x : {0, 2}) {
    for (int y : {1, 4}) {
      for (int z = 0; z < 5; ++z) {
        for (const bool neumann : {false, true}) {
          PoissonProblem problem = test::uniform_problem({18, 7, 23}, {0.3, 0.25, 0.5},
                                                         {neumann ? 0 : x, neumann ? 1 : y, z});
          problem.faces[2] = test::crowded_faces(23, 8.0, 1.5);
          for (const auto& first :
               std::vector<std::vector<std::int64_t>>{{0, 9}, {0, 1, 22}, {0, 5, 6, 18}}) {
            SCOPED_TRACE(test::text_of(problem) + std::to_string(first.size()) + " slabs");
            const test::SlabJudgement j =
                compare(problem, PoissonMethod::fft, Precision::double_, first);
            EXPECT_LT(j.difference, 1e-12);
            EXPECT_LT(j.residual, 1e-12);
          }
        }
      }
    }
  }
}

TEST(SlabsOfDirectPoisson, InSinglePrecisionAndWithDenseTransforms) {
  for (int z = 0; z < 5; ++z) {
    PoissonProblem problem = test::uniform_problem({18, 7, 23}, {0.3, 0.25, 0.5}, {0, 1, z});
    SCOPED_TRACE(test::text_of(problem));
    EXPECT_LT(compare(problem, PoissonMethod::fft, Precision::single_, {0, 5, 16}).difference,
              3e-6);
    problem.faces[0] = test::crowded_faces(18, 6.0, 1.2);
    EXPECT_LT(compare(problem, PoissonMethod::gemm, Precision::double_, {0, 5, 16}).difference,
              1e-12);
  }
}

// A long, thin column: the least mu is small, and sections know their ends by what is left of 1.
TEST(SlabsOfDirectPoisson, LowModesKeepTheirFigures) {
  for (const int z : {0, 1}) {
    const PoissonProblem problem = test::uniform_problem({32, 1, 40}, {100, 1, 0.01}, {0, 0, z});
    const test::SlabJudgement j =
        compare(problem, PoissonMethod::fft, Precision::double_, {0, 8, 16, 24, 32});
    EXPECT_LT(j.difference, 1e-12);
  }
}

TEST(SlabsOfDirectPoisson, OtherCutsAreRefused) {
  const PoissonProblem problem = test::uniform_problem({8, 8, 8}, {1, 1, 1}, {0, 0, 1});
  const std::vector<mesh::Part> parts = {{0, {{0, 0, 0}, {8, 4, 8}}, 0},
                                         {0, {{0, 4, 0}, {8, 8, 8}}, 1}};
  test::ThreadTeam::run(2, [&](comm::Communicator& ranks) {
    const PoissonCase c(problem, Precision::double_, Queue{}, team_of(ranks), parts);
    try {
      solve::make_poisson_solver(problem, PoissonMethod::automatic, c.place);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::user_input);
      EXPECT_STREQ(error.what(),
                   "fft solves whole planes, so that the ranks must lie one above the other, and "
                   "the grid is cut along y; set device.ranks_along = [1, 1, 2]");
    }
  });
}

}  // namespace
}  // namespace watersmeet
