// The random wave of a step: geometry of the polarisation, sign of the helicity (by the curl),
// amplitude and energy input, uniformity of every draw, and dependence on seed and step alone.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "systems/forcing.hpp"
#include "systems/forcing_shell.hpp"

using namespace watersmeet;
using namespace watersmeet::systems;

namespace {
constexpr double pi = 3.14159265358979323846;

struct Draws {
  WaveVectors waves;
  Forcing call;
  Draws(const Draws&) = delete;  // `call` points into `waves`
  Draws(std::vector<std::array<std::int32_t, 3>> vectors, double helicity) {
    waves.vectors = std::move(vectors);
    call.wave_vectors = waves.vectors.data()->data();
    call.count = static_cast<std::int32_t>(waves.vectors.size());
    call.seed = 20170811;
    call.helicity = helicity;
    call.unit_wavenumber[1] = 0.5;
    call.unit_wavenumber[2] = 2.0;
  }
};
Draws usual(double helicity = 0) {
  constexpr double unit[3] = {1, 1, 1};
  return {shell(1, 2, {true, true, true}, unit).vectors, helicity};
}
double norm(const Vec<double, 3>& a) { return std::sqrt(dot(a, a)); }
Vec<double, 3> wave_vector(const DrawnWave& w) { return {{w.k[0], w.k[1], w.k[2]}}; }

// Pearson's sum for equal expectations.
double chi_square(const std::vector<int>& counts) {
  double total = 0, sum = 0;
  for (const int c : counts) total += c;
  const double expected = total / static_cast<double>(counts.size());
  for (const int c : counts) sum += (c - expected) * (c - expected) / expected;
  return sum;
}
// Far in both tails of the distribution with counts - 1 degrees of freedom (about 4 standard
// deviations).
void expect_uniform(const std::vector<int>& counts) {
  const double freedom = static_cast<double>(counts.size()) - 1;
  EXPECT_NEAR(chi_square(counts), freedom, 4.5 * std::sqrt(2 * freedom));
}
}  // namespace

TEST(DrawWave, PolarisationIsAUnitVectorAcrossTheWave) {
  for (const double helicity : {0.0, 1.0, -1.0, 0.3}) {
    const Draws s = usual(helicity);
    for (std::int64_t step = 0; step < 500; ++step) {
      const DrawnWave w = draw_wave(s.call, step);
      const Vec<double, 3> k = wave_vector(w);
      for (int a = 0; a < 3; ++a) EXPECT_EQ(k[a], w.number[a] * s.call.unit_wavenumber[a]);
      EXPECT_NEAR(dot(w.re, w.re) + dot(w.im, w.im), 1.0, 1e-14);
      EXPECT_NEAR(dot(w.re, k), 0.0, 1e-14);
      EXPECT_NEAR(dot(w.im, k), 0.0, 1e-14);
      EXPECT_NEAR(dot(w.re, w.im), 0.0, 1e-14);
      EXPECT_NEAR(norm(w.im), std::abs(helicity) * norm(w.re), 1e-14);
      EXPECT_GE(w.phase, -pi);
      EXPECT_LT(w.phase, pi);
    }
  }
}

TEST(DrawWave, WavesAlongEachAxisHaveAPolarisationToo) {
  for (const std::array<std::int32_t, 3>& n :
       {std::array<std::int32_t, 3>{2, 0, 0}, {-1, 0, 0}, {0, 3, 0}, {0, 0, -1}}) {
    const Draws s({n}, 0.0);
    for (std::int64_t step = 0; step < 50; ++step)
      EXPECT_NEAR(norm(draw_wave(s.call, step).re), 1.0, 1e-14);
  }
}

TEST(DrawWave, PositiveHelicityHasItsCurlAlongItself) {
  // curl Re{F exp(i k.x)} = Re{i k x F exp(i k.x)}, F = re + i im; sigma = +1: equal to |k| F.
  for (const double sigma : {1.0, -1.0}) {
    const Draws s = usual(sigma);
    for (std::int64_t step = 0; step < 100; ++step) {
      const DrawnWave w = draw_wave(s.call, step);
      const Vec<double, 3> k = wave_vector(w), k_re = cross(k, w.re), k_im = cross(k, w.im);
      for (int a = 0; a < 3; ++a) {
        EXPECT_NEAR(-k_im[a], sigma * norm(k) * w.re[a], 1e-13);
        EXPECT_NEAR(k_re[a], sigma * norm(k) * w.im[a], 1e-13);
      }
    }
  }
  // <f . curl f> / (|k| <f^2>) = 2 sigma / (1 + sigma^2)
  for (const double sigma : {0.0, 0.5, -0.2}) {
    const Draws s = usual(sigma);
    const DrawnWave w = draw_wave(s.call, 3);
    const Vec<double, 3> k = wave_vector(w);
    const double helicity = 0.5 * (dot(w.im, cross(k, w.re)) - dot(w.re, cross(k, w.im)));
    EXPECT_NEAR(helicity / (norm(k) * 0.5), 2 * sigma / (1 + sigma * sigma), 1e-14);
  }
}

TEST(DrawWave, VectorAnglePhaseAndTheirPairsAreUniform) {
  const Draws s = usual();
  std::vector<int> vector_counts(s.waves.vectors.size()), phase_counts(40), pairs(64),
      successive(64);
  double previous = 0.5;
  for (std::int64_t step = 0; step < 64000; ++step) {
    const DrawnWave w = draw_wave(s.call, step);
    for (std::size_t v = 0; v < s.waves.vectors.size(); ++v) {
      const auto& n = s.waves.vectors[v];
      vector_counts[v] += n[0] == w.number[0] && n[1] == w.number[1] && n[2] == w.number[2];
    }
    const double phase = (w.phase + pi) / (2 * pi);
    ++phase_counts[static_cast<std::size_t>(phase * 40)];
    ++successive[static_cast<std::size_t>(phase * 8) * 8 + static_cast<std::size_t>(previous * 8)];
    previous = phase;
  }
  expect_uniform(vector_counts);
  expect_uniform(phase_counts);
  expect_uniform(successive);

  // One wave vector: direction of the polarisation in its plane, and its pairs with the phase.
  const Draws one({{1, 2, -1}}, 0.0);
  const Vec<double, 3> k = wave_vector(draw_wave(one.call, 0));
  Vec<double, 3> across = cross(k, Vec<double, 3>{{0, 0, 1}});
  for (int a = 0; a < 3; ++a) across[a] /= std::sqrt(k[0] * k[0] + k[1] * k[1]);
  const Vec<double, 3> other = cross(k, across);
  std::vector<int> angle_counts(36);
  for (std::int64_t step = 0; step < 36000; ++step) {
    const DrawnWave w = draw_wave(one.call, step);
    const double angle =
        (std::atan2(dot(w.re, other) / norm(k), dot(w.re, across)) + pi) / (2 * pi);
    ++angle_counts[std::min<std::size_t>(35, static_cast<std::size_t>(angle * 36))];
    ++pairs[std::min<std::size_t>(7, static_cast<std::size_t>(angle * 8)) * 8 +
            static_cast<std::size_t>((w.phase + pi) / (2 * pi) * 8)];
  }
  expect_uniform(angle_counts);
  expect_uniform(pairs);
}

TEST(DrawWave, DependsOnSeedAndStepAlone) {
  Draws s = usual(0.4), other = usual(0.4);
  other.call.seed += std::uint64_t{1} << 40;  // the high half of the seed counts too
  int equal = 0;
  for (std::int64_t step = 999; step >= 0; --step) {
    const DrawnWave a = draw_wave(s.call, step), b = draw_wave(s.call, step),
                    c = draw_wave(other.call, step);
    EXPECT_EQ(a.phase, b.phase);
    EXPECT_EQ(std::memcmp(&a.re, &b.re, sizeof(a.re)), 0);
    EXPECT_EQ(std::memcmp(&a.im, &b.im, sizeof(a.im)), 0);
    equal +=
        a.phase == c.phase || a.phase == draw_wave(s.call, step + (std::int64_t{1} << 33)).phase;
  }
  EXPECT_LE(equal, 1);
}

TEST(DrawWave, AmplitudeGivesTheStatedEnergyInput) {
  Draws s = usual();
  s.call.amplitude = 0.03;
  s.call.sound_speed = 1.7;
  s.call.mean_wavenumber = 1.526;
  for (const double dt : {0.1, 0.003}) {
    const DrawnWave w = draw_wave(s.call, 8);
    for (const bool mean : {true, false}) {
      s.call.mean_normalisation = mean;
      const double k = mean ? 1.526 : norm(wave_vector(w));
      s.call.place = ForcingPlace::kick;
      const double kick = forcing_amplitude(s.call, w, dt);
      // Mean square of the kick is kick^2 / 2; eps_in = <du^2> / (2 dt) = f0^2 c^3 k / 4 for every
      // dt.
      const double energy_input = 0.03 * 0.03 * std::pow(1.7, 3) * k / 4;
      EXPECT_NEAR(kick * kick / 2 / (2 * dt) / energy_input, 1.0, 1e-13);
      s.call.place = ForcingPlace::inside;
      EXPECT_NEAR(forcing_amplitude(s.call, w, dt) * dt / kick, 1.0, 1e-14);
    }
  }
}
