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
      const auto kernels = p.loops(Method::points55, false);
      kernels->begin_step({.cfl = 1, .rate = 0, .fixed = 0.5}, 1e300, true, &p.clock, p.queue);
      exec::Launch c = p.launch(Method::points55), d = plain.launch(Method::points55);
      c.update = d.update = whole_step();
      c.update.last = d.update.last = last;
      kernels->stage(c);
      plain.loops(Method::points55, false)->stage(d);
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
      const auto kernels = p.loops(Method::points55, false);
      const exec::StepRule rule{.cfl = 1, .rate = 0, .fixed = 0.5 / scale};
      kernels->begin_step(rule, 1e300, true, &p.clock, p.queue);
      exec::Launch c = p.launch(Method::points55), d = plain.launch(Method::points55);
      c.update = d.update = whole_step();
      kernels->stage(c);
      plain.loops(Method::points55, false)->stage(d);
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
      // Each cell may be half a unit off.
      const double half_unit = 0.5 / p.clock.work_scale / double(size / cells);
      EXPECT_LT(half_unit, 1e-11);
      EXPECT_NEAR(p.clock.work / double(size / cells), double(work / size),
                  double(tolerance<R>()) + half_unit)
          << scale;
      EXPECT_EQ(plain.clock.work_units, 0);
    }
  }
}

// The same step in boxes of any shape and on any number of threads counts the same units.
TYPED_TEST(Kick, WorkIsTheSameInAnyBoxes) {
  using R = TypeParam;
  const Index3 n = {21, 11, 9};
  std::int64_t whole = 0;
  for (const Index3& parts : {Index3{1, 1, 1}, Index3{2, 1, 1}, Index3{7, 1, 1}, Index3{1, 3, 2},
                              Index3{5, 2, 3}, Index3{21, 11, 9}}) {
    for (const int threads : {1, 3}) {
      Problem<R> p(n, physics_of(0.1, 0, 0, false, false), threads);
      p.add_forcing(ForcingPlace::kick, 0.3);
      const auto kernels = p.loops(Method::points55, false);
      p.clock.signal = 5;
      kernels->begin_step({.cfl = 1, .rate = 0, .fixed = 0.5}, 1e300, true, &p.clock, p.queue);
      exec::Launch c = p.launch(Method::points55);
      c.update = whole_step();
      for (std::int64_t part = 0; part < parts[0] * parts[1] * parts[2]; ++part) {
        const Index3 at = {part % parts[0], part / parts[0] % parts[1],
                           part / (parts[0] * parts[1])};
        for (std::size_t a = 0; a < 3; ++a) {
          c.box.lower[a] = n[a] * at[a] / parts[a];
          c.box.upper[a] = n[a] * (at[a] + 1) / parts[a];
        }
        kernels->stage(c);
      }
      if (whole == 0) whole = p.clock.work_units;
      EXPECT_NE(whole, 0);
      EXPECT_EQ(p.clock.work_units, whole) << parts[0] << parts[1] << parts[2] << " " << threads;
    }
  }
}

// What the comment on systems::set_kick_work_unit() promises, from one cell to 2^40 of them: the work of a
// cell is resolved, and the count has room.
TEST(KickUnit, ResolvesCellsAndDoesNotOverflow) {
  for (const double scale : {1e-30, 1.0, 1e30}) {
    for (int log2 = 0; log2 <= 40; ++log2) {
      Forcing f;
      f.place = ForcingPlace::kick;
      for (int a = 0; a < 3; ++a) {
        f.n[a] = 4;
        f.spacing[a] = 0.1;
      }
      f.cells_of_all = std::int64_t{1} << log2;
      exec::Clock clock;
      clock.signal = 20 * scale;
      systems::set_kick_work_unit(f, 0.5 * scale, clock);
      const double bound = 0.5 * (20 * 0.1 + 0.5) * scale * scale;
      const auto units = static_cast<std::int64_t>(exec::work_units_of(bound, clock.work_scale));
      EXPECT_GE(units, std::int64_t{1} << (log2 < 16 ? 39 : 55 - log2));
      EXPECT_LE(static_cast<double>(units) * static_cast<double>(f.cells_of_all), 0x1p56);
      const double mean =
          static_cast<double>(units) * static_cast<double>(f.cells_of_all) * clock.work_unit;
      EXPECT_NEAR(mean / bound, 1.0, 0x1p-15);
      EXPECT_EQ(static_cast<std::int64_t>(exec::work_units_of(-bound, clock.work_scale)), -units);
    }
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {nan, 1e300, -1e300, 1 / 0.0})
    EXPECT_EQ(exec::work_units_of(bad, 2.0), 0u);
  EXPECT_EQ(exec::work_units_of(1e300, 0.0), 0u);
}
