// The solver of aerodynamics on the ranks of an MPI launch against one rank: the same bits, for
// steps in time and for cycles over several grids, and the same sums.
#include "support/flow_on_ranks.hpp"

namespace watersmeet {
namespace {

using namespace test;

TEST(FlowOnRanks, StepsHaveTheSameBits) {
  mesh::WavyBox box;
  box.cells = {11, 8, 7};
  box.blocks = {2, 2, 2};
  for (const int order : {3, 6}) {
    for (const bool periodic : {false, true}) {
      box.periodic = periodic;
      std::vector<Condition> conditions;
      if (!periodic) conditions = {outer(true)};
      expect_same_bits(mesh::make_wavybox(box), method_of(order, false), conditions, {},
                       [](FlowRun& run) { run.advance(0.3); });
    }
  }
}

TEST(FlowOnRanks, CyclesHaveTheSameBits) {
  mesh::WavyBox box;
  box.cells = {16, 12};
  box.blocks = {2, 2};
  Method method = method_of(3, true);
  method.first_order_cycles = 2;
  expect_same_bits(mesh::make_wavybox(box), method, {outer(false)}, {},
                   [](FlowRun& run) { run.cycles(12); });
}

}  // namespace
}  // namespace watersmeet
