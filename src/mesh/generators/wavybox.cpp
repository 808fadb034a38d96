#include "mesh/generators/wavybox.hpp"

#include <cmath>
#include <random>

#include "mesh/curvilinear/nodes.hpp"
#include "mesh/curvilinear/split.hpp"
#include "mesh/curvilinear/validate.hpp"
#include "mesh/generators/finish.hpp"

namespace watersmeet::mesh {

namespace {

// sin(2 pi waves i / n), exactly zero at both ends: the two sides of a periodic box must be equal.
double wave(int waves, std::int64_t i, std::int64_t n) {
  const std::int64_t within = waves * i % n;
  return within == 0 ? 0.0
                     : std::sin(2 * M_PI * static_cast<double>(within) / static_cast<double>(n));
}

}  // namespace

MultiBlockMesh make_wavybox(const WavyBox& o) {
  const std::size_t dimensions = o.cells.size();
  demand(o.blocks.size() == dimensions, "wavybox",
         "cells and blocks must have the same count of numbers: two for 2-D, three for 3-D");
  Index3 cells{1, 1, 1}, n{1, 1, 1};
  Cuts cuts(1);
  for (std::size_t a = 0; a < dimensions; ++a) {
    cells[a] = o.cells[a] * o.blocks[a];
    n[a] = cells[a] + 1;
    for (std::int64_t b = 0; b <= o.blocks[a]; ++b) cuts[0][a].insert(b * o.cells[a]);
  }
  const bool space = dimensions == 3;
  CurvilinearBlock whole(n);
  for_each_node(whole.nodes(), [&](const Index3& node) {
    Real3 p{};
    for (std::size_t a = 0; a < dimensions; ++a) {
      p[a] = o.length * static_cast<double>(node[a]) / static_cast<double>(cells[a]);
    }
    const auto w = [&](int waves, int axis) { return wave(waves, node[axis], cells[axis]); };
    const double depth = o.amplitude * o.length * (space ? w(1, 2) : 1.0);
    p[0] += depth * w(1, 0) * w(1, 1);
    p[1] += depth * w(2, 0) * w(1, 1);
    if (space) p[2] += depth * w(1, 0) * w(2, 1);
    whole.set(node, p);
  });
  MultiBlockMesh one;
  one.blocks = {whole};
  MultiBlockMesh mesh = split_at(one, complete_face_cuts(one, cuts)).mesh;

  if (o.turns == "random") {
    // The engine's numbers are fixed by the language, so a seed means the same mesh everywhere.
    std::mt19937 random(static_cast<std::uint32_t>(o.seed));
    std::vector<Orientation> turns;
    for (int number = 0; number < 48; ++number) {
      const Orientation turn = Orientation::from_index(number);
      const bool in_plane = space || (turn.axis[2] == 2 && turn.sign[2] == 1);
      if (turn.determinant() == 1 && in_plane) turns.push_back(turn);
    }
    for (int b = 0; b < static_cast<int>(mesh.blocks.size()); ++b) {
      reorient(mesh, b, turns[random() % turns.size()]);
    }
  }
  std::vector<Real3> periods;
  if (o.periodic) {
    for (std::size_t a = 0; a < dimensions; ++a) {
      Real3 period{};
      period[a] = o.length;
      periods.push_back(period);
    }
  } else {
    for (const OpenFace& open : open_faces(mesh)) {
      mesh.patches.push_back({"outer", "exact", open.block, open.face, open.box});
    }
  }
  finish(mesh, "wavybox", periods);
  return mesh;
}

}  // namespace watersmeet::mesh
