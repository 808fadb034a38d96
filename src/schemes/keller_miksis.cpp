#include "schemes/keller_miksis.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace watersmeet::schemes {
namespace {

struct Rate {
  double radius, speed;
};

// The equation solved for U'; dp_B/dt = -3 gamma p_B U / R.
Rate rate(const Bubble& b, double R, double U) {
  const double c = b.sound_speed, rho = b.liquid_density;
  const double p = b.gas_pressure * std::pow(b.radius / R, 3 * b.gamma);
  const double dp_dt = -3 * b.gamma * p * U / R;
  const double right = (1 + U / c) * (p - b.far_pressure) / rho + R / (rho * c) * dp_dt -
                       1.5 * U * U * (1 - U / (3 * c));
  return {U, right / ((1 - U / c) * R)};
}

BubbleMotion step(const Bubble& b, const BubbleMotion& at, double dt) {
  const Rate k1 = rate(b, at.radius, at.speed);
  const Rate k2 = rate(b, at.radius + dt / 2 * k1.radius, at.speed + dt / 2 * k1.speed);
  const Rate k3 = rate(b, at.radius + dt / 2 * k2.radius, at.speed + dt / 2 * k2.speed);
  const Rate k4 = rate(b, at.radius + dt * k3.radius, at.speed + dt * k3.speed);
  return {at.time + dt,
          at.radius + dt / 6 * (k1.radius + 2 * k2.radius + 2 * k3.radius + k4.radius),
          at.speed + dt / 6 * (k1.speed + 2 * k2.speed + 2 * k3.speed + k4.speed)};
}

// A 2000th of the shortest time around: of the motion, of the acceleration, of sound crossing the
// radius. The error of a collapse to a tenth of the radius is then below 1e-9.
double step_length(const Bubble& b, const BubbleMotion& at) {
  const double p = b.gas_pressure * std::pow(b.radius / at.radius, 3 * b.gamma);
  const double pressure = std::max(std::abs(p - b.far_pressure), std::max(p, b.far_pressure));
  const double speed = std::abs(at.speed) + std::sqrt(pressure / b.liquid_density);
  return at.radius / speed / 2000;
}

void check(const Bubble& b) {
  for (const double value :
       {b.radius, b.gas_pressure, b.gamma, b.far_pressure, b.liquid_density, b.sound_speed}) {
    if (!(value > 0) || !std::isfinite(value)) {
      throw Error(ErrorKind::user_input,
                  "a bubble needs a positive radius, pressures, gamma, liquid density and sound "
                  "speed");
    }
  }
}

}  // namespace

double rayleigh_time(const Bubble& b) {
  const double factor =
      std::sqrt(std::acos(-1.0) / 6) * std::tgamma(5.0 / 6) / std::tgamma(4.0 / 3);
  return factor * b.radius * std::sqrt(b.liquid_density / (b.far_pressure - b.gas_pressure));
}

std::vector<BubbleMotion> keller_miksis(const Bubble& b, const std::vector<double>& times) {
  check(b);
  std::vector<BubbleMotion> motion;
  BubbleMotion at{0, b.radius, 0};
  for (const double time : times) {
    require(time >= at.time, "keller_miksis: times ascend from 0");
    while (at.time < time) {
      const double dt = step_length(b, at);
      const bool last = at.time + dt >= time;
      at = step(b, at, last ? time - at.time : dt);
      if (last) at.time = time;
    }
    motion.push_back(at);
  }
  return motion;
}

BubbleMotion first_minimum(const Bubble& b) {
  check(b);
  if (!(b.far_pressure > b.gas_pressure)) {
    throw Error(ErrorKind::user_input,
                "a bubble collapses only when the pressure far away is above that of its gas");
  }
  BubbleMotion before{0, b.radius, 0}, after = before;
  double dt = 0;
  while (after.speed <= 0) {
    before = after;
    dt = step_length(b, before);
    after = step(b, before, dt);
  }
  // The part of the last step in which the speed turns its sign, by halving.
  double low = 0, high = dt;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (step(b, before, middle).speed <= 0 ? low : high) = middle;
  }
  return step(b, before, low);
}

}  // namespace watersmeet::schemes
