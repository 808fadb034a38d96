// The face form on the CPU against the reference of tests/support/: every variant and option on
// random two-fluid states with strong jumps, at awkward sizes; the forms of the update, the signal,
// the count of replaced edges; and that neither tiles, threads nor the cutting of a box change a
// bit.
#include <cstring>

#include "two_fluid_problem.hpp"

using namespace watersmeet;
using namespace watersmeet::multicomponent;

namespace face_stage_test {

namespace {

const std::vector<Index3> sizes = {{1, 1, 1},  {7, 1, 1},  {1, 9, 1},  {1, 1, 5},
                                   {2, 3, 1},  {3, 2, 4},  {5, 7, 3},  {17, 1, 2},
                                   {1, 4, 13}, {13, 5, 7}, {35, 3, 2}, {6, 19, 11}};
constexpr Variant variants[] = {Variant::js, Variant::z, Variant::general};

// Rounding, relative to the largest rate. Pressure loses (E + Pi) / (Gamma p), here up to a
// hundred, smoothness indicators and their squares a factor of ten, differences of fluxes another.
// Scaling leaves `keep` of a value by subtracting: whatever follows from it has lost 1 / keep.
template <class R>
double tolerance(Positivity positivity) {
  const double epsilon = std::numeric_limits<R>::epsilon(), keep = sizeof(R) == 4 ? 1e-4 : 1e-6;
  return epsilon * (positivity == Positivity::scaling ? 8 / keep : 4000);
}

struct Option {
  const char* name;
  Variant variant;
  bool split = false, compaction = false;
  Reconstruction reconstruction = Reconstruction::weno5_js;
  Riemann riemann = Riemann::hllc;
  bool roe_speeds = false;
  Positivity positivity = Positivity::fallback;
  bool faces_source = false, axisymmetric = false;
};
const Option options[] = {
    {"js", Variant::js},
    {"js split", Variant::js, true},
    {"js compaction", Variant::js, false, true},
    {"js split compaction", Variant::js, true, true},
    {"z", Variant::z},
    {"z split compaction", Variant::z, true, true},
    {"general js", Variant::general},
    {"general z", Variant::general, false, false, Reconstruction::weno5_z},
    {"weno3", Variant::general, false, false, Reconstruction::weno3},
    {"first order", Variant::general, true, true, Reconstruction::first_order},
    {"hll", Variant::general, false, false, Reconstruction::weno5_js, Riemann::hll},
    {"hll roe split", Variant::general, true, true, Reconstruction::weno5_js, Riemann::hll, true},
    {"rusanov", Variant::general, true, false, Reconstruction::weno5_z, Riemann::rusanov},
    {"roe", Variant::general, false, false, Reconstruction::weno5_js, Riemann::hllc, true},
    {"scaling", Variant::general, false, true, Reconstruction::weno5_js, Riemann::hllc, false,
     Positivity::scaling},
    {"faces", Variant::general, true, false, Reconstruction::weno5_js, Riemann::hllc, false,
     Positivity::fallback, true},
    {"faces hll", Variant::general, false, true, Reconstruction::weno3, Riemann::hll, false,
     Positivity::scaling, true},
    {"axisymmetric", Variant::general, false, true, Reconstruction::weno5_js, Riemann::hllc, false,
     Positivity::fallback, false, true},
    {"axisymmetric split", Variant::general, true, true, Reconstruction::weno5_js, Riemann::hllc,
     false, Positivity::fallback, true, true},
    {"axisymmetric hll", Variant::general, true, true, Reconstruction::weno5_z, Riemann::hll, false,
     Positivity::fallback, false, true}};

template <class R>
void set(TwoFluidProblem<R>& p, const Option& o) {
  p.set_split(o.split);
  p.flow.compaction = o.compaction;
  p.flow.reconstruction = o.reconstruction;
  p.flow.riemann = o.riemann;
  p.flow.roe_speeds = o.roe_speeds;
  p.flow.positivity = o.positivity;
  p.flow.faces_source = o.faces_source;
  p.flow.axisymmetric = o.axisymmetric;
  p.flow.first_j = o.axisymmetric ? 3 : 0;
}

}  // namespace

template <class R>
class FaceStage : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(FaceStage, Precisions);

TYPED_TEST(FaceStage, RatesMatchTheReference) {
  using R = TypeParam;
  std::int64_t replaced = 0;
  for (const Index3& n : sizes) {
    for (const Option& o : options) {
      if (o.axisymmetric && (n[1] == 1 || n[2] > 1)) continue;
      SCOPED_TRACE(testing::Message() << o.name << ", " << n[0] << " " << n[1] << " " << n[2]);
      TwoFluidProblem<R> p(n);
      set(p, o);
      p.fill(random_states(7));
      p.run(o.variant);
      const TwoFluidReference reference = p.reference(o.variant);
      std::vector<Seven> expected;
      Seven largest{};
      std::int64_t changed = 0;
      p.for_cells([&](const Index3& c) {
        int of_cell = 0;
        Seven r = reference.rate(c, &of_cell);
        changed += of_cell;
        if (o.split) r[4] -= r[6];
        for (std::size_t v = 0; v < 7; ++v) largest[v] = std::max(largest[v], std::fabs(r[v]));
        expected.push_back(r);
      });
      std::size_t cell = 0;
      Seven worst{};
      p.for_cells([&](const Index3& c) {
        for (std::size_t v = 0; v < 7; ++v) {
          const Real off = std::fabs(p.value(2, static_cast<int>(v), c) - expected[cell][v]);
          worst[v] = max_or_nan(worst[v], off / largest[v]);
        }
        ++cell;
      });
      for (std::size_t v = 0; v < 7; ++v) {
        EXPECT_TRUE(worst[v] <= tolerance<R>(o.positivity) || largest[v] == 0)
            << v << ": " << worst[v];
      }
      EXPECT_EQ(p.clock.events, changed);
      if (o.positivity == Positivity::fallback) replaced += changed;
    }
  }
  EXPECT_GT(replaced, 20);  // the data are hard enough to need it
}

namespace {
// Runs of one problem under different schedules, judged by bits.
template <class R>
struct Outcome {
  std::vector<R> out, increment;
  std::uint64_t signal = 0;
  std::int64_t events = 0;
  bool operator==(const Outcome& o) const {
    return signal == o.signal && events == o.events && same(out, o.out) &&
           same(increment, o.increment);
  }
  static bool same(const std::vector<R>& a, const std::vector<R>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(R)) == 0;
  }
};
template <class R>
Outcome<R> outcome(const TwoFluidProblem<R>& p) {
  return {p.interior(1), p.interior(2), p.clock.signal_bits, p.clock.events};
}
// One step from a state that stays admissible.
template <class R>
TwoFluidProblem<R> gentle_step(const Index3& n, Variant variant) {
  TwoFluidProblem<R> p(n);
  p.set_split(variant != Variant::js);
  p.flow.compaction = variant != Variant::z;
  p.flow.faces_source = variant == Variant::general;
  p.fill(random_states(3, 0.9));
  p.clock.dt = 1e-3;
  p.update.last = true;
  return p;
}
}  // namespace

TYPED_TEST(FaceStage, NeitherTilesNorThreadsNorTheCutOfABoxChangeABit) {
  using R = TypeParam;
  for (const Variant variant : variants) {
    for (const Index3& n : {Index3{37, 11, 9}, Index3{5, 1, 23}, Index3{150, 4, 1}}) {
      SCOPED_TRACE(testing::Message()
                   << name_of(variant) << " " << n[0] << " " << n[1] << " " << n[2]);
      TwoFluidProblem<R> whole = gentle_step<R>(n, variant);
      whole.run(variant);
      const Outcome<R> expected = outcome(whole);
      EXPECT_GT(exec::bits_to_double(expected.signal), 0);
      EXPECT_LE(exec::bits_to_double(expected.signal), 1e300);
      EXPECT_GT(expected.events, 0);
      for (const TileShape& tiles :
           {TileShape{16, 1, 1}, TileShape{128, 3, 2}, TileShape{32, 16, 5}, TileShape{1, 2, 64},
            TileShape{48, 100, 100}}) {
        for (const int threads : {1, 3}) {
          TwoFluidProblem<R> p = gentle_step<R>(n, variant);
          p.tiles = tiles;
          p.threads = threads;
          p.run(variant);
          EXPECT_TRUE(outcome(p) == expected) << tiles.i << " " << tiles.j << " " << tiles.k;
        }
      }
      for (std::size_t axis = 0; axis < 3; ++axis) {
        for (const std::int64_t cut : {std::int64_t{1}, n[axis] / 2, n[axis] - 1}) {
          if (cut < 1 || cut >= n[axis]) continue;
          TwoFluidProblem<R> p = gentle_step<R>(n, variant);
          Box lower{{0, 0, 0}, n}, upper{{0, 0, 0}, n};
          lower.upper[axis] = upper.lower[axis] = cut;
          p.run(variant, lower);
          p.run(variant, upper);
          EXPECT_TRUE(outcome(p) == expected) << "cut at " << cut << " of axis " << axis;
        }
      }
    }
  }
}

// Without packs the loop is the same, and every instruction of a pack has its scalar twin: what is
// measured as the gain of packs (bench/face_packs.cpp) is theirs alone.
TYPED_TEST(FaceStage, OneCellAfterTheOtherGivesTheNumbersOfPacks) {
  using R = TypeParam;
  for (const Index3& n : sizes) {
    SCOPED_TRACE(testing::Message() << n[0] << " " << n[1] << " " << n[2]);
    TwoFluidProblem<R> packs = gentle_step<R>(n, Variant::general);
    packs.run(Variant::general);
    TwoFluidProblem<R> scalars = gentle_step<R>(n, Variant::general);
    run_scalar_stage<R>(scalars.launch(), scalars.of, {});
    EXPECT_EQ(scalars.interior(1), packs.interior(1));  // 0 and -0 alike
    EXPECT_EQ(scalars.interior(2), packs.interior(2));
    EXPECT_EQ(scalars.clock.signal_bits, packs.clock.signal_bits);
    EXPECT_EQ(scalars.clock.events, packs.clock.events);
  }
}

TYPED_TEST(FaceStage, TheSameProblemAlongEveryAxisGivesTheSameBits) {
  using R = TypeParam;
  constexpr std::int64_t count = 43;
  for (const Variant variant : variants) {
    for (const bool thick : {false, true}) {  // the line alone, or 2 by 3 copies of it side by side
      std::vector<R> first;
      std::uint64_t signal = 0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::size_t b = (axis + 1) % 3, d = (axis + 2) % 3;
        Index3 n;
        n[axis] = count;
        n[b] = thick ? 4 : 1;
        n[d] = thick ? 3 : 1;
        TwoFluidProblem<R> p(n, {0.5, 0.5, 0.5});
        p.set_split(true);
        p.flow.compaction = true;
        const auto draw = random_states(11, 0.8);
        std::vector<Primitives> line;
        for (std::int64_t m = 0; m < count; ++m) {
          line.push_back(draw({}));
          line.back()[w_v] = line.back()[w_w] = 0;
        }
        p.fill([&](const Index3& c) {
          Primitives w = line[static_cast<std::size_t>(c[axis])];
          std::swap(w[w_u], w[w_u + static_cast<int>(axis)]);
          return w;
        });
        p.clock.dt = 1e-3;
        p.update.last = true;
        p.run(variant);
        // In the axes' own order: normal, then the two others.
        const int order[7] = {s_rho,
                              s_mx + static_cast<int>(axis),
                              s_mx + static_cast<int>(b),
                              s_mx + static_cast<int>(d),
                              s_energy,
                              s_gamma,
                              s_pi};
        std::vector<R> values;
        for (const int v : order) {
          for (std::int64_t m = 0; m < count; ++m) {
            Index3 c{0, 0, 0};
            c[axis] = m;
            c[b] = n[b] - 1;
            values.push_back(p.value(1, v, c));
          }
        }
        if (axis == 0) {
          first = values;
          signal = p.clock.signal_bits;
          continue;
        }
        EXPECT_EQ(p.clock.signal_bits, signal) << name_of(variant) << " " << axis;
        for (std::size_t q = 0; q < values.size(); ++q) {
          // 0 and -0 alike: the sum over other axes may turn one into the other.
          ASSERT_EQ(values[q], first[q]) << name_of(variant) << ", axis " << axis << ", " << q;
        }
      }
    }
  }
}

// Updates in long double from the rate of a stored-form launch.
TYPED_TEST(FaceStage, UpdatesFollowTheirForms) {
  using R = TypeParam;
  const Index3 n = {19, 5, 4};
  const auto old_state = random_states(21);
  const R a = R(-0.53125), b = R(0.8888), dt = R(2e-3);
  TwoFluidProblem<R> rate(n);
  rate.fill(random_states(20));
  rate.run(Variant::js);  // its increment is the rate
  struct Form {
    exec::UpdateForm form;
    bool read_old, write_increment;
  };
  for (const Form& f :
       {Form{exec::UpdateForm::stored, false, true}, Form{exec::UpdateForm::stored, true, true},
        Form{exec::UpdateForm::stored, true, false}, Form{exec::UpdateForm::two, false, true},
        Form{exec::UpdateForm::two, true, true}, Form{exec::UpdateForm::base, false, true},
        Form{exec::UpdateForm::base, true, true}}) {
    SCOPED_TRACE(testing::Message() << int(f.form) << f.read_old << f.write_increment);
    TwoFluidProblem<R> p(n);
    p.fill(random_states(20));
    const int old_register = f.form == exec::UpdateForm::two ? 1 : 2;
    if (f.read_old) p.fill(old_state, old_register);
    const std::vector<R> old = p.interior(old_register), u = p.interior(0);
    p.clock.dt = double(dt);
    p.update = {f.form, double(a), double(b), f.read_old, f.write_increment, false};
    p.run(Variant::js);
    const std::vector<R> out = p.interior(1), increment = p.interior(2), r = rate.interior(2);
    for (std::size_t q = 0; q < out.size(); ++q) {
      const Real was = f.read_old ? Real(old[q]) : 0,
                 w = (f.read_old ? a * was : 0) + Real(dt) * r[q];
      const Real step = Real(b) * dt * r[q];
      const Real expected = f.form == exec::UpdateForm::stored ? u[q] + Real(b) * w
                            : f.form == exec::UpdateForm::two
                                ? u[q] + (f.read_old ? a * (u[q] - was) : 0) + step
                                : u[q] + (f.read_old ? a * (was - u[q]) : 0) + step;
      const Real bound = 8 * std::numeric_limits<R>::epsilon() *
                         (std::fabs(Real(u[q])) + std::fabs(was) + std::fabs(w) + std::fabs(step));
      ASSERT_NEAR(double(out[q]), double(expected), double(bound)) << q;
      if (f.form == exec::UpdateForm::stored && f.write_increment) {
        ASSERT_NEAR(double(increment[q]), double(w), double(bound)) << q;
      } else if (f.read_old && f.form != exec::UpdateForm::two) {
        ASSERT_EQ(increment[q], old[q]) << q;
      } else {
        ASSERT_TRUE(std::isnan(increment[q])) << q;  // never written
      }
    }
  }
}

// Three launches in base form are the step of Shu and Osher (1988):
//   u1 = u0 + dt R(u0),  u2 = 3/4 u0 + 1/4 (u1 + dt R(u1)),  u = 1/3 u0 + 2/3 (u2 + dt R(u2))
TYPED_TEST(FaceStage, TheBaseFormMakesTheStepOfShuAndOsher) {
  using R = TypeParam;
  const Index3 n = {15, 6, 4};
  const double dt = 1e-3, a[3] = {0, 0.75, 1.0 / 3}, b[3] = {1, 0.25, 2.0 / 3};
  TwoFluidProblem<R> p(n), rate(n);
  p.fill(random_states(5, 0.7));
  p.fill_ghosts(0);
  const std::vector<R> u0 = p.interior(0);
  p.clock.dt = dt;
  for (int stage = 0; stage < 3; ++stage) {
    // The rate of the state in hand, and u0 as the old value.
    std::size_t q = 0;
    for (int v = 0; v < n_variables; ++v) {
      p.for_cells([&](const Index3& c) {
        rate.value(0, v, c) = p.value(0, v, c);
        p.value(2, v, c) = u0[q++];
      });
    }
    rate.fill_ghosts(0);
    rate.run(Variant::js);
    const std::vector<R> u = p.interior(0), r = rate.interior(2);
    p.update = {exec::UpdateForm::base, a[stage], b[stage], stage > 0, true, stage == 2};
    p.run(Variant::js);
    const std::vector<R> got = p.interior(1);
    for (q = 0; q < got.size(); ++q) {
      const Real expected = stage == 0   ? u0[q] + Real(dt) * r[q]
                            : stage == 1 ? (3 * Real(u0[q]) + u[q] + Real(dt) * r[q]) / 4
                                         : (Real(u0[q]) + 2 * (u[q] + Real(dt) * r[q])) / 3;
      const Real bound = 4 * std::numeric_limits<R>::epsilon() *
                         (std::fabs(Real(u0[q])) + std::fabs(Real(u[q])) + std::fabs(dt * r[q]));
      ASSERT_NEAR(double(got[q]), double(expected), double(bound)) << stage << " " << q;
    }
    p.state.swap(0, 1);
    p.fill_ghosts(0);
  }
}

TYPED_TEST(FaceStage, TheSignalIsThatOfTheNewState) {
  using R = TypeParam;
  for (const Index3& n : {Index3{13, 5, 7}, Index3{1, 9, 1}, Index3{33, 1, 4}}) {
    for (const bool sum : {true, false}) {
      TwoFluidProblem<R> p = gentle_step<R>(n, Variant::z);
      p.finish.sum_norm = sum;
      p.run(Variant::z);
      const TwoFluidReference reference = p.reference(Variant::z);
      Real largest = 0, smallest = 1e30L;
      for (std::size_t a = 0; a < 3; ++a) {
        if (reference.active[a]) smallest = std::min(smallest, reference.h[a]);
      }
      p.for_cells([&](const Index3& c) {
        const Seven w = p.primitive(1, c);
        Real fastest = 0;
        for (std::size_t a = 0; a < 3; ++a) {
          if (reference.active[a]) fastest = std::max(fastest, std::fabs(w[1 + a]));
        }
        largest = std::max(largest,
                           sum ? reference.signal(w) : (fastest + reference.sound(w)) / smallest);
      });
      EXPECT_NEAR(exec::bits_to_double(p.clock.signal_bits) / double(largest), 1,
                  300 * double(std::numeric_limits<R>::epsilon()));
    }
  }
}

TYPED_TEST(FaceStage, AnInadmissibleNewStateReachesTheClockAndPaddingDoesNot) {
  using R = TypeParam;
  for (const Index3& bad : {Index3{0, 0, 0}, Index3{12, 4, 2}, Index3{7, 2, 1}}) {
    for (const int v : {s_rho, s_energy, s_gamma}) {
      for (const R value : {R(-30), std::numeric_limits<R>::quiet_NaN()}) {
        TwoFluidProblem<R> p = gentle_step<R>({13, 5, 3}, Variant::js);
        p.threads = 2;
        p.clock.dt = 1e-9;
        p.value(0, v, bad) = value;
        p.run(Variant::js);
        EXPECT_TRUE(std::isnan(exec::bits_to_double(p.clock.signal_bits))) << v << " " << value;
      }
    }
  }
}

TYPED_TEST(FaceStage, OnlyTheBoxIsWrittenAndNothingInAnInactiveStep) {
  using R = TypeParam;
  const Index3 n = {29, 5, 7};
  for (const bool active : {true, false}) {
    TwoFluidProblem<R> p = gentle_step<R>(n, Variant::js);
    p.clock.active = active ? 1 : 0;
    const Box box{{1, 2, 3}, {24, 4, 7}};
    p.run(Variant::js, box);
    std::int64_t written = 0;
    for (std::int64_t q = 0; q < p.state.layout(0).elements; ++q) {
      written += !std::isnan(p.start(1)[q]);
    }
    EXPECT_EQ(written, active ? box.count() * n_variables : 0);
    p.for_cells([&](const Index3& c) {
      bool inside = active;
      for (std::size_t a = 0; a < 3; ++a)
        inside = inside && c[a] >= box.lower[a] && c[a] < box.upper[a];
      EXPECT_EQ(!std::isnan(p.value(1, s_pi, c)), inside);
    });
    if (!active) {
      EXPECT_EQ(p.clock.events, 0);
      EXPECT_EQ(p.clock.signal_bits, 0u);
    }
  }
}

TYPED_TEST(FaceStage, ClippingKeepsPressureAndVelocity) {
  using R = TypeParam;
  TwoFluidProblem<R> p({21, 4, 3});
  p.fill(random_states(9));
  p.clock.dt = 1e-3;
  p.update.last = true;
  p.run(Variant::js);
  TwoFluidProblem<R> clipped({21, 4, 3});
  clipped.fill(random_states(9));
  clipped.clock.dt = 1e-3;
  clipped.update.last = true;
  clipped.finish.clip = true;
  clipped.finish.gamma_lowest = 0.3;
  clipped.finish.gamma_highest = 2.25;
  clipped.run(Variant::js);
  int changed = 0;
  p.for_cells([&](const Index3& c) {
    const Seven w = p.primitive(1, c), k = clipped.primitive(1, c);
    EXPECT_GE(k[5], Real(R(0.3)));
    EXPECT_LE(k[5], Real(R(2.25)));
    EXPECT_GE(k[6], 0);
    changed += w[5] != k[5];
    const double bound = 600 * std::numeric_limits<R>::epsilon();
    for (std::size_t v = 0; v < 5; ++v) EXPECT_NEAR(double(w[v]), double(k[v]), bound);
  });
  EXPECT_GT(changed, 10);
}

}  // namespace face_stage_test
