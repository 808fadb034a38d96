// Direct Poisson solvers on the ranks of an MPI launch against one rank.
#include <gtest/gtest.h>

#include "support/parallel.hpp"
#include "support/poisson_slabs.hpp"

namespace watersmeet {
namespace {

using solve::PoissonMethod;
using test::world;

std::unique_ptr<comm::Team> team_of_world() {
  const Queue queue;
  if (world().size() == 1) return std::make_unique<comm::Team>(queue);
  return std::make_unique<comm::Team>(world(),
                                      comm::choose_transport(world(), "auto", Backend::cpu, false),
                                      queue, comm::Overlap::off);
}

TEST(SlabsOfPoisson, HaveTheAnswersOfOneRank) {
  for (int z = 0; z < 5; ++z) {
    for (const PoissonMethod method : {PoissonMethod::fft, PoissonMethod::gemm}) {
      auto problem = test::uniform_problem({20, 14, 37}, {0.3, 0.25, 0.5}, {0, 1, z});
      problem.faces[2] = test::crowded_faces(37, 8.0, 1.5);
      SCOPED_TRACE(test::text_of(problem));
      const test::SlabJudgement j =
          test::judge_slabs(problem, method, Precision::double_,
                            test::uneven_cuts(37, world().size()), team_of_world(), Queue{});
      EXPECT_LT(j.difference, 1e-12);
      EXPECT_LT(j.residual, 1e-12);
    }
  }
}

}  // namespace
}  // namespace watersmeet
