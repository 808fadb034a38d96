// The column schedule of the node form, its threads run one after the other in either order,
// against node_rates(): every node belongs to one column, and its rates are those of the direct
// schedule.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "support/columns.hpp"
#include "support/toy_scheme.hpp"

using namespace watersmeet;
using test::Toy;

namespace {

// Thin directions have a lower order.
std::vector<exec::NodeBlock> blocks_of(const std::vector<Index3>& sizes, int order) {
  std::vector<exec::NodeBlock> blocks;
  std::int64_t nodes = 0;
  for (const Index3& n : sizes) {
    exec::NodeBlock b;
    b.first = nodes;
    for (std::size_t a = 0; a < 3; ++a) {
      b.n[a] = static_cast<int>(n[a]);
      b.order[a] = schemes::order_for(order, n[a]);
    }
    blocks.push_back(b);
    nodes += n[0] * n[1] * n[2];
  }
  return blocks;
}

// The sum over the directions of the largest radius of a node and its neighbours.
double largest_radii(const exec::NodeArrays<double>& arrays, const exec::NodePoint& p) {
  double sum = 0;
  for (int d = 0; d < 3; ++d) {
    const auto line = exec::node_line<double, 2>(arrays, p, d);
    double largest = 0;
    for (int m = -1; m <= 1; ++m) {
      if (p.index[d] + m < 0 || p.index[d] + m >= p.block->n[d]) continue;
      largest = std::max(largest, Toy::radius(line.state(m), line.area(m)));
    }
    sum += largest;
  }
  return sum;
}

template <int order, bool radii = false>
void expect_rates_of_the_direct_schedule(const std::vector<Index3>& sizes, bool dissipation) {
  const std::vector<exec::NodeBlock> blocks = blocks_of(sizes, order);
  const exec::NodeBlock& last = blocks.back();
  const std::int64_t nodes = last.first + std::int64_t{last.n[0]} * last.n[1] * last.n[2];
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> uniform(0.5, 1.5);
  std::vector<double> state(static_cast<std::size_t>(2 * nodes)),
      area(static_cast<std::size_t>(9 * nodes));
  for (double& v : state) v = uniform(generator);
  for (double& v : area) v = uniform(generator);
  exec::ColumnPass<double, Toy, order, radii> pass;
  pass.arrays = {state.data(), area.data(), nullptr, nodes};
  pass.parts.dissipation = dissipation;
  const auto operators = exec::node_operators(schemes::sbp6_accurate);

  for (const bool backwards : {false, true}) {
    const test::CubeRates<2> rates =
        test::rates_by_columns(pass, blocks, nodes, operators, backwards);
    for (const int v : rates.visits) ASSERT_EQ(v, 1);
    for (const exec::NodeBlock& block : blocks) {
      test::for_each_point(block, [&](const exec::NodePoint& p) {
        // Rates are some hundred, and sums of some ten terms of that size.
        constexpr double rounding = 1e-12;
        const auto direct =
            exec::node_rates<0, double>(pass.arrays, p, operators, Toy{}, pass.parts);
        const auto& column = rates.of[static_cast<std::size_t>(p.node)];
        if (radii) {
          ASSERT_NEAR(rates.radii[static_cast<std::size_t>(p.node)], largest_radii(pass.arrays, p),
                      rounding)
              << "order " << order << " node " << p.index[0] << " " << p.index[1] << " "
              << p.index[2] << " of " << block.n[0] << " " << block.n[1] << " " << block.n[2];
        }
        for (int v = 0; v < 2; ++v) {
          ASSERT_NEAR(column.flux[v], direct.flux[v], rounding)
              << "order " << order << " node " << p.index[0] << " " << p.index[1] << " "
              << p.index[2] << " of " << block.n[0] << " " << block.n[1] << " " << block.n[2];
          ASSERT_NEAR(column.dissipation[v], direct.dissipation[v], rounding)
              << "order " << order << " node " << p.index[0] << " " << p.index[1] << " "
              << p.index[2] << " of " << block.n[0] << " " << block.n[1] << " " << block.n[2];
        }
      });
    }
  }
}

template <int order>
void expect_all(std::int64_t least) {
  // From the thinnest block on, so that the ends of runs fall on every row of the closures.
  for (std::int64_t n = least; n < least + 9; ++n) {
    const std::vector<Index3> sizes = {
        {least, least + 1, n}, {n, least, least}, {least + 1, n, least + 2}};
    expect_rates_of_the_direct_schedule<order>(sizes, n % 2 == 0);
    expect_rates_of_the_direct_schedule<order, true>(sizes, true);
  }
  // Several tiles along each axis, and long rows.
  expect_rates_of_the_direct_schedule<order, true>({{41, 37, 13}, {9, 10, 140}}, true);
  expect_rates_of_the_direct_schedule<order>({{131, 9, 9}, {9, 131, 9}, {9, 8, 71}}, true);
}

template <class R, int inner>
void expect_band_and_rest(const schemes::Sbp<R, inner>& table) {
  using Table = schemes::Sbp<R, inner>;
  for (int n = Table::minimum; n < Table::minimum + 5; ++n) {
    for (int i = 0; i < n; ++i) {
      const exec::RestOfRow rest = exec::rest_of_row(inner, i, n);
      for (int o = -i; o <= n - 1 - i; ++o) {
        // The entry by the derivative of a unit value.
        const double entry =
            schemes::sbp_first(table, i, n, [&](int m) { return m == o ? 1.0 : 0.0; });
        EXPECT_EQ(exec::derivative_entry(table, i, n, o), entry) << i << " " << o << " of " << n;
        const bool in_band = o != 0 && std::abs(o) <= Table::radius;
        const bool in_rest = rest.any && (o == 0 || o == rest.far);
        if (in_band || in_rest) continue;
        EXPECT_EQ(entry, 0) << i << " " << o << " of " << n;
      }
    }
  }
}

}  // namespace

TEST(NodeColumn, BandAndRestAreTheDerivative) {
  expect_band_and_rest(schemes::make_sbp<double, 2>());
  expect_band_and_rest(schemes::make_sbp<double, 4>());
}

TEST(NodeColumn, RatesAreThoseOfTheDirectSchedule) {
  expect_all<1>(2);
  expect_all<2>(3);
  expect_all<3>(8);
}

TEST(NodeColumn, ThinDirectionsOfOrderTwoGoWithOrderThree) {
  for (std::int64_t n = 3; n < 8; ++n) {
    expect_rates_of_the_direct_schedule<3>({{n, 11, 9}, {9, n, 30}, {12, 21, n}, {n, n, n}}, true);
  }
  EXPECT_EQ(exec::column_order(blocks_of({{3, 11, 9}}, 3)), 3);
  EXPECT_EQ(exec::column_order(blocks_of({{2, 11, 9}}, 3)), 0);
  EXPECT_EQ(exec::column_order(blocks_of({{2, 3, 9}}, 1)), 1);
  EXPECT_EQ(exec::column_order(blocks_of({{12, 11, 1}}, 3)), 0);
  EXPECT_EQ(exec::column_order(blocks_of({{12, 11, 9}}, 4)), 0);
}

TEST(NodeColumn, PlansFillTheDevice) {
  // Blocks like those of a vehicle: three quarters of the threads of a tile have a column, and runs
  // leave no multiprocessor idle for long.
  const std::vector<Index3> sizes = {{47, 51, 39}, {23, 29, 33}, {28, 67, 61}, {57, 53, 61}};
  std::vector<exec::NodeBlock> blocks;
  for (int copy = 0; copy < 4; ++copy) {
    const auto more = blocks_of(sizes, 3);
    blocks.insert(blocks.end(), more.begin(), more.end());
  }
  double nodes = 0, planes = 0;
  int longest = 0;
  const auto columns = exec::node_columns(blocks, 3);
  for (const exec::NodeColumn& c : columns) {
    nodes += double(c.size[0]) * c.size[1] * (c.upper - c.lower);
    planes += c.upper - c.lower;
    longest = std::max(longest, c.upper - c.lower);
    EXPECT_LE(c.size[0] * c.size[1], exec::column_threads(3));
  }
  EXPECT_GT(nodes / (planes * exec::column_threads(3)), 0.75);
  const double rounds = std::ceil(double(columns.size()) / exec::columns_at_once);
  EXPECT_GT(planes / (rounds * longest * exec::columns_at_once), 0.75);
}
