#pragma once
// A judge for ghost plans that knows nothing of links: blocks are placed, turned as they like, in a
// global box of unit cells. Links are derived from where the placed blocks touch; whether the plan
// is right is read off positions.
//
//        global   +-------+----+      A block's own axes point anywhere; position() says where its
//                 |   0   | 1  |      points lie: origin + R (index + 1/2), twice that, to stay
//                 |       +----+      with whole numbers.
//                 |       | 2  |
//                 +-------+----+

#include <cstdint>
#include <vector>

#include "mesh/ghosts.hpp"

namespace watersmeet::mesh {

struct PlacedBlock {
  Box where;                // global cells
  Orientation orientation;  // block axes -> global axes

  Index3 n() const {
    return orientation.inverse().size({where.size(0), where.size(1), where.size(2)});
  }
  IndexMap to_global() const { return IndexMap::onto(orientation, {{0, 0, 0}, n()}, where); }

  // Twice the position in global units of a point inside the block or beyond its faces.
  Index3 position(const Index3& index, Location location) const {
    Index3 x{};
    for (int a = 0; a < 3; ++a) {
      const int g = orientation.axis[a];
      const std::int64_t along = 2 * index[a] + (staggered(location, a) ? 0 : 1);
      x[g] = orientation.sign[a] > 0 ? 2 * where.lower[g] + along : 2 * where.upper[g] - along;
    }
    return x;
  }
};

struct PlacedMesh {
  std::vector<PlacedBlock> placed;
  Index3 period{0, 0, 0};  // global cells; 0: not periodic along this axis

  // Links wherever the upper side of one block touches the lower side of another or of its periodic
  // image.
  Mesh mesh() const {
    std::vector<Block> blocks;
    std::vector<Link> links;
    for (std::size_t p = 0; p < placed.size(); ++p) {
      blocks.push_back({placed[p].n(), placed[p].where.lower});
      for (std::size_t q = 0; q < placed.size(); ++q) {
        for (int a = 0; a < 3; ++a) add_links(static_cast<int>(p), static_cast<int>(q), a, links);
      }
    }
    return Mesh(std::move(blocks), std::move(links));
  }

  // Position reduced to the global box.
  Index3 wrapped(Index3 doubled) const {
    for (int a = 0; a < 3; ++a) {
      if (period[a] > 0) {
        const std::int64_t length = 2 * period[a];
        doubled[a] = ((doubled[a] % length) + length) % length;
      }
    }
    return doubled;
  }

 private:
  // The upper side of block p along the global axis a against the lower side of block q.
  void add_links(int p, int q, int a, std::vector<Link>& links) const {
    const PlacedBlock& one = placed[static_cast<std::size_t>(p)];
    const PlacedBlock& other = placed[static_cast<std::size_t>(q)];
    for (int image = 0; image <= (period[a] > 0 ? 1 : 0); ++image) {
      if (one.where.upper[a] != other.where.lower[a] + image * period[a]) continue;
      Box of_one, of_other;
      bool touching = true;
      for (int t = 0; t < 3; ++t) {
        if (t == a) {
          of_one.lower[t] = one.where.upper[t] - 1;
          of_one.upper[t] = one.where.upper[t];
          of_other.lower[t] = other.where.lower[t];
          of_other.upper[t] = other.where.lower[t] + 1;
        } else {
          of_one.lower[t] = std::max(one.where.lower[t], other.where.lower[t]);
          of_one.upper[t] = std::min(one.where.upper[t], other.where.upper[t]);
          touching = touching && of_one.lower[t] < of_one.upper[t];
          of_other.lower[t] = of_one.lower[t];
          of_other.upper[t] = of_one.upper[t];
        }
      }
      if (!touching) continue;
      const Link link{p,
                      face_towards(one, a, 1),
                      one.to_global().inverse().box(of_one),
                      q,
                      face_towards(other, a, -1),
                      other.to_global().inverse().box(of_other),
                      one.orientation.then(other.orientation.inverse())};
      links.push_back(link);
      links.push_back(link.inverse());
    }
  }

  static Face face_towards(const PlacedBlock& block, int global_axis, int direction) {
    for (int a = 0; a < 3; ++a) {
      if (block.orientation.axis[a] == global_axis) {
        return {a, block.orientation.sign[a] == direction ? Side::upper : Side::lower};
      }
    }
    return {};
  }
};

template <class Visit>
void for_each_index(const Box& box, Visit visit) {
  for (std::int64_t k = box.lower[2]; k < box.upper[2]; ++k)
    for (std::int64_t j = box.lower[1]; j < box.upper[1]; ++j)
      for (std::int64_t i = box.lower[0]; i < box.upper[0]; ++i) visit(Index3{i, j, k});
}

// Number of axes along which a cell lies outside a block of n cells.
inline int axes_outside(const Index3& cell, const Index3& n) {
  int axes = 0;
  for (int a = 0; a < 3; ++a) axes += (cell[a] < 0 || cell[a] >= n[a]) ? 1 : 0;
  return axes;
}

// Numbers at the points of a block and its ghosts.
struct BlockArray {
  Box box;
  std::vector<double> values;
  BlockArray(const Index3& n, const Index3& width, double start) {
    for (int a = 0; a < 3; ++a) {
      box.lower[a] = -width[a];
      box.upper[a] = n[a] + width[a] + 1;  // room for points on the last upper face
    }
    values.assign(static_cast<std::size_t>(box.count()), start);
  }
  double& operator[](const Index3& i) {
    return values[static_cast<std::size_t>(
        ((i[2] - box.lower[2]) * box.size(1) + i[1] - box.lower[1]) * box.size(0) + i[0] -
        box.lower[0])];
  }
};

}  // namespace watersmeet::mesh
