#pragma once
// What the rest of the program knows of the grid of a case: one value that a system makes when it is configured. To states, checkpoints and
// shares every grid is one box of cells; the kind says what they are.

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "mesh/curvilinear/multi_block_mesh.hpp"
#include "mesh/decompose.hpp"
#include "mesh/mesh.hpp"

namespace watersmeet::mesh {

// What the cells are: those of a box; of a box whose corners are elsewhere, as over terrain; the nodes of curvilinear blocks, block after
// block, one long row that is cut between blocks only; or the cells of the panels of a sphere (mesh/cubed_sphere.hpp), one after the other, a
// box of their planes.
enum class GridKind { box, moved_box, curvilinear_blocks, cubed_sphere };

struct GridDescription {
  GridKind kind = GridKind::box;
  Mesh cells;  // the whole, one block that is not cut into parts
  // The curvilinear blocks, valid as long as the system lives; null for other grids.
  const MultiBlockMesh* blocks = nullptr;
  std::int64_t levels = 0;  // planes of cells of each panel of a sphere; of other kinds 0
  // Makes the corners of cells, as long as the system lives: one block for a moved box, one for each panel of a sphere, of one node more
  // along each axis of more than one cell. Empty for the other kinds.
  std::function<MultiBlockMesh()> corners;
  // Where cells lie along an axis on which they are not equally wide, n + 1 faces, the spacing of `cells` their mean; else empty.
  // On a sphere [2] holds those of the levels of a panel, where the ground is at 0.
  std::array<std::vector<double>, 3> faces;
  double sphere_radius = 0;
  CuttingRule cutting;
  // What blocks or panels are, "C-grid around NACA 0012", for the head of a run.
  std::string text;

  const Index3& n() const { return cells.block(0).n; }
  const Uniform& geometry() const { return cells.geometry(); }
  bool is_box() const { return kind == GridKind::box || kind == GridKind::moved_box; }
};

}  // namespace watersmeet::mesh
