#pragma once
// Iso-surfaces, and lines in a plane, that a case writes while it runs, [[output.isosurface]]: of an expression of fields in a part of the grid
// (part_case.hpp), all of it on blocks and spheres.

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "io/draw.hpp"
#include "io/isosurface.hpp"
#include "run/sampling/part_expression.hpp"

namespace watersmeet::run {

// A picture of an iso-surface, beside its file.
struct IsosurfacePicture {
  Real3 towards;                         // the viewer
  std::optional<PartExpression> colour;  // empty: the values of the surface
  std::optional<io::Limits> limits;      // of the colours; empty: those of each picture
  std::string colours;
};

struct IsosurfaceCase {
  std::string name;
  PartExpression field;
  PartCase part;                     // its cells and interval, and the fields that follow
  std::vector<double> values;        // of the expression
  std::vector<std::size_t> carried;  // which fields of the part are written at the points
  std::optional<IsosurfacePicture> picture;
  // The name of its values in the file: of a field or a component its own, else that of the surface.
  std::string value_name() const;
};

// Records the faults of the iso-surfaces of a case whose system is configured; part of loading.
void check_isosurfaces(config::Input& input, const systems::System& system);
// Requires a case without faults.
std::vector<IsosurfaceCase> isosurfaces_of(const config::Input& input,
                                           const systems::System& system);

// The places of cells, or nodes, of a part of the grid, one after the other in lattices of n.
struct Lattices {
  std::vector<Index3> n;
  std::function<Real3(std::int64_t point)> place;
};
// As long as the system lives.
Lattices lattices_of(const PartCase& part, const mesh::GridDescription& grid);
// The lowest and the highest coordinates of their points, of large lattices of some of them.
std::array<Real3, 2> extent_of(const Lattices& lattices);

}  // namespace watersmeet::run
