#pragma once
// Pictures that a case draws while it runs, [[output.picture]]: an expression of fields in a plane of cells, which is a part of the grid
// (part_case.hpp) that is drawn in place of being stored.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "io/draw.hpp"
#include "run/sampling/part_expression.hpp"

namespace watersmeet::run {

struct PictureCase {
  std::string name;
  PartExpression field;
  PartCase part;                     // its cells and interval, and the fields of the expression
  std::optional<io::Limits> limits;  // of the colours; empty: those of each picture
  std::string colours;
  std::string place;       // where the plane is, "z = 0.5"; empty where there is one plane only
  int across = 0, up = 1;  // axes of the plane; on a sphere longitude and latitude
  // What is shown, along these axes; of levels over terrain as if the ground were even.
  std::array<double, 2> lower{0, 0}, upper{1, 1};
  int width = 0, height = 0;  // pixels of the cells
};

// What pictures of blocks show, the lowest and the highest coordinates: of all nodes, or a part around walls that are small in the mesh, as
// `watersmeet plot` does.
std::array<Real3, 2> extent_shown(const mesh::MultiBlockMesh& mesh);

// The key `limits` of a table, [low, high]; empty where it is not set, and after a fault.
std::optional<io::Limits> read_limits(const config::Input& input, const std::string& table,
                                      const Report& report);

// Records the faults of the pictures of a case whose system is configured; part of loading.
void check_pictures(config::Input& input, const systems::System& system);
// Requires a case without faults.
std::vector<PictureCase> pictures_of(const config::Input& input, const systems::System& system);

// Which of the cells of the part each pixel shows: the cell that its middle lies in; of curvilinear blocks the node that is nearest to it among
// those of its cell.
io::PixelMap pixels_of(const PictureCase& picture, const mesh::GridDescription& grid);

}  // namespace watersmeet::run
