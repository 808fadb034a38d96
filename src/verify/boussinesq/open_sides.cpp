// Open sides: Poiseuille's flow, which with its pressure solves the discrete equations; the power
// that passes them, to round-off; a vortex and a warm blob that leave; order in time; sources, in
// channels of length L with both ends open, where u enters with p + u^2/2 = 0 and leaves with
// p = 0: L du/dt = -u^2/2 + L S, S the mean of the source with half a cell at each end.
#include <fmt/format.h>

#include <cmath>
#include <tuple>

#include "core/math.hpp"
#include "verify/boussinesq/groups.hpp"

namespace watersmeet::verify {

namespace {

// Flow along an axis from one end to the other, profile across the next axis. Its cells may be
// stretched along z.
void poiseuille(Verification& v, int axis, bool backwards, bool stretched, const char* solver) {
  const std::size_t along = static_cast<std::size_t>(axis), across = (along + 1) % 3;
  ConvectionCase c;
  c.cells = {8, 8, 8};
  c.cells[along] = 16;
  c.upper[along] = 2;
  c.physics = "viscosity = 1\n";
  // mg and mgcg leave a divergence of 1e-10 |u|/h, here 4.3e-10, which L^2/2 = 2 and 1/dt make
  // 1.7e-6 of the pressure at most. In single precision they leave 1e-4 |u|/h unless told otherwise; 1e-6 makes 4.3e-6 L = 8.6e-6 of the
  // velocity at most.
  const bool iterates = solver[0] == 'm';
  c.numerics = fmt::format("pressure = {{ solver = \"{}\"{} }}\n", solver,
                           iterates && v.single() ? ", tol_rel = 1e-6" : "");
  c.dt = stretched ? 2e-4 : 5e-4;
  if (stretched) c.grid = "z_stretching = 1.2\n";
  // F z (1 - z)/2 + F h^2/8 with F = 4 and h = 1/8.
  const std::string sign = backwards ? "-" : "";
  c.velocity = list_along(
      along, fmt::format("\"{0}(2*{1}*(1 - {1}) + 0.5/64)\"", sign, axis_letters[across]));
  c.boundary = fmt::format(
      "{0}_{1} = {{ velocity = [{2}] }}\n{0}_{3} = \"open\"\n{4} = \"no_slip\"\n"
      "{5} = \"periodic\"\n",
      axis_letters[axis], backwards ? "upper" : "lower", c.velocity, backwards ? "lower" : "upper",
      axis_letters[across], axis_letters[(across + 1) % 3]);
  Simulation s = start(v, c);
  const std::string variable(1, "uvw"[axis]);
  const std::vector<double> before = s.variable(variable);
  s.step(50);
  const std::string name =
      fmt::format("Poiseuille's flow {} along {}{}, {}", backwards ? "down" : "up",
                  axis_letters[axis], stretched ? ", stretched" : "", solver);
  v.below(name + ": change", largest_difference(s.variable(variable), before),
          v.single() ? 1e-5
          : iterates ? 1e-10
                     : 2e-14);
  if (stretched || v.single()) return;
  const std::vector<double> p = s.field("p");
  double worst = 0;
  for (std::size_t cell = 0; cell < p.size(); ++cell) {
    const std::size_t at[3] = {
        cell % static_cast<std::size_t>(c.cells[0]),
        cell / static_cast<std::size_t>(c.cells[0]) % static_cast<std::size_t>(c.cells[1]),
        cell / static_cast<std::size_t>(c.cells[0] * c.cells[1])};
    const double from_lower = (static_cast<double>(at[along]) + 0.5) / 8;
    const double expected = 4 * (backwards ? from_lower : 2 - from_lower);
    worst = max_or_nan(worst, std::abs(p[cell] - expected));
  }
  v.below(name + ": error of the pressure", worst, iterates ? 1.7e-6 : 1e-11);
}

// The face above the last cell along x follows from the divergence of that cell, which is 0.
struct OpenSlab {
  Index3 n;
  Real3 h;
  std::vector<double> u, v, w;
  OpenSlab(const Simulation& s, const Index3& cells, const Real3& upper)
      : n(cells), u(s.variable("u")), v(s.variable("v")), w(s.variable("w")) {
    for (std::size_t a = 0; a < 3; ++a) h[a] = upper[a] / static_cast<double>(n[a]);
  }
  std::size_t at(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return static_cast<std::size_t>((k * n[1] + (j + n[1]) % n[1]) * n[0] + i);
  }
  double face(std::int64_t i, std::int64_t j, std::int64_t k) const {
    if (i < n[0]) return u[at(i, j, k)];
    const double above = k + 1 < n[2] ? w[at(i - 1, j, k + 1)] : 0;
    return u[at(i - 1, j, k)] - h[0] * ((v[at(i - 1, j + 1, k)] - v[at(i - 1, j, k)]) / h[1] +
                                        (above - w[at(i - 1, j, k)]) / h[2]);
  }
};

// du/dt . u from one step of Euler's, with half of the faces of the sides, against what the scheme
// says: |u_n|^3/2 an area where fluid leaves and nothing where it enters for the velocity across;
// for those along the side |u_n| v^2/2 where it enters, being at rest outside, and
// |u_n| (v v_f - v^2/2) where it leaves with v_f = (3 v - v of the next cell)/2 on the face.
void power(Verification& v) {
  if (v.single())
    return v.leave_out("power through open sides", "its rounding hides the difference");
  constexpr double dt = 1e-3;
  ConvectionCase c;
  c.cells = {12, 10, 8};
  c.boundary = "x = \"open\"\ny = \"periodic\"\nz = \"free_slip\"\n";
  c.noise = "field = \"velocity\", amplitude = 1, seed = 5";
  c.dt = dt;
  Simulation s = start(v, c);
  const OpenSlab before(s, c.cells, c.upper);
  s.step(1);
  const OpenSlab after(s, c.cells, c.upper);
  long double work = 0, passed = 0;
  const std::int64_t nx = c.cells[0], ny = c.cells[1], nz = c.cells[2];
  const double volume = before.h[0] * before.h[1] * before.h[2], area = before.h[1] * before.h[2];
  for (std::int64_t k = 0; k < nz; ++k) {
    for (std::int64_t j = 0; j < ny; ++j) {
      for (std::int64_t i = 0; i <= nx; ++i) {
        const double weight = i == 0 || i == nx ? 0.5 : 1;
        work += weight * before.face(i, j, k) * (after.face(i, j, k) - before.face(i, j, k));
        if (i == nx) continue;
        const std::size_t at = before.at(i, j, k);
        work += before.v[at] * (after.v[at] - before.v[at]) +
                before.w[at] * (after.w[at] - before.w[at]);
      }
      for (const std::int64_t i : {std::int64_t{0}, nx}) {
        const std::int64_t cell = i == 0 ? 0 : nx - 1, outward = i == 0 ? -1 : 1;
        const double through = static_cast<double>(outward) * before.face(i, j, k);
        if (through > 0) passed += 0.5 * through * through * through;
        const auto carried = [&](const std::vector<double>& values, double velocity) {
          const double here = values[before.at(cell, j, k)],
                       further = values[before.at(cell - outward, j, k)];
          const double leaving = velocity * static_cast<double>(outward);
          return leaving > 0 ? leaving * here * (here - 0.5 * further)
                             : -0.5 * leaving * here * here;
        };
        passed += carried(before.v, 0.5 * (before.face(i, j - 1, k) + before.face(i, j, k)));
        if (k == 0) continue;
        passed += carried(before.w, 0.5 * (before.face(i, j, k - 1) + before.face(i, j, k)));
      }
    }
  }
  v.near("power through open sides over that of the scheme",
         -static_cast<double>(work) * volume / dt / (static_cast<double>(passed) * area), 1, 1e-10);
}

// All sides open, fluid going in and out: without forces the energy only falls.
void energy_falls(Verification& v) {
  ConvectionCase c;
  c.cells = {16, 12, 10};
  c.physics = "viscosity = 1e-3\n";
  c.scheme = "rk3";
  c.boundary = "x = \"open\"\ny = \"open\"\nz = \"open\"\n";
  c.velocity = "\"sin(2*pi*z)\", \"sin(2*pi*x)\", \"sin(2*pi*y)\"";
  c.noise = "field = \"velocity\", amplitude = 0.5, seed = 3";
  Simulation s = start(v, c);
  double energy = s.diagnostics().at("kinetic_energy"), divergence = 0, risen = 0;
  for (int n = 0; n < 80; ++n) {
    s.step(1);
    const auto row = s.diagnostics();
    risen = max_or_nan(risen, row.at("kinetic_energy") - energy);
    energy = row.at("kinetic_energy");
    divergence = max_or_nan(divergence, row.at("divergence_max"));
  }
  v.below("box open on all sides: largest rise of the energy in a step", risen, 0);
  v.below("box open on all sides: largest divergence", divergence, v.single() ? 2e-4 : 1e-12);
}

// A vortex and a warm blob in an even flow U = 1 between slipping walls a height of 1 apart.
Simulation passing(const Verification& v) {
  ConvectionCase c;
  c.cells = {128, 1, 64};
  c.upper = {2, 1, 1};
  c.scheme = "rk3";
  c.cfl = 0.8;
  const std::string hump = "exp(-((x - 1.2)^2 + (z - 0.5)^2)/0.0128)";  // 2 sigma^2, sigma = 0.08
  c.velocity = fmt::format("\"1 - 5*(z - 0.5)*{0}\", \"0\", \"5*(x - 1.2)*{0}\"", hump);
  c.temperature = hump;
  c.boundary =
      "x_lower = { velocity = [1, 0, 0], temperature = 0 }\nx_upper = \"open\"\n"
      "y = \"periodic\"\nz = \"free_slip\"\n";
  return start(v, c);
}

double disturbance(const Simulation& s) {
  double sum = 0;
  for (const double u : s.variable("u")) sum += (u - 1) * (u - 1);
  for (const double w : s.variable("w")) sum += w * w;
  return sum;
}

void leaving(Verification& v) {
  // While u > 0 on the open side and nothing comes in disturbed, energy of the disturbance can only
  // leave.
  Simulation s = passing(v);
  const double at_start = disturbance(s), heat = s.diagnostics().at("temperature_mean");
  double largest = 0;
  for (const double t : {0.2, 0.4, 0.6, 0.8, 1.0, 1.2}) {
    s.advance_to(t);
    largest = max_or_nan(largest, disturbance(s));
  }
  v.below("vortex that leaves: largest energy of the disturbance over that of the start",
          largest / at_start, 1 + 1e-3);
  // Waves of 1/sigma lag by (h/sigma)^2/6 < 1 %: five radii behind the centre have passed.
  v.below("warm blob that left: part of its heat that is left",
          std::abs(s.diagnostics().at("temperature_mean") / heat), 1e-4);
  // A wave of k comes back from the side as one of cell size, tan(k h/2)^2 of it (README.md). For w
  // of this vortex, whose energy has the spectrum k^2 exp(-(k sigma)^2) along x, that is 15/64
  // (h/sigma)^4 of its energy, or half as much of all. Half more for the velocities of the vortex.
  s.advance_to(1.8);
  v.below("vortex that left: energy that came back over that of the start",
          disturbance(s) / at_start, 1.5 * 15 / 128 * std::pow(1 / (64 * 0.08), 4));
}

Simulation disturbed_channel(const Verification& v, const std::string& scheme, double dt) {
  ConvectionCase c;
  c.cells = {24, 1, 12};
  c.upper = {2, 1, 1};
  c.physics = "viscosity = 0.02\ndiffusivity = 0.02\nbuoyancy = 1\n";
  c.scheme = scheme;
  c.dt = dt;
  c.velocity = "\"1 + 0.1*sin(pi*x)*cos(2*pi*z)\", \"0\", \"0\"";
  c.temperature = "0.3*exp(-10*((x - 1.5)^2 + (z - 0.5)^2))";
  c.boundary =
      "x_lower = { velocity = [1, 0, 0], temperature = 0 }\nx_upper = \"open\"\ny = \"periodic\"\n"
      "z = \"free_slip\"\n";
  Simulation s = start(v, c);
  s.advance_to(0.4);
  return s;
}

void open_side_order(Verification& v) {
  if (v.single())
    return v.leave_out("order in time with an open side", "differences are below round-off");
  judge_order_in_time(v, {"u", "w", "temperature"}, disturbed_channel,
                      "{0} with an open side, {1}: order in time");
}

// The largest deviation of the velocity along an axis, of all cells, from a value.
double channel_error(const Verification& v, std::size_t along, const std::string& source,
                     const std::string& scheme, double initial, double dt, double expected,
                     double& divergence) {
  ConvectionCase c;
  c.cells = {5, 4, 4};
  c.cells[along] = 12;
  c.upper = {2, 2, 2};
  c.upper[along] = 6;
  c.scheme = scheme;
  c.dt = dt;
  c.velocity = list_along(along, fmt::format("{}", initial));
  c.source = fmt::format("velocity = [{}]\n", list_along(along, "\"" + source + "\""));
  for (std::size_t a = 0; a < 3; ++a)
    c.boundary += fmt::format("{} = \"{}\"\n", axis_letters[a], a == along ? "open" : "free_slip");
  Simulation s = start(v, c);
  s.step(static_cast<std::int64_t>(std::round(2 / dt)));
  divergence = s.diagnostics().at("divergence_max");
  double worst = 0;
  for (const double u : component(s.field("velocity"), static_cast<int>(along)))
    worst = max_or_nan(worst, std::abs(u - expected));
  return worst;
}

void driven_channels(Verification& v) {
  for (std::size_t a = 0; a < 3; ++a) {
    // What the ends take is given back, the wave has no mean with half cells at the ends, and the
    // difference of the time from that of the velocity is 0: the rest is the rate.
    const std::string u = fmt::format("velocity.{}", axis_letters[a]);
    const std::string source = fmt::format(
        "0.4 + 0.2*cos(2*pi*{}/6) + 0.1*(t - {}/0.4 + 2.5) + {}^2/12", axis_letters[a], u, u);
    const std::string name = fmt::format("source in a channel along {}", axis_letters[a]);
    double divergence = 0;
    const double error = channel_error(v, a, source, "ab2", 1, 0.1, 1.8, divergence);
    v.below(name + ": largest error of the velocity", error, v.single() ? 3e-6 : 1e-13);
    v.below(name + ": largest divergence", divergence, v.single() ? 1e-5 : 1e-13);
  }
  if (v.single()) return;
  // From rest under a force of 1: u = root(2 L) tanh(t/root(2 L)).
  const double root = std::sqrt(12.0), expected = root * std::tanh(2 / root);
  for (const auto& [scheme, order, tolerance] :
       {std::tuple{"ab2", 2.0, 0.3}, std::tuple{"rk3", 3.0, 0.3}}) {
    double divergence = 0;
    const double coarse = channel_error(v, 0, "1", scheme, 0, 0.05, expected, divergence),
                 fine = channel_error(v, 0, "1", scheme, 0, 0.025, expected, divergence);
    v.near(fmt::format("{}, channel from rest: order in time", scheme), order_of(coarse, fine),
           order, tolerance);
  }
}
}  // namespace

void verify_open_sides(Verification& v) {
  for (int axis = 0; axis < 3; ++axis) {
    for (const bool backwards : {false, true}) poiseuille(v, axis, backwards, false, "auto");
  }
  for (const char* solver : {"gemm", "mg", "mgcg"}) poiseuille(v, 0, false, false, solver);
  poiseuille(v, 2, false, true, "auto");
  power(v);
  energy_falls(v);
  leaving(v);
  open_side_order(v);
  driven_channels(v);
}

}  // namespace watersmeet::verify
