#pragma once
// A Poisson problem on as many slabs as a communicator has ranks, against one rank on the CPU.

#include "comm/communicator.hpp"
#include "support/poisson_case.hpp"

namespace watersmeet::test {

// Slabs that begin at these planes.
inline std::vector<mesh::Part> slabs(const Index3& n, const std::vector<std::int64_t>& first) {
  std::vector<mesh::Part> parts;
  for (std::size_t s = 0; s < first.size(); ++s) {
    const std::int64_t end = s + 1 < first.size() ? first[s + 1] : n[2];
    parts.push_back({0, {{0, 0, first[s]}, {n[0], n[1], end}}, static_cast<int>(s)});
  }
  return parts;
}
// The first planes of slabs of unequal thickness.
inline std::vector<std::int64_t> uneven_cuts(std::int64_t nz, int ranks) {
  std::vector<std::int64_t> first;
  for (std::int64_t r = 0; r < ranks; ++r) first.push_back(r * (nz - 1) / ranks + (r > 0 ? 1 : 0));
  return first;
}
// Slabs that can be halved a few times, equal and not, and some that cannot.
inline std::vector<std::vector<std::int64_t>> even_and_uneven_cuts(std::int64_t nz, int ranks) {
  std::vector<std::int64_t> even, unequal;
  for (std::int64_t r = 0; r < ranks; ++r) {
    even.push_back(nz / 8 * (8 * r / ranks));
    unequal.push_back(even.back() - (r > 0 ? nz / 16 : 0));
  }
  return {even, unequal, uneven_cuts(nz, ranks)};
}

// Over the largest phi and the largest right-hand side, the worst of all ranks.
struct SlabJudgement {
  double difference = 0, residual = 0;
};
inline SlabJudgement judge_slabs(const PoissonProblem& problem, solve::PoissonMethod method,
                                 Precision precision, const std::vector<std::int64_t>& first,
                                 std::unique_ptr<comm::Team> team, const Queue& queue) {
  const std::vector<double> rhs = random_cells(problem, 21);
  PoissonCase whole(problem, precision, Queue{});
  whole.put(whole.fields.rhs, rhs);
  const std::vector<double> expected = whole.solve(method);
  PoissonCase c(problem, precision, queue, std::move(team), slabs(problem.cells, first));
  const std::size_t begin =
      static_cast<std::size_t>(problem.cells[0] * problem.cells[1] * c.domain.box(0).lower[2]);
  const auto part = [&](const std::vector<double>& all) {
    return std::vector<double>(all.data() + begin, all.data() + begin + c.size());
  };
  c.put(c.fields.rhs, part(rhs));
  double worst[2] = {largest_difference(c.solve(method), part(expected)) / largest(expected), 0};
  worst[1] = c.residual() / largest(rhs);
  c.team->communicator().all_reduce_max(std::span<double>(worst));
  return {worst[0], worst[1]};
}

}  // namespace watersmeet::test
