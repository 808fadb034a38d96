#include "verify/boussinesq/growth_rate.hpp"

#include <cmath>
#include <limits>

namespace watersmeet::verify {

namespace {
double amplitude(const Simulation& s) {
  double square = 0;
  for (const double w : s.variable("w")) square += w * w;
  return std::sqrt(square);
}
}  // namespace

double growth_rate(Simulation& s, const GrowthWindows& windows) {
  double before = amplitude(s), rate = std::numeric_limits<double>::quiet_NaN();
  while (s.t() < windows.latest) {
    const double t = s.t();
    s.advance_to(t + windows.length);
    const double now = amplitude(s);
    const double next = std::log(now / before) / (s.t() - t);
    before = now;
    if (s.t() >= windows.earliest && std::abs(next - rate) <= windows.agreement) return next;
    rate = next;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

double critical_rayleigh(const std::function<double(double rayleigh)>& rate, double low,
                         double high) {
  const auto zero = [&](double a, double b) {
    const double at_a = rate(a), at_b = rate(b);
    return a - at_a * (b - a) / (at_b - at_a);
  };
  const double rough = zero(low, high);
  return zero(rough * 0.9985, rough * 1.0015);
}

}  // namespace watersmeet::verify
