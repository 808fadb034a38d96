// Metrics of curvilinear blocks: a uniform flow stays uniform on wavy blocks for every mix of
// orders, shared faces have one normal under every orientation, volumes add up, and what closures
// or a bad mesh spoil is floored, counted or refused.
#include "mesh/metrics.hpp"
#include "core/math.hpp"

#include <gtest/gtest.h>

#include <string>

#include "core/error.hpp"
#include "schemes/sbp.hpp"
#include "support/wavy_block.hpp"

using namespace watersmeet;
using mesh::MetricOperators;
using mesh::Metrics;
using mesh::metrics_of;
using test::NodeBlock;

namespace {

using Field = std::vector<double>;

double largest(const Field& f) {
  double result = 0;
  for (const double v : f) result = max_or_nan(result, std::abs(v));
  return result;
}

// max |sum_k D_k S^k_m| over nodes and components.
double defect(const Index3& n, const MetricOperators& operators,
              const std::array<std::array<Field, 3>, 3>& area) {
  double worst = 0;
  for (std::size_t m = 0; m < 3; ++m) {
    Field sum(area[0][0].size(), 0.0), d(sum.size());
    for (int k = 0; k < 3; ++k) {
      if (n[static_cast<std::size_t>(k)] == 1) continue;
      mesh::differentiate(n, k, operators, area[static_cast<std::size_t>(k)][m], d);
      for (std::size_t i = 0; i < d.size(); ++i) sum[i] += d[i];
    }
    worst = max_or_nan(worst, largest(sum));
  }
  return worst;
}

// The plain cross product D_e x (cross) D_f x in place of the conservative form.
std::array<std::array<Field, 3>, 3> plain_areas(const NodeBlock& block,
                                                const MetricOperators& operators) {
  const Field* coordinate[3] = {&block.x, &block.y, &block.z};
  std::array<std::array<Field, 3>, 3> t, area;
  for (int k = 0; k < 3; ++k) {
    for (std::size_t m = 0; m < 3; ++m) {
      t[static_cast<std::size_t>(k)][m].resize(block.x.size());
      mesh::differentiate(block.n, k, operators, *coordinate[m], t[static_cast<std::size_t>(k)][m]);
    }
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const auto &e = t[(k + 1) % 3], &f = t[(k + 2) % 3];
    for (std::size_t m = 0; m < 3; ++m) {
      const std::size_t a = (m + 1) % 3, b = (m + 2) % 3;
      area[k][m].resize(block.x.size());
      for (std::size_t i = 0; i < block.x.size(); ++i) {
        area[k][m][i] = e[a][i] * f[b][i] - e[b][i] * f[a][i];
      }
    }
  }
  return area;
}

// Sum of H V over a block.
double weighted_volume(const Metrics& metrics, const MetricOperators& operators) {
  const auto norm = [&](std::size_t axis, std::int64_t at) {
    const int i = static_cast<int>(at), n = static_cast<int>(metrics.n[axis]);
    if (n == 1) return 1.0;
    switch (operators.inner_order[axis]) {
      case 2:
        return schemes::sbp_exact<2>().h(i, n).value();
      case 4:
        return schemes::sbp_exact<4>().h(i, n).value();
      default:
        return schemes::sbp_exact<6>().h(i, n).value();
    }
  };
  double sum = 0;
  std::size_t at = 0;
  for (std::int64_t k = 0; k < metrics.n[2]; ++k)
    for (std::int64_t j = 0; j < metrics.n[1]; ++j)
      for (std::int64_t i = 0; i < metrics.n[0]; ++i)
        sum += norm(0, i) * norm(1, j) * norm(2, k) * metrics.volume[at++];
  return sum;
}

MetricOperators operators_for(const Index3& n, int requested = 6) {
  MetricOperators operators;
  for (std::size_t k = 0; k < 3; ++k) {
    const int order = schemes::order_for(requested, n[k]);
    operators.inner_order[k] = order == 0 ? 0 : schemes::scheme_order(order).inner;
  }
  return operators;
}

}  // namespace

// The block is about 1 long, its products of coordinates and their differences about 0.1: the
// round-off of one derivative of them is 1e-17 to 1e-16.
TEST(Metrics, UniformFlowStaysUniformForEveryMixOfOrders) {
  const Index3 n{13, 15, 17};
  const NodeBlock block = test::cut_block({0, 0, 0}, n, test::wavy_cube({12, 14, 16}, 0.06, false));
  for (const int a : {2, 4, 6}) {
    for (const int b : {2, 4, 6}) {
      for (const int c : {2, 4, 6}) {
        for (const schemes::Rational x1 : {schemes::sbp6_accurate, schemes::sbp6_compatible}) {
          const MetricOperators operators{{a, b, c}, x1};
          const Metrics metrics = metrics_of(block.nodes(), operators);
          EXPECT_LT(defect(n, operators, metrics.area), 2e-16) << a << b << c;
          EXPECT_EQ(metrics.floored, 0);
          // What the conservative form is for.
          EXPECT_GT(defect(n, operators, plain_areas(block, operators)), 1e-5) << a << b << c;
        }
      }
    }
  }
}

// Here second derivatives of the coordinates cancel: a unit in the last place of 1 times the square
// of the largest row sum of D, 3.5 to 4.4.
TEST(Metrics, UniformFlowStaysUniformInTwoDimensions) {
  const Index3 n{14, 19, 1};
  const NodeBlock block = test::cut_block({0, 0, 0}, n, test::wavy_cube({13, 18, 0}, 0.06, false));
  for (const int a : {2, 4, 6}) {
    for (const int b : {2, 4, 6}) {
      const MetricOperators operators{{a, b, 0}};
      const Metrics metrics = metrics_of(block.nodes(), operators);
      EXPECT_LT(defect(n, operators, metrics.area), 2e-15) << a << b;
      for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(largest(metrics.area[k][2]), 0);
    }
  }
}

TEST(Metrics, AffineBlocksAreExact) {
  const auto map = [](const Real3& s) {
    return Real3{s[0] + 0.5 * s[1], s[1] - s[2], 0.5 * s[0] + s[2]};
  };
  // x = A xi with det A = 3/4: S^k are the rows of det(A) A^-1, worked out by hand.
  const double inverse[3][3] = {{1, -0.5, -0.5}, {-0.5, 1, 1}, {-0.5, 0.25, 1}};
  for (const Index3 n : {Index3{12, 12, 13}, Index3{8, 9, 3}, Index3{2, 3, 8}}) {
    const NodeBlock block = test::cut_block({0, 0, 0}, n, map);
    const Metrics metrics = metrics_of(block.nodes(), operators_for(n));
    for (std::size_t i = 0; i < block.x.size(); ++i) {
      EXPECT_NEAR(metrics.volume[i], 0.75, 1e-12);
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t m = 0; m < 3; ++m)
          EXPECT_NEAR(metrics.area[k][m][i], inverse[k][m], 1e-12) << k << m;
    }
  }
}

TEST(Metrics, VolumesAddUpToTheCube) {
  const Index3 n{13, 12, 14};
  const NodeBlock block = test::cut_block({0, 0, 0}, n, test::wavy_cube({12, 11, 13}, 0.05, true));
  for (const int requested : {2, 4, 6}) {
    const MetricOperators operators = operators_for(n, requested);
    const Metrics metrics = metrics_of(block.nodes(), operators);
    EXPECT_EQ(metrics.floored, 0);
    EXPECT_NEAR(weighted_volume(metrics, operators), 1, 1e-14) << requested;
  }
  const NodeBlock plane =
      test::cut_block({0, 0, 0}, {12, 13, 1}, test::wavy_cube({11, 12, 0}, 0.05, true));
  const MetricOperators operators = operators_for(plane.n);
  EXPECT_NEAR(weighted_volume(metrics_of(plane.nodes(), operators), operators), 1, 1e-14);
}

// Against the Jacobian of a map known in closed form: the orders inside and at the ends decide.
TEST(Metrics, VolumesConvergeToTheJacobian) {
  const auto worst_error = [](int n, int inner) {
    const double h = 1.0 / (n - 1);
    const auto map = [&](const Real3& s) {
      const double a = s[0] * h, b = s[1] * h;
      return Real3{a + 0.1 * std::sin(2 * b), b + 0.1 * a * a, 0};
    };
    const NodeBlock block = test::cut_block({0, 0, 0}, {n, n, 1}, map);
    const Metrics metrics = metrics_of(block.nodes(), {{inner, inner, 0}});
    double worst = 0;
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        const double jacobian = 1 - 0.2 * std::cos(2 * j * h) * 0.2 * i * h;
        worst =
            max_or_nan(worst, std::abs(metrics.volume[block.at({i, j, 0})] / (h * h) - jacobian));
      }
    }
    return worst;
  };
  for (const int inner : {2, 4, 6}) {
    const double order = std::log2(worst_error(21, inner) / worst_error(41, inner));
    EXPECT_GT(order, inner / 2 - 0.2) << inner;  // order of the closures in the maximum norm
  }
}

TEST(Metrics, NormalsAreMadeOfFaceNodesOnly) {
  const Index3 n{13, 12, 14};
  const NodeBlock block = test::cut_block({0, 0, 0}, n, test::wavy_cube({12, 11, 13}, 0.05, false));
  const Metrics before = metrics_of(block.nodes(), operators_for(n));
  NodeBlock moved = block;
  for (std::int64_t k = 1; k < n[2] - 1; ++k)
    for (std::int64_t j = 1; j < n[1] - 1; ++j)
      for (std::int64_t i = 1; i < n[0] - 1; ++i)
        moved.x[moved.at({i, j, k})] += 0.01 * std::sin(static_cast<double>(7 * i + 3 * j + k));
  const Metrics after = metrics_of(moved.nodes(), operators_for(n));
  std::int64_t changed = 0;
  for (std::int64_t k = 0; k < n[2]; ++k) {
    for (std::int64_t j = 0; j < n[1]; ++j) {
      for (std::int64_t i = 0; i < n[0]; ++i) {
        const Index3 at{i, j, k};
        for (std::size_t d = 0; d < 3; ++d) {
          for (std::size_t m = 0; m < 3; ++m) {
            const double a = before.area[d][m][block.at(at)], b = after.area[d][m][block.at(at)];
            if (at[d] == 0 || at[d] == n[d] - 1) {
              EXPECT_EQ(a, b) << d << m << " at " << i << ' ' << j << ' ' << k;
            } else {
              changed += a != b;
            }
          }
        }
      }
    }
  }
  EXPECT_GT(changed, 1000);
}

// Two blocks of different depth share a face that is wavy itself; the second one is stored in each
// of the 48 ways, 24 of them left-handed. Along the face the orders are 4 and 6.
TEST(Metrics, BothSidesOfASharedFaceAgreeUnderEveryOrientation) {
  const auto map = test::wavy_cube({10, 8, 12}, 0.06, false);
  const Index3 n{5, 9, 13}, m{7, 9, 13};
  const NodeBlock here = test::cut_block({0, 0, 0}, n, map);
  const Metrics metrics = metrics_of(here.nodes(), operators_for(n));
  const NodeBlock straight = test::cut_block({4, 0, 0}, m, map);
  const Metrics unturned = metrics_of(straight.nodes(), operators_for(m));
  for (int number = 0; number < 48; ++number) {
    const mesh::Orientation stored = mesh::Orientation::from_index(number);
    const NodeBlock there = test::cut_block({4, 0, 0}, m, map, stored);
    const Metrics turned = metrics_of(there.nodes(), operators_for(there.n));
    EXPECT_EQ(turned.handedness, stored.determinant());
    std::int64_t differing = 0;
    for (std::int64_t k = 0; k < m[2]; ++k) {
      for (std::int64_t j = 0; j < m[1]; ++j) {
        for (std::int64_t i = 0; i < m[0]; ++i) {
          const std::size_t at = there.at(stored.cell({i, j, k}, m));
          for (std::size_t d = 0; d < 3; ++d) {
            const auto along = static_cast<std::size_t>(stored.axis[d]);
            for (std::size_t c = 0; c < 3; ++c) {
              const double area = stored.sign[d] * turned.area[along][c][at];
              differing += area != unturned.area[d][c][straight.at({i, j, k})];
              if (i == 0 && d == 0) {
                EXPECT_EQ(area, metrics.area[0][c][here.at({n[0] - 1, j, k})]) << number;
              }
            }
          }
          EXPECT_NEAR(turned.volume[at], unturned.volume[straight.at({i, j, k})], 1e-16);
        }
      }
    }
    EXPECT_EQ(differing, 0) << "orientation " << number;
  }
}

TEST(Metrics, BothSidesOfASharedEdgeAgreeInTwoDimensions) {
  const auto map = test::wavy_cube({20, 8, 0}, 0.06, false);
  const Index3 n{9, 9, 1}, m{12, 9, 1};
  const NodeBlock here = test::cut_block({0, 0, 0}, n, map);
  const Metrics metrics = metrics_of(here.nodes(), operators_for(n));
  for (int number = 0; number < 48; ++number) {
    const mesh::Orientation stored = mesh::Orientation::from_index(number);
    if (stored.axis[2] != 2 || stored.sign[2] != 1) continue;
    const NodeBlock there = test::cut_block({8, 0, 0}, m, map, stored);
    const Metrics turned = metrics_of(there.nodes(), operators_for(there.n));
    for (std::int64_t j = 0; j < m[1]; ++j) {
      for (std::size_t c = 0; c < 3; ++c) {
        EXPECT_EQ(stored.sign[0] * turned.area[static_cast<std::size_t>(stored.axis[0])][c]
                                              [there.at(stored.cell({0, j, 0}, m))],
                  metrics.area[0][c][here.at({n[0] - 1, j, 0})])
            << number;
      }
    }
  }
}

TEST(Metrics, DualVolumesAreMeansOfCells) {
  // A cube whose lattice is stretched along each axis: cells are boxes, the means known.
  const auto map = [](const Real3& s) { return Real3{s[0] * s[0], 3 * s[1], s[2] + s[2] * s[2]}; };
  const NodeBlock block = test::cut_block({0, 0, 0}, {4, 3, 3}, map);
  const std::vector<double> dual = mesh::dual_volumes(block.nodes());
  const double along_x[] = {1, 2, 4, 5}, along_z[] = {2, 3, 4};
  for (std::int64_t k = 0; k < 3; ++k)
    for (std::int64_t j = 0; j < 3; ++j)
      for (std::int64_t i = 0; i < 4; ++i)
        EXPECT_NEAR(dual[block.at({i, j, k})], along_x[i] * 3 * along_z[k], 1e-13);
  // One sheared cell of volume 1 with one corner moved out by 0.4 along x, which adds the mean
  // height of the bilinear bump on its face, 0.4/4.
  NodeBlock cell = test::cut_block({0, 0, 0}, {2, 2, 2}, [](const Real3& s) {
    return Real3{s[0] + 0.3 * s[2], s[1] - 0.2 * s[2], s[2]};
  });
  cell.x[7] += 0.4;
  for (const double v : mesh::dual_volumes(cell.nodes())) EXPECT_NEAR(v, 1.1, 1e-14);
}

// A first cell much thinner than the next ones makes the closure of the fourth order negative at
// the wall: (59/34) e - (4/17) (1 + e) - (3/34) (2 + e) with e = 1e-3.
TEST(Metrics, FloorsAndCountsVolumesThatClosuresSpoil) {
  const auto map = [](const Real3& s) {
    const double x = s[0] == 0 ? 0.0 : s[0] - 1 + 1e-3;
    return Real3{x, s[1], 0};
  };
  const NodeBlock block = test::cut_block({0, 0, 0}, {9, 8, 1}, map);
  const Metrics metrics = metrics_of(block.nodes(), {{4, 4, 0}});
  EXPECT_EQ(metrics.floored, 8);  // the nodes of the wall
  EXPECT_EQ(metrics.first_floored, (Index3{0, 0, 0}));
  for (std::int64_t j = 0; j < 8; ++j) {
    EXPECT_NEAR(metrics.volume[block.at({0, j, 0})], 1e-3, 1e-15);
    EXPECT_GT(metrics.volume[block.at({1, j, 0})], 0.1);
  }
  EXPECT_EQ(metrics_of(block.nodes(), {{2, 2, 0}}).floored, 0);
}

TEST(Metrics, RefusesNodesWithoutVolume) {
  NodeBlock block = test::cut_block({0, 0, 0}, {5, 4, 4}, [](const Real3& s) { return s; });
  // Planes 2 and 3 change places: cells between them are turned inside out.
  for (std::int64_t k = 0; k < 4; ++k) {
    for (std::int64_t j = 0; j < 4; ++j) {
      block.x[block.at({2, j, k})] = 4.5;
      block.x[block.at({3, j, k})] = 0.5;
    }
  }
  try {
    metrics_of(block.nodes(), operators_for(block.n));
    FAIL() << "a block that is turned inside out was measured";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::user_input);
    EXPECT_NE(std::string(error.what()).find("node (2, 0, 0) at (4.5, 0, 0)"), std::string::npos)
        << error.what();
    EXPECT_NE(std::string(error.what()).find("above 0"), std::string::npos) << error.what();
  }
  EXPECT_THROW(metrics_of(block.nodes(), {{4, 2, 2}}), Error);  // five nodes are too few
}
