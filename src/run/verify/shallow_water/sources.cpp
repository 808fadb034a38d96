// Friction and rotation of water that is the same everywhere, against closed solutions:
//   linear friction   u = u0 exp(-r t), and turning by -f t meanwhile in a rotating frame
//   Manning           u = u0 / (1 + k u0 t), k = g n^2 / h^(4/3), and drag likewise with c_d / h
//   rotation          (u, v) turns by -f t
#include <fmt/format.h>

#include <cmath>

#include "core/math.hpp"
#include "run/verify/shallow_water/groups.hpp"

namespace watersmeet::run {

namespace {
constexpr double g = 9.81, h = 2, u0 = 3, end = 2;

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

// Relative error of the velocity (u, v) at the end.
double friction_error(const Verification& v, const std::string& physics, const std::string& scheme,
                      std::int64_t steps, double u, double w) {
  const Simulation s = uniform_flow(v, physics, steps, scheme);
  const std::vector<double> velocity = s.field("velocity");
  return std::hypot(velocity[0] - u, velocity[1] - w) / std::hypot(u, w);
}

void friction_rows(Verification& v, const std::string& name, const std::string& physics, double u,
                   double w) {
  const struct {
    const char* scheme;
    int order;  // of friction, which is of no more than the third
  } schemes[] = {{"ssp-rk2", 2}, {"ssp-rk3", 3}, {"ssp-rk43", 3}, {"rk4-carpenter-kennedy", 3}};
  for (const auto& [scheme, order] : schemes) {
    const double coarse = friction_error(v, physics, scheme, 40, u, w);
    const double fine = friction_error(v, physics, scheme, 80, u, w);
    v.near(fmt::format("{}, {}, order in time", name, scheme), order_of(coarse, fine), order, 0.2);
    v.below(fmt::format("{}, {}, 80 steps, relative error", name, scheme), fine, 1e-3);
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
  double worst = 0;
  for (const double here : s.field("depth")) worst = max_or_nan(worst, std::abs(here / depth - 1));
  v.below(fmt::format("uniform flow down a slope, {}, relative error of the depth", name), worst,
          1e-12);
}
}  // namespace

void verify_water_sources(Verification& v) {
  v.begin_group("friction and rotation");
  if (v.single()) {
    v.leave_out("friction and rotation", "orders of convergence are measured in double precision");
    return;
  }
  friction_rows(v, "linear friction", "friction = { linear = 0.3 }\n", u0 * std::exp(-0.3 * end),
                0);
  const double turned = 1.5 * end, left = u0 * std::exp(-0.3 * end);
  friction_rows(v, "linear friction in a rotating frame",
                "friction = { linear = 0.3 }\ncoriolis = { f = 1.5 }\n", left * std::cos(turned),
                -left * std::sin(turned));
  const double n = 0.1, k = g * n * n / std::pow(h, 4.0 / 3);
  friction_rows(v, "Manning", "friction = { manning = 0.1 }\n", u0 / (1 + k * u0 * end), 0);
  friction_rows(v, "drag", "friction = { drag = 0.05 }\n", u0 / (1 + 0.05 / h * u0 * end), 0);
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

}  // namespace watersmeet::run
