// Sums in time of a wave that travels: u = U + A sin(x - t), v = A sin(x - t + 1). Over whole periods the mean of u is U, its variance A^2/2, the
// covariance A^2/2 cos 1.
#include "exec/average.hpp"

#include <gtest/gtest.h>

#include "support/average_case.hpp"

namespace watersmeet::test {
namespace {

constexpr double power = WaveSums::amplitude * WaveSums::amplitude / 2;

double worst(const std::vector<double>& values, double wanted) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value - wanted));
  return largest;
}

void over_periods(WaveSums& sums, int steps, int periods) {
  const double dt = 2 * M_PI * periods / steps;
  for (int s = 0; s < steps; ++s) sums.sample(s * dt, dt);
  sums.sample(steps * dt, 0, exec::Weighing::close);
}

TEST(Averages, OfAWaveAreThoseOfItsFormula) {
  WaveSums sums(37, Precision::double_, 0.25, {});
  over_periods(sums, 200, 3);
  EXPECT_EQ(sums.record().samples, 201);
  EXPECT_NEAR(sums.record().total, 6 * M_PI, 1e-13);
  EXPECT_LT(worst(sums.mean(0), 0.25), 1e-15);
  EXPECT_LT(worst(sums.mean(2), power * std::cos(1)), 1e-15);
  EXPECT_LT(worst(sums.moment(0), power), 1e-15);
  EXPECT_LT(worst(sums.moment(2), power * std::cos(1)), 1e-15);
}

// A mean of 4096, of which single precision has 2.4e-4 as its last bit: squares would leave nothing of a variance of 0.125. Rounding of the
// samples themselves is at most half a bit, 1.2e-4 of the amplitude's 0.5, and less in the mean over two thousand of them.
TEST(Averages, OfSinglePrecisionKeepSmallDeviations) {
  WaveSums sums(37, Precision::single_, 4096, {});
  over_periods(sums, 2000, 7);
  EXPECT_LT(worst(sums.mean(0), 4096), 1.3e-4);
  EXPECT_LT(worst(sums.moment(0), power), 2e-5);
  EXPECT_LT(worst(sums.moment(2), power * std::cos(1)), 2e-5);
}

// A million samples: the sums lose nothing with their number.
TEST(Averages, OfManySamplesAreAsGood) {
  WaveSums sums(2, Precision::single_, 1.5, {});
  over_periods(sums, 1000000, 1000);
  EXPECT_LT(worst(sums.mean(0), 1.5), 1e-8);  // the samples' own rounding, 6e-8, averaged
  EXPECT_LT(worst(sums.moment(0), power), 1e-8);
}

TEST(Averages, WeighAStateWithHalfTheStepsAroundIt) {
  // Uneven steps; states passed over give way to the length of the step before the next one.
  WaveSums sums(1, Precision::double_, 0, {});
  const double dt[] = {0.1, 0.4, 0.2, 0.3};
  double t = 0, total = 0, mean = 0;
  const double weights[] = {0.05, 0.0, 0.3, 0.0, 0.15};  // of steps 0, 2 and the end
  for (int s = 0; s <= 4; ++s) {
    const double step = s < 4 ? dt[s] : 0;
    sums.sample(t, step,
                s == 4       ? exec::Weighing::close
                : s % 2 == 0 ? exec::Weighing::sample
                             : exec::Weighing::pass);
    total += weights[s];
    mean += weights[s] * WaveSums::amplitude * std::sin(-t);
    t += step;
  }
  EXPECT_NEAR(sums.record().total, total, 1e-15);
  EXPECT_EQ(sums.record().samples, 3);
  EXPECT_NEAR(sums.mean(0)[0], mean / total, 1e-15);
}

TEST(Averages, AStepThatDoesNotHappenIsNotCounted) {
  WaveSums sums(3, Precision::double_, 0, {}), other(3, Precision::double_, 0, {});
  for (WaveSums* const one : {&sums, &other}) {
    one->sample(0, 0.5);
    if (one == &sums) {
      one->sample(0.5, 0.7, exec::Weighing::sample, false);
      one->sample(0.5, 0.7, exec::Weighing::pass, false);
    }
    one->sample(0.5, 0.25);
    one->sample(0.75, 0, exec::Weighing::close);
  }
  EXPECT_EQ(sums.record().samples, 3);
  EXPECT_EQ(sums.mean(0), other.mean(0));
  EXPECT_EQ(sums.moment(2), other.moment(2));
}

// Threads and places within a chunk change no bit: the first cells of a longer row are those of a short one.
TEST(Averages, DoNotDependOnThreads) {
  Queue several;
  several.threads = 3;
  WaveSums one(10007, Precision::double_, 0.1, {}), three(10007, Precision::double_, 0.1, several);
  over_periods(one, 9, 1);
  over_periods(three, 9, 1);
  for (std::size_t e = 0; e < 3; ++e) {
    EXPECT_EQ(one.mean(e), three.mean(e));
    EXPECT_EQ(one.moment(e), three.moment(e));
  }
}

}  // namespace
}  // namespace watersmeet::test
