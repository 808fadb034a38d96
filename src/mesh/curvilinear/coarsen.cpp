// Classes of segments by union-find, the nodes that each keeps, and meshes of those nodes.

#include "mesh/curvilinear/coarsen.hpp"

#include <algorithm>
#include <numeric>

#include "core/error.hpp"
#include "mesh/curvilinear/nodes.hpp"
#include "mesh/curvilinear/split.hpp"

namespace watersmeet::mesh {

namespace {

// A direction of a block between two neighbouring nodes that must be kept.
struct Segment {
  int block, axis;
  std::int64_t first, last;  // nodes
};

// Sets of segments that are coarsened in the same way. Each element knows whether it runs as its root does.
// Roots are the elements with the least number, so the result depends on no order of the links.
class Classes {
 public:
  explicit Classes(std::size_t size) : parent_(size), backward_(size), both_ways_(size) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }

  struct Place {
    std::size_t root;
    bool backward;
  };
  Place find(std::size_t element) const {
    bool backward = false;
    while (parent_[element] != element) {
      backward = backward != backward_[element];
      element = parent_[element];
    }
    return {element, backward};
  }

  void join(std::size_t a, std::size_t b, bool backward) {
    const Place p = find(a), q = find(b);
    const bool between = (p.backward != q.backward) != backward;
    if (p.root == q.root) {
      // Joined to itself the other way round: what it keeps must be the same from both ends.
      if (between) both_ways_[p.root] = true;
      return;
    }
    const std::size_t root = std::min(p.root, q.root), other = std::max(p.root, q.root);
    parent_[other] = root;
    backward_[other] = between;
    both_ways_[root] = both_ways_[root] || both_ways_[other];
  }

  bool both_ways(std::size_t root) const { return both_ways_[root]; }

 private:
  std::vector<std::size_t> parent_;
  std::vector<bool> backward_, both_ways_;
};

class Coarsener {
 public:
  Coarsener(const MultiBlockMesh& mesh, const CoarsenOptions& options) : mesh_(mesh), o_(options) {
    cut();
  }

  KeptNodes run() {
    Classes classes(segments_.size());
    for (const NodeLink& link : mesh_.links) join(link, classes);
    std::vector<bool> stays(segments_.size(), false);
    for (std::size_t s = 0; s < segments_.size(); ++s) {
      if (!may_shrink(segments_[s])) stays[classes.find(s).root] = true;
    }
    KeptNodes kept(mesh_.blocks.size());
    for (auto& block : kept) {
      for (auto& nodes : block) nodes.push_back(0);
    }
    // Segments of a direction are in order.
    for (std::size_t s = 0; s < segments_.size(); ++s) {
      const Segment& segment = segments_[s];
      const auto [root, backward] = classes.find(s);
      const std::int64_t intervals = segment.last - segment.first;
      std::vector<std::int64_t> own;
      if (stays[root]) {
        own.resize(static_cast<std::size_t>(intervals) + 1);
        std::iota(own.begin(), own.end(), 0);
      } else {
        own = kept_of(intervals, classes.both_ways(root));
        if (backward) {
          std::reverse(own.begin(), own.end());
          for (std::int64_t& node : own) node = intervals - node;
        }
      }
      auto& nodes = kept[static_cast<std::size_t>(segment.block)][segment.axis];
      for (std::size_t i = 1; i < own.size(); ++i) nodes.push_back(segment.first + own[i]);
    }
    return kept;
  }

 private:
  // Ends of links and patches, carried through all links, cut directions into segments.
  void cut() {
    Cuts cuts(mesh_.blocks.size());
    stop_.assign(mesh_.blocks.size(), {o_.stop, o_.stop, o_.stop});
    for (const BoundaryPatch& patch : mesh_.patches) {
      const auto b = static_cast<std::size_t>(patch.block);
      for (int a = 0; a < 3; ++a) {
        if (patch.box.size(a) == 1) continue;
        cuts[b][a].insert(patch.box.lower[a]);
        cuts[b][a].insert(patch.box.upper[a] - 1);
      }
      if (patch.kind == "slip_wall") stop_[b][patch.face.axis] = o_.stop_at_wall;
    }
    cuts = complete_face_cuts(mesh_, std::move(cuts));
    for (std::size_t b = 0; b < cuts.size(); ++b) {
      first_.push_back({});
      for (int a = 0; a < 3; ++a) {
        first_[b][a] = segments_.size();
        for (auto at = cuts[b][a].begin(); std::next(at) != cuts[b][a].end(); ++at) {
          segments_.push_back({static_cast<int>(b), a, *at, *std::next(at)});
        }
      }
    }
  }

  std::size_t segment_starting(int block, int axis, std::int64_t node) const {
    std::size_t s = first_[static_cast<std::size_t>(block)][axis];
    while (s < segments_.size() && segments_[s].first != node) ++s;
    require(s < segments_.size() && segments_[s].block == block && segments_[s].axis == axis,
            "links begin and end where segments do");
    return s;
  }

  void join(const NodeLink& link, Classes& classes) const {
    const IndexMap map = link.map();
    for (int a = 0; a < 3; ++a) {
      if (a == link.face.axis || link.box.size(a) == 1) continue;
      const int there = link.orientation.axis[a];
      const bool backward = link.orientation.sign[a] < 0;
      std::size_t s = segment_starting(link.block, a, link.box.lower[a]);
      for (; s < segments_.size(); ++s) {
        const Segment& own = segments_[s];
        if (own.block != link.block || own.axis != a || own.last >= link.box.upper[a]) break;
        Index3 low{}, high{};
        low[a] = own.first;
        high[a] = own.last;
        const std::size_t other =
            segment_starting(link.neighbour, there, map.cell(backward ? high : low)[there]);
        require(segments_[other].last == map.cell(backward ? low : high)[there],
                "segments on the two sides of a link are the same");
        classes.join(s, other, backward);
      }
    }
  }

  bool may_shrink(const Segment& s) const {
    return mesh_.block(s.block).n[s.axis] > stop_[static_cast<std::size_t>(s.block)][s.axis];
  }

  const MultiBlockMesh& mesh_;
  const CoarsenOptions& o_;
  std::vector<Segment> segments_;
  std::vector<std::array<std::size_t, 3>> first_;  // segment of each block and axis
  std::vector<Index3> stop_;                       // of each block and axis
};

std::int64_t coarse_index(const std::vector<std::int64_t>& kept, std::int64_t fine) {
  const auto found = std::lower_bound(kept.begin(), kept.end(), fine);
  require(found != kept.end() && *found == fine, "the end of a link or patch is kept");
  return found - kept.begin();
}

Box coarse_box(const std::array<std::vector<std::int64_t>, 3>& kept, const Box& box) {
  Box result;
  for (int a = 0; a < 3; ++a) {
    result.lower[a] = coarse_index(kept[a], box.lower[a]);
    result.upper[a] = coarse_index(kept[a], box.upper[a] - 1) + 1;
  }
  return result;
}

// The first cell without positive volume, as text; empty when there is none.
std::string bad_cell(const MultiBlockMesh& mesh) {
  std::string text;
  for (std::size_t b = 0; b < mesh.blocks.size() && text.empty(); ++b) {
    const CurvilinearBlock& block = mesh.blocks[b];
    for_each_node(block.cells(), [&](const Index3& cell) {
      if (!text.empty() || cell_volume(block, cell) > 0) return;
      text = "block " + std::to_string(b) + ", cell " + index_text(cell) + " at " +
             point_text(block.at(cell));
    });
  }
  return text;
}

}  // namespace

std::vector<std::int64_t> kept_of(std::int64_t intervals, bool symmetric) {
  const std::int64_t pairs = intervals / 2;
  // Pairs before the interval that stays single; with an odd number of pairs one more behind it.
  const std::int64_t before = intervals % 2 == 0 ? pairs : pairs / 2;
  const bool three = symmetric && intervals % 2 == 1 && pairs % 2 == 1;
  std::vector<std::int64_t> kept{0};
  while (kept.back() < intervals) {
    const std::int64_t at = kept.back();
    const bool single = intervals % 2 == 1 && at >= 2 * before && at < 2 * before + (three ? 3 : 1);
    kept.push_back(at + (single ? 1 : 2));
  }
  return kept;
}

KeptNodes kept_nodes(const MultiBlockMesh& mesh, const CoarsenOptions& options) {
  return Coarsener(mesh, options).run();
}

MultiBlockMesh coarse_mesh(const MultiBlockMesh& mesh, const KeptNodes& kept) {
  MultiBlockMesh coarse;
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    Index3 n{};
    for (int a = 0; a < 3; ++a) n[a] = static_cast<std::int64_t>(kept[b][a].size());
    CurvilinearBlock block(n);
    for_each_node(block.nodes(), [&](const Index3& node) {
      Index3 fine{};
      for (int a = 0; a < 3; ++a) fine[a] = kept[b][a][static_cast<std::size_t>(node[a])];
      block.set(node, mesh.blocks[b].at(fine));
    });
    coarse.blocks.push_back(std::move(block));
  }
  for (NodeLink link : mesh.links) {
    link.box = coarse_box(kept[static_cast<std::size_t>(link.block)], link.box);
    link.neighbour_box =
        coarse_box(kept[static_cast<std::size_t>(link.neighbour)], link.neighbour_box);
    coarse.links.push_back(link);
  }
  for (BoundaryPatch patch : mesh.patches) {
    patch.box = coarse_box(kept[static_cast<std::size_t>(patch.block)], patch.box);
    coarse.patches.push_back(std::move(patch));
  }
  return coarse;
}

Hierarchy coarsen(const MultiBlockMesh& mesh, const CoarsenOptions& options) {
  Hierarchy result;
  while (static_cast<int>(result.levels.size()) + 1 < options.levels) {
    const MultiBlockMesh& fine = result.levels.empty() ? mesh : result.levels.back().mesh;
    CoarseLevel next;
    next.kept = kept_nodes(fine, options);
    std::int64_t nodes = 0;
    for (const auto& block : next.kept) {
      nodes += static_cast<std::int64_t>(block[0].size() * block[1].size() * block[2].size());
    }
    const double drop = static_cast<double>(fine.node_count()) / static_cast<double>(nodes);
    if (drop < options.least_drop) {
      result.end = "the next would have fewer nodes only by a factor of " + short_text(drop);
      return result;
    }
    next.mesh = coarse_mesh(fine, next.kept);
    const std::string bad = bad_cell(next.mesh);
    if (!bad.empty()) {
      result.end = "the next would have cells without positive volume: " + bad;
      return result;
    }
    result.levels.push_back(std::move(next));
  }
  result.end = "no more were asked for";
  return result;
}

std::vector<Between> prolongation(const std::vector<std::int64_t>& kept) {
  if (kept.size() < 2) return {Between{}};
  std::vector<Between> rows(static_cast<std::size_t>(kept.back()) + 1);
  for (std::size_t c = 0; c + 1 < kept.size(); ++c) {
    const auto width = static_cast<double>(kept[c + 1] - kept[c]);
    // The upper end belongs to the next interval, except for the last one.
    for (std::int64_t f = kept[c]; f <= kept[c + 1]; ++f) {
      rows[static_cast<std::size_t>(f)] = {static_cast<std::int64_t>(c),
                                           static_cast<double>(f - kept[c]) / width};
    }
  }
  return rows;
}

std::vector<std::array<double, 3>> restriction(const std::vector<std::int64_t>& kept,
                                               std::span<const double> fine,
                                               std::span<const double> coarse) {
  const std::vector<Between> p = prolongation(kept);
  require(fine.size() == p.size() && coarse.size() == kept.size(), "one weight of H a node");
  std::vector<std::array<double, 3>> rows(kept.size(), {0, 0, 0});
  const auto add = [&](std::int64_t c, std::size_t f, double weight) {
    if (weight == 0) return;
    const auto row = static_cast<std::size_t>(c);
    const std::int64_t d = static_cast<std::int64_t>(f) - kept[row];
    require(d >= -1 && d <= 1, "coarse intervals have one or two fine ones");
    rows[row][static_cast<std::size_t>(d + 1)] = weight * fine[f] / coarse[row];
  };
  for (std::size_t f = 0; f < p.size(); ++f) {
    add(p[f].below, f, 1 - p[f].weight);
    add(p[f].below + 1, f, p[f].weight);
  }
  return rows;
}

}  // namespace watersmeet::mesh
