// A damped sound wave l = a cos(k x - omega t) exp(-g t), g = (2/3) nu k^2,
// omega = sqrt(c^2 k^2 - g^2). On the grid a Fourier mode (l, u) obeys exactly
// d(l, u)/dt = M (l, u) with
//   M = [ 0, -i k1; -i c^2 k1, -2 g_h ],
//   2 g_h = nu (K2 + K2/3) for 55 points, nu (K2 + k1^2/3) for 19,
// and a step of the Runge-Kutta scheme multiplies it by
//   P(M dt) = 1 + M dt + (M dt)^2/2 + (M dt)^3/6.
// The amplitude is 1e-6, so the nonlinear terms are 1e-12 of the wave.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <complex>

#include "verify/isothermal/groups.hpp"

namespace watersmeet::verify {

namespace {
using Complex = std::complex<double>;
using Matrix = std::array<std::array<Complex, 2>, 2>;

constexpr double nu = 0.01, k = 4, amplitude = 1e-6;
const double damping = 2.0 / 3.0 * nu * k * k;
const double frequency = std::sqrt(k * k - damping * damping);

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix r{};
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) r[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j];
  }
  return r;
}

// Amplification of (l, u) by one step on the grid.
Matrix amplification(double h, double dt, const std::string& method) {
  const double k1 = first_symbol(k, h), k2 = second_symbol(k, h);
  const double viscous = nu * (k2 + (method == "55-point" ? k2 : k1 * k1) / 3);
  const Complex i(0, 1);
  const Matrix m = {{{0, -i * k1 * dt}, {-i * k1 * dt, -viscous * dt}}};
  const Matrix m2 = product(m, m), m3 = product(m2, m);
  Matrix p{};
  for (std::size_t a = 0; a < 2; ++a) {
    for (std::size_t b = 0; b < 2; ++b)
      p[a][b] = (a == b ? 1.0 : 0.0) + m[a][b] + m2[a][b] / 2.0 + m3[a][b] / 6.0;
  }
  return p;
}

struct Wave {
  Complex measured, predicted;  // coefficient of exp(i k x) in l
  double t = 0;
};

VerifyCase wave_case(std::int64_t n, int axis, const std::string& method) {
  VerifyCase c{.viscosity = nu, .method = method};
  const char name = "xyz"[axis];
  c.density = fmt::format("exp({:.17e}*cos({}*{}))", amplitude, k, name);
  // u = (omega - i g)/k times l in complex amplitude: the right-going mode of the differential
  // equation.
  c.velocity[static_cast<std::size_t>(axis)] =
      fmt::format("{:.17e}*cos({}*{})+{:.17e}*sin({}*{})", amplitude * frequency / k, k, name,
                  amplitude * damping / k, k, name);
  c.cells[static_cast<std::size_t>(axis)] = n;
  return c;
}

Wave propagate(const Verification& v, const std::string& method, std::int64_t n, int axis) {
  const double h = two_pi / static_cast<double>(n);
  const auto steps = static_cast<std::int64_t>(std::lround(2 * two_pi / frequency / (0.1 * h)));
  VerifyCase c = wave_case(n, axis, method);
  make_thin(c, axis, n, v.on_gpu() ? 32 : 4);
  c.dt = 0.1 * h;
  Simulation s = start(v, c);
  s.step(steps);
  Complex l0(amplitude / 2, 0), u0 = Complex(frequency, -damping) / k * l0;
  const Matrix p = amplification(h, c.dt, method);
  for (std::int64_t step = 0; step < steps; ++step) {
    const Complex l = p[0][0] * l0 + p[0][1] * u0;
    u0 = p[1][0] * l0 + p[1][1] * u0;
    l0 = l;
  }
  return {coefficient(s, "lnrho", k, axis), l0, s.t()};
}

// Decay rate over that of the differential equation, minus one.
double rate_error(const Complex& l, double t) {
  return -std::log(std::abs(l) / (amplitude / 2)) / (damping * t) - 1;
}
// Phase behind (negative) or ahead of the differential equation, in radians; exp(-i omega t) turns
// clockwise.
double phase_error(const Complex& l, double t) {
  return -std::arg(l * std::exp(Complex(0, frequency * t)));
}

// Figures of the differences of validation/reference/explosion.py in one dimension with cdt = 0.1
// (tests/python/test_reference_cavity.py computes them), to the last digit given here.
void independent_rows(Verification& v, const std::string& method) {
  const auto measure = [&](std::int64_t n) {
    VerifyCase c = wave_case(n, 0, method);
    make_thin(c, 0, n, 1);
    c.cfl = 0.1;
    Simulation s = start(v, c);
    s.advance_to(2 * two_pi / frequency);
    return Wave{coefficient(s, "lnrho", k, 0), {}, s.t()};
  };
  const Wave coarse = measure(32), fine = measure(64);
  const double coarse_phase = phase_error(coarse.measured, coarse.t),
               fine_phase = phase_error(fine.measured, fine.t);
  v.near(method + ", 1-D, N = 64, decay rate over the exact one - 1",
         rate_error(fine.measured, fine.t), method == "55-point" ? 8.7e-5 : 7.6e-5, 1e-6);
  v.near(method + ", 1-D, N = 32, phase error after 2 periods", coarse_phase, -0.0187, 1e-4);
  v.near(method + ", 1-D, N = 64, phase error after 2 periods", fine_phase, -3.22e-4, 1e-6);
  v.near(method + ", 1-D, order of the phase error", order_of(-coarse_phase, -fine_phase), 5.9,
         0.1);
}
}  // namespace

void verify_sound_wave(Verification& v) {
  if (v.single())
    return v.leave_out("sound wave", "an amplitude of 1e-6 is not resolved in single precision");
  for (const std::string& method : verify_methods) {
    for (int axis = 0; axis < 3; ++axis) {
      const Wave w = propagate(v, method, 64, axis);
      const std::string where = fmt::format("{}, along {}, N = 64, ", method, "xyz"[axis]);
      v.below(where + "deviation from the discrete solution",
              std::abs(w.measured - w.predicted) / std::abs(w.predicted), 1e-9);
      v.near_relative(where + "decay rate over the discrete one",
                      (1 + rate_error(w.measured, w.t)) / (1 + rate_error(w.predicted, w.t)), 1,
                      0.01);
    }
    independent_rows(v, method);
  }
}

}  // namespace watersmeet::verify
