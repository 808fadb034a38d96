// The curl of a velocity on curved blocks: exact for a solid rotation on straight lines of nodes,
// of the order of the operators on wavy ones, zero in a uniform stream.
#include "systems/aerodynamics/velocity_gradient.hpp"
#include "core/math.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "mesh/curvilinear/nodes.hpp"

using namespace watersmeet;

namespace {

using Field = std::function<Real3(const Real3&)>;

mesh::CurvilinearBlock wavy(const Index3& cells, double amplitude) {
  mesh::CurvilinearBlock block({cells[0] + 1, cells[1] + 1, cells[2] == 0 ? 1 : cells[2] + 1});
  mesh::for_each_node(block.nodes(), [&](const Index3& node) {
    Real3 x{};
    for (std::size_t m = 0; m < 3; ++m) {
      if (cells[m] > 0) x[m] = static_cast<double>(node[m]) / static_cast<double>(cells[m]);
    }
    const double wave = amplitude * std::sin(3 * x[0] + 0.4) * std::sin(2 * x[1] + 0.3);
    block.set(node, {x[0] + wave, 0.8 * x[1] - 0.7 * wave, 1.2 * x[2]});
  });
  return block;
}

double error_of(const mesh::CurvilinearBlock& block, int order, const Field& u, const Field& curl) {
  std::vector<double> velocity;
  mesh::for_each_node(block.nodes(), [&](const Index3& node) {
    for (const double v : u(block.at(node))) velocity.push_back(v);
  });
  const auto found = aerodynamics::velocity_gradient_of(
      block, aerodynamics::operators_of(block.n, order, schemes::sbp6_accurate), velocity);
  double error = 0;
  std::size_t n = 0;
  mesh::for_each_node(block.nodes(), [&](const Index3& node) {
    const auto vorticity = aerodynamics::curl_of(found[n++]);
    int m = 0;
    for (const double v : curl(block.at(node)))
      error = max_or_nan(error, std::abs(vorticity[m++] - v));
  });
  return error;
}

}  // namespace

TEST(Vorticity, OfUniformStreamsAndSolidRotation) {
  const Field uniform = [](const Real3&) { return Real3{0.3, -0.7, 1.1}; };
  const Field none = [](const Real3&) { return Real3{0, 0, 0}; };
  // omega x r
  const Field rotation = [](const Real3& x) {
    return Real3{0.5 * x[2] + 0.7 * x[1], 0.2 * x[2] - 0.7 * x[0], -0.2 * x[1] - 0.5 * x[0]};
  };
  const Field twice = [](const Real3&) { return Real3{-0.4, 1.0, -1.4}; };
  for (const int order : {1, 2, 4, 6}) {
    EXPECT_LT(error_of(wavy({14, 13, 12}, 0.1), order, uniform, none), 1e-12) << order;
    EXPECT_LT(error_of(wavy({14, 13, 12}, 0.0), order, rotation, twice), 1e-12) << order;
  }
}

// The least order is that of the closures: 1, 2 and 3.
TEST(Vorticity, ConvergesOnCurvedBlocks) {
  const Field u = [](const Real3& x) { return Real3{std::sin(2 * x[1]), std::cos(3 * x[0]), 0}; };
  const Field curl = [](const Real3& x) {
    return Real3{0, 0, -3 * std::sin(3 * x[0]) - 2 * std::cos(2 * x[1])};
  };
  const double least[] = {0, 0, 0.9, 0, 1.8, 0, 2.7};
  for (const int order : {2, 4, 6}) {
    const double coarse = error_of(wavy({32, 32, 0}, 0.1), order, u, curl);
    const double fine = error_of(wavy({64, 64, 0}, 0.1), order, u, curl);
    EXPECT_GT(std::log2(coarse / fine), least[order]) << order << ": " << coarse << ", " << fine;
  }
}
