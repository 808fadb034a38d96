#pragma once
// The column schedule of the node form on the CPU: the threads of a thread block one after the
// other, in either order, between the points where all of them wait.

#include <limits>
#include <vector>

#include "exec/node_column.hpp"
#include "support/cubes.hpp"

namespace watersmeet::test {

template <class Pass>
CubeRates<Pass::variables> rates_by_columns(const Pass& pass,
                                            const std::vector<exec::NodeBlock>& blocks,
                                            std::int64_t nodes,
                                            const exec::NodeOperators<double>& operators,
                                            bool backwards) {
  const exec::ColumnTables<double> tables = exec::column_tables(operators);
  CubeRates<Pass::variables> result;
  result.of.resize(static_cast<std::size_t>(nodes));
  result.visits.resize(static_cast<std::size_t>(nodes), 0);
  result.radii.resize(static_cast<std::size_t>(nodes), 0);
  for (const exec::NodeColumn& column : exec::node_columns(blocks, Pass::made_order)) {
    const exec::NodeBlock& block = blocks[static_cast<std::size_t>(column.block)];
    std::vector<typename Pass::Thread> threads(Pass::threads);
    // What nobody writes must not be read.
    std::vector<double> shared(Pass::shared_bytes / sizeof(double),
                               std::numeric_limits<double>::quiet_NaN());
    const auto each_thread = [&](const auto& work) {
      for (int t = 0; t < Pass::threads; ++t) {
        const int number = backwards ? Pass::threads - 1 - t : t;
        work(threads[static_cast<std::size_t>(number)], number);
      }
    };
    each_thread(
        [&](auto& t, int number) { pass.begin(t, column, block, tables, number, shared.data()); });
    for (int m = Pass::first_plane(column); m < Pass::end_plane(column); ++m) {
      each_thread([&](auto& t, int) { pass.load(t, column, block, m); });
      each_thread([&](auto& t, int) {
        exec::NodeRates<double, Pass::variables> rates;
        if (!pass.advance(t, column, block, tables, m, shared.data(), rates)) return;
        const auto node = static_cast<std::size_t>(
            exec::node_point(&block, t.index[0], t.index[1], m - Pass::halo).node);
        ++result.visits[node];
        result.of[node] = rates;
        if (Pass::tells_radii) result.radii[node] = t.of_node;
      });
      each_thread(
          [&](auto& t, int) { pass.add_plane(t, column, block, tables, m, shared.data()); });
    }
  }
  return result;
}

}  // namespace watersmeet::test
