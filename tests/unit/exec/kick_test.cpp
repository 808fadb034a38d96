// The forcing kick after the last stage: what it adds, its part in the signal, and the work that
// the clock accumulates.
#include "isothermal_problem.hpp"

using namespace watersmeet;
using namespace watersmeet::isothermal;

template <class R>
class Kick : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Kick, Precisions);

TYPED_TEST(Kick, IsAddedAfterTheUpdateAndCountsInTheSignal) {
  using R = TypeParam;
  for (const Index3& n : awkward_sizes) {
    if (n == Index3{1, 1, 1}) continue;
    for (const bool last : {false, true}) {
      Problem<R> p(n, physics_of(0, 0, 0, false, false)),
          plain(n, physics_of(0, 0, 0, false, false));
      p.add_forcing(ForcingPlace::kick, -1.0);
      const Kernels kernels = cpu_kernels(p.precision, Method::points55, false);
      kernels.begin_step({.cfl = 1, .rate = 0, .fixed = 0.5}, 1e300, true, &p.forcing, &p.clock,
                         p.queue);
      StageCall c = p.call(Method::points55), d = plain.call(Method::points55);
      c.update = d.update = whole_step();
      c.update.last = d.update.last = last;
      kernels.stage(c);
      kernels.stage(d);
      Real signal = 0;
      p.reference.for_cells([&](const Index3& at) {
        const auto force = p.forcing_force(at);
        State4 q{};
        for (int v = 0; v < 4; ++v) {
          const Real kick = v > 0 && last ? 0.5L * force[static_cast<std::size_t>(v - 1)] : 0.0L;
          q[static_cast<std::size_t>(v)] = plain.cell(1, v, at) + kick;
          ASSERT_NEAR(p.cell(1, v, at), double(q[static_cast<std::size_t>(v)]),
                      double(tolerance<R>()) * 10);
        }
        signal = std::max(signal, p.reference.signal_of(q));
      });
      const double got = exec::bits_to_double(p.clock.signal_bits);
      EXPECT_NEAR(got, last ? double(signal) : 0.0, double(tolerance<R>()) * 50);
    }
  }
}

TYPED_TEST(Kick, WorkIsCountedInAnyUnits) {
  using R = TypeParam;
  // The same flow in three systems of units: velocities of 1e-7, 1 and 1e6.
  for (const double scale : {1e-7, 1.0, 1e6}) {
    for (int threads = 1; threads <= 4; ++threads) {
      Physics physics = physics_of(0, 0, 0, false, false);
      physics.sound_speed = 1.3 * scale;
      Problem<R> p({13, 20, 18}, physics, threads), plain({13, 20, 18}, physics, threads);
      for (Problem<R>* const problem : {&p, &plain}) {
        for (int v = 1; v < 4; ++v) {
          problem->reference.for_cells(
              [&](const Index3& at) { problem->cell(0, v, at) *= R(scale); });
        }
        problem->exchange.fill(problem->state, 0, problem->queue);
        problem->clock.dt = 0.5 / scale;
        problem->clock.signal = 10 * scale;
      }
      p.add_forcing(ForcingPlace::kick, 0.0);
      const Kernels kernels = cpu_kernels(p.precision, Method::points55, false);
      const exec::StepRule rule{.cfl = 1, .rate = 0, .fixed = 0.5 / scale};
      kernels.begin_step(rule, 1e300, true, &p.forcing, &p.clock, p.queue);
      StageCall c = p.call(Method::points55), d = plain.call(Method::points55);
      c.update = d.update = whole_step();
      kernels.stage(c);
      kernels.stage(d);
      exec::begin_step(p.clock, rule, 1e300, false);
      Real work = 0, size = 0, cells = 0;
      p.reference.for_cells([&](const Index3& at) {
        const auto force = p.forcing_force(at);
        for (int v = 1; v < 4; ++v) {
          const Real before = plain.cell(1, v, at);
          const Real kick = force[static_cast<std::size_t>(v - 1)] * Real(p.clock.dt);
          work += ((before + kick) * (before + kick) - before * before) / 2;
          size += std::fabs(before * kick) + kick * kick;
        }
        cells += 1;
      });
      EXPECT_NEAR(p.clock.work / double(size / cells), double(work / size), double(tolerance<R>()))
          << scale;
      EXPECT_EQ(plain.clock.work_units, 0);
    }
  }
}
