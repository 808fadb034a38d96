#pragma once
// The cube schedule of the node form on the CPU: the threads of a cube one after the other, in
// either order.

#include <limits>
#include <vector>

#include "core/types.hpp"
#include "exec/node_cube.hpp"

namespace watersmeet::test {

template <int variables>
struct CubeRates {
  std::vector<exec::NodeRates<double, variables>> of;  // of every node of the pool
  std::vector<int> visits;                             // cubes that a node belongs to
  std::vector<double> radii;                           // where a pass tells them
};

template <int order, class Pass>
CubeRates<Pass::variables> rates_by_cubes(const Pass& pass,
                                          const std::vector<exec::NodeBlock>& blocks,
                                          std::int64_t nodes,
                                          const exec::NodeOperators<double>& operators,
                                          bool backwards) {
  const auto& table = exec::operator_of<Pass::made_of.inner>(operators);
  CubeRates<Pass::variables> result;
  result.of.resize(static_cast<std::size_t>(nodes));
  result.visits.resize(static_cast<std::size_t>(nodes), 0);
  for (const exec::NodeCube& cube : exec::node_cubes(blocks, order)) {
    const exec::NodeBlock& block = blocks[static_cast<std::size_t>(cube.block)];
    std::vector<exec::NodeRates<double, Pass::variables>> rates(exec::cube_threads);
    const auto each_thread = [&](const auto& work) {
      for (int t = 0; t < exec::cube_threads; ++t) {
        work(backwards ? exec::cube_threads - 1 - t : t);
      }
    };
    for (int d = 0; d < 3; ++d) {
      if (block.order[d] == 0) continue;
      // What nobody writes must not be read.
      std::vector<double> shared(Pass::shared_bytes / sizeof(double),
                                 std::numeric_limits<double>::quiet_NaN());
      each_thread([&](int t) { pass.load(block, cube, d, t, shared.data()); });
      each_thread([&](int t) {
        int index[3];
        if (pass.owns(cube, t, index)) {
          pass.add(block, d, t, index[d], shared.data(), table, rates[static_cast<std::size_t>(t)]);
        }
      });
    }
    each_thread([&](int t) {
      int index[3];
      if (!pass.owns(cube, t, index)) return;
      const auto node =
          static_cast<std::size_t>(exec::node_point(&block, index[0], index[1], index[2]).node);
      ++result.visits[node];
      result.of[node] = rates[static_cast<std::size_t>(t)];
    });
  }
  return result;
}

// Calls f(point) for all nodes of a block.
template <class F>
void for_each_point(const exec::NodeBlock& block, const F& f) {
  for (int k = 0; k < block.n[2]; ++k) {
    for (int j = 0; j < block.n[1]; ++j) {
      for (int i = 0; i < block.n[0]; ++i) f(exec::node_point(&block, i, j, k));
    }
  }
}

}  // namespace watersmeet::test
