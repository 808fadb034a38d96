#pragma once
// A link joins a rectangle of one block's face to a rectangle of another's (or of its own: a
// periodic box), in any of the 48 orientations. Boxes are given as the layer of interior cells that
// touches the face:
//
//        block 0                    block 1, turned: its i runs to the left, its j downwards
//        +---+---+---+              +---+---+---+
//        |   |   | B |  outward ->  | N |   |   |
//        |   |   | B |              | N |   |   |
//        +---+---+---+              +---+---+---+
//
//        face {0, upper}, box B; neighbour_face {0, upper}, neighbour_box N (its last layer in i)
//        orientation: axis {0, 1, 2}, sign {-1, -1, +1}

#include <string>

#include "mesh/index_map.hpp"

namespace watersmeet::mesh {

enum class Side { lower, upper };

struct Face {
  int axis = 0;
  Side side = Side::lower;

  constexpr int outward() const { return side == Side::upper ? 1 : -1; }
  constexpr bool operator==(const Face&) const = default;
};

// Directed: block sees neighbour. A mesh holds each link together with its inverse.
struct Link {
  int block = 0;
  Face face;
  Box box;  // cells of the block
  int neighbour = 0;
  Face neighbour_face;
  Box neighbour_box;        // cells of the neighbour
  Orientation orientation;  // axes of the block -> axes of the neighbour

  bool operator==(const Link&) const = default;

  // From the index space of the block, continued beyond the face, into that of the neighbour: the
  // first ghost layer beyond `box` falls on `neighbour_box`.
  IndexMap map() const;

  // The same link as the neighbour sees it.
  Link inverse() const;
};

// The layer of interior cells of a block of n cells that touches the face.
Box face_layer(const Index3& n, Face face);

// Text for messages: "upper x face", "[0, 4) x [2, 3) x [0, 1)".
std::string to_text(Face face);
std::string to_text(const Box& box);

}  // namespace watersmeet::mesh
