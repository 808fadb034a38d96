// Ghost plan by recursive resolution. A box of ghost cells is carried along as (block, index map
// from the destination into that block). What falls inside the block is done. What falls outside is
// cut at the block's faces; each part is sent through every face it is outside of, in turn, and the
// answers must agree. The distance outside, summed over the axes, shrinks with every face crossed
// (the layers crossed fall inside along that axis, and a link never moves a cell further out along
// the others), so the recursion ends, also for blocks thinner than the ghost layers.

#include "mesh/ghosts.hpp"

#include "core/error.hpp"
#include "mesh/box_algebra.hpp"

namespace watersmeet::mesh {

namespace {

enum class Answer { found, open, absent };

// A part of the ghost cells and where its values are.
struct Piece {
  Box dst;
  Answer answer = Answer::open;
  int block = -1;  // if found
  IndexMap map;    // if found

  bool same_source(const Piece& other) const {
    return answer == other.answer && block == other.block && map == other.map;
  }
};

using Pieces = std::vector<Piece>;  // always a partition of the box asked for

// Joins pieces of the same source as long as two of them make a box.
void coalesce(Pieces& pieces) {
  for (std::size_t a = 0; a < pieces.size(); ++a) {
    for (std::size_t b = a + 1; b < pieces.size();) {
      Box joined;
      if (pieces[a].same_source(pieces[b]) && join(pieces[a].dst, pieces[b].dst, joined)) {
        pieces[a].dst = joined;
        pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(b));
        b = a + 1;
      } else {
        ++b;
      }
    }
  }
}

// Two partitions of the same box: what both say, and absent where they differ.
Pieces agreement(const Pieces& first, const Pieces& second) {
  Pieces result;
  for (const Piece& a : first) {
    for (const Piece& b : second) {
      const Box common = intersection(a.dst, b.dst);
      if (common.empty()) continue;
      Piece piece = a;
      if (!a.same_source(b)) piece = {common, Answer::absent, -1, {}};
      piece.dst = common;
      result.push_back(piece);
    }
  }
  coalesce(result);
  return result;
}

// A box in a block's index space cut at the block's faces; side -1 below, 0 inside, +1 above, per
// axis.
struct CutPart {
  Box box;
  std::array<int, 3> side{0, 0, 0};
};

std::vector<CutPart> cut_at_faces(const Box& box, const Index3& n) {
  std::vector<CutPart> parts{{box, {}}};
  for (int a = 0; a < 3; ++a) {
    std::vector<CutPart> finer;
    for (const CutPart& part : parts) {
      const std::array<std::int64_t, 4> cuts{std::min<std::int64_t>(part.box.lower[a], 0), 0, n[a],
                                             std::max(part.box.upper[a], n[a])};
      for (int s = 0; s < 3; ++s) {
        CutPart piece = part;
        piece.side[a] = s - 1;
        piece.box.lower[a] = std::max(part.box.lower[a], cuts[s]);
        piece.box.upper[a] = std::min(part.box.upper[a], cuts[s + 1]);
        if (!piece.box.empty()) finer.push_back(piece);
      }
    }
    parts = std::move(finer);
  }
  return parts;
}

// The cells of a part that are reached through a link of the face. Where the part lies outside the
// block along another axis too, the link that touches that end of the face is continued past it.
Box reached_by(const Link& link, const CutPart& part, const Index3& n) {
  Box reached = part.box;
  for (int t = 0; t < 3; ++t) {
    if (t == link.face.axis) continue;
    if (part.side[t] == 0) {
      reached.lower[t] = std::max(reached.lower[t], link.box.lower[t]);
      reached.upper[t] = std::min(reached.upper[t], link.box.upper[t]);
    } else {
      const bool touches = part.side[t] < 0 ? link.box.lower[t] == 0 : link.box.upper[t] == n[t];
      if (!touches) return {};
    }
  }
  return reached;
}

class Resolver {
 public:
  explicit Resolver(const Mesh& mesh) : mesh_(mesh) {}

  // dst: cells of the destination block; map: from there into the index space of `block`.
  Pieces resolve(const Box& dst, int block, const IndexMap& map) const {
    const IndexMap back = map.inverse();
    Pieces result;
    for (const CutPart& part : cut_at_faces(map.box(dst), mesh_.block(block).n)) {
      if (part.side == std::array<int, 3>{0, 0, 0}) {
        result.push_back({back.box(part.box), Answer::found, block, map});
        continue;
      }
      Pieces of_part;
      bool first = true;
      for (int a = 0; a < 3; ++a) {
        if (part.side[a] == 0) continue;
        Pieces through = cross(part, a, block, map);
        of_part = first ? std::move(through) : agreement(of_part, through);
        first = false;
      }
      result.insert(result.end(), of_part.begin(), of_part.end());
    }
    coalesce(result);
    return result;
  }

 private:
  // Sends a part through the face of one axis.
  Pieces cross(const CutPart& part, int axis, int block, const IndexMap& map) const {
    const IndexMap back = map.inverse();
    const Face face{axis, part.side[axis] < 0 ? Side::lower : Side::upper};
    Pieces result;
    std::vector<Box> left{part.box};
    for (const Link& link : mesh_.links(block, face)) {
      const Box reached = reached_by(link, part, mesh_.block(block).n);
      if (reached.empty()) continue;
      const Pieces beyond = resolve(back.box(reached), link.neighbour, map.then(link.map()));
      result.insert(result.end(), beyond.begin(), beyond.end());
      std::vector<Box> still_left;
      for (const Box& box : left) {
        const std::vector<Box> rest = difference(box, reached);
        still_left.insert(still_left.end(), rest.begin(), rest.end());
      }
      left = std::move(still_left);
    }
    for (const Box& box : left) result.push_back({back.box(box), Answer::open, -1, {}});
    return result;
  }

  const Mesh& mesh_;
};

}  // namespace

GhostPlan plan_ghosts(const Mesh& mesh, std::span<const Index3> width, GhostReach reach) {
  require(width.size() == mesh.blocks().size(), "ghost widths of every block");
  const int most_axes = 1 + static_cast<int>(reach);
  const Resolver resolver(mesh);
  GhostPlan plan;
  for (std::size_t b = 0; b < width.size(); ++b) {
    const int block = static_cast<int>(b);
    const Index3& n = mesh.block(block).n;
    Box with_ghosts;
    for (int a = 0; a < 3; ++a) {
      require(width[b][a] >= 0, "ghost widths are not negative");
      with_ghosts.lower[a] = -width[b][a];
      with_ghosts.upper[a] = n[a] + width[b][a];
    }
    for (const CutPart& part : cut_at_faces(with_ghosts, n)) {
      int axes = 0;
      for (const int side : part.side) axes += side != 0 ? 1 : 0;
      if (axes == 0 || axes > most_axes) continue;
      for (const Piece& piece : resolver.resolve(part.box, block, IndexMap{})) {
        if (piece.answer == Answer::found) {
          plan.copies.push_back({piece.block, block, piece.dst, piece.map});
        } else {
          auto& regions = piece.answer == Answer::open ? plan.open : plan.absent;
          regions.push_back({block, piece.dst});
        }
      }
    }
  }
  return plan;
}

GhostPlan plan_ghosts(const Mesh& mesh, std::int64_t radius, GhostReach reach) {
  std::vector<Index3> width;
  for (const Block& block : mesh.blocks()) width.push_back(block.ghosts(radius));
  return plan_ghosts(mesh, width, reach);
}

}  // namespace watersmeet::mesh
