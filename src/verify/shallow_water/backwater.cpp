// Water that is held back: down a slope S the depth of a steady flow q per width, with Manning's
// friction, grows towards a weir (backwater curve),
//   dh/dx = (S - n^2 u^2/h^(4/3))/(1 - u^2/(g h)),  u = q/h
// which is integrated upstream from the depth at the weir by the classical scheme of fourth order.
// The sides prescribe u above and the surface below. They continue the depth as if it were uniform,
// so that the error is of first order: this is the number of that error.
#include <fmt/format.h>

#include <cmath>

#include "verify/shallow_water/groups.hpp"

namespace watersmeet::verify {

namespace {
constexpr double manning = 0.03, slope = 0.002, discharge = 2, length = 2000, weir = 2;

double rise(double h) {
  const double u = discharge / h;
  return (slope - manning * manning * u * u / std::pow(h, 4.0 / 3)) / (1 - u * u / (g * h));
}

// Depths at the ends of 2 n pieces of the channel, from the weir upwards.
std::vector<double> exact_depths(std::int64_t n) {
  constexpr int steps = 8;
  const double d = -length / static_cast<double>(2 * n * steps);
  std::vector<double> depths = {weir};
  for (std::int64_t piece = 0; piece < 2 * n; ++piece) {
    double h = depths.back();
    for (int i = 0; i < steps; ++i) {
      const double a = rise(h), b = rise(h + d / 2 * a), c = rise(h + d / 2 * b);
      h += d / 6 * (a + 2 * b + 2 * c + rise(h + d * c));
    }
    depths.push_back(h);
  }
  return depths;
}

struct BackwaterErrors {
  double mean = 0, at_weir = 0, inside = 0;
};

BackwaterErrors hold_back(const Verification& v, std::int64_t n, int axis) {
  const std::size_t along = static_cast<std::size_t>(axis);
  const char x = "xy"[axis];
  const std::vector<double> exact = exact_depths(n);
  const double first = exact.back(), entering = discharge / first;
  std::array<double, 3> velocity{};
  velocity[along] = entering;
  WaterCase c;
  c.cells[along] = n;
  c.upper[along] = length;
  c.gravity = g;
  c.bed = fmt::format("-{}*{}", slope, x);
  c.physics = fmt::format("friction = {{ manning = {} }}\n", manning);
  c.surface = fmt::format("-{}*{} + {}", slope, x, number(first));
  c.velocity[along] = number(entering);
  c.boundary = fmt::format(
      "{0}_lower = {{ kind = \"flow\", velocity = [{1:.17e}, {2:.17e}, 0] }}\n"
      "{0}_upper = {{ kind = \"level\", surface = {3} }}\n",
      x, velocity[0], velocity[1], weir - slope * length);
  Simulation s = start(v, c);
  s.advance_to(15000);  // steady to 1e-9 m
  const std::vector<double> h = s.field("depth");
  BackwaterErrors e;
  for (std::size_t i = 0; i < h.size(); ++i) {
    const double error = std::abs(h[i] - exact[2 * (h.size() - i) - 1]);
    e.mean += error / (weir * static_cast<double>(n));
    if (i == h.size() / 2) e.inside = error / weir;
    if (i + 1 == h.size()) e.at_weir = error / weir;
  }
  return e;
}
}  // namespace

void verify_backwater(Verification& v) {
  const BackwaterErrors coarse = hold_back(v, 50, 0), fine = hold_back(v, 100, 1);
  v.below("N = 100, mean error of h over that at the weir", fine.mean, 3e-4);
  v.below("N = 100, error of h half way over that at the weir", fine.inside, 5e-5);
  v.below("N = 100, error of h beside the weir over that at the weir", fine.at_weir, 2e-3);
  v.within("order of the mean error from N = 50 to 100", order_of(coarse.mean, fine.mean), 0.95,
           1.3);
  v.within("order of the error beside the weir from N = 50 to 100",
           order_of(coarse.at_weir, fine.at_weir), 0.95, 1.1);
}

}  // namespace watersmeet::verify
