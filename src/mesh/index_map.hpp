#pragma once
// Affine map between the index spaces of two blocks: an orientation and an offset. In the
// continuous index coordinate where cell i covers [i, i + 1] the map along one axis is
// y = s x + offset with s = +1 or -1. Nodes and faces (at whole numbers) follow it as it stands;
// cells (at i + 1/2) with s = -1 get one less:
//
//        from     |--0--|--1--|--2--|               y = -x + 3
//                 0     1     2     3   faces       faces  0 -> 3,  3 -> 0
//        to       3     2     1     0               cells  0 -> 2,  2 -> 0      (-i + 3 - 1)
//                 |--2--|--1--|--0--|

#include "mesh/orientation.hpp"

namespace watersmeet::mesh {

struct IndexMap {
  Orientation orientation;  // from -> to
  Index3 offset{0, 0, 0};   // where node (0, 0, 0) goes; along the axes of `to`

  constexpr bool operator==(const IndexMap&) const = default;

  // The map of this orientation under which the box `from` covers the box `to`; their sizes must
  // agree.
  static constexpr IndexMap onto(const Orientation& orientation, const Box& from, const Box& to) {
    IndexMap result{orientation, {}};
    for (int a = 0; a < 3; ++a) {
      const int b = orientation.axis[a];
      result.offset[b] =
          orientation.sign[a] > 0 ? to.lower[b] - from.lower[a] : to.upper[b] + from.lower[a];
    }
    return result;
  }

  // Index in `to`; the location there is orientation.location(where).
  constexpr Index3 point(const Index3& index, Location where) const {
    Index3 result{};
    for (int a = 0; a < 3; ++a) {
      const int b = orientation.axis[a];
      const bool cell_flipped = orientation.sign[a] < 0 && !staggered(where, a);
      result[b] = orientation.sign[a] * index[a] + offset[b] - (cell_flipped ? 1 : 0);
    }
    return result;
  }
  constexpr Index3 cell(const Index3& index) const { return point(index, Location::cell); }

  constexpr Box box(const Box& cells) const {
    Box result;
    for (int a = 0; a < 3; ++a) {
      const int b = orientation.axis[a];
      const bool flipped = orientation.sign[a] < 0;
      result.lower[b] = offset[b] + (flipped ? -cells.upper[a] : cells.lower[a]);
      result.upper[b] = offset[b] + (flipped ? -cells.lower[a] : cells.upper[a]);
    }
    return result;
  }

  // This map, followed by the next one.
  constexpr IndexMap then(const IndexMap& next) const {
    return {orientation.then(next.orientation), next.point(offset, Location::node)};
  }

  constexpr IndexMap inverse() const {
    IndexMap result{orientation.inverse(), {}};
    for (int a = 0; a < 3; ++a) {
      result.offset[a] = -orientation.sign[a] * offset[orientation.axis[a]];
    }
    return result;
  }
};

}  // namespace watersmeet::mesh
