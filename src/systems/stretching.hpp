#pragma once
// Cells of different widths along the axes of a box, of the systems that have them: the keys, and the faces that a case gives or asks for.

#include <array>
#include <string>
#include <vector>

#include "config/input.hpp"
#include "config/schema.hpp"

namespace watersmeet::systems {

// grid.x_stretching, grid.x_faces and those of y and z.
std::vector<config::Key> stretching_keys();

struct AxisFaces {
  std::string key;            // that gives or asks for them
  std::vector<double> faces;  // one more than the cells; none where cells are equally wide
};
// Reads the faces of a grid of at least one cell along each axis, whose upper corner lies above the lower one. False where what is given are no faces; that
// fault is recorded then.
bool read_faces(config::Input& input, std::array<AxisFaces, 3>& axes);

}  // namespace watersmeet::systems
