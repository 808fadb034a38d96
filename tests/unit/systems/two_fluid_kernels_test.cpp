// The two-fluid loops on the CPU: launches reach the loops with every parameter, and the
// functions of the series and of output look at the right cells.
#include "two_fluid_problem.hpp"

using namespace watersmeet;
using namespace watersmeet::multicomponent;

template <class R>
class TwoFluidKernels : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(TwoFluidKernels, Precisions);

TYPED_TEST(TwoFluidKernels, EachVariantHasItsLoop) {
  using R = TypeParam;
  const Index3 n = {19, 6, 5};
  for (const Variant variant : {Variant::js, Variant::z, Variant::general}) {
    std::vector<R> result[2];
    for (const bool table : {false, true}) {
      TwoFluidProblem<R> p(n);
      p.set_split(true);
      p.flow.compaction = true;
      p.flow.riemann = Riemann::rusanov;  // only the general variant listens
      p.fill(random_states(51, 0.8));
      p.clock.dt = 1e-3;
      p.update.last = true;
      if (table) {
        p.loops(variant)->stage(p.launch());
      } else {
        p.run(variant);
      }
      result[table] = p.interior(1);
      result[table].push_back(R(exec::bits_to_double(p.clock.signal_bits)));
    }
    EXPECT_EQ(result[0], result[1]) << name_of(variant);
  }
}

TYPED_TEST(TwoFluidKernels, SignalSteepnessAndSamplesAreThoseOfTheBox) {
  using R = TypeParam;
  const Index3 n = {13, 4, 1};
  TwoFluidProblem<R> p(n);
  p.fill(random_states(52, 0.8));
  const auto loops = p.loops(Variant::js);
  exec::Launch launch = p.launch();
  launch.box = {{2, 1, 0}, {11, 3, 1}};
  const TwoFluidReference reference = p.reference(Variant::js);
  Real signal = 0, steepest = 0, mass = 0, pressure = 0;
  p.for_cells([&](const Index3& c) {
    if (c[0] < 2 || c[0] >= 11 || c[1] < 1 || c[1] >= 3) return;
    const Seven w = p.primitive(0, c);
    signal = std::max(signal, reference.signal(w));
    const auto rho = [&](std::int64_t di, std::int64_t dj) {
      return p.primitive(0, {c[0] + di, c[1] + dj, 0})[0];
    };
    steepest = std::max(steepest, std::hypot((rho(1, 0) - rho(-1, 0)) / (2 * reference.h[0]),
                                             (rho(0, 1) - rho(0, -1)) / (2 * reference.h[1])));
    mass += w[0];
    pressure = std::max(pressure, w[4]);
  });
  const double bound = 100 * double(std::numeric_limits<R>::epsilon());
  EXPECT_NEAR(loops->signal(launch) / double(signal), 1, bound);
  EXPECT_NEAR(loops->steepest(launch) / double(steepest), 1, bound);

  std::vector<double> largest(int{sums_end} + int{maxima_end}, -1e300);
  loops->measure(launch, largest.data());
  EXPECT_NEAR(largest[int{sums_end} + int{max_p}] / double(pressure), 1, bound);
  std::vector<exec::SumScale> scales;
  for (int v = 0; v < sums_end; ++v) {
    scales.push_back(
        exec::make_sum_scale(largest[static_cast<std::size_t>(v)], launch.box.count()));
  }
  std::vector<std::int64_t> high_low(2 * sums_end, 0);
  loops->count(launch, scales.data(), high_low.data());
  EXPECT_NEAR(exec::sum_of(scales[sum_mass], high_low[0], high_low[1]) / double(mass), 1, 1e-14);

  p.of.evaluate.factor = 2;
  std::vector<R> packed(static_cast<std::size_t>(3 * launch.box.count()));
  loops->evaluate(launch, static_cast<int>(Quantity::velocity), 3, packed.data());
  const Seven w = p.primitive(0, {5, 2, 0});
  for (std::size_t a = 0; a < 3; ++a) {  // cell (3, 1) of the box, nine cells wide
    EXPECT_NEAR(double(packed[3 * (9 + 3) + a]), 2 * double(w[1 + a]), bound);
  }
}

TYPED_TEST(TwoFluidKernels, AnInadmissibleStateHasNoSignal) {
  using R = TypeParam;
  TwoFluidProblem<R> p({9, 3, 2});
  p.fill(random_states(53, 0.5));
  const auto loops = p.loops(Variant::general);
  EXPECT_GT(loops->signal(p.launch()), 0);
  p.value(0, s_rho, {8, 2, 1}) = R(-1);
  EXPECT_TRUE(std::isnan(loops->signal(p.launch())));
  EXPECT_EQ(loops->describe().size(), 1u);
}
