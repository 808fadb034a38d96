// Multigrid on slabs with a GPU each, by every transport there is, against one CPU. Skipped by one
// rank and where a rank has no GPU of its own.
#include <gtest/gtest.h>

#include "support/parallel.hpp"
#include "support/poisson_slabs.hpp"

namespace watersmeet {
namespace {

using solve::PoissonMethod;
using test::world;

// Slabs that can be halved a few times, and some that cannot.
std::vector<std::vector<std::int64_t>> cuts(std::int64_t nz) {
  std::vector<std::int64_t> even;
  const std::int64_t ranks = world().size();
  for (std::int64_t r = 0; r < ranks; ++r) even.push_back(nz / 8 * (8 * r / ranks));
  return {even, test::uneven_cuts(nz, world().size())};
}

TEST(MultigridOnOwnGpus, HasTheAnswersOfTheCpu) {
  const comm::Locality place = comm::find_locality(world());
  const int devices = static_cast<int>(cuda_devices().size());
  std::uint64_t lacking[1] = {devices < place.local_size ? 1u : 0u};
  world().all_reduce_max(std::span<std::uint64_t>(lacking));
  if (world().size() < 2) GTEST_SKIP() << "needs two ranks";
  if (lacking[0] != 0) GTEST_SKIP() << "not every rank has a GPU of its own";
  select_cuda_device(place.local_rank);
  Queue queue = make_cuda_queue();
  for (const char* transport : {"mpi", "auto"}) {
    for (int z = 0; z < 5; ++z) {
      for (const PoissonMethod method : {PoissonMethod::mg, PoissonMethod::mgcg}) {
        const auto problem = test::uniform_problem({64, 48, 128}, {1, 1, 1}, {0, 1, z});
        for (const std::vector<std::int64_t>& first : cuts(128)) {
          SCOPED_TRACE(std::string(transport) + ", " + test::text_of(problem));
          auto team = std::make_unique<comm::Team>(
              world(), comm::choose_transport(world(), transport, Backend::cuda, false), queue,
              comm::Overlap::off);
          const test::SlabJudgement j =
              test::judge_slabs(problem, method, Precision::double_, first, std::move(team), queue);
          // Both go down to their floors of round-off.
          EXPECT_LT(j.difference, 1e-10);
          EXPECT_LT(j.residual, 1e-12);
        }
      }
    }
  }
  destroy_queue(queue);
}

}  // namespace
}  // namespace watersmeet
