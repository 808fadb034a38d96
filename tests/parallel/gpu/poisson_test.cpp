// Direct Poisson solvers on slabs with a GPU each, by every transport there is, against one CPU.
// Skipped by one rank and where a rank has no GPU of its own.
#include <gtest/gtest.h>

#include "support/own_gpus.hpp"
#include "support/poisson_slabs.hpp"

namespace watersmeet {
namespace {

using solve::PoissonMethod;
using test::world;

class SlabsOnOwnGpus : public test::OwnGpus {};

TEST_F(SlabsOnOwnGpus, HaveTheAnswersOfTheCpu) {
  for (const char* transport : {"mpi", "nccl", "auto"}) {
    for (int z = 0; z < 5; ++z) {
      for (const PoissonMethod method : {PoissonMethod::fft, PoissonMethod::gemm}) {
        const auto problem = test::uniform_problem({68, 40, 75}, {0.3, 0.25, 0.5}, {0, 1, z});
        SCOPED_TRACE(std::string(transport) + ", " + test::text_of(problem));
        auto team = std::make_unique<comm::Team>(
            world(), comm::choose_transport(world(), transport, Backend::cuda, false), queue_,
            comm::Overlap::off);
        const test::SlabJudgement j =
            test::judge_slabs(problem, method, Precision::double_,
                              test::uneven_cuts(75, world().size()), std::move(team), queue_);
        EXPECT_LT(j.difference, 1e-12);
        EXPECT_LT(j.residual, 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace watersmeet
