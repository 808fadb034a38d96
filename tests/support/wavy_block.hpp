#pragma once
// Blocks of nodes cut from a wavy lattice and stored under any orientation, for tests of metrics
// and of curvilinear schemes.

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "mesh/metrics.hpp"
#include "mesh/orientation.hpp"

namespace watersmeet::test {

using LatticeMap = std::function<Real3(const Real3&)>;

struct NodeBlock {
  Index3 n;
  std::vector<double> x, y, z;

  mesh::NodeCoordinates nodes() const { return {n, x, y, z}; }
  std::size_t at(const Index3& index) const {
    return static_cast<std::size_t>(index[0] + n[0] * (index[1] + n[1] * index[2]));
  }
};

// Nodes first .. first + n - 1 of the lattice, mapped to space; `stored` turns the block's axes.
inline NodeBlock cut_block(const Index3& first, const Index3& n, const LatticeMap& map,
                           const mesh::Orientation& stored = {}) {
  NodeBlock block{stored.size(n), {}, {}, {}};
  const auto size = static_cast<std::size_t>(n[0] * n[1] * n[2]);
  for (auto* coordinate : {&block.x, &block.y, &block.z}) coordinate->resize(size);
  for (std::int64_t k = 0; k < n[2]; ++k) {
    for (std::int64_t j = 0; j < n[1]; ++j) {
      for (std::int64_t i = 0; i < n[0]; ++i) {
        const Real3 p = map({static_cast<double>(first[0] + i), static_cast<double>(first[1] + j),
                             static_cast<double>(first[2] + k)});
        const std::size_t at = block.at(stored.cell({i, j, k}, n));
        block.x[at] = p[0];
        block.y[at] = p[1];
        block.z[at] = p[2];
      }
    }
  }
  return block;
}

// The unit cube of `cells` lattice steps with waves of the given height in every coordinate. With
// flat_sides the waves vanish on the sides to which a coordinate belongs, so that the cube stays a
// cube; without, its faces are wavy too.
inline LatticeMap wavy_cube(const Real3& cells, double height, bool flat_sides) {
  return [=](const Real3& lattice) {
    Real3 s{};
    for (std::size_t m = 0; m < 3; ++m) s[m] = cells[m] > 0 ? lattice[m] / cells[m] : 0.0;
    const auto wave = [](double t, double phase) {
      return std::sin(2 * std::numbers::pi * t + phase);
    };
    Real3 p = s;
    for (std::size_t m = 0; m < 3; ++m) {
      const std::size_t a = (m + 1) % 3, b = (m + 2) % 3;
      const double own = flat_sides ? std::sin(std::numbers::pi * s[m])
                                    : wave(s[m], 0.4 + static_cast<double>(m)) + 0.7;
      p[m] += height * own * wave(s[a], 0.3) * (cells[b] > 0 ? wave(s[b], 0.9) : 1.0);
    }
    return p;
  };
}

}  // namespace watersmeet::test
