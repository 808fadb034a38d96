#include "systems/boussinesq/grid.hpp"

#include <algorithm>

namespace watersmeet::boussinesq {

StaggeredGrid::StaggeredGrid(const Index3& cells, const Real3& lower, const Real3& upper,
                             const std::array<bool, 3>& periodic, const std::array<bool, 6>& open,
                             std::array<std::vector<double>, 3> faces)
    : cells_(cells), lower_(lower), upper_(upper), periodic_(periodic) {
  geometry_.lower = lower;
  geometry_.offset = 0.5;
  problem_.cells = cells;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (cells[axis] == 1) periodic_[axis] = true;
    geometry_.spacing[axis] = (upper[axis] - lower[axis]) / static_cast<double>(cells[axis]);
    for (const std::size_t side : {2 * axis, 2 * axis + 1}) {
      problem_.sides[side] = periodic_[axis] ? solve::PoissonSide::periodic
                             : open[side]    ? solve::PoissonSide::dirichlet
                                             : solve::PoissonSide::neumann;
    }
  }
  problem_.spacing = geometry_.spacing;
  problem_.faces = std::move(faces);
}

std::int64_t StaggeredGrid::known(int axis, std::int64_t index, std::int64_t last) const {
  const std::int64_t n = cells_[a(axis)];
  return periodic(axis) ? (index % n + n) % n : std::clamp<std::int64_t>(index, 0, last);
}

double StaggeredGrid::face(int axis, std::int64_t index) const {
  index = known(axis, index, cells_[a(axis)]);
  const std::vector<double>& faces = problem_.faces[a(axis)];
  if (!faces.empty()) return faces[static_cast<std::size_t>(index)];
  return lower_[a(axis)] + static_cast<double>(index) * geometry_.spacing[a(axis)];
}

double StaggeredGrid::centre(int axis, std::int64_t index) const {
  index = known(axis, index, cells_[a(axis)] - 1);
  const std::vector<double>& faces = problem_.faces[a(axis)];
  if (faces.empty()) return geometry_.coordinate(axis, index);
  const std::size_t i = static_cast<std::size_t>(index);
  return 0.5 * (faces[i] + faces[i + 1]);
}

double StaggeredGrid::width(int axis, std::int64_t cell) const {
  const std::vector<double>& faces = problem_.faces[a(axis)];
  if (faces.empty()) return geometry_.spacing[a(axis)];
  const std::size_t i = static_cast<std::size_t>(known(axis, cell, cells_[a(axis)] - 1));
  return faces[i + 1] - faces[i];
}

double StaggeredGrid::distance(int axis, std::int64_t face) const {
  if (problem_.faces[a(axis)].empty()) return geometry_.spacing[a(axis)];
  return 0.5 * (width(axis, face - 1) + width(axis, face));
}

double StaggeredGrid::smallest_width(int axis) const {
  double smallest = width(axis, 0);
  if (!problem_.faces[a(axis)].empty()) {
    for (std::int64_t i = 1; i < cells_[a(axis)]; ++i)
      smallest = std::min(smallest, width(axis, i));
  }
  return smallest;
}

double StaggeredGrid::sum_of_inverse_squares(const std::array<bool, 3>& left_out) const {
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (!flat(axis) && !left_out[a(axis)]) sum += 1 / (smallest_width(axis) * smallest_width(axis));
  }
  return sum;
}

}  // namespace watersmeet::boussinesq
