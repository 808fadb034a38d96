#include "systems/aerodynamics/velocity_gradient.hpp"

#include "schemes/sbp.hpp"

namespace watersmeet::aerodynamics {

mesh::MetricOperators operators_of(const Index3& n, int order, schemes::Rational sbp6_x1) {
  mesh::MetricOperators operators;
  operators.sbp6_x1 = sbp6_x1;
  for (std::size_t k = 0; k < 3; ++k) {
    const int own = schemes::order_for(order, n[k]);
    operators.inner_order[k] = own == 0 ? 0 : schemes::scheme_order(own).inner;
  }
  return operators;
}

std::vector<Vec<Vec<double, 3>, 3>> velocity_gradient_of(const mesh::CurvilinearBlock& block,
                                                         const mesh::MetricOperators& operators,
                                                         std::span<const double> velocity) {
  const mesh::Metrics metrics =
      mesh::metrics_of({block.n, block.x[0], block.x[1], block.x[2]}, operators);
  const std::size_t nodes = metrics.volume.size();
  std::vector<Vec<Vec<double, 3>, 3>> gradient(nodes, Vec<Vec<double, 3>, 3>{});
  std::vector<double> component(nodes), slope(nodes);
  for (std::size_t c = 0; c < 3; ++c) {
    for (std::size_t n = 0; n < nodes; ++n) component[n] = velocity[3 * n + c];
    for (std::size_t k = 0; k < 3; ++k) {
      if (block.n[k] == 1) continue;
      mesh::differentiate(block.n, static_cast<int>(k), operators, component, slope);
      for (std::size_t n = 0; n < nodes; ++n) {
        const double part = slope[n] / metrics.volume[n];
        for (std::size_t m = 0; m < 3; ++m) {
          gradient[n][static_cast<int>(c)][static_cast<int>(m)] += metrics.area[k][m][n] * part;
        }
      }
    }
  }
  return gradient;
}

Vec<double, 3> curl_of(const Vec<Vec<double, 3>, 3>& g) {
  return {{g[2][1] - g[1][2], g[0][2] - g[2][0], g[1][0] - g[0][1]}};
}

}  // namespace watersmeet::aerodynamics
