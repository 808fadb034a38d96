// Shell spectra against a direct Fourier sum (O(N^2)), Parseval's theorem and single modes.
#include "solve/spectra.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <random>

using namespace watersmeet;
using solve::shell_spectra;
using solve::ShellSpectra;
using solve::SpectrumInput;

namespace {
constexpr double two_pi = 6.283185307179586476925;
struct Case {
  Index3 n;
  Real3 length;
};
const Case cases[] = {{{4, 4, 4}, {1, 1, 1}},       {{5, 3, 7}, {1, 1, 1}},
                      {{6, 4, 1}, {2, 1, 9}},       {{1, 8, 3}, {5, 2, 1.5}},
                      {{2, 2, 2}, {1, 1, 1}},       {{7, 1, 1}, {3, 1, 1}},
                      {{1, 1, 6}, {1, 1, 4}},       {{1, 1, 1}, {1, 1, 1}},
                      {{3, 5, 2}, {1.1, 2.2, 0.7}}, {{11, 2, 4}, {1, 1, 1}}};

// Components padded like a block: rows of pitch n + 5, planes with two rows more.
template <class R>
struct Fields {
  SpectrumInput input;
  std::vector<std::vector<R>> values;
  Fields(const Case& c, std::size_t components) {
    input.n = c.n;
    input.length = c.length;
    input.precision = sizeof(R) == 8 ? Precision::double_ : Precision::single_;
    input.stride_j = c.n[0] + 5;
    input.stride_k = input.stride_j * (c.n[1] + 2);
    values.assign(components,
                  std::vector<R>(static_cast<std::size_t>(input.stride_k * c.n[2]), R(99)));
    for (const auto& v : values) input.components.push_back(v.data());
  }
  R& at(std::size_t c, std::int64_t i, std::int64_t j, std::int64_t k) {
    return values[c][static_cast<std::size_t>(k * input.stride_k + j * input.stride_j + i)];
  }
  template <class F>
  void for_cells(F f) {
    for (std::int64_t k = 0; k < input.n[2]; ++k)
      for (std::int64_t j = 0; j < input.n[1]; ++j)
        for (std::int64_t i = 0; i < input.n[0]; ++i) f(i, j, k);
  }
  double mean_half_square(std::size_t c) {
    long double sum = 0;
    for_cells([&](auto i, auto j, auto k) { sum += 0.5L * at(c, i, j, k) * at(c, i, j, k); });
    return static_cast<double>(sum /
                               static_cast<long double>(input.n[0] * input.n[1] * input.n[2]));
  }
};

template <class R>
void randomise(Fields<R>& f, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<R> uniform(-1, 2);
  for (std::size_t c = 0; c < f.values.size(); ++c) {
    f.for_cells([&](auto i, auto j, auto k) { f.at(c, i, j, k) = uniform(generator); });
  }
}

// Sum over every wave vector of the box, half a square modulus into the shell of |n|, n in units of
// the longest side that has more than one cell.
template <class R>
std::vector<double> direct_spectrum(Fields<R>& f, std::size_t c) {
  const Index3 n = f.input.n;
  double longest = 0;
  for (std::size_t a = 0; a < 3; ++a)
    longest = std::max(longest, n[a] > 1 ? f.input.length[a] : 0.0);
  std::vector<double> shells(200, 0.0);
  const auto lowest = [&](std::size_t a) { return -((n[a] - 1) / 2); };
  for (std::int64_t r = lowest(2); r < lowest(2) + n[2]; ++r)
    for (std::int64_t q = lowest(1); q < lowest(1) + n[1]; ++q)
      for (std::int64_t p = lowest(0); p < lowest(0) + n[0]; ++p) {
        std::complex<double> sum = 0;
        f.for_cells([&](auto i, auto j, auto k) {
          const double phase =
              two_pi * (double(p * i) / double(n[0]) + double(q * j) / double(n[1]) +
                        double(r * k) / double(n[2]));
          sum += double(f.at(c, i, j, k)) * std::polar(1.0, -phase);
        });
        const Real3 m = {double(p), double(q), double(r)};
        double m2 = 0;
        for (std::size_t a = 0; a < 3; ++a)
          m2 += n[a] > 1 ? std::pow(m[a] * longest / f.input.length[a], 2) : 0.0;
        shells[static_cast<std::size_t>(std::floor(std::sqrt(m2) + 0.5))] +=
            0.5 * std::norm(sum / double(n[0] * n[1] * n[2]));
      }
  return shells;
}
}  // namespace

template <class R>
class Spectra : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Spectra, Precisions);

TYPED_TEST(Spectra, AgreeWithADirectSumAndParseval) {
  using R = TypeParam;
  for (const Case& example : cases) {
    SCOPED_TRACE(testing::Message()
                 << example.n[0] << " x " << example.n[1] << " x " << example.n[2]);
    Fields<R> f(example, 3);
    randomise(f, 5);
    const ShellSpectra s = shell_spectra(f.input, Queue{Backend::cpu, nullptr, 2});
    ASSERT_EQ(s.component.size(), 3u);
    double all = 0, sum_of_total = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      const std::vector<double> expected = direct_spectrum(f, c);
      const double energy = f.mean_half_square(c);
      double sum = 0;
      for (std::size_t k = 0; k < expected.size(); ++k) {
        const double got = k < s.component[c].size() ? s.component[c][k] : 0.0;
        EXPECT_NEAR(got, expected[k], 1e-13 * energy) << "component " << c << ", shell " << k;
        sum += got;
      }
      EXPECT_NEAR(sum / energy, 1.0, 1e-12);
      all += energy;
    }
    for (std::size_t k = 0; k < s.k.size(); ++k) {
      EXPECT_EQ(s.k[k], static_cast<double>(k));
      EXPECT_NEAR(s.total[k], s.component[0][k] + s.component[1][k] + s.component[2][k], 1e-15);
      sum_of_total += s.total[k];
    }
    EXPECT_NEAR(sum_of_total / all, 1.0, 1e-12);
  }
}

TYPED_TEST(Spectra, SingleModesLandInTheirShell) {
  using R = TypeParam;
  struct Mode {
    int p, q, r;
    std::size_t shell;
  };
  for (const Mode& m :
       {Mode{0, 0, 0, 0}, Mode{1, 0, 0, 1}, Mode{0, 1, 1, 1}, Mode{1, 1, 1, 2}, Mode{-2, 1, 0, 2},
        Mode{0, 3, -2, 4}, Mode{2, 2, 2, 3}, Mode{0, 0, 5, 5}, Mode{-4, 0, 4, 6}}) {
    Fields<R> f({{12, 9, 11}, {1, 1, 1}}, 1);
    f.for_cells([&](auto i, auto j, auto k) {
      f.at(0, i, j, k) = R(std::cos(
          two_pi * (m.p * double(i) / 12 + m.q * double(j) / 9 + m.r * double(k) / 11) + 0.3));
    });
    const double energy = f.mean_half_square(0);
    const ShellSpectra s = shell_spectra(f.input, Queue{});
    for (std::size_t k = 0; k < s.k.size(); ++k) {
      EXPECT_NEAR(s.total[k] / energy, k == m.shell ? 1.0 : 0.0, sizeof(R) == 8 ? 1e-13 : 1e-6)
          << m.shell << " " << k;
    }
  }
}

TEST(Spectra, ThreadsDoNotChangeTheSums) {
  Fields<double> f({{10, 9, 8}, {1, 1, 1}}, 2);
  randomise(f, 3);
  const ShellSpectra one = shell_spectra(f.input, Queue{});
  for (int threads = 2; threads <= 4; ++threads) {
    EXPECT_EQ(shell_spectra(f.input, Queue{Backend::cpu, nullptr, threads}).total, one.total);
  }
}
