// Multigrid on several ranks, which are threads here: the same cycles and the same bits as on one,
// whatever the cut.
#include <gtest/gtest.h>

#include "solve/multigrid/multigrid.hpp"
#include "support/cut.hpp"
#include "support/poisson_case.hpp"
#include "support/thread_team.hpp"

namespace watersmeet::solve {
namespace {

using test::Cut;
using test::parts_of;

struct Solved {
  std::vector<double> phi;  // of the whole grid
  PoissonRecord record;
  std::string description;
};

Solved solve_on_one(const PoissonProblem& p, PoissonMethod method, const std::vector<double>& rhs,
                    double limit) {
  test::PoissonCase c(p, Precision::double_, Queue{});
  c.put(1, rhs);
  const auto solver = make_multigrid(p, method, c.place);
  solver->solve(c.fields, {limit, 60});
  return {c.get(0), solver->record(), solver->describe()};
}

Solved solve_on(const PoissonProblem& p, PoissonMethod method, const std::vector<double>& rhs,
                double limit, const Cut& cut) {
  const std::vector<mesh::Part> parts = parts_of(p.cells, cut);
  const int ranks = static_cast<int>(parts.size());
  Solved all;
  all.phi.resize(rhs.size());
  const auto at = [&](const Index3& i) {
    return static_cast<std::size_t>((i[2] * p.cells[1] + i[1]) * p.cells[0] + i[0]);
  };
  test::ThreadTeam::run(ranks, [&](comm::Communicator& world) {
    auto team = std::make_unique<comm::Team>(
        world, comm::make_message_transport(world, Backend::cpu, false), Queue{},
        comm::Overlap::off);
    test::PoissonCase c(p, Precision::double_, Queue{}, std::move(team), parts);
    c.set(1, [&](const Index3& i) { return rhs[at(i)]; });
    const auto solver = make_multigrid(p, method, c.place);
    solver->solve(c.fields, {limit, 60});
    const std::vector<double> mine = c.get(0);
    const Box& box = c.domain.box(0);
    std::size_t n = 0;
    for (std::int64_t k = box.lower[2]; k < box.upper[2]; ++k)
      for (std::int64_t j = box.lower[1]; j < box.upper[1]; ++j)
        for (std::int64_t i = box.lower[0]; i < box.upper[0]; ++i)
          all.phi[at({i, j, k})] = mine[n++];
    if (world.rank() == 0) {
      all.record = solver->record();
      all.description = solver->describe();
    }
  });
  return all;
}

struct Case {
  PoissonProblem problem;
  Cut cut;
};

std::vector<Case> cases() {
  const auto slabs = [](std::vector<std::int64_t> z) { return Cut{{{0}, {0}, std::move(z)}}; };
  std::vector<Case> all;
  for (const std::array<int, 3>& sides :
       {std::array<int, 3>{0, 0, 2}, {0, 0, 0}, {1, 4, 1}, {2, 2, 3}, {0, 0, 1}}) {
    const PoissonProblem p = test::uniform_problem({32, 32, 64}, {1, 1, 1}, sides);
    all.push_back({p, slabs({0, 32})});
    all.push_back({p, slabs({0, 16, 32, 48})});
    all.push_back({p, slabs({0, 24, 40})});            // unequal, gathered soon
    all.push_back({p, slabs({0, 17, 41})});            // odd: gathered at once
    all.push_back({p, Cut{{{0, 16}, {0, 16}, {0}}}});  // pencils
    all.push_back({p, Cut{{{0, 12}, {0}, {0, 32}}}});
  }
  // Cells of other shapes: z coarsened alone at first, x and y alone.
  all.push_back({test::uniform_problem({64, 32, 64}, {1, 1, 0.25}, {0, 1, 2}), slabs({0, 32})});
  all.push_back({test::uniform_problem({64, 64, 16}, {1, 1, 4}, {0, 2, 1}), slabs({0, 8})});
  return all;
}

void expect_as_on_one(PoissonMethod method, std::size_t every) {
  const std::vector<Case> all = cases();
  for (std::size_t n = 0; n < all.size(); n += every) {
    const PoissonProblem& p = all[n].problem;
    const std::vector<double> rhs = test::random_cells(p, 21);
    const Solved one = solve_on_one(p, method, rhs, 1e-8);
    const Solved many = solve_on(p, method, rhs, 1e-8, all[n].cut);
    SCOPED_TRACE(test::text_of(p) + many.description + ", case " + std::to_string(n));
    EXPECT_EQ(many.record.cycles, one.record.cycles);
    EXPECT_EQ(many.record.end, PoissonEnd::converged);
    const bool sums = method == PoissonMethod::mgcg;  // of products, in another order
    EXPECT_LE(test::largest_difference(many.phi, one.phi),
              sums ? 1e-12 * test::largest(one.phi) : 0.0);
  }
}

TEST(MultigridOnRanks, SameCyclesAndBits) { expect_as_on_one(PoissonMethod::mg, 1); }
TEST(MultigridOnRanks, ConjugateGradients) { expect_as_on_one(PoissonMethod::mgcg, 5); }

TEST(MultigridOnRanks, LinesAlongZBetweenPencils) {
  PoissonProblem p = test::uniform_problem({32, 32, 48}, {1, 1, 1}, {0, 0, 2});
  p.faces[2] = test::crowded_faces(48, 40, 2.0);
  const std::vector<double> rhs = test::random_cells(p, 3);
  const Solved one = solve_on_one(p, PoissonMethod::mg, rhs, 1e-8);
  const Solved many = solve_on(p, PoissonMethod::mg, rhs, 1e-8, {{{0, 16}, {0, 16}, {0}}});
  EXPECT_EQ(many.record.cycles, one.record.cycles);
  EXPECT_EQ(test::largest_difference(many.phi, one.phi), 0.0);
}

}  // namespace
}  // namespace watersmeet::solve
