#pragma once
// A scheme of two variables for tests of the schedules of the node form.

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "exec/node.hpp"

namespace watersmeet::test {

// Two variables with a flux that is not linear, and dissipation by their differences.
struct Toy {
  static constexpr int variables = 2;
  static constexpr bool reads_value = false, by_matrix = false;
  static bool two_point() { return false; }
  static Vec<double, 2> flux(const Vec<double, 2>& w, const Vec<double, 3>& area) {
    const double u = w[0] * area[0] + w[1] * area[1] + area[2];
    return {{w[0] * u, w[1] * u + area[1]}};
  }
  static Vec<double, 2> flux(const Vec<double, 2>&, const Vec<double, 3>&, const Vec<double, 2>&,
                             const Vec<double, 3>&) {
    return {};
  }
  static double radius(const Vec<double, 2>& w, const Vec<double, 3>& area) {
    return std::abs(w[0] * area[0]) + std::abs(area[2]);
  }
  template <int q>
  static double strength() {
    return 1;
  }
  // sum_s factor (radius in the middle) Delta^q over complete stencils
  template <int q, class Radius, class Component>
  static void add(Vec<double, 2>& sum, int i, int n, double inverse_norm, const Radius& radius_at,
                  const Component& component) {
    for (int m = -q; m <= 0; ++m) {
      if (i + m < 0 || i + m + q > n - 1) continue;
      const double lower = radius_at(m + schemes::middle_lower(q));
      const double upper = radius_at(m + schemes::middle_upper(q));
      const double middle = q == 1 ? std::max(lower, upper) : 0.5 * (lower + upper);
      const double weight = -inverse_norm * schemes::difference_weight(q, -m) * middle;
      for (int v = 0; v < 2; ++v) {
        sum[v] += weight * schemes::undivided<q>([&](int j) { return component(v, m + j); });
      }
    }
  }
  template <int q, class Line>
  static Vec<double, 2> dissipation(const Line& line, int i, int n, double inverse_norm) {
    Vec<double, 2> sum{};
    add<q>(
        sum, i, n, inverse_norm, [&](int m) { return radius(line.state(m), line.area(m)); },
        [&](int v, int m) { return line.state(m)[v]; });
    return sum;
  }
  template <int q, class Line>
  static void add_dissipation(Vec<double, 2>& sum, const Line& line, int i, int n,
                              double inverse_norm) {
    add<q>(
        sum, i, n, inverse_norm, [&](int m) { return line.radius(m); },
        [&](int v, int m) { return line.component(v, m); });
  }
};

// Sum over the directions of the largest radius of a node and its neighbours.
inline double largest_radii(const exec::NodeArrays<double>& arrays, const exec::NodePoint& p) {
  double sum = 0;
  for (int d = 0; d < 3; ++d) {
    const int n = p.block->n[d];
    if (n == 1) continue;
    const auto line = exec::node_line<double, 2>(arrays, p, d);
    double largest = 0;
    for (int m = -1; m <= 1; ++m) {
      if (p.index[d] + m < 0 || p.index[d] + m >= n) continue;
      largest = std::max(largest, Toy::radius(line.state(m), line.area(m)));
    }
    sum += largest;
  }
  return sum;
}

// Random states and areas of a pool. Nothing lies beyond it: sanitizers see what is read there.
struct ToyNodes {
  std::int64_t nodes;
  std::vector<double> state, area;

  ToyNodes(std::int64_t count, unsigned seed) : nodes(count) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> uniform(0.5, 1.5);
    state.resize(static_cast<std::size_t>(Toy::variables * count));
    area.resize(static_cast<std::size_t>(9 * count));
    for (double& v : state) v = uniform(generator);
    for (double& v : area) v = uniform(generator);
  }
  exec::NodeArrays<double> arrays() const { return {state.data(), area.data(), nullptr, nodes}; }
};

}  // namespace watersmeet::test
