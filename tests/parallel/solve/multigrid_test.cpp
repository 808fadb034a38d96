// Multigrid on the ranks of an MPI launch against one rank.
#include <gtest/gtest.h>

#include "support/parallel.hpp"
#include "support/poisson_slabs.hpp"

namespace watersmeet {
namespace {

using solve::PoissonMethod;
using test::world;

TEST(MultigridOnSlabs, HasTheAnswersOfOneRank) {
  const Queue queue;
  for (int z = 0; z < 5; ++z) {
    for (const PoissonMethod method : {PoissonMethod::mg, PoissonMethod::mgcg}) {
      const auto problem = test::uniform_problem({32, 48, 64}, {0.3, 0.25, 0.25}, {0, 1, z});
      for (const std::vector<std::int64_t>& first :
           test::even_and_uneven_cuts(64, world().size())) {
        auto team = world().size() == 1
                        ? std::make_unique<comm::Team>(queue)
                        : std::make_unique<comm::Team>(
                              world(), comm::choose_transport(world(), "auto", Backend::cpu, false),
                              queue, comm::Overlap::off);
        SCOPED_TRACE(test::text_of(problem));
        const test::SlabJudgement j =
            test::judge_slabs(problem, method, Precision::double_, first, std::move(team), queue);
        EXPECT_LE(j.difference, method == PoissonMethod::mg ? 0 : 1e-12);
        EXPECT_LT(j.residual, 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace watersmeet
