// Friction and rotation of water that is the same everywhere, against closed solutions:
//   linear friction   u = u0 exp(-r t), and turning by -f t meanwhile in a rotating frame
//   Manning           u = u0 / (1 + k u0 t), k = g n^2 / h^(4/3), and drag likewise with c_d / h
//   rotation          (u, v) turns by -f t
// Beside its order the error is that of the scheme's recurrence for one velocity, computed here from
// the table of the scheme: with z the friction rate of the stage times its Euler step, a stage adds
//   (R - c u) (1 + z + z^2)/(1 + z + z^2 + z^3),   R = -i f u,   c = friction rate at |u|
#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <functional>

#include "schemes/tableau.hpp"
#include "verify/shallow_water/groups.hpp"

namespace watersmeet::verify {

namespace {
constexpr double h = 2, u0 = 3, end = 2;

Simulation uniform_flow(const Verification& v, const std::string& physics, std::int64_t steps,
                        const std::string& scheme) {
  WaterCase c;
  c.cells = {5, 4, 1};
  c.bed = "-2";
  c.physics = physics;
  c.velocity = {number(u0), "0"};
  c.boundary = "x = \"periodic\"\ny = \"periodic\"\n";
  c.scheme = scheme;
  c.dt = end / static_cast<double>(steps);
  Simulation s = start(v, c);
  s.step(steps);
  return s;
}

// u + i v at the end by the recurrence of a scheme, where friction is c(|u|) and the frame turns.
std::complex<double> by_recurrence(const std::string& scheme, std::int64_t steps, double f,
                                   const std::function<double(double)>& friction) {
  const double dt = end / static_cast<double>(steps);
  std::complex<double> u = u0;
  const auto rate = [&](double euler_step) {
    const double c = friction(std::abs(u)), z = euler_step * dt * c;
    return std::complex<double>(-c, -f) * u * (1 + z + z * z) / (1 + z + z * z + z * z * z);
  };
  for (std::int64_t n = 0; n < steps; ++n) {
    const std::complex<double> begun = u;
    for (const schemes::SspScheme& table : schemes::ssp_schemes()) {
      for (std::size_t m = 0; table.name == scheme && m < table.a.size(); ++m) {
        u += table.a[m] * (begun - u) + table.b[m] * dt * rate(table.largest_euler);
      }
    }
    for (const schemes::LowStorageScheme& table : schemes::low_storage_schemes()) {
      std::complex<double> increment = 0;
      for (std::size_t m = 0; table.name == scheme && m < table.alpha.size(); ++m) {
        increment = table.alpha[m] * increment + dt * rate(1);
        u += table.beta[m] * increment;
      }
    }
  }
  return u;
}

// `exact` is u + i v at the end.
void friction_rows(Verification& v, const std::string& name, const std::string& physics, double f,
                   const std::function<double(double)>& friction, std::complex<double> exact) {
  const struct {
    const char* scheme;
    int order;  // of friction, which is of no more than the third
  } schemes[] = {{"ssp-rk2", 2}, {"ssp-rk3", 3}, {"ssp-rk43", 3}, {"rk4-carpenter-kennedy", 3}};
  for (const auto& [scheme, order] : schemes) {
    const auto error = [&](std::int64_t steps) {
      const std::vector<double> velocity =
          uniform_flow(v, physics, steps, scheme).field("velocity");
      return std::abs(std::complex<double>(velocity[0], velocity[1]) - exact);
    };
    const double coarse = error(40), fine = error(80);
    v.near(fmt::format("{}, {}, order in time", name, scheme), order_of(coarse, fine), order, 0.2);
    v.near_relative(fmt::format("{}, {}, 80 steps, error over the predicted one", name, scheme),
                    fine / std::abs(by_recurrence(scheme, 80, f, friction) - exact), 1, 1e-4);
  }
}

// Uniform flow down a slope, where gravity balances Manning's friction: nothing changes, the sides
// included. h^(5/3) = n q / sqrt(S).
void slope_rows(Verification& v, const std::string& name, const std::string& lower,
                const std::string& upper, double slope, bool wet_dry, int axis) {
  constexpr double n = 0.03, q = 1, length = 100;
  const double depth = std::pow(n * q / std::sqrt(slope), 0.6), u = q / depth;
  const std::string x(1, "xy"[axis]);
  const std::string velocity =
      axis == 0 ? fmt::format("[{}, 0, 0]", number(u)) : fmt::format("[0, {}, 0]", number(u));
  const auto side = [&](const std::string& kind, double at) {
    std::string words = fmt::format("{{ kind = \"{}\"", kind);
    if (kind != "open" && kind != "flow") {
      words += fmt::format(", surface = {}", number(depth - slope * at));
    }
    if (kind != "open" && kind != "level") words += ", velocity = " + velocity;
    return words + " }\n";
  };
  WaterCase c;
  c.cells[static_cast<std::size_t>(axis)] = 25;
  c.upper[static_cast<std::size_t>(axis)] = length;
  c.bed = fmt::format("-{}*{}", number(slope), x);
  c.surface = fmt::format("{} - {}*{}", number(depth), number(slope), x);
  c.velocity[static_cast<std::size_t>(axis)] = number(u);
  c.physics = fmt::format("friction = {{ manning = {} }}\n", n);
  c.wet_dry = wet_dry;
  c.boundary = x + "_lower = " + side(lower, 0) + x + "_upper = " + side(upper, length);
  Simulation s = start(v, c);
  s.advance_to(100);
  v.below(fmt::format("uniform flow down a slope, {}, relative error of the depth", name),
          largest_deviation(s.field("depth"), depth), 1e-12);
}
}  // namespace

void verify_water_sources(Verification& v) {
  if (v.single())
    return v.leave_out("friction and rotation",
                       "orders of convergence are measured in double precision");
  const double left = u0 * std::exp(-0.3 * end);
  const auto linear = [](double) { return 0.3; };
  friction_rows(v, "linear friction", "friction = { linear = 0.3 }\n", 0, linear, left);
  friction_rows(v, "linear friction in a rotating frame",
                "friction = { linear = 0.3 }\ncoriolis = { f = 1.5 }\n", 1.5, linear,
                std::polar(left, -1.5 * end));
  const double n = 0.1, k = g * n * n / std::pow(h, 4.0 / 3), c_d = 0.05 / h;
  const auto manning = [&](double speed) { return k * speed; };
  friction_rows(v, "Manning", "friction = { manning = 0.1 }\n", 0, manning,
                u0 / (1 + k * u0 * end));
  const auto drag = [&](double speed) { return c_d * speed; };
  friction_rows(v, "drag", "friction = { drag = 0.05 }\n", 0, drag, u0 / (1 + c_d * u0 * end));
  slope_rows(v, "flow and level", "flow", "level", 1e-3, false, 0);
  slope_rows(v, "flow and open, dry cells allowed", "flow", "open", 1e-3, true, 1);
  slope_rows(v, "far and far", "far", "far", 1e-3, false, 1);
  slope_rows(v, "faster than waves, inflow and open", "inflow", "open", 0.05, false, 0);
  const struct {
    const char* scheme;
    int order;
  } schemes[] = {{"ssp-rk2", 2}, {"ssp-rk3", 3}, {"ssp-rk43", 3}, {"rk4-carpenter-kennedy", 4}};
  for (const auto& [scheme, order] : schemes) {
    const auto error = [&](std::int64_t steps) {
      const double f = 1.5;
      const Simulation s =
          uniform_flow(v, fmt::format("coriolis = {{ f = {} }}\n", f), steps, scheme);
      const std::vector<double> u = s.field("velocity");
      return std::hypot(u[0] - u0 * std::cos(f * end), u[1] + u0 * std::sin(f * end)) / u0;
    };
    v.near(fmt::format("{}, order in time of a rotating flow", scheme),
           order_of(error(40), error(80)), order, 0.1);
  }
}

}  // namespace watersmeet::verify
