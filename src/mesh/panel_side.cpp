#include "mesh/panel_side.hpp"

#include "mesh/cubed_sphere.hpp"

namespace watersmeet::mesh {

namespace {

BeyondSide beyond_of(const Link& link) {
  BeyondSide b;
  const std::size_t across = static_cast<std::size_t>(link.face.axis);
  b.panel = static_cast<std::int8_t>(link.neighbour);
  b.side = static_cast<std::int8_t>(2 * link.neighbour_face.axis +
                                    (link.neighbour_face.side == Side::upper ? 1 : 0));
  b.reversed = link.orientation.sign[1 - across] < 0 ? 1 : 0;
  b.same_way = static_cast<std::int8_t>(link.orientation.sign[across]);
  const PanelFrame &here = panel_frame(link.block), &there = panel_frame(link.neighbour);
  const std::array<int, 3>* const rows[3] = {&here.ea, &here.eb, &here.n};
  const std::array<int, 3>* const columns[3] = {&there.ea, &there.eb, &there.n};
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 3; ++c) {
      int sum = 0;
      for (std::size_t m = 0; m < 3; ++m) sum += (*rows[r])[m] * (*columns[c])[m];
      b.turn[3 * r + c] = static_cast<std::int8_t>(sum);
    }
  }
  return b;
}

double dot(const std::array<int, 3>& a, const Real3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

}  // namespace

std::array<BeyondSide, 24> beyond_panels() {
  std::array<BeyondSide, 24> all;
  const Mesh mesh = make_cubed_sphere(4);
  for (const Link& link : mesh.links()) {
    const int side = 2 * link.face.axis + (link.face.side == Side::upper ? 1 : 0);
    all[static_cast<std::size_t>(4 * link.block + side)] = beyond_of(link);
  }
  return all;
}

Real3 along_panel(int panel, const Real3& w) {
  const PanelFrame& f = panel_frame(panel);
  return {dot(f.ea, w), dot(f.eb, w), dot(f.n, w)};
}

}  // namespace watersmeet::mesh
