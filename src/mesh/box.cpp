// The mesh of a box: one block, linked to itself along each periodic axis.

#include "mesh/box.hpp"

#include <cmath>

#include "core/error.hpp"

namespace watersmeet::mesh {

Mesh make_box(Index3 cells, Real3 lower, Real3 upper, std::array<bool, 3> periodic,
              double point_offset) {
  Uniform geometry{lower, {}, point_offset};
  for (int a = 0; a < 3; ++a) {
    const std::string axis = std::string("along ") + "xyz"[a];
    if (cells[a] < 1) {
      throw Error(ErrorKind::user_input,
                  "a box needs at least 1 cell " + axis + ", not " + std::to_string(cells[a]));
    }
    if (!std::isfinite(lower[a]) || !std::isfinite(upper[a]) || upper[a] <= lower[a]) {
      throw Error(ErrorKind::user_input, "the box must end above its beginning " + axis +
                                             ": it is from " + std::to_string(lower[a]) + " to " +
                                             std::to_string(upper[a]));
    }
    geometry.spacing[a] = (upper[a] - lower[a]) / static_cast<double>(cells[a]);
  }

  std::vector<Link> links;
  for (int a = 0; a < 3; ++a) {
    if (!periodic[a]) continue;
    const Face first{a, Side::lower};
    const Face last{a, Side::upper};
    const Link link{0, last, face_layer(cells, last), 0, first, face_layer(cells, first), {}};
    links.push_back(link);
    links.push_back(link.inverse());
  }
  return Mesh({Block{cells}}, std::move(links), geometry);
}

}  // namespace watersmeet::mesh
