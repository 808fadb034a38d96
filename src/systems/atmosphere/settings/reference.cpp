#include "systems/atmosphere/settings/reference.hpp"

#include <algorithm>
#include <cmath>

#include "systems/atmosphere/medium.hpp"

namespace watersmeet::atmosphere {

namespace {

// Integral of dz/theta from a to b with theta linear in between.
double linear_integral(double a, double b, double theta_a, double theta_b) {
  const double ratio = theta_b / theta_a - 1;
  if (std::abs(ratio) < 1e-8) return (b - a) / theta_a * (1 - 0.5 * ratio);
  return (b - a) / theta_a * std::log1p(ratio) / ratio;
}

double at_table(const ReferenceState& r, double z) {
  const auto above = std::upper_bound(r.heights.begin(), r.heights.end(), z);
  if (above == r.heights.begin()) return r.thetas.front();
  if (above == r.heights.end()) return r.thetas.back();
  const auto n = static_cast<std::size_t>(above - r.heights.begin());
  const double part = (z - r.heights[n - 1]) / (r.heights[n] - r.heights[n - 1]);
  return r.thetas[n - 1] + part * (r.thetas[n] - r.thetas[n - 1]);
}

// Integral of dz/theta from 0 to z, kink by kink; of a sounding that of dz/T.
double integral_of_table(const ReferenceState& r, double z) {
  const double lower = std::min(0.0, z), upper = std::max(0.0, z);
  double sum = 0, from = lower;
  const auto go_to = [&](double to) {
    sum += linear_integral(from, to, at_table(r, from), at_table(r, to));
    from = to;
  };
  for (const double height : r.heights) {
    if (height > lower && height < upper) go_to(height);
  }
  go_to(upper);
  return z < 0 ? -sum : sum;
}

}  // namespace

double ReferenceState::exner(double z) const {
  const double h = geopotential_height(z);
  const double surface = std::pow(pressure / gas.p_0, gas.r_d / gas.c_p);
  const double s = frequency * frequency / gravity;  // used where gravity is positive
  switch (kind) {
    case ReferenceKind::neutral:
      return surface - gravity * h / (gas.c_p * theta_0);
    case ReferenceKind::stratified:
      return surface + gravity / (gas.c_p * s * theta_0) * std::expm1(-s * h);
    case ReferenceKind::isothermal:
      return surface * std::exp(-gravity * h / (gas.c_p * temperature));
    case ReferenceKind::table:
      return surface - gravity / gas.c_p * integral_of_table(*this, h);
    case ReferenceKind::sounding:
      return surface * std::exp(-gravity / gas.c_p * integral_of_table(*this, h));
  }
  return surface;
}

namespace {
// Where the Exner function is known.
double theta_of(const ReferenceState& r, double z, double exner) {
  const double h = r.geopotential_height(z);
  switch (r.kind) {
    case ReferenceKind::neutral:
      return r.theta_0;
    case ReferenceKind::stratified:
      return r.theta_0 * std::exp(r.frequency * r.frequency / r.gravity * h);
    case ReferenceKind::isothermal:
      return r.temperature / exner;
    case ReferenceKind::table:
      return at_table(r, h);
    case ReferenceKind::sounding:
      return at_table(r, h) / exner;
  }
  return r.theta_0;
}
double pressure_of(const ReferenceState& r, double exner) {
  return r.gas.p_0 * std::pow(exner, r.gas.c_p / r.gas.r_d);
}
}  // namespace

double ReferenceState::theta(double z) const { return theta_of(*this, z, exner(z)); }

double ReferenceState::p(double z) const { return pressure_of(*this, exner(z)); }

double ReferenceState::rho(double z) const {
  const double pi = exner(z);
  return pressure_of(*this, pi) / (gas.r_d * theta_of(*this, z, pi) * pi);
}

CubicProfile tabulate(const ReferenceState& reference, double lower, double upper, int intervals) {
  CubicProfile profile;
  profile.lower = lower;
  profile.step = (upper - lower) / intervals;
  profile.intervals = intervals;
  for (int n = 0; n < intervals; ++n) {
    double f[profile_values][4];
    for (int point = 0; point < 4; ++point) {
      const double z = lower + (n + point / 3.0) * profile.step;
      f[f_rho][point] = reference.rho(z);
      f[f_p][point] = reference.p(z);
      f[f_theta][point] = reference.theta(z);
    }
    for (const auto& g : f) {
      profile.coefficients.insert(profile.coefficients.end(),
                                  {g[0], 0.5 * (-11 * g[0] + 18 * g[1] - 9 * g[2] + 2 * g[3]),
                                   4.5 * (2 * g[0] - 5 * g[1] + 4 * g[2] - g[3]),
                                   4.5 * (-g[0] + 3 * g[1] - 3 * g[2] + g[3])});
    }
  }
  return profile;
}

}  // namespace watersmeet::atmosphere
