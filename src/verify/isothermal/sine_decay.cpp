// A shear wave u = u0 sin(k x) e_y decays as exp(-nu k^2 t), an exact solution of the
// full nonlinear equations. On the grid k^2 becomes K2, the symbol of the second derivative, so
// that the error is known in closed form:
//   RMS = u0/sqrt(2) | exp(-nu K2 t) - exp(-nu k^2 t) |,
//   K2 h^2 = (490 - 540 cos kh + 54 cos 2kh - 4 cos 3kh) / 180.
#include <fmt/format.h>

#include <cmath>

#include "verify/isothermal/groups.hpp"

namespace watersmeet::verify {

namespace {
constexpr double k_shear = 13, nu_shear = 1e-3, u0 = 0.1, t_end = 1.5;
constexpr const char* names[] = {"x", "y", "z"};

double predicted(std::int64_t n) {
  const double k2 = second_symbol(k_shear, two_pi / static_cast<double>(n));
  return u0 / std::sqrt(2.0) *
         std::abs(std::exp(-nu_shear * k2 * t_end) -
                  std::exp(-nu_shear * k_shear * k_shear * t_end));
}

// RMS error of a wave along `axis` with its velocity along `across`.
double measured(const Verification& v, const std::string& method, std::int64_t n, int axis,
                int across) {
  VerifyCase c{.viscosity = nu_shear, .method = method, .cfl = 0.4};
  // Boxes of 32 points across are wide enough for every loop schedule of a GPU.
  make_thin(c, axis, n, v.on_gpu() ? 32 : 4);
  c.velocity[static_cast<std::size_t>(across)] =
      fmt::format("{}*sin({}*{})", u0, k_shear, names[axis]);
  Simulation s = start(v, c);
  s.advance_to(t_end);
  const std::vector<double> u = s.variable(fmt::format("u{}", names[across]));
  const auto cells = s.cells();
  const double amplitude = u0 * std::exp(-nu_shear * k_shear * k_shear * t_end);
  std::vector<double> error(u.size());
  for (std::size_t p = 0; p < u.size(); ++p) {
    const std::size_t nx = static_cast<std::size_t>(cells[0]),
                      ny = static_cast<std::size_t>(cells[1]);
    const std::size_t index[3] = {p % nx, p / nx % ny, p / (nx * ny)};
    const double x = two_pi * static_cast<double>(index[axis]) / static_cast<double>(n);
    error[p] = u[p] - amplitude * std::sin(k_shear * x);
  }
  return rms(error);
}

// In single precision the truncation error of fine grids is below round-off, which is about 4e-8.
void single_rows(Verification& v, const std::string& method) {
  for (const std::int64_t n : {32, 64, 128}) {
    v.near_relative(fmt::format("{}, N = {}, RMS error", method, n), measured(v, method, n, 0, 1),
                    predicted(n), 0.01);
  }
  for (const std::int64_t n : {256, 512}) {
    v.below(fmt::format("{}, N = {}, RMS error at the round-off floor", method, n),
            measured(v, method, n, 0, 1), 6e-8);
  }
}
}  // namespace

void verify_sine_decay(Verification& v) {
  for (const std::string& method : verify_methods) {
    if (v.single()) {
      single_rows(v, method);
      continue;
    }
    for (int axis = 0; axis < 3; ++axis) {
      for (int across = 0; across < 3; ++across) {
        if (across == axis) continue;
        // Extent::brief takes all grids in one direction, which show the order. Two grids show that the
        // other directions have the same errors.
        const bool all = v.at_least(Extent::quick) || (axis == 0 && across == 1);
        double coarser = 0, slope = 0;
        for (const std::int64_t n : {32, 64, 128, 256, 512}) {
          if (!all && n != 64 && n != 128) continue;
          const double error = measured(v, method, n, axis, across);
          v.near_relative(
              fmt::format("{}, u{}({}), N = {}, RMS error", method, names[across], names[axis], n),
              error, predicted(n), 0.01);
          slope = order_of(coarser, error);
          coarser = error;
        }
        if (all)
          v.above(fmt::format("{}, u{}({}), order from N = 256 to 512", method, names[across],
                              names[axis]),
                  slope, 5.9);
      }
    }
  }
}

}  // namespace watersmeet::verify
