#include "mesh/curvilinear/split_for_ranks.hpp"

#include <algorithm>
#include <numeric>

#include "core/error.hpp"
#include "mesh/curvilinear/share_blocks.hpp"

namespace watersmeet::mesh {

namespace {

constexpr double good_balance = 0.9;
constexpr std::int64_t thinnest = 9;  // nodes of a part

// The node about the middle, within a tenth, from which both parts can be halved most often, up to
// three times; 0 when the parts would be too thin.
std::int64_t middle_of(std::int64_t nodes) {
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

// The nodes of the rank of each block.
std::vector<std::int64_t> loads_of(const MultiBlockMesh& mesh, int ranks) {
  const Shares shares = share_blocks(mesh, ranks);
  const std::vector<std::int64_t> nodes = nodes_of_ranks(shares, ranks);
  std::vector<std::int64_t> loads;
  for (const int rank : ranks_of_blocks(mesh, shares.parts)) {
    loads.push_back(nodes[static_cast<std::size_t>(rank)]);
  }
  return loads;
}

double balance_of(const MultiBlockMesh& mesh, int ranks) {
  return balance(nodes_of_ranks(share_blocks(mesh, ranks), ranks));
}

// Finds a cut through the largest block of the busiest rank that can be cut.
bool cut_one(const MultiBlockMesh& mesh, int ranks, int& block, int& axis, std::int64_t& node) {
  std::vector<int> order(mesh.blocks.size());
  std::iota(order.begin(), order.end(), 0);
  const std::vector<std::int64_t> loads = loads_of(mesh, ranks);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    const std::int64_t of_a = loads[static_cast<std::size_t>(a)];
    const std::int64_t of_b = loads[static_cast<std::size_t>(b)];
    return of_a != of_b ? of_a > of_b : mesh.block(a).count() > mesh.block(b).count();
  });
  for (const int b : order) {
    const Index3& n = mesh.block(b).n;
    std::array<int, 3> axes{0, 1, 2};
    std::stable_sort(axes.begin(), axes.end(), [&](int p, int q) { return n[p] > n[q]; });
    for (const int a : axes) {
      const std::int64_t at = middle_of(n[a]);
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

SplitMesh split_for_ranks(const MultiBlockMesh& mesh, int ranks) {
  require(ranks >= 1 && !mesh.blocks.empty(), "a mesh and ranks");
  Cuts cuts = complete_face_cuts(mesh);
  SplitMesh current = split_at(mesh, cuts);
  SplitMesh best = current;
  double best_balance = balance_of(current.mesh, ranks);
  // More blocks than this bring more faces than balance.
  const std::size_t most =
      std::max<std::size_t>(current.mesh.blocks.size(), 1) + 8 * static_cast<std::size_t>(ranks);
  while (best_balance < good_balance && current.mesh.blocks.size() < most) {
    int block = 0, axis = 0;
    std::int64_t node = 0;
    if (!cut_one(current.mesh, ranks, block, axis, node)) break;
    const auto part = static_cast<std::size_t>(block);
    cuts[static_cast<std::size_t>(current.parent[part])][axis].insert(
        current.first_node[part][axis] + node);
    cuts = complete_face_cuts(mesh, std::move(cuts));
    current = split_at(mesh, cuts);
    const double reached = balance_of(current.mesh, ranks);
    if (reached > best_balance) {
      best_balance = reached;
      best = current;
    }
  }
  return best;
}

}  // namespace watersmeet::mesh
