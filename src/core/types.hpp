#pragma once
// Small vocabulary types shared by every layer: number precision, where a value lives in a cell,
// and how a variable transforms under a rotation of the local axes.
//
//        Locations in one cell (i, j); k points at the reader:
//
//          node -- y_face -- node          x_face(i)   left face of cell i   (x = x_lower + i h)
//            |                 |           y_face(j)   front face of cell j
//         x_face    cell    x_face(i+1)    z_face(k)   bottom face of cell k
//            |                 |           x_edge      edge along x: on a y and a z face
//          node -- y_face -- node          node        corner (i, j, k), lower end in all axes

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace watersmeet {

enum class Precision { single_, double_ };
inline std::size_t size_of(Precision p) { return p == Precision::single_ ? 4 : 8; }
inline const char* name_of(Precision p) { return p == Precision::single_ ? "single" : "double"; }

// Where a discrete value lives. On an axis a location is either staggered (on the lower face) or
// centred.
enum class Location { cell, x_face, y_face, z_face, x_edge, y_edge, z_edge, node };

// How the components of a variable behave when axes are permuted or flipped.
//   scalar       one component, unchanged
//   cartesian    vector components along global axes: unchanged by a change of block axes
//   local        vector components along the block's own axes: permuted and sign-flipped
//   pseudo       local axial vector (vorticity, B): like local, times the determinant
enum class Kind { scalar, cartesian, local, pseudo };

using Index3 = std::array<std::int64_t, 3>;
using Real3 = std::array<double, 3>;

// Half-open box of cells lower <= index < upper, index order (i, j, k).
struct Box {
  Index3 lower{0, 0, 0};
  Index3 upper{0, 0, 0};
  std::int64_t size(int axis) const { return upper[axis] - lower[axis]; }
  std::int64_t count() const { return empty() ? 0 : size(0) * size(1) * size(2); }
  bool empty() const { return size(0) <= 0 || size(1) <= 0 || size(2) <= 0; }
  bool operator==(const Box&) const = default;
};

// A stored variable of a system (one component each; vectors are named by their group).
struct Variable {
  std::string name;       // "lnrho", "ux"
  std::string long_name;  // "logarithmic density"
  std::string units;      // SI-like text or "1"
  Kind kind = Kind::scalar;
  Location location = Location::cell;
  int component = 0;  // 0..2 for vector components
};

}  // namespace watersmeet
