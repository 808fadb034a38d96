#include "systems/aerodynamics/vorticity.hpp"

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

std::vector<double> vorticity_of(const mesh::CurvilinearBlock& block,
                                 const mesh::MetricOperators& operators,
                                 std::span<const double> velocity) {
  const mesh::Metrics metrics =
      mesh::metrics_of({block.n, block.x[0], block.x[1], block.x[2]}, operators);
  const std::size_t nodes = metrics.volume.size();
  std::vector<double> curl(3 * nodes, 0.0), component(nodes), slope(nodes);
  for (std::size_t c = 0; c < 3; ++c) {
    for (std::size_t n = 0; n < nodes; ++n) component[n] = velocity[3 * n + c];
    // u_c is in curl component c + 2 with d/dx_(c+1) negative, in c + 1 with d/dx_(c+2) positive.
    const std::size_t next = (c + 1) % 3, last = (c + 2) % 3;
    for (std::size_t k = 0; k < 3; ++k) {
      if (block.n[k] == 1) continue;
      mesh::differentiate(block.n, static_cast<int>(k), operators, component, slope);
      for (std::size_t n = 0; n < nodes; ++n) {
        const double part = slope[n] / metrics.volume[n];
        curl[3 * n + last] -= metrics.area[k][next][n] * part;
        curl[3 * n + next] += metrics.area[k][last][n] * part;
      }
    }
  }
  return curl;
}

}  // namespace watersmeet::aerodynamics
