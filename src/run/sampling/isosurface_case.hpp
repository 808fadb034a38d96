#pragma once
// Iso-surfaces, and lines in a plane, that a case writes while it runs, [[output.isosurface]]: of an expression of fields in a part of the grid
// (part_case.hpp), all of it on blocks and spheres.

#include <functional>
#include <string>
#include <vector>

#include "io/isosurface.hpp"
#include "run/sampling/part_expression.hpp"

namespace watersmeet::run {

struct IsosurfaceCase {
  std::string name;
  PartExpression field;
  PartCase part;                     // its cells and interval, and the fields that follow
  std::vector<double> values;        // of the expression
  std::vector<std::size_t> carried;  // which fields of the part are written at the points
  // The name of its values in the file: of a field or a component its own, else that of the surface.
  std::string value_name() const;
};

// Records the faults of the iso-surfaces of a case whose system is configured; part of loading.
void check_isosurfaces(config::Input& input, const systems::System& system);
// Of a case without faults.
std::vector<IsosurfaceCase> isosurfaces_of(const config::Input& input,
                                           const systems::System& system);

// The places of cells, or nodes, of a part of the grid, one after the other in lattices of n.
struct Lattices {
  std::vector<Index3> n;
  std::function<Real3(std::int64_t point)> place;
};
// As long as the system lives.
Lattices lattices_of(const PartCase& part, const mesh::GridDescription& grid);

}  // namespace watersmeet::run
