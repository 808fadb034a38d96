#pragma once
// The domain of Ringleb's flow (1940), an exact solution of the Euler equations around a bend. With
// speeds in units of the stagnation speed of sound, gamma = 1.4, speed q along the streamline k:
//
//   c^2 = 1 - 0.2 q^2,  rho = c^5,  J = 1/c + 1/(3 c^3) + 1/(5 c^5) - 0.5 ln((1 + c)/(1 - c)),
//   x = (1/q^2 - 2/k^2) / (2 rho) + J/2,   y = +- sqrt(1 - (q/k)^2) / (k rho q).
//
// A streamline runs from q = q_end at y < 0 through q = k at y = 0 to q = q_end at y > 0; along it
// q = k sin(phi), in which x and y are smooth.

#include <cstdint>
#include <vector>

#include "mesh/curvilinear/multi_block_mesh.hpp"

namespace watersmeet::mesh {

// Patches inner (streamline k_max), outer (k_min): slip_wall; lower and upper (q = q_end): exact.
struct Ringleb {
  std::vector<std::int64_t> cells{32, 64};  // across the streamlines, along them
  std::vector<std::int64_t> blocks{1, 1};
  double k_min = 0.7;
  double k_max = 1.2;
  double q_end = 0.5;
};
MultiBlockMesh make_ringleb(const Ringleb& options);

// Where the speed is q on the streamline k, on the side y >= 0.
Real3 ringleb_point(double q, double k);

}  // namespace watersmeet::mesh
