#pragma once
// A box of wavy blocks, some of them turned: for tests of free streams, conservation and vortices.
// In 2-D, with X, Y the coordinates of equal cells, L the length of a side and a the amplitude,
//
//   x = X + a L sin(2 pi X / L) sin(2 pi Y / L),   y = Y + a L sin(4 pi X / L) sin(2 pi Y / L);
//
// in 3-D each displacement has the factor sin(2 pi Z / L), and z = Z + a L sin(2 pi X / L)
// sin(4 pi Y / L) sin(2 pi Z / L). The sides of the box stay plane.

#include <cstdint>
#include <string>
#include <vector>

#include "mesh/curvilinear/multi_block_mesh.hpp"

namespace watersmeet::mesh {

struct WavyBox {
  std::vector<std::int64_t> cells{20, 20};  // of each block: two numbers 2-D, three 3-D
  std::vector<std::int64_t> blocks{2, 2};
  std::string turns = "random";  // none | random: one of the 4 (2-D) or 24 right-handed turns
  std::int64_t seed = 1;
  double length = 10.0;
  double amplitude = 0.03;
  bool periodic = false;  // else one patch `outer` (exact)
};
MultiBlockMesh make_wavybox(const WavyBox& options);

}  // namespace watersmeet::mesh
