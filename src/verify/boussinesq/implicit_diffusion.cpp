// Implicit diffusion with steps far above the limit of explicit diffusion: a decaying mode as the scheme and as the equation of heat say, Couette's
// flow as it settles on uneven cells, the order in time of convection in a box, and a heated cavity, whose steady state is that of explicit
// diffusion and whose Nusselt number is that of heated_cavity.cpp.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "core/math.hpp"
#include "verify/boussinesq/groups.hpp"

namespace watersmeet::verify {

namespace {
using std::numbers::pi;

// -1 times the second difference of sin(pi m x) on n cells of a unit length, over it.
double eigenvalue(std::int64_t n, int m) {
  return sq(2 * static_cast<double>(n) * std::sin(pi * m / (2 * static_cast<double>(n))));
}

// A mode between sides of value 0 along x and z and of gradient 0 along y, periodic in none; its amplitude at t = 0.1 over that at 0.
double amplitude(const Verification& v, double dt) {
  ConvectionCase c;
  c.cells = {20, 12, 16};
  c.physics = "viscosity = 1\ndiffusivity = 1\n";
  c.numerics = "diffusion = \"implicit\"\nimplicit_axes = \"xyz\"\n";
  c.dt = dt;
  c.temperature = "sin(pi*x)*cos(2*pi*y)*sin(pi*z)";
  c.boundary =
      "x = { kind = \"no_slip\", temperature = 0 }\nz = { kind = \"no_slip\", temperature = 0 }\n";
  Simulation s = start(v, c);
  const std::vector<double> before = s.variable("temperature");
  s.advance_to(0.1);
  const std::vector<double> after = s.variable("temperature");
  double product = 0, square = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    product += before[i] * after[i];
    square += sq(before[i]);
  }
  return product / square;
}

void decay(Verification& v) {
  const double lambda[3] = {eigenvalue(20, 1), eigenvalue(12, 2), eigenvalue(16, 1)};
  const double sum = lambda[0] + lambda[1] + lambda[2];
  double error[2] = {}, scheme = 0;
  for (int level = 0; level < 2; ++level) {
    const int steps = level == 0 ? 20 : 40;
    const double dt = 0.1 / steps;
    double factor = 1;
    for (const double l : lambda) factor *= 1 + dt * l / 2;
    const double a = amplitude(v, dt);
    scheme = max_or_nan(scheme, std::abs(a / std::pow(1 - dt * sum / factor, steps) - 1));
    error[level] = std::abs(a - std::exp(-0.1 * sum));
  }
  v.below("decay of a mode, 16 and 8 times the explicit limit: amplitude over that of the scheme",
          scheme, v.single() ? 2e-5 : 1e-12);
  if (!v.single()) v.near("decay of a mode: order in time", order_of(error[0], error[1]), 2, 0.1);
}

// A cell of flow between sides without friction, so weak that it does not carry itself; its amplitude after 10 steps over that of the scheme, less 1.
double decay_of_flow(const Verification& v, const std::string& axes) {
  constexpr std::int64_t nx = 20, nz = 16;
  ConvectionCase c;
  c.cells = {nx, 1, nz};
  c.physics = "viscosity = 1\n";
  c.numerics = "diffusion = \"implicit\"\nimplicit_axes = \"" + axes + "\"\n";
  c.dt = axes == "xz" ? 5e-3 : 5e-4;
  const auto width = [](std::int64_t n) {
    return std::sin(pi / (2 * static_cast<double>(n))) * static_cast<double>(n);
  };
  c.velocity =
      fmt::format("\"{:.17g}*sin(pi*x)*cos(pi*z)\", \"0\", \"{:.17g}*cos(pi*x)*sin(pi*z)\"",
                  1e-6 / width(nx), -1e-6 / width(nz));
  c.boundary = "x = \"free_slip\"\ny = \"periodic\"\nz = \"free_slip\"\n";
  Simulation s = start(v, c);
  const double before = largest_magnitude(s.variable("w"));
  s.step(10);
  const double lambda[2] = {eigenvalue(nx, 1), eigenvalue(nz, 1)};
  double scheme = 1, previous = 1;  // amplitudes
  for (int step = 0; step < 10; ++step) {
    double implicit = 0, others = 0, factor = 1;
    for (int a = 0; a < 2; ++a) {
      const bool taken = axes.find(a == 0 ? 'x' : 'z') != std::string::npos;
      (taken ? implicit : others) += lambda[a];
      if (taken) factor *= 1 + c.dt * lambda[a] / 2;
    }
    const double rate = step == 0 ? scheme : 1.5 * scheme - 0.5 * previous;
    previous = scheme;
    scheme -= c.dt * (implicit * scheme + others * rate) / factor;
  }
  return std::abs(largest_magnitude(s.variable("w")) / before / scheme - 1);
}

// u = z + sin(pi z) exp(-pi^2 nu t), along a moving side, on n uneven cells with n steps: largest error.
double couette_error(const Verification& v, std::int64_t n, bool periodic_x) {
  ConvectionCase c;
  c.cells = {4, 1, n};
  c.grid = "z_stretching = 1.5\n";
  c.physics = "viscosity = 1\ndiffusivity = 1\n";
  c.numerics =
      fmt::format("diffusion = \"implicit\"\nimplicit_axes = \"{}\"\n", periodic_x ? "xz" : "z");
  c.dt = 0.1 / static_cast<double>(n);
  c.velocity = "\"z + sin(pi*z)\", \"0\", \"0\"";
  c.boundary = "x = \"periodic\"\ny = \"periodic\"\nz_upper = { velocity = [1, 0, 0] }\n";
  Simulation s = start(v, c);
  s.advance_to(0.1);
  const std::vector<double> u = s.variable("u");
  double largest = 0;
  const std::vector<double> z = s.coordinates_of("u")[2];
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double at = z[i / 4], exact = at + std::sin(pi * at) * std::exp(-sq(pi) * s.t());
    largest = max_or_nan(largest, std::abs(u[i] - exact));
  }
  return largest;
}

void decaying_flow(Verification& v) {
  for (const std::string axes : {"xz", "x", "z"}) {
    v.below(
        fmt::format("decay of a cell of flow, implicit along {}: amplitude over that of the scheme",
                    axes),
        decay_of_flow(v, axes), v.single() ? 2e-5 : 1e-11);
  }
}

void couette(Verification& v) {
  if (v.single()) return;
  for (const bool periodic_x : {false, true}) {
    const double coarse = couette_error(v, 16, periodic_x), fine = couette_error(v, 32, periodic_x);
    v.near(fmt::format("Couette's flow settling on uneven cells, implicit {}: order",
                       periodic_x ? "along x, periodic, and z" : "along z"),
           order_of(coarse, fine), 2, 0.1);
  }
}

// Convection in 20 to 80 steps of 26 to 6 times the limit of explicit diffusion. Velocity and temperature are judged, not the pressure, whose order is lower.
Simulation convection(const Verification& v, int steps) {
  ConvectionCase c;
  c.cells = {24, 1, 24};
  c.grid = "x_stretching = 1.2\nz_stretching = 1.2\n";
  c.physics = "viscosity = 0.5\ndiffusivity = 0.7\nbuoyancy = 50\n";
  c.numerics = "diffusion = \"implicit\"\nimplicit_axes = \"xz\"\n";
  c.dt = 0.08 / steps;
  c.temperature = "0.5 - x + 0.2*sin(pi*x)*cos(pi*z)";
  c.velocity = "\"pi*sin(pi*x)^2*sin(2*pi*z)\", \"0\", \"-pi*sin(2*pi*x)*sin(pi*z)^2\"";
  c.boundary =
      "x_lower = { temperature = 0.5 }\nx_upper = { temperature = -0.5 }\ny = \"periodic\"\n"
      "z = \"no_slip\"\n";
  Simulation s = start(v, c);
  s.advance_to(0.08);
  return s;
}

void implicit_order(Verification& v) {
  if (v.single()) return;
  const Simulation s[3] = {convection(v, 20), convection(v, 40), convection(v, 80)};
  for (const char* name : {"u", "w", "temperature"}) {
    const double coarse = rms_difference(s[0].variable(name), s[1].variable(name)),
                 fine = rms_difference(s[1].variable(name), s[2].variable(name));
    v.near(fmt::format("convection in a box, {}: order in time", name), order_of(coarse, fine), 2,
           0.15);
  }
}

Simulation cavity(const Verification& v, std::int64_t n, const std::string& numerics) {
  ConvectionCase c;
  c.cells = {n, 1, n};
  c.grid = "x_stretching = 1.5\nz_stretching = 1.5\n";
  c.physics = "rayleigh = 1e4\nprandtl = 0.71\nscaling = \"diffusive\"\n";
  c.numerics = numerics;
  c.temperature = "0.5 - x";
  c.boundary =
      "x_lower = { temperature = 0.5 }\nx_upper = { temperature = -0.5 }\ny = \"periodic\"\n"
      "z = \"no_slip\"\n";
  Simulation s = start(v, c);
  settle(s, "nusselt_lower", {.piece = 0.05, .change = 1e-9, .most = 3, .least = 0.1});
  return s;
}

void heated_cavity(Verification& v) {
  if (v.single() || !v.at_least(Extent::quick)) return;
  const std::string implicit = "diffusion = \"implicit\"\nimplicit_axes = \"xz\"\n";
  const Simulation coarse = cavity(v, 16, implicit), fine = cavity(v, 32, implicit),
                   explicit_one = cavity(v, 16, "");
  const auto nusselt = [](const Simulation& s) { return s.diagnostics().at("nusselt_lower"); };
  v.near_relative("heated cavity, Ra = 1e4: Nusselt number, limit of 16^2 and 32^2",
                  (4 * nusselt(fine) - nusselt(coarse)) / 3, 2.244816, 1e-3);
  const std::vector<double> w = explicit_one.variable("w");
  v.below("heated cavity, 16^2: w beside that of explicit diffusion, over the largest",
          largest_difference(coarse.variable("w"), w) / largest_magnitude(w), 1e-7);
}
}  // namespace

void verify_implicit_diffusion(Verification& v) {
  decay(v);
  decaying_flow(v);
  couette(v);
  implicit_order(v);
  heated_cavity(v);
}

}  // namespace watersmeet::verify
