#pragma once
// How the axes of one block lie along the axes of another: a permutation of the axes and a flip of
// each, 48 cases (the signed permutation matrices, the symmetries of a cube). One value maps
// everything that knows about axes: cell indices, staggered indices and their locations, boxes, and
// vector components with their sign.
//
//        axis = {1, 0, 2}, sign = {-1, +1, +1}: x of `from` lies along -y of `to`, y along +x
//
//          from:  j                                       to:  j
//                 2 |  .   .   .   .                           3 |  a   .   .
//                 1 |  .   .   .   .                           2 |  b   .   .
//                 0 |  a   b   c   d                           1 |  c   .   .
//                   +-----------------  i                      0 |  d   .   .
//                      0   1   2   3                             +-------------  i
//                                                                   0   1   2
//        A flip of an axis with n cells:
//
//          cells        0     1     2              2     1     0          i -> n - 1 - i
//          faces     |     |     |     |        |     |     |     |
//                    0     1     2     3        3     2     1     0       i -> n - i

#include <cstdint>

#include "core/types.hpp"

namespace watersmeet::mesh {

// True when points of this location lie on the lower faces of the cells along the axis, false when
// they lie at the centres.
constexpr bool staggered(Location location, int axis) {
  const int number = static_cast<int>(location);
  if (location == Location::cell) return false;
  if (location == Location::node) return true;
  if (number < static_cast<int>(Location::x_edge)) {
    return number - static_cast<int>(Location::x_face) == axis;
  }
  return number - static_cast<int>(Location::x_edge) != axis;
}

// A component of a vector as seen from the other frame: which one, and the factor +1 or -1.
struct Component {
  int component = 0;
  int sign = 1;
  bool operator==(const Component&) const = default;
};

// Axis a of the frame `from` lies along axis axis[a] of the frame `to`, in direction sign[a].
struct Orientation {
  std::array<int, 3> axis{0, 1, 2};
  std::array<int, 3> sign{1, 1, 1};

  constexpr bool operator==(const Orientation&) const = default;

  // Case 0 to 47; 0 is the identity, 0 to 7 are the flips without permutation (bit a flips axis a).
  static constexpr Orientation from_index(int number) {
    constexpr int permutations[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                        {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    Orientation result;
    for (int a = 0; a < 3; ++a) {
      result.axis[a] = permutations[number / 8][a];
      result.sign[a] = (number >> a) % 2 == 0 ? 1 : -1;
    }
    return result;
  }

  constexpr bool valid() const {
    int seen = 0;
    for (int a = 0; a < 3; ++a) {
      if (axis[a] < 0 || axis[a] > 2 || (sign[a] != 1 && sign[a] != -1)) return false;
      seen |= 1 << axis[a];
    }
    return seen == 7;
  }

  constexpr bool identity() const { return *this == Orientation{}; }

  // +1 when a right-handed frame stays right-handed.
  constexpr int determinant() const {
    const bool even = (axis[1] - axis[0] + 3) % 3 == 1;
    return (even ? 1 : -1) * sign[0] * sign[1] * sign[2];
  }

  constexpr Orientation inverse() const {
    Orientation result;
    for (int a = 0; a < 3; ++a) {
      result.axis[axis[a]] = a;
      result.sign[axis[a]] = sign[a];
    }
    return result;
  }

  // This orientation, followed by the next one.
  constexpr Orientation then(const Orientation& next) const {
    Orientation result;
    for (int a = 0; a < 3; ++a) {
      result.axis[a] = next.axis[axis[a]];
      result.sign[a] = sign[a] * next.sign[axis[a]];
    }
    return result;
  }

  // Numbers of cells of a block n, read along the axes of `to`.
  constexpr Index3 size(const Index3& n) const {
    Index3 result{};
    for (int a = 0; a < 3; ++a) result[axis[a]] = n[a];
    return result;
  }

  // Index in `to` of the point of a block of n cells (n along the axes of `from`). The location of
  // the result is location(where).
  constexpr Index3 point(const Index3& index, const Index3& n, Location where) const {
    Index3 result{};
    for (int a = 0; a < 3; ++a) {
      const std::int64_t last = staggered(where, a) ? n[a] : n[a] - 1;
      result[axis[a]] = sign[a] > 0 ? index[a] : last - index[a];
    }
    return result;
  }
  constexpr Index3 cell(const Index3& index, const Index3& n) const {
    return point(index, n, Location::cell);
  }

  // A box of cells of a block of n cells.
  constexpr Box box(const Box& cells, const Index3& n) const {
    Box result;
    for (int a = 0; a < 3; ++a) {
      result.lower[axis[a]] = sign[a] > 0 ? cells.lower[a] : n[a] - cells.upper[a];
      result.upper[axis[a]] = sign[a] > 0 ? cells.upper[a] : n[a] - cells.lower[a];
    }
    return result;
  }

  // An x face of `from` is a face of `to` along axis[0], and so on; cells and nodes stay what they
  // are.
  constexpr Location location(Location where) const {
    if (where == Location::cell || where == Location::node) return where;
    const Location first = where < Location::x_edge ? Location::x_face : Location::x_edge;
    const int along = static_cast<int>(where) - static_cast<int>(first);
    return static_cast<Location>(static_cast<int>(first) + axis[along]);
  }

  // Component c of a variable in `from` equals sign times the named component in `to`. The same
  // pair serves both directions, since a sign is its own inverse.
  constexpr Component component(Kind kind, int c) const {
    switch (kind) {
      case Kind::scalar:
      case Kind::cartesian:
        return {c, 1};
      case Kind::local:
        return {axis[c], sign[c]};
      case Kind::pseudo:
        return {axis[c], sign[c] * determinant()};
    }
    return {c, 1};
  }
};

}  // namespace watersmeet::mesh
