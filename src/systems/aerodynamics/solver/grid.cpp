#include "systems/aerodynamics/solver/grid.hpp"

#include "core/error.hpp"

namespace watersmeet::aerodynamics {

namespace {

// H along a direction of a block.
std::vector<double> norms(const Level& level, std::size_t block, int axis) {
  const exec::NodeBlock& b = level.node_blocks()[block];
  std::vector<double> h;
  for (int i = 0; i < b.n[axis]; ++i) {
    h.push_back(norm_along(level.parameters().operators, b.order[axis], i, b.n[axis]));
  }
  return h;
}

template <class T>
memory::Buffer table_of(const std::vector<T>& items, const Queue& queue) {
  memory::Buffer buffer(memory::working_space(queue.backend), items.size() * sizeof(T) + 1);
  if (!items.empty()) copy_bytes(buffer.start(), items.data(), items.size() * sizeof(T), queue);
  synchronize(queue);
  return buffer;
}

}  // namespace

Transfer::Transfer(const Level& finer, const Level& coarse, const mesh::KeptNodes& kept,
                   const Queue& queue) {
  std::vector<TransferBlock> blocks;
  std::vector<KeptNode> kept_nodes;
  std::vector<FineNode> fine_nodes;
  for (std::size_t b = 0; b < finer.node_blocks().size(); ++b) {
    const auto number = static_cast<std::size_t>(finer.blocks().number[b]);
    TransferBlock block{};
    for (int axis = 0; axis < 3; ++axis) {
      const std::vector<std::int64_t>& nodes = kept[number][static_cast<std::size_t>(axis)];
      block.kept[axis] = static_cast<std::int32_t>(kept_nodes.size());
      block.fine[axis] = static_cast<std::int32_t>(fine_nodes.size());
      if (nodes.size() == 1) {  // the third axis of a plane
        kept_nodes.push_back({0, {0, 1, 0}});
        fine_nodes.push_back({0, 0});
        continue;
      }
      const auto weights = mesh::restriction(nodes, norms(finer, b, axis), norms(coarse, b, axis));
      require(weights.size() == nodes.size(), "a row of the restriction for every kept node");
      for (std::size_t c = 0; c < nodes.size(); ++c) {
        kept_nodes.push_back(
            {static_cast<std::int32_t>(nodes[c]), {weights[c][0], weights[c][1], weights[c][2]}});
      }
      for (const mesh::Between& between : mesh::prolongation(nodes)) {
        fine_nodes.push_back({static_cast<std::int32_t>(between.below), between.weight});
      }
    }
    blocks.push_back(block);
  }
  blocks_ = table_of(blocks, queue);
  kept_nodes_ = table_of(kept_nodes, queue);
  fine_nodes_ = table_of(fine_nodes, queue);
  tables_.fine_blocks = finer.parameters().pool.blocks.data();
  tables_.coarse_blocks = coarse.parameters().pool.blocks.data();
  tables_.blocks = blocks_.as<TransferBlock>();
  tables_.kept = kept_nodes_.as<KeptNode>();
  tables_.fine = fine_nodes_.as<FineNode>();
}

}  // namespace watersmeet::aerodynamics
