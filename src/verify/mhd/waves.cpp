// Waves along one axis of a field B_0, which has a part along the wave and one across it. On the grid a Fourier mode of the linear
// equations obeys exactly dv/dt = M v with the symbols k1 and -K2 of the first and second derivative, and a step of the Runge-Kutta scheme
// multiplies it by P(M dt) = 1 + M dt + (M dt)^2/2 + (M dt)^3/6.
//
// Along x, with rho_0 = mu_0 = 1, B_0 = (b_x, b_y, 0) and a = A_z, the magnetosonic waves are those of v = (l, u_x, u_y, a):
//   dl/dt   = -i k1 u_x                      j_z = K2 a
//   du_x/dt = -i c^2 k1 l - K2 a b_y - 4/3 nu K2 u_x
//   du_y/dt =               K2 a b_x -     nu K2 u_y
//   da/dt   = u_x b_y - u_y b_x      -     eta K2 a
// and the phase speeds of the differential equations are those of the fast and the slow wave,
//   v^2 = [ c^2 + b^2 +- sqrt( (c^2 + b^2)^2 - 4 c^2 b_x^2 ) ] / 2.
//
// The circularly polarised Alfven wave A = a (0, cos kx, -sin kx), u = -curl A, is exact at any amplitude where nu = eta: |curl A| is
// uniform, so that nothing pushes the gas along. Its amplitude falls as exp(-nu k^2 t), and it travels along B_0 at b_x.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <complex>

#include "verify/mhd/groups.hpp"

namespace watersmeet::verify {

namespace {
using Complex = std::complex<double>;
using Mode = std::array<Complex, 4>;
using Matrix = std::array<Mode, 4>;

constexpr double k = 2;

Mode product(const Matrix& m, const Mode& v) {
  Mode r{};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) r[i] += m[i][j] * v[j];
  return r;
}

// One step of the third-order scheme.
void advance(Mode& v, const Matrix& m, double dt) {
  const Mode a = product(m, v), b = product(m, a), c = product(m, b);
  for (std::size_t i = 0; i < 4; ++i)
    v[i] += dt * a[i] + dt * dt / 2 * b[i] + dt * dt * dt / 6 * c[i];
}

// Names and components of x, y and z turned so that the wave runs along `axis`.
struct Turned {
  int axis;
  char name(int a) const { return "xyz"[(a + axis) % 3]; }
  std::array<std::string, 3> vector(const std::array<std::string, 3>& v) const {
    std::array<std::string, 3> r;
    for (int a = 0; a < 3; ++a)
      r[static_cast<std::size_t>((a + axis) % 3)] = v[static_cast<std::size_t>(a)];
    return r;
  }
  std::string background(double along, double across) const {
    const auto b = vector({fmt::format("{:.17e}", along), fmt::format("{:.17e}", across), "0"});
    return fmt::format("background_field = [{}, {}, {}]\n", b[0], b[1], b[2]);
  }
};

void alfven_rows(Verification& v, int axis, std::int64_t n) {
  constexpr double nu = 0.01, b0 = 0.8, a = 0.1;
  const Turned turn{axis};
  const char x = turn.name(0);
  MhdCase c{.physics = turn.background(b0, 0), .viscosity = nu, .resistivity = nu};
  const auto wave = [&](double scale) {
    return turn.vector({"0", fmt::format("{:.17e}*cos({}*{})", scale, k, x),
                        fmt::format("{:.17e}*sin({}*{})", -scale, k, x)});
  };
  c.potential = wave(a);
  c.velocity = wave(-a * k);
  make_thin(c, axis, n, v.on_gpu() ? 32 : 4);
  const double h = two_pi / static_cast<double>(n);
  c.dt = 0.1 * h;
  Simulation s = start(v, c);
  const auto steps = static_cast<std::int64_t>(std::lround(two_pi / (k * b0) / c.dt));
  s.step(steps);
  // The two fields turn with u = -K1 A at first: the discrete wave is the mode (u, A) of dA/dt = u x B_0 - nu K2 A,
  // du/dt = K2 A x B_0 - nu K2 u, one complex number each: A_y + i A_z turns clockwise along x.
  const double k2 = second_symbol(k, h);
  Mode mode{-a * k, a, 0, 0};
  Matrix m{};
  // (u x B_0)_y + i (...)_z = u_z b - i u_y b = -i b (u_y + i u_z)
  m[0] = {Complex(-nu * k2, 0), Complex(0, -b0 * k2), 0, 0};
  m[1] = {Complex(0, -b0), Complex(-nu * k2, 0), 0, 0};
  for (std::int64_t step = 0; step < steps; ++step) advance(mode, m, c.dt);
  // A_y + i A_z = A exp(-i k x): its coefficient of exp(-i k x) is the conjugate of that of A_y - i A_z at exp(i k x).
  const Complex y = coefficient(s, fmt::format("a{}", turn.name(1)), k, axis),
                z = coefficient(s, fmt::format("a{}", turn.name(2)), k, axis);
  const Complex measured = std::conj(y - Complex(0, 1) * z);
  const std::string where = fmt::format("circular, along {}, N = {}, ", x, n);
  v.below(where + "deviation from the discrete solution",
          std::abs(measured - mode[1]) / std::abs(mode[1]), 1e-9);
  const double decay = std::exp(-nu * k * k * s.t());
  v.near_relative(where + "amplitude after a period over the exact one",
                  std::abs(measured) / (a * decay), 1, 1e-4);
  v.below(where + "largest deviation of the density from 1",
          largest_difference(s.field("rho"), std::vector<double>(s.field("rho").size(), 1.0)),
          1e-11);
}

struct Sonic {
  double angle;
  int axis;
};

void sonic_rows(Verification& v, const Sonic& wave) {
  constexpr double c2 = 1, b = 0.7, nu = 0.01, eta = 0.02, amplitude = 1e-6;
  constexpr std::int64_t n = 64;
  const double bx = b * std::cos(wave.angle), by = b * std::sin(wave.angle);
  const Turned turn{wave.axis};
  const char x = turn.name(0);
  const double h = two_pi / static_cast<double>(n), k1 = first_symbol(k, h),
               k2 = second_symbol(k, h);
  const double sum = c2 + b * b, root = std::sqrt(sum * sum - 4 * c2 * bx * bx);
  for (const bool fast : {true, false}) {
    const double speed = std::sqrt((sum + (fast ? root : -root)) / 2);
    if (speed < 1e-3) continue;  // no slow wave across the field
    // From the differential equations without diffusion, with l = 1: u_x = v, a k^2 b_y = i k (v^2 - c^2) l, u_y = -a b_x k^2 / (i k v)
    const Complex i(0, 1), l = 1, ux = speed;
    const Complex a = std::abs(by) > 1e-12 ? i * (speed * speed - c2) / (k * by) : Complex(0);
    const Complex uy = std::abs(by) > 1e-12 ? i * k * bx * a / speed : Complex(0);
    if (std::abs(by) <= 1e-12 && std::abs(speed * speed - c2) > 1e-12) continue;  // an Alfven wave
    const auto text = [&](const Complex& f) {
      return fmt::format("{:.17e}*cos({}*{}) + {:.17e}*sin({}*{})", amplitude * f.real(), k, x,
                         -amplitude * f.imag(), k, x);
    };
    const std::string where = fmt::format("{} wave along {}, field at {:.0f} degrees, ",
                                          fast ? "fast" : "slow", x, wave.angle * 360 / two_pi);
    for (const bool damped : {true, false}) {
      MhdCase c{.physics = turn.background(bx, by),
                .viscosity = damped ? nu : 0,
                .resistivity = damped ? eta : 0};
      c.density = "exp(" + text(l) + ")";
      c.velocity = turn.vector({text(ux), text(uy), "0"});
      c.potential = turn.vector({"0", "0", text(a)});
      make_thin(c, wave.axis, n, v.on_gpu() ? 32 : 4);
      c.dt = 0.1 * h;
      Simulation s = start(v, c);
      const auto steps = static_cast<std::int64_t>(std::lround(two_pi / (k * speed) / c.dt));
      s.step(steps);
      Matrix m{};
      m[0] = {0, -i * k1, 0, 0};
      m[1] = {-i * c2 * k1, -4.0 / 3 * c.viscosity * k2, 0, -k2 * by};
      m[2] = {0, 0, -c.viscosity * k2, k2 * bx};
      m[3] = {0, by, -bx, -c.resistivity * k2};
      Mode mode{l * amplitude / 2.0, ux * amplitude / 2.0, uy * amplitude / 2.0,
                a * amplitude / 2.0};
      for (std::int64_t step = 0; step < steps; ++step) advance(mode, m, c.dt);
      const Complex measured = coefficient(s, "lnrho", k, wave.axis);
      v.below(where + (damped ? "damped, " : "") + "deviation from the discrete solution",
              std::abs(measured - mode[0]) / std::abs(mode[0]), 1e-9);
      if (damped) continue;
      v.below(where + "phase against the differential equations after a period, radians",
              std::abs(std::arg(measured * std::exp(i * k * speed * s.t()))), 1e-5);
    }
  }
}
}  // namespace

void verify_alfven_wave(Verification& v) {
  if (v.single())
    return v.leave_out("Alfven wave",
                       "its rows are judged to 1e-9, below round-off in single precision");
  for (int axis = 0; axis < 3; ++axis) alfven_rows(v, axis, 32);
  if (v.at_least(Extent::quick)) alfven_rows(v, 0, 128);
}

void verify_magnetosonic_waves(Verification& v) {
  if (v.single())
    return v.leave_out("magnetosonic waves",
                       "an amplitude of 1e-6 is not resolved in single precision");
  const double degree = two_pi / 360;
  for (const Sonic& wave : {Sonic{30 * degree, 0}, Sonic{60 * degree, 1}, Sonic{90 * degree, 2}})
    sonic_rows(v, wave);
}

}  // namespace watersmeet::verify
