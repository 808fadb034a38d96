#pragma once
// The right-hand side of compressible flow on a grid of curvilinear blocks, one node at a time: the
// plain form that faster loops are judged by.
//
//   V dW/dt = -sum_k D_k F_k + dissipation - penalties
//
// The blocks are cut from one wavy lattice, each stored under an orientation of its own:
//
//        +-----+--------+
//        |  2  |   3    |     cells along an axis: {4, 6} here and {3, 5} upwards; neighbours share
//        +-----+--------+     the nodes of a face, each with its own copy
//        |  0  |   1    |
//        +-----+--------+

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "core/math.hpp"
#include "support/wavy_block.hpp"
#include "systems/aerodynamics/dissipation.hpp"
#include "systems/aerodynamics/penalty.hpp"

namespace watersmeet::test {

using Values = std::vector<aerodynamics::Conserved<double>>;

class CurvilinearReference {
 public:
  using Conserved = aerodynamics::Conserved<double>;
  using Area = aerodynamics::Area<double>;

  struct Block {
    NodeBlock nodes;
    mesh::Metrics metrics;
    std::array<int, 3> order;  // of each local direction; 0 where there is one node
  };
  struct Setup {
    std::array<std::vector<int>, 3> cells;  // of the blocks along each axis; {0}: two dimensions
    std::vector<mesh::Orientation> stored;  // of each block, the first axis fastest
    bool periodic = false;
    int order = 4;
    schemes::Rational sbp6_x1 = schemes::sbp6_accurate;
    double dissipation = 1;  // factor of eps
    aerodynamics::Upwinding upwinding = aerodynamics::Upwinding::roe;
    aerodynamics::Gas<double> gas{1.4, 1e-10};
  };

  CurvilinearReference(const Setup& setup, const LatticeMap& map) : setup_(setup) {
    const auto& cells = setup.cells;
    Index3 grid{};
    for (std::size_t a = 0; a < 3; ++a) grid[a] = static_cast<std::int64_t>(cells[a].size());
    const auto number = [&](const Index3& b) { return b[0] + grid[0] * (b[1] + grid[1] * b[2]); };
    for (std::int64_t k = 0; k < grid[2]; ++k)
      for (std::int64_t j = 0; j < grid[1]; ++j)
        for (std::int64_t i = 0; i < grid[0]; ++i) add_block({i, j, k}, map);
    for (std::int64_t k = 0; k < grid[2]; ++k) {
      for (std::int64_t j = 0; j < grid[1]; ++j) {
        for (std::int64_t i = 0; i < grid[0]; ++i) {
          for (std::size_t axis = 0; axis < 3; ++axis) {
            if (cells[axis][0] == 0) continue;
            for (const int side : {0, 1}) {
              Index3 other{i, j, k};
              other[axis] += side == 0 ? -1 : 1;
              const bool outside = other[axis] < 0 || other[axis] == grid[axis];
              other[axis] = (other[axis] + grid[axis]) % grid[axis];
              add_face(static_cast<std::size_t>(number({i, j, k})), axis, side,
                       outside && !setup.periodic ? -1 : static_cast<int>(number(other)));
            }
          }
        }
      }
    }
  }

  const std::vector<Block>& blocks() const { return blocks_; }
  Real3 position(const Block& b, std::size_t node) const {
    return {b.nodes.x[node], b.nodes.y[node], b.nodes.z[node]};
  }

  // Product of H along all directions.
  double norm(const Block& b, std::size_t node) const {
    double product = 1;
    for (std::size_t k = 0; k < 3; ++k) product *= norm_along(b, k, node);
    return product;
  }

  // The same value at all nodes.
  std::vector<Values> values_like(const Conserved& w) const {
    std::vector<Values> values;
    for (const Block& block : blocks_) values.emplace_back(block.nodes.x.size(), w);
    return values;
  }

  // The largest rate of a uniform flow over the spectral radii of its node.
  double largest_rate(const std::vector<Values>& rates,
                      const aerodynamics::Primitive<double>& flow) const {
    double worst = 0;
    for (std::size_t b = 0; b < rates.size(); ++b) {
      for (std::size_t i = 0; i < rates[b].size(); ++i) {
        double lambda = 0;
        for (std::size_t k = 0; k < 3; ++k)
          lambda += aerodynamics::spectral_radius(flow, area_at(blocks_[b], k, i), setup_.gas);
        for (int v = 0; v < 5; ++v) worst = max_or_nan(worst, std::abs(rates[b][i][v]) / lambda);
      }
    }
    return worst;
  }

  // Of the rates of a variable in all volumes.
  struct Total {
    double sum = 0, magnitude = 0;
  };
  Total total_of(const std::vector<Values>& rates, int variable) const {
    Total total;
    for (std::size_t b = 0; b < rates.size(); ++b) {
      for (std::size_t i = 0; i < rates[b].size(); ++i) {
        const double weighted = norm(blocks_[b], i) * rates[b][i][variable];
        total.sum += weighted;
        total.magnitude += std::abs(weighted);
      }
    }
    return total;
  }

  // V dW/dt of all blocks; outside(x) is the state beyond the boundary.
  std::vector<Values> rates(const std::vector<Values>& w,
                            const std::function<Conserved(const Real3&)>& outside) const {
    std::vector<Values> rates(w.size());
    for (std::size_t b = 0; b < w.size(); ++b) {
      rates[b].assign(w[b].size(), Conserved{});
      for (std::size_t k = 0; k < 3; ++k) {
        if (blocks_[b].order[k] == 0) continue;
        add_fluxes(blocks_[b], k, w[b], rates[b]);
        add_dissipation(blocks_[b], k, w[b], rates[b]);
      }
    }
    for (const Surface& s : surfaces_) {
      const Block& b = blocks_[s.block];
      const bool interface = s.partner_block >= 0;
      const Conserved other =
          interface ? w[static_cast<std::size_t>(s.partner_block)][s.partner_node]
                    : outside(position(b, s.node));
      Area area = area_at(b, s.axis, s.node);
      if (s.side == 0) {
        for (int m = 0; m < 3; ++m) area[m] = -area[m];
      }
      const Conserved penalty = aerodynamics::surface_penalty(
          interface ? aerodynamics::SurfaceKind::interface : aerodynamics::SurfaceKind::farfield,
          w[s.block][s.node], other, area, {}, setup_.gas,
          aerodynamics::Coupling<double>{setup_.upwinding});
      const double h = norm_along(b, s.axis, s.node);
      for (int v = 0; v < 5; ++v) rates[s.block][s.node][v] -= penalty[v] / h;
    }
    return rates;
  }

 private:
  struct Surface {
    std::size_t block, node, axis;
    int side;
    int partner_block;  // -1: the boundary
    std::size_t partner_node;
  };

  void add_block(const Index3& at, const LatticeMap& map) {
    Index3 first{}, n{};
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::int64_t b = 0; b < at[a]; ++b) {
        first[a] += setup_.cells[a][static_cast<std::size_t>(b)];
      }
      n[a] = setup_.cells[a][static_cast<std::size_t>(at[a])] + 1;
    }
    Block block;
    block.nodes = cut_block(first, n, map, setup_.stored[blocks_.size()]);
    mesh::MetricOperators operators;
    operators.sbp6_x1 = setup_.sbp6_x1;
    for (std::size_t k = 0; k < 3; ++k) {
      const int order = schemes::order_for(setup_.order, block.nodes.n[k]);
      block.order[k] = order;
      operators.inner_order[k] = order == 0 ? 0 : schemes::scheme_order(order).inner;
    }
    block.metrics = mesh::metrics_of(block.nodes.nodes(), operators);
    blocks_.push_back(std::move(block));
    size_.push_back(n);
  }

  // Nodes of the face of lattice axis `axis` with those of the block behind it.
  void add_face(std::size_t block, std::size_t axis, int side, int partner) {
    const Index3 n = size_[block];
    const mesh::Orientation& stored = setup_.stored[block];
    const auto local = static_cast<std::size_t>(stored.axis[axis]);
    const int local_side = stored.sign[axis] > 0 ? side : 1 - side;
    Index3 node{};
    for (node[2] = 0; node[2] < n[2]; ++node[2]) {
      for (node[1] = 0; node[1] < n[1]; ++node[1]) {
        for (node[0] = 0; node[0] < n[0]; ++node[0]) {
          if (node[axis] != (side == 0 ? 0 : n[axis] - 1)) continue;
          Surface s{
              block, blocks_[block].nodes.at(stored.cell(node, n)), local, local_side, partner, 0};
          if (partner >= 0) {
            const auto p = static_cast<std::size_t>(partner);
            Index3 there = node;
            there[axis] = side == 0 ? size_[p][axis] - 1 : 0;
            s.partner_node = blocks_[p].nodes.at(setup_.stored[p].cell(there, size_[p]));
          }
          surfaces_.push_back(s);
        }
      }
    }
  }

  static Area area_at(const Block& b, std::size_t k, std::size_t node) {
    return {{b.metrics.area[k][0][node], b.metrics.area[k][1][node], b.metrics.area[k][2][node]}};
  }
  static std::size_t stride(const Block& b, std::size_t k) {
    std::int64_t s = 1;
    for (std::size_t a = 0; a < k; ++a) s *= b.nodes.n[a];
    return static_cast<std::size_t>(s);
  }
  static int index_along(const Block& b, std::size_t k, std::size_t node) {
    return static_cast<int>(static_cast<std::int64_t>(node / stride(b, k)) % b.nodes.n[k]);
  }
  double norm_along(const Block& b, std::size_t k, std::size_t node) const {
    const int i = index_along(b, k, node), n = static_cast<int>(b.nodes.n[k]);
    if (b.order[k] == 0) return 1;
    switch (schemes::scheme_order(b.order[k]).inner) {
      case 2:
        return schemes::sbp_norm(schemes::make_sbp<double, 2>(), i, n);
      case 4:
        return schemes::sbp_norm(schemes::make_sbp<double, 4>(), i, n);
      default:
        return schemes::sbp_norm(schemes::make_sbp<double, 6>(), i, n);
    }
  }

  void add_fluxes(const Block& b, std::size_t k, const Values& w, Values& rates) const {
    const std::size_t size = w.size();
    std::array<std::vector<double>, 5> flux;
    for (auto& f : flux) f.resize(size);
    for (std::size_t i = 0; i < size; ++i) {
      const Conserved f =
          aerodynamics::flux(w[i], aerodynamics::primitive_of(w[i], setup_.gas), area_at(b, k, i));
      for (std::size_t v = 0; v < 5; ++v) flux[v][i] = f[static_cast<int>(v)];
    }
    mesh::MetricOperators operators;
    operators.sbp6_x1 = setup_.sbp6_x1;
    operators.inner_order[k] = schemes::scheme_order(b.order[k]).inner;
    std::vector<double> d(size);
    for (std::size_t v = 0; v < 5; ++v) {
      mesh::differentiate(b.nodes.n, static_cast<int>(k), operators, flux[v], d);
      for (std::size_t i = 0; i < size; ++i) rates[i][static_cast<int>(v)] -= d[i];
    }
  }

  template <int q>
  void add_differences(const Block& b, std::size_t k, const Values& w, Values& rates) const {
    const std::size_t step = stride(b, k), size = w.size();
    const int n = static_cast<int>(b.nodes.n[k]);
    const double eps = setup_.dissipation * schemes::scheme_order(b.order[k]).epsilon.value();
    std::vector<double> lambda(size);
    for (std::size_t i = 0; i < size; ++i) {
      lambda[i] = aerodynamics::spectral_radius(aerodynamics::primitive_of(w[i], setup_.gas),
                                                area_at(b, k, i), setup_.gas);
    }
    for (std::size_t i = 0; i < size; ++i) {
      const Conserved d = aerodynamics::dissipation_at<q>(
          index_along(b, k, i), n, 1 / norm_along(b, k, i), [&](int m) {
            const std::size_t first = i - static_cast<std::size_t>(-m) * step;
            const auto at = [&](int j) { return first + static_cast<std::size_t>(j) * step; };
            const double lower = lambda[at(schemes::middle_lower(q))];
            const double upper = lambda[at(schemes::middle_upper(q))];
            const double middle = q == 1 ? std::max(lower, upper) : (lower + upper) / 2;
            return aerodynamics::scalar_record<q>(eps, middle, [&](int j) { return w[at(j)]; });
          });
      for (int v = 0; v < 5; ++v) rates[i][v] += d[v];
    }
  }
  void add_dissipation(const Block& b, std::size_t k, const Values& w, Values& rates) const {
    switch (schemes::scheme_order(b.order[k]).difference) {
      case 1:
        return add_differences<1>(b, k, w, rates);
      case 2:
        return add_differences<2>(b, k, w, rates);
      case 3:
        return add_differences<3>(b, k, w, rates);
      default:
        return add_differences<4>(b, k, w, rates);
    }
  }

  Setup setup_;
  std::vector<Block> blocks_;
  std::vector<Index3> size_;  // nodes of the blocks along the lattice's axes
  std::vector<Surface> surfaces_;
};

// Wavy blocks of the cells of a set-up.
inline LatticeMap map_of(const CurvilinearReference::Setup& setup) {
  Real3 cells{};
  for (std::size_t a = 0; a < 3; ++a)
    for (const int c : setup.cells[a]) cells[a] += c;
  return wavy_cube(cells, 0.05, false);
}

}  // namespace watersmeet::test
