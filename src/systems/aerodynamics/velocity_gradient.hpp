#pragma once
// Derivatives of the velocity at the nodes of a block, for output: host code, passes over the block
// with the operators of the scheme, so that closures at its faces stand in for neighbours.
//
//   d u_c / d x_m = (1/V) sum_k S^k_m D_k u_c
//
// Zero to round-off in a uniform stream.

#include <vector>

#include "core/vec.hpp"
#include "mesh/curvilinear/multi_block_mesh.hpp"
#include "mesh/metrics.hpp"

namespace watersmeet::aerodynamics {

// Inner orders of a block's directions in a scheme of order 1 to 6.
mesh::MetricOperators operators_of(const Index3& n, int order, schemes::Rational sbp6_x1);

// `velocity`: three components of every node, node after node. Of every node d u_c / d x_m at
// [c][m].
std::vector<Vec<Vec<double, 3>, 3>> velocity_gradient_of(const mesh::CurvilinearBlock& block,
                                                         const mesh::MetricOperators& operators,
                                                         std::span<const double> velocity);
Vec<double, 3> curl_of(const Vec<Vec<double, 3>, 3>& gradient);

}  // namespace watersmeet::aerodynamics
