#include "mesh/curvilinear/block_place.hpp"

#include <algorithm>
#include <cmath>

namespace watersmeet::mesh {

NodeWeights node_weights(std::int64_t nodes, double index, int width) {
  NodeWeights w;
  w.count = static_cast<int>(std::min<std::int64_t>(width, nodes));
  w.first = std::clamp<std::int64_t>(
      static_cast<std::int64_t>(std::floor(index)) - (w.count - 2) / 2, 0, nodes - w.count);
  const double x = index - static_cast<double>(w.first);
  for (int m = 0; m < w.count; ++m) {
    double value = 1, slope = 0;
    for (int l = 0; l < w.count; ++l) {
      if (l == m) continue;
      slope = (slope * (x - l) + value) / (m - l);
      value *= (x - l) / (m - l);
    }
    w.value[static_cast<std::size_t>(m)] = value;
    w.slope[static_cast<std::size_t>(m)] = slope;
  }
  return w;
}

namespace {
// Calls work(node, product of the weights, the same with a slope along each axis).
template <class Work>
void for_each_weighted_node(const Index3& n, const std::array<NodeWeights, 3>& w,
                            const Work& work) {
  for (int c = 0; c < w[2].count; ++c) {
    for (int b = 0; b < w[1].count; ++b) {
      for (int a = 0; a < w[0].count; ++a) {
        const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b),
                   k = static_cast<std::size_t>(c);
        const std::int64_t node =
            w[0].first + a + n[0] * (w[1].first + b + n[1] * (w[2].first + c));
        work(static_cast<std::size_t>(node), w[0].value[i] * w[1].value[j] * w[2].value[k],
             Real3{w[0].slope[i] * w[1].value[j] * w[2].value[k],
                   w[0].value[i] * w[1].slope[j] * w[2].value[k],
                   w[0].value[i] * w[1].value[j] * w[2].slope[k]});
      }
    }
  }
}

// The step in the indices that leads nearest to a difference of positions, by columns of the derivative of the position. A column without
// length, as at a polar axis, gives no step.
Real3 nearest_step(const std::array<Real3, 3>& columns, const Real3& difference) {
  constexpr double damping = 1e-12;
  double matrix[3][4], lengths[3];
  for (std::size_t a = 0; a < 3; ++a) {
    double square = 0;
    for (const double x : columns[a]) square += x * x;
    lengths[a] = std::sqrt(square);
  }
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) {
      double product = 0;
      for (std::size_t m = 0; m < 3; ++m) product += columns[a][m] * columns[b][m];
      const double scale = lengths[a] * lengths[b];
      matrix[a][b] = (scale > 0 ? product / scale : 0.0) + (a == b ? damping : 0.0);
      if (a == b && !(scale > 0)) matrix[a][b] = 1;
    }
    double product = 0;
    for (std::size_t m = 0; m < 3; ++m) product += columns[a][m] * difference[m];
    matrix[a][3] = lengths[a] > 0 ? product / lengths[a] : 0.0;
  }
  // Symmetric and positive definite: no pivots.
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t row = a + 1; row < 3; ++row) {
      const double factor = matrix[row][a] / matrix[a][a];
      for (std::size_t c = a; c < 4; ++c) matrix[row][c] -= factor * matrix[a][c];
    }
  }
  Real3 step{};
  for (std::size_t a = 3; a-- > 0;) {
    double rest = matrix[a][3];
    for (std::size_t c = a + 1; c < 3; ++c) rest -= matrix[a][c] * step[c];
    step[a] = rest / matrix[a][a];
  }
  for (std::size_t a = 0; a < 3; ++a) step[a] = lengths[a] > 0 ? step[a] / lengths[a] : 0.0;
  return step;
}
}  // namespace

BlockPlace place_in(const CurvilinearBlock& block, const Real3& point, const Real3& guess) {
  constexpr int most_steps = 30;
  constexpr double found = 1e-11, longest_step = 2;  // cells
  BlockPlace place{guess, 0};
  for (int s = 0; s < most_steps; ++s) {
    std::array<NodeWeights, 3> w;
    for (std::size_t a = 0; a < 3; ++a)
      w[a] = node_weights(block.n[a], place.index[a], NodeWeights::widest);
    Real3 difference = point;
    std::array<Real3, 3> columns{};
    for_each_weighted_node(block.n, w, [&](std::size_t node, double value, const Real3& slopes) {
      for (std::size_t m = 0; m < 3; ++m) {
        difference[m] -= value * block.x[m][node];
        for (std::size_t a = 0; a < 3; ++a) columns[a][m] += slopes[a] * block.x[m][node];
      }
    });
    Real3 step = nearest_step(columns, difference);
    place.cells_off = std::max({std::abs(step[0]), std::abs(step[1]), std::abs(step[2])});
    double moved = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      const double last = static_cast<double>(block.n[a] - 1);
      const double to =
          std::clamp(place.index[a] + std::clamp(step[a], -longest_step, longest_step), 0.0, last);
      moved = std::max(moved, std::abs(to - place.index[a]));
      if (place.cells_off > found) place.index[a] = to;
    }
    if (moved <= found) break;
  }
  return place;
}

double value_at(const Index3& nodes, std::span<const double> values, const Real3& index,
                int width) {
  std::array<NodeWeights, 3> w;
  for (std::size_t a = 0; a < 3; ++a) w[a] = node_weights(nodes[a], index[a], width);
  double sum = 0;
  for_each_weighted_node(nodes, w, [&](std::size_t node, double value, const Real3&) {
    if (value != 0) sum += value * values[node];
  });
  return sum;
}

}  // namespace watersmeet::mesh
