// Multigrid on slabs with a GPU each, by every transport there is, against one CPU. Skipped by one
// rank and where a rank has no GPU of its own.
#include <gtest/gtest.h>

#include "support/own_gpus.hpp"
#include "support/poisson_slabs.hpp"

namespace watersmeet {
namespace {

using solve::PoissonMethod;
using test::world;

class MultigridOnOwnGpus : public test::OwnGpus {};

TEST_F(MultigridOnOwnGpus, HasTheAnswersOfTheCpu) {
  for (const char* transport : {"mpi", "nccl", "auto"}) {
    for (int z = 0; z < 5; ++z) {
      for (const PoissonMethod method : {PoissonMethod::mg, PoissonMethod::mgcg}) {
        const auto problem = test::uniform_problem({64, 48, 128}, {1, 1, 1}, {0, 1, z});
        for (const std::vector<std::int64_t>& first :
             test::even_and_uneven_cuts(128, world().size())) {
          SCOPED_TRACE(std::string(transport) + ", " + test::text_of(problem));
          auto team = std::make_unique<comm::Team>(
              world(), comm::choose_transport(world(), transport, Backend::cuda, false), queue_,
              comm::Overlap::off);
          const test::SlabJudgement j = test::judge_slabs(problem, method, Precision::double_,
                                                          first, std::move(team), queue_);
          // Both go down to their floors of round-off.
          EXPECT_LT(j.difference, 1e-10);
          EXPECT_LT(j.residual, 1e-12);
        }
      }
    }
  }
}

}  // namespace
}  // namespace watersmeet
