#pragma once
// The marching schedule of the node form on the CPU: the threads of a thread block one after the
// other, thread block after thread block.

#include <limits>
#include <memory>
#include <vector>

#include "exec/node_march.hpp"

namespace watersmeet::test {

template <int variables>
struct Marched {
  std::vector<exec::NodeRates<double, variables>> rates;  // of every node of the pool
  std::vector<double> largest;                            // sums of the largest radii
  std::vector<int> visits;
};

// As the kernel does it, with `count` thread blocks.
template <exec::MarchParts parts, class Scheme>
Marched<Scheme::variables> march(const std::vector<exec::NodeBlock>& blocks,
                                 const exec::NodeArrays<double>& arrays, const Scheme& scheme,
                                 std::int64_t pool, int count) {
  constexpr int variables = Scheme::variables;
  using Pass = exec::MarchPass<double, Scheme, parts>;
  const auto nodes = static_cast<std::size_t>(pool);
  Marched<variables> all;
  all.rates.resize(nodes);
  all.largest.resize(nodes);
  all.visits.resize(nodes, 0);
  const exec::MarchPlan plan = exec::march_plan(blocks);
  const auto copy = [](double* to, const double* from) { *to = *from; };
  for (int number = 0; number < count; ++number) {
    const std::int64_t begin = exec::march_share(plan.work, number, count);
    const std::int64_t end = exec::march_share(plan.work, number + 1, count);
    // What nobody writes must not be read.
    std::vector<double> shared(Pass::shared_bytes / sizeof(double) + 1,
                               std::numeric_limits<double>::quiet_NaN());
    for (const exec::MarchTile& tile : plan.tiles) {
      const int lower = tile.plane_at(begin), upper = tile.plane_at(end);
      if (lower >= upper) continue;
      const exec::MarchFrame frame{blocks[static_cast<std::size_t>(tile.block)], lower, upper};
      std::vector<std::unique_ptr<Pass>> threads;
      for (int t = 0; t < exec::march_threads; ++t) {
        threads.push_back(std::make_unique<Pass>(arrays, scheme, frame, shared.data(), t));
        threads.back()->set_up(tile);
        threads.back()->fetch(lower - 1, copy);
      }
      for (int p = lower - 1; p <= upper; ++p) {
        for (const auto& pass : threads) {
          exec::NodeRates<double, variables> rates;
          double largest = 0;
          if (!pass->advance(p, copy, rates, largest)) continue;
          const auto node = static_cast<std::size_t>(pass->point(p - 1).node);
          all.rates[node] = rates;
          all.largest[node] = largest;
          ++all.visits[node];
        }
        for (const auto& pass : threads) pass->gather(p, {});
      }
    }
  }
  return all;
}

}  // namespace watersmeet::test
