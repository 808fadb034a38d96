// The fused stage on the CPU against the reference: right-hand sides of both methods with every
// term on its own and together, forcing, the signal, health, threads, partial boxes.
#include <cstring>

#include "isothermal_problem.hpp"

using namespace watersmeet;
using namespace watersmeet::isothermal;

namespace {
constexpr Method methods[] = {Method::points55, Method::points19};

struct StageTerms {
  const char* name;
  bool extended, acceleration, force_inside;
  Physics physics;
};
const StageTerms all_terms[] = {
    {"ideal", false, false, false, physics_of(0, 0, 0, false, false)},
    {"viscous", false, false, false, physics_of(0.3, 0, 0, false, false)},
    {"bulk viscosity", false, false, false, physics_of(0.2, 0.7, 0, false, false)},
    {"extended, all off", true, false, false, physics_of(0.3, 0, 0, false, false)},
    {"upwind density", true, false, false, physics_of(0.1, 0, 0, true, false)},
    {"upwind velocity", true, false, false, physics_of(0.1, 0, 0, false, true)},
    {"hyperviscosity", true, false, false, physics_of(0.1, 0, 1e-3, false, false)},
    {"acceleration", true, true, false, physics_of(0.1, 0, 0, false, false)},
    {"forcing inside", true, false, true, physics_of(0.1, 0, 0, false, false)},
    {"all", true, true, false, physics_of(0.3, 0.2, 1e-3, true, true)}};

}  // namespace

template <class R>
class Stage : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Stage, Precisions);

TYPED_TEST(Stage, RightHandSideMatchesTheReference) {
  using R = TypeParam;
  for (const Index3& n : awkward_sizes) {
    for (const StageTerms& terms : all_terms) {
      if (terms.force_inside && n == Index3{1, 1, 1}) continue;  // no wave vector
      for (const Method method : methods) {
        SCOPED_TRACE(testing::Message() << terms.name << ", method " << int(method) << ", " << n[0]
                                        << " " << n[1] << " " << n[2]);
        Problem<R> p(n, terms.physics);
        if (terms.acceleration) p.add_acceleration();
        if (terms.force_inside) {
          p.add_forcing(ForcingPlace::inside, 0.5);
          p.loops(method, true)
              ->begin_step({.cfl = 1, .rate = 0, .fixed = 0.5}, 1e300, true, &p.clock, p.queue);
        }
        exec::Launch c = p.launch(method);
        c.update = whole_step();
        p.run(method, terms.extended, c);
        Real largest = 1, signal = 0;
        std::vector<State4> expected;
        p.reference.for_cells([&](const Index3& at) {
          State4 q = p.reference.right_hand_side(method, at);
          for (std::size_t v = 0; v < 4; ++v) {
            q[v] = p.reference.value(static_cast<int>(v), at) + 0.5L * q[v];
            largest = std::max(largest, std::fabs(q[v]));
          }
          expected.push_back(q);
          signal = std::max(signal, p.reference.signal_of(q));
        });
        for (std::size_t v = 0; v < 4; ++v) {
          const std::vector<R> got = p.interior(1, static_cast<int>(v));
          for (std::size_t i = 0; i < got.size(); ++i) {
            ASSERT_NEAR(got[i], double(expected[i][v]), double(tolerance<R>() * largest))
                << v << ", cell " << i;
          }
        }
        const double got_signal = exec::bits_to_double(p.clock.signal_bits);
        ASSERT_NEAR(got_signal, double(signal), double(tolerance<R>() * largest) * 10);
      }
    }
  }
}

TYPED_TEST(Stage, ThreadsDoNotChangeABit) {
  using R = TypeParam;
  for (const Index3& n : {Index3{6, 20, 18}, Index3{33, 3, 2}, Index3{5, 1, 35}}) {
    for (const Method method : methods) {
      std::vector<char> one;
      std::uint64_t signal = 0;
      for (int threads = 1; threads <= 4; ++threads) {
        Problem<R> p(n, all_terms[9].physics, threads);
        exec::Launch c = p.launch(method);
        c.update = whole_step();
        p.run(method, true, c);
        if (threads == 1) {
          one = p.bytes(1);
          signal = p.clock.signal_bits;
        }
        EXPECT_TRUE(p.bytes(1) == one) << threads;
        EXPECT_EQ(p.clock.signal_bits, signal);
      }
    }
  }
}

TYPED_TEST(Stage, ANanAnywhereReachesTheClock) {
  using R = TypeParam;
  const Index3 n = {13, 5, 3};
  for (const Index3& bad : {Index3{0, 0, 0}, Index3{12, 4, 2}, Index3{7, 2, 1}, Index3{11, 0, 2}}) {
    for (int v = 0; v < 4; ++v) {
      for (const R value :
           {std::numeric_limits<R>::quiet_NaN(), std::numeric_limits<R>::infinity()}) {
        Problem<R> p(n, {}, 2);
        p.cell(0, v, bad) = value;
        exec::Launch c = p.launch(Method::points55);
        c.update = whole_step();
        p.clock.pending = 1;
        p.run(Method::points55, false, c);
        exec::begin_step(p.clock, {.cfl = 1, .rate = 0, .fixed = 0.1}, 1e300, true);
        EXPECT_EQ(p.clock.status, exec::ClockStatus::not_finite) << v << " " << value;
        EXPECT_FALSE(p.loops(Method::points55, false)->signal(c) <= 1.7e308);
      }
    }
  }
}

TYPED_TEST(Stage, OnlyTheBoxIsWrittenAndNothingInAnInactiveStep) {
  using R = TypeParam;
  for (const bool active : {true, false}) {
    Problem<R> p({13, 5, 7});
    p.clock.active = active ? 1 : 0;
    const auto before = p.bytes(1), increment = p.bytes(2), input = p.bytes(0);
    exec::Launch c = p.launch(Method::points55);
    c.update = {exec::UpdateForm::stored, 0.0, 1.0, false, true, false};
    c.box = {{1, 2, 3}, {12, 4, 7}};
    p.run(Method::points55, false, c);
    EXPECT_TRUE(p.bytes(0) == input);
    if (!active) {
      EXPECT_TRUE(p.bytes(1) == before);
      EXPECT_TRUE(p.bytes(2) == increment);
      continue;
    }
    const auto after = p.bytes(1), new_increment = p.bytes(2);
    const BlockLayout& l = p.state.layout(0);
    std::size_t changed = 0, changed_increment = 0, inside = 0;
    for (std::size_t w = 0; w < before.size() / sizeof(R); ++w) {
      changed += std::memcmp(&before[w * sizeof(R)], &after[w * sizeof(R)], sizeof(R)) != 0;
      changed_increment +=
          std::memcmp(&increment[w * sizeof(R)], &new_increment[w * sizeof(R)], sizeof(R)) != 0;
    }
    p.reference.for_cells([&](const Index3& at) {
      if (at[0] < 1 || at[0] >= 12 || at[1] < 2 || at[1] >= 4 || at[2] < 3) return;
      for (int v = 0; v < 4; ++v) {
        const std::size_t byte =
            static_cast<std::size_t>(l.first + v * l.stride_var + l.at(at[0], at[1], at[2])) *
            sizeof(R);
        inside += std::memcmp(&before[byte], &after[byte], sizeof(R)) != 0;
      }
    });
    EXPECT_EQ(inside, 11u * 2 * 4 * 4);
    EXPECT_EQ(changed, inside);
    EXPECT_EQ(changed_increment, inside);
  }
}
