// The public Poisson solver as a program outside would use it: its header and nothing else of ours
// but the errors.
#include "watersmeet/poisson.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"

namespace {

using watersmeet::Error;
using watersmeet::ErrorKind;
using watersmeet::Poisson;
using watersmeet::PoissonBoundary;
using watersmeet::PoissonBox;
using watersmeet::PoissonOptions;

PoissonBox box_between_plates() {
  PoissonBox box;
  box.cells = {16, 12, 10};
  box.length = {2, 1.5, 1};
  box.sides[4] = box.sides[5] = PoissonBoundary::neumann;
  return box;
}

// phi = cos of one wave in x and half a wave in z, with the eigenvalue of the discrete operator.
std::vector<double> wave(const PoissonBox& box) {
  std::vector<double> phi;
  const double pi = 3.14159265358979323846;
  for (int k = 0; k < box.cells[2]; ++k)
    for (int j = 0; j < box.cells[1]; ++j)
      for (int i = 0; i < box.cells[0]; ++i)
        phi.push_back(std::cos(2 * pi * i / double(box.cells[0])) *
                      std::cos(pi * (k + 0.5) / double(box.cells[2])));
  return phi;
}
double eigenvalue(const PoissonBox& box) {
  const double pi = 3.14159265358979323846;
  const double x = 2 * double(box.cells[0]) / box.length[0] * std::sin(pi / double(box.cells[0]));
  const double z =
      2 * double(box.cells[2]) / box.length[2] * std::sin(pi / (2 * double(box.cells[2])));
  return -(x * x + z * z);
}

TEST(PublicPoisson, SolvesAWaveExactly) {
  const PoissonBox box = box_between_plates();
  for (const char* method : {"auto", "fft", "gemm"}) {
    PoissonOptions options;
    options.method = method;
    options.device = "cpu";
    options.threads = 2;
    Poisson poisson(box, options);
    const std::vector<double> expected = wave(box);
    std::vector<double> values = expected;
    for (double& v : values) v *= eigenvalue(box);
    const watersmeet::PoissonReport report = poisson.solve(values, values);
    EXPECT_EQ(report.cycles, 0);
    EXPECT_LT(report.residual, 1e-13);
    for (std::size_t c = 0; c < values.size(); ++c) ASSERT_NEAR(values[c], expected[c], 1e-13);
  }
}

TEST(PublicPoisson, SaysWhatItDoes) {
  PoissonBox box = box_between_plates();
  Poisson poisson(box, {.device = "cpu"});
  EXPECT_EQ(poisson.method(), "fft");
  EXPECT_EQ(poisson.describe(), "Fourier in x, Fourier in y, tridiagonal in z");
  box.faces[1] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15};
  Poisson stretched(box, {.device = "cpu"});
  EXPECT_EQ(stretched.method(), "gemm");
  poisson = std::move(stretched);
  EXPECT_EQ(poisson.method(), "gemm");
}

// A value on a face is brought to the right-hand side as the header says: between plates at 0 and
// v, phi is linear.
TEST(PublicPoisson, AValueAtASideIsAPartOfTheRightHandSide) {
  PoissonBox box;
  box.cells = {4, 1, 9};
  box.sides[4] = box.sides[5] = PoissonBoundary::dirichlet;
  box.faces[2] = {0, 0.1, 0.3, 0.35, 0.4, 0.5, 0.6, 0.8, 0.85, 1};
  const double v = 3, d = 0.15;
  std::vector<double> rhs(36, 0.0), phi(36, 0.0);
  for (std::size_t i = 32; i < 36; ++i) rhs[i] = -2 * v / (d * d);
  Poisson(box, {.device = "cpu"}).solve(rhs, phi);
  for (std::size_t k = 0; k < 9; ++k) {
    EXPECT_NEAR(phi[4 * k], v * 0.5 * (box.faces[2][k] + box.faces[2][k + 1]), 1e-13);
  }
}

std::string message(const PoissonBox& box, const PoissonOptions& options, ErrorKind kind) {
  try {
    Poisson poisson(box, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  return "";
}

TEST(PublicPoisson, RefusesWhatMakesNoSense) {
  const PoissonBox good = box_between_plates();
  const auto refused = [&](const PoissonOptions& options) {
    return message(good, options, ErrorKind::user_input);
  };
  EXPECT_EQ(refused({.method = "FFT"}),
            "method is \"FFT\", not one of \"auto\", \"fft\", \"gemm\", \"mg\", \"mgcg\"");
  EXPECT_EQ(refused({.device = "tpu"}), "device is \"tpu\", not one of \"auto\", \"cpu\", \"gpu\"");
  EXPECT_EQ(refused({.device = "cpu", .threads = -1}), "threads is -1; it must be 0 (all) or more");
  PoissonBox box = good;
  box.length[0] = 0;
  EXPECT_EQ(message(box, {}, ErrorKind::user_input),
            "the length along x must be a positive number, not 0");
  box = good;
  box.sides[0] = PoissonBoundary::neumann;
  EXPECT_EQ(message(box, {}, ErrorKind::user_input),
            "the upper side along x is periodic and the lower one is not: both or none");
}

TEST(PublicPoisson, RefusesRightHandSides) {
  const PoissonBox box = box_between_plates();
  Poisson poisson(box, {.device = "cpu"});
  const auto refused = [&](const std::vector<double>& rhs, ErrorKind kind) -> std::string {
    std::vector<double> phi(1920, 8.0);
    try {
      poisson.solve(rhs, phi);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind);
      EXPECT_EQ(phi, std::vector<double>(1920, 8.0));
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refused(std::vector<double>(7), ErrorKind::user_input),
            "rhs has 7 values, not 16 x 12 x 10 = 1920");
  std::vector<double> rhs(1920, 0.0);
  rhs[16 * 12 * 3 + 16 * 2 + 5] = std::nan("");
  EXPECT_EQ(refused(rhs, ErrorKind::diverged), "the right-hand side is nan in cell (5, 2, 3)");
  EXPECT_EQ(refused(std::vector<double>(1920, 0.5), ErrorKind::user_input),
            "the right-hand side has the mean 0.5, and without a Dirichlet side the problem has a "
            "solution only for the mean 0 (here up to 5e-13); remove_mean subtracts it");
  std::vector<double> phi(1920, 8.0);
  Poisson forgiving(box, {.device = "cpu", .remove_mean = true});
  forgiving.solve(std::vector<double>(1920, 0.5), phi);
  for (const double v : phi) ASSERT_NEAR(v, 0, 1e-13);
}

}  // namespace
