#pragma once
// Where a point lies in a block of nodes, and values there. The position as a function of the indices is the polynomial through up to six nodes
// along each axis; its inverse is found by Newton's method from a guess:
//
//     j                                        x(xi) = sum over nodes of w_i(xi) w_j(eta) w_k(zeta) x_ijk
//     1  o-----o-----o
//        |  *  |     |   * at xi = 0.4, eta = 0.5
//     0  o-----o-----o
//        0     1     2   i
//
// tests/unit/curvilinear/block_place_test.cpp checks order and copies.

#include <array>
#include <span>

#include "mesh/curvilinear/block.hpp"

namespace watersmeet::mesh {

struct BlockPlace {
  Real3 index{0, 0, 0};  // from 0 to n - 1 along each axis
  double cells_off = 0;  // how far the point lies from there, in cells
};

// The nodes about an index and the weights of their values; derivatives of those by the index.
struct NodeWeights {
  static constexpr int widest = 6;
  std::int64_t first = 0;
  int count = 1;
  std::array<double, widest> value{}, slope{};
};
NodeWeights node_weights(std::int64_t nodes, double index, int width);

// The place of a point in a block, or the one nearest to it that Newton's method finds.
BlockPlace place_in(const CurvilinearBlock& block, const Real3& point, const Real3& guess);

// A value there, of nodes [k][j][i]; width: of polynomials, 6, or 2 for values between those of the nodes around.
double value_at(const Index3& nodes, std::span<const double> values, const Real3& index, int width);

}  // namespace watersmeet::mesh
