#include "mesh/curvilinear/distribute.hpp"

#include <algorithm>
#include <numeric>

#include "core/error.hpp"

namespace watersmeet::mesh {

namespace {

Distribution shared_out(const MultiBlockMesh& mesh, int ranks) {
  std::vector<int> order(mesh.blocks.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return mesh.block(a).count() > mesh.block(b).count(); });
  Distribution result;
  result.rank.assign(mesh.blocks.size(), 0);
  result.nodes.assign(static_cast<std::size_t>(ranks), 0);
  for (const int block : order) {
    const auto least = std::min_element(result.nodes.begin(), result.nodes.end());
    result.rank[static_cast<std::size_t>(block)] = static_cast<int>(least - result.nodes.begin());
    *least += mesh.block(block).count();
  }
  return result;
}

// The node about the middle, within a tenth, from which both parts can be halved most often, up to
// three times; 0 when the parts would be too thin.
std::int64_t middle_of(std::int64_t nodes, std::int64_t thinnest) {
  const std::int64_t intervals = nodes - 1;
  std::int64_t best = 0, best_power = 0, best_distance = 0;
  for (std::int64_t at = thinnest - 1; intervals - at >= thinnest - 1; ++at) {
    if (5 * at < 2 * intervals || 5 * at > 3 * intervals) continue;
    // The lowest bit that is set is the largest power of two that divides the number.
    const std::int64_t rest = intervals - at;
    const std::int64_t power = std::min({at & -at, rest & -rest, std::int64_t{8}});
    const std::int64_t distance = std::abs(intervals - 2 * at);
    if (best != 0 && (power < best_power || (power == best_power && distance >= best_distance))) {
      continue;
    }
    best = at;
    best_power = power;
    best_distance = distance;
  }
  return best;
}

// Adds a cut through the largest block of the busiest rank that can be cut.
bool cut_one(const MultiBlockMesh& mesh, const Distribution& shares, std::int64_t thinnest,
             int& block, int& axis, std::int64_t& node) {
  std::vector<int> order(mesh.blocks.size());
  std::iota(order.begin(), order.end(), 0);
  const auto load = [&](int b) {
    return shares.nodes[static_cast<std::size_t>(shares.rank[static_cast<std::size_t>(b)])];
  };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    if (load(a) != load(b)) return load(a) > load(b);
    return mesh.block(a).count() > mesh.block(b).count();
  });
  for (const int b : order) {
    const Index3& n = mesh.block(b).n;
    std::array<int, 3> axes{0, 1, 2};
    std::stable_sort(axes.begin(), axes.end(), [&](int p, int q) { return n[p] > n[q]; });
    for (const int a : axes) {
      const std::int64_t at = middle_of(n[a], thinnest);
      if (at == 0) continue;
      block = b;
      axis = a;
      node = at;
      return true;
    }
  }
  return false;
}

}  // namespace

double Distribution::balance() const {
  const std::int64_t largest = *std::max_element(nodes.begin(), nodes.end());
  const std::int64_t all = std::accumulate(nodes.begin(), nodes.end(), std::int64_t{0});
  return static_cast<double>(all) / static_cast<double>(largest) /
         static_cast<double>(nodes.size());
}

Distribution distribute(const MultiBlockMesh& mesh, int ranks, const std::string& name) {
  require(ranks >= 1 && !mesh.blocks.empty(), "a mesh and one rank or more");
  const auto blocks = static_cast<int>(mesh.blocks.size());
  if (ranks > blocks) {
    throw Error(ErrorKind::user_input,
                std::to_string(ranks) + " ranks share the " + std::to_string(blocks) +
                    (blocks == 1 ? " block of " : " blocks of ") + name +
                    ", whole blocks each; use at most " + std::to_string(blocks) +
                    ", or cut the mesh once:  watersmeet mesh " + name + " --shares " +
                    std::to_string(ranks) + " --output NAME");
  }
  return shared_out(mesh, ranks);
}

SplitMesh split_for_ranks(const MultiBlockMesh& mesh, int ranks, double balance,
                          std::int64_t thinnest) {
  require(ranks >= 1 && thinnest >= 2 && !mesh.blocks.empty(),
          "a mesh, ranks, and parts of two nodes");
  Cuts cuts = complete_face_cuts(mesh);
  SplitMesh current = split_at(mesh, cuts);
  SplitMesh best = current;
  double best_balance = shared_out(current.mesh, ranks).balance();
  // More blocks than this bring more faces than balance.
  const std::size_t most =
      std::max<std::size_t>(current.mesh.blocks.size(), 1) + 8 * static_cast<std::size_t>(ranks);
  while (best_balance < balance && current.mesh.blocks.size() < most) {
    int block = 0, axis = 0;
    std::int64_t node = 0;
    if (!cut_one(current.mesh, shared_out(current.mesh, ranks), thinnest, block, axis, node)) break;
    const auto part = static_cast<std::size_t>(block);
    cuts[static_cast<std::size_t>(current.parent[part])][axis].insert(
        current.first_node[part][axis] + node);
    cuts = complete_face_cuts(mesh, std::move(cuts));
    current = split_at(mesh, cuts);
    const double reached = shared_out(current.mesh, ranks).balance();
    if (reached > best_balance) {
      best_balance = reached;
      best = current;
    }
  }
  return best;
}

}  // namespace watersmeet::mesh
