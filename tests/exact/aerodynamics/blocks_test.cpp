// Wavy blocks of different sizes under random orientations, half of them left-handed: a uniform
// flow stays uniform, and what passes the interfaces is conserved, for every order and for blocks
// whose directions have different ones.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/math.hpp"
#include "support/curvilinear_reference.hpp"

using namespace watersmeet;
using aerodynamics::Upwinding;
using test::CurvilinearReference;
using test::map_of;
using test::Values;
using Conserved = CurvilinearReference::Conserved;

namespace {

// Orientations for a number of blocks; in two dimensions the third axis stays.
std::vector<mesh::Orientation> random_orientations(std::size_t blocks, bool flat, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<mesh::Orientation> stored;
  while (stored.size() < blocks) {
    const mesh::Orientation o = mesh::Orientation::from_index(static_cast<int>(generator() % 48));
    if (!flat || (o.axis[2] == 2 && o.sign[2] == 1)) stored.push_back(o);
  }
  return stored;
}

CurvilinearReference::Setup setup_of(bool flat, int order, unsigned seed) {
  CurvilinearReference::Setup setup;
  // Nodes 13, 9 and 12, 8: orders up to 6 and up to 4; in three dimensions 5 as well: up to 2.
  setup.cells = {std::vector<int>{12, 8}, std::vector<int>{11, 7}, std::vector<int>{0}};
  if (!flat) setup.cells[2] = {4, 12};
  setup.stored = random_orientations(flat ? 4 : 8, flat, seed);
  setup.order = order;
  return setup;
}

void expect_uniform_flow_stays(CurvilinearReference::Setup setup) {
  const CurvilinearReference reference(setup, map_of(setup));
  const aerodynamics::Primitive<double> flow{1.1, {{0.6, -0.35, 0.2}}, 0.9};
  const Conserved w = aerodynamics::conserved_of(flow, setup.gas);
  const auto rates = reference.rates(reference.values_like(w), [&](const Real3&) { return w; });
  EXPECT_LT(reference.largest_rate(rates, flow), 1e-12) << "order " << setup.order;
}

// A noisy state on periodic blocks.
void expect_conservation(CurvilinearReference::Setup setup) {
  setup.periodic = true;
  const CurvilinearReference reference(setup, map_of(setup));
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> noise(-0.3, 0.3);
  std::vector<Values> w = reference.values_like(Conserved{});
  for (Values& block : w) {
    for (Conserved& s : block) {
      s = aerodynamics::conserved_of(
          aerodynamics::Primitive<double>{1 + noise(generator),
                                          {{noise(generator), noise(generator), noise(generator)}},
                                          1 + noise(generator)},
          setup.gas);
    }
  }
  const auto rates =
      reference.rates(w, [](const Real3&) -> Conserved { throw std::logic_error(""); });
  for (int v = 0; v < 5; ++v) {
    const auto [sum, magnitude] = reference.total_of(rates, v);
    if (magnitude > 0) {  // no momentum along z in two dimensions with w = 0 there
      EXPECT_LT(std::abs(sum) / magnitude, 1e-13) << "order " << setup.order << ", value " << v;
    }
  }
}

}  // namespace

TEST(Blocks, UniformFlowStaysUniform) {
  for (int order = 1; order <= 6; ++order) {
    for (const bool flat : {true, false}) {
      expect_uniform_flow_stays(setup_of(flat, order, static_cast<unsigned>(order)));
    }
  }
  CurvilinearReference::Setup compatible = setup_of(true, 6, 7);
  compatible.sbp6_x1 = schemes::sbp6_compatible;
  expect_uniform_flow_stays(compatible);
}

TEST(Blocks, InterfacesConserve) {
  for (int order = 1; order <= 6; ++order) {
    for (const bool flat : {true, false}) {
      expect_conservation(setup_of(flat, order, static_cast<unsigned>(10 + order)));
    }
  }
  for (const Upwinding upwinding :
       {Upwinding::hlle, Upwinding::rusanov, Upwinding::central, Upwinding::entropy_conservative}) {
    CurvilinearReference::Setup setup = setup_of(true, 5, 17);
    setup.upwinding = upwinding;
    expect_conservation(setup);
  }
}
