#pragma once
// Metrics of a curvilinear block of nodes with computational spacing 1: the area vectors
// S^k = |V| grad(xi^k) of the conservative form and the volume |V| of a node.
//
//        eta                          S^xi points along growing xi, S^eta along growing eta;
//         ^    \   |   /              on a face it is the normal of the face times the area of the
//         |  ---o--o--o---            piece that belongs to a node in the middle of the face.
//         |     |  |  |    -> S^xi
//         +--> xi
//
// With the same summation-by-parts derivatives D_k that differentiate the fluxes, the symmetric
// conservative form (Thomas and Lombard 1979; Vinokur and Yee 2002)
//
//   S^k_m = 1/2 [ D_f((D_e a) b) - D_e((D_f a) b) + D_e((D_f b) a) - D_f((D_e b) a) ],
//
// (k, e, f) and (m, a, b) cyclic, gives sum_k D_k S^k = 0 to round-off, because the D_k commute:
// a uniform flow stays uniform whatever the orders along the three directions are. In two
// dimensions (one node along k, z ignored) S^i = (D_j y, -D_j x), S^j = (-D_i y, D_i x).
//
// The normal of a face is made of the nodes of that face only, and of the derivatives along it. So
// two blocks that share a whole face with the same orders along it have the same normals, whatever
// the orientation: to the last bit, because sums are taken in an order that turning a block round
// or exchanging its axes does not change.
//
// A left-handed block (also one of two dimensions) is measured with the opposite sign, so that
// volumes are positive and S^k points along growing xi^k there too.

#include <array>
#include <span>
#include <vector>

#include "core/types.hpp"
#include "schemes/sbp_exact.hpp"

namespace watersmeet::mesh {

// Nodes of one block, i fastest; n[2] = 1 in two dimensions.
struct NodeCoordinates {
  Index3 n{1, 1, 1};
  std::span<const double> x, y, z;
};

// The derivative along each direction: inner order 2, 4 or 6; 0 where there is one node.
struct MetricOperators {
  std::array<int, 3> inner_order{2, 2, 2};
  schemes::Rational sbp6_x1 = schemes::sbp6_accurate;
};

struct Metrics {
  Index3 n{1, 1, 1};
  std::array<std::array<std::vector<double>, 3>, 3> area;  // [direction k][component m][node]
  std::vector<double> volume;                              // of a node, per unit of xi eta zeta
  int handedness = 1;                                      // -1 for a left-handed block
  // Nodes at which the volume of the derivatives was below 0.05 of the dual volume (below), which
  // stands there instead. Volumes scale the time step only: a steady state does not depend on it.
  std::int64_t floored = 0;
  Index3 first_floored{0, 0, 0};
};

// V = 1/3 sum_k D_k(x . S^k), or 1/2 and two terms in two dimensions. Throws Error{user_input} that
// names the node and its coordinates when the cells around a node have no positive mean volume.
// Cost: 48 derivatives of a field in three dimensions, 6 in two.
Metrics metrics_of(const NodeCoordinates& nodes, const MetricOperators& operators);

// Mean volume of the cells that meet in a node: that of the trilinear map of their corners (of the
// straight quadrilateral in two dimensions), negative in a left-handed block.
std::vector<double> dual_volumes(const NodeCoordinates& nodes);

// D of inner order 2, 4 or 6 along an axis of a field on nodes n, i fastest.
void differentiate(const Index3& n, int axis, const MetricOperators& operators,
                   std::span<const double> field, std::span<double> result);

}  // namespace watersmeet::mesh
