#pragma once
// A case of aerodynamics on one rank and on all ranks of an MPI launch: the same bits, and the same
// sums.

#include <gtest/gtest.h>

#include <cmath>

#include "comm/transport.hpp"
#include "mesh/generators/wavybox.hpp"
#include "support/flow_case.hpp"
#include "support/parallel.hpp"

namespace watersmeet::test {

using aerodynamics::Condition;
using aerodynamics::Method;

const aerodynamics::Primitive<double> flow_on_ranks_stream{1, {{0.55, 0.2, 0.1}}, 1 / 1.4};

inline aerodynamics::Primitive<double> varied(const Real3& x, double t) {
  aerodynamics::Primitive<double> f = flow_on_ranks_stream;
  f.rho *= 1 + 0.1 * std::sin(x[0] + t);
  f.p *= 1 + 0.1 * std::cos(x[1] - x[2] + t);
  return f;
}

inline std::unique_ptr<comm::Team> team_of_world(const Queue& queue) {
  if (world().size() == 1) return std::make_unique<comm::Team>(queue);
  const bool shared = queue.backend == Backend::cuda && comm::find_locality(world()).local_size >
                                                            static_cast<int>(cuda_devices().size());
  return std::make_unique<comm::Team>(
      world(), comm::choose_transport(world(), "auto", queue.backend, shared), queue,
      comm::Overlap::off);
}

// Runs the case on one rank and on all, and compares what this rank has.
template <class Advance>
void expect_same_bits(const mesh::MultiBlockMesh& mesh, const Method& method,
                      const std::vector<Condition>& conditions, const Queue& queue,
                      const Advance& advance) {
  std::vector<Values> w;
  for (const auto& block : mesh.blocks) {
    w.emplace_back();
    for (std::size_t i = 0; i < static_cast<std::size_t>(block.count()); ++i) {
      w.back().push_back(aerodynamics::conserved_of(
          varied({block.x[0][i], block.x[1][i], block.x[2][i]}, 0), method.gas));
    }
  }
  std::vector<int> ranks;  // in turn, so that most neighbours are elsewhere
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    ranks.push_back(
        static_cast<int>(b * static_cast<std::size_t>(world().size()) / mesh.blocks.size()));
  }
  FlowRun alone(mesh, method, conditions, flow_on_ranks_stream, queue);
  FlowRun together(mesh, method, conditions, flow_on_ranks_stream, queue, ranks,
                   team_of_world(queue));
  alone.set(w);
  together.set(w);
  advance(alone);
  advance(together);
  EXPECT_EQ(alone.now().step, together.now().step);
  EXPECT_EQ(alone.now().t, together.now().t);
  const auto a = alone.get(), b = together.get();
  for (std::size_t block = 0; block < b.size(); ++block) {
    const Values& mine = b[block];
    const Values& other = a[together.here()[block]];
    for (std::size_t i = 0; i < mine.size(); ++i) {
      for (int v = 0; v < 5; ++v) ASSERT_EQ(mine[i][v], other[i][v]) << block << ' ' << i;
    }
  }
  const aerodynamics::Monitor m = alone.solver().monitor(), n = together.solver().monitor();
  EXPECT_EQ(m.mass, n.mass);
  EXPECT_EQ(m.entropy, n.entropy);
  EXPECT_EQ(m.residual, n.residual);
  EXPECT_EQ(m.largest_residual, n.largest_residual);
  EXPECT_EQ(m.largest_at, n.largest_at);
  EXPECT_EQ(m.boundary_flux, n.boundary_flux);
}

inline Condition outer(bool varies) {
  Condition c;
  c.patch = "outer";
  c.kind = aerodynamics::SurfaceKind::farfield;
  c.stream = flow_on_ranks_stream;
  if (varies) {
    c.outside = varied;
    c.varies_in_time = true;
  }
  return c;
}

inline Method method_of(int order, bool steady) {
  Method method;
  method.gas = {1.4, 1e-10};
  method.order = order;
  method.steady = steady;
  return method;
}

}  // namespace watersmeet::test
