// Links: the index map across a face, the inverse link, and texts for messages.

#include "mesh/link.hpp"

namespace watersmeet::mesh {

IndexMap Link::map() const {
  Box ghost_layer = box;
  ghost_layer.lower[face.axis] += face.outward();
  ghost_layer.upper[face.axis] += face.outward();
  return IndexMap::onto(orientation, ghost_layer, neighbour_box);
}

Link Link::inverse() const {
  return {neighbour, neighbour_face, neighbour_box, block, face, box, orientation.inverse()};
}

Box face_layer(const Index3& n, Face face) {
  Box layer{{0, 0, 0}, n};
  if (face.side == Side::lower) {
    layer.upper[face.axis] = 1;
  } else {
    layer.lower[face.axis] = n[face.axis] - 1;
  }
  return layer;
}

std::string to_text(Face face) {
  const char* axes[] = {"x", "y", "z"};
  return std::string(face.side == Side::lower ? "lower " : "upper ") + axes[face.axis] + " face";
}

std::string to_text(const Box& box) {
  std::string text;
  for (int a = 0; a < 3; ++a) {
    text += (a == 0 ? "[" : " x [") + std::to_string(box.lower[a]) + ", " +
            std::to_string(box.upper[a]) + ")";
  }
  return text;
}

}  // namespace watersmeet::mesh
