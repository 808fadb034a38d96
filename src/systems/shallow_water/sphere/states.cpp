#include "systems/shallow_water/sphere/states.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mesh/curvilinear/nodes.hpp"

namespace watersmeet::shallow_water {

namespace {

using std::numbers::pi;
constexpr double day = 86400;
// The jet: its greatest speed, its edges, the mean depth of the water.
constexpr double jet_max = 80, jet_south = pi / 7, jet_north = pi / 2 - pi / 7, jet_depth = 10000;
constexpr int jet_intervals = 2000;

// Gauss-Legendre with five points: exact for polynomials of degree 9.
template <class F>
double gauss(double from, double to, const F& f) {
  constexpr double x1 = 0.538469310105683091, x2 = 0.906179845938663993;
  constexpr double w0 = 0.568888888888888889, w1 = 0.478628670499366468, w2 = 0.236926885056189088;
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  const auto pair = [&](double x) { return f(middle - half * x) + f(middle + half * x); };
  return half * (w0 * f(middle) + w1 * pair(x1) + w2 * pair(x2));
}

// 500 (1 + cos(pi r/R)) around (lon 3 pi/2, lat 0), turned with the wind.
double bell(const Planet& planet, double rate, double lon, double lat, double t) {
  const Real3 k = planet.axis();
  const Real3 r = {std::cos(lat) * std::cos(lon), std::cos(lat) * std::sin(lon), std::sin(lat)};
  // Where this water was at the beginning: r turned back (Rodrigues).
  const double angle = -rate * t, c = std::cos(angle), s = std::sin(angle),
               along = mesh::dot_product(k, r);
  const Real3 across = mesh::cross_product(k, r);
  Real3 before;
  for (std::size_t m = 0; m < 3; ++m) {
    before[m] = c * r[m] + s * across[m] + (1 - c) * along * k[m];
  }
  const Real3 centre = {0, -1, 0}, off = mesh::cross_product(before, centre);
  const double distance = std::atan2(mesh::length_of(off), mesh::dot_product(before, centre));
  constexpr double size = 1.0 / 3;  // of the radius
  return distance < size ? 500 * (1 + std::cos(pi * distance / size)) : 0;
}

SphereValues rossby_haurwitz(const Planet& planet, double lon, double lat) {
  constexpr double w = 7.848e-6, big_k = 7.848e-6, h0 = 8000;
  const double a = planet.radius, omega = planet.rate, s = std::sin(lat), c = std::cos(lat);
  const double c2 = c * c, c4 = c2 * c2, c8 = c4 * c4;
  SphereValues v;
  v.east = a * w * c + a * big_k * c * c2 * (4 * s * s - c2) * std::cos(4 * lon);
  v.north = -4 * a * big_k * c * c2 * s * std::sin(4 * lon);
  // c^8 (5 c^2 + 26 - 32/c^2), without the division.
  const double term_a =
      0.5 * w * (2 * omega + w) * c2 + 0.25 * big_k * big_k * c4 * c2 * (5 * c4 + 26 * c2 - 32);
  const double term_b = 2 * (omega + w) * big_k / 30 * c4 * (26 - 25 * c2);
  const double term_c = 0.25 * big_k * big_k * c8 * (5 * c2 - 6);
  v.depth = h0 + a * a / planet.gravity *
                     (term_a + term_b * std::cos(4 * lon) + term_c * std::cos(8 * lon));
  return v;
}

}  // namespace

Real3 Planet::axis() const { return {-std::sin(tilt), 0, std::cos(tilt)}; }

std::vector<std::string> sphere_state_names() {
  return {"williamson-1", "williamson-2", "williamson-5", "williamson-6", "barotropic-jet"};
}

SphereState::SphereState(const std::string& name, const Planet& planet, bool perturbed)
    : name_(name), planet_(planet), perturbed_(perturbed) {
  if (name_ == "barotropic-jet") balance_jet();
}

bool SphereState::exact() const {
  return name_ == "williamson-1" || name_ == "williamson-2" ||
         (name_ == "barotropic-jet" && !perturbed_);
}

double SphereState::wind_rate() const { return 2 * pi / (12 * day); }
double SphereState::background() const { return name_ == "williamson-1" ? 1000 : 0; }

double SphereState::jet_speed(double lat) const {
  if (lat <= jet_south || lat >= jet_north) return 0;
  const double width = jet_north - jet_south, norm = std::exp(-4 / (width * width));
  return jet_max / norm * std::exp(1 / ((lat - jet_south) * (lat - jet_north)));
}

double SphereState::jet_slope(double lat) const {
  const double u = jet_speed(lat);
  return -u * (2 * planet_.rate * planet_.radius * std::sin(lat) + u * std::tan(lat)) /
         planet_.gravity;
}

double SphereState::jet_rise(double lat) const {
  if (lat <= jet_south) return 0;
  if (lat >= jet_north) return rise_.back();
  const double step = (jet_north - jet_south) / jet_intervals;
  const int below = std::min(static_cast<int>((lat - jet_south) / step), jet_intervals - 1);
  return rise_[static_cast<std::size_t>(below)] +
         gauss(jet_south + below * step, lat, [&](double p) { return jet_slope(p); });
}

void SphereState::balance_jet() {
  const double step = (jet_north - jet_south) / jet_intervals;
  rise_.push_back(0);
  // The mean over the sphere of the rise: half the integral of rise cos(lat).
  double mean = 0;
  for (int n = 0; n < jet_intervals; ++n) {
    const double from = jet_south + n * step, to = from + step;
    rise_.push_back(rise_.back() + gauss(from, to, [&](double p) { return jet_slope(p); }));
  }
  for (int n = 0; n < jet_intervals; ++n) {
    const double from = jet_south + n * step;
    mean += 0.5 * gauss(from, from + step, [&](double p) { return jet_rise(p) * std::cos(p); });
  }
  mean += 0.5 * rise_.back() * (1 - std::sin(jet_north));
  south_ = jet_depth - mean;
}

SphereValues SphereState::at(double lon, double lat, double t) const {
  SphereValues v;
  const double a = planet_.radius, g = planet_.gravity;
  if (name_ == "williamson-6") return rossby_haurwitz(planet_, lon, lat);
  if (name_ == "williamson-5") {
    const double u0 = 20, s = std::sin(lat), size = pi / 9;
    const double r = std::min(size, std::hypot(lon - 1.5 * pi, lat - pi / 6));
    v.bed = 2000 * (1 - r / size);
    v.depth = 5960 - (a * planet_.rate * u0 + 0.5 * u0 * u0) * s * s / g - v.bed;
    v.east = u0 * std::cos(lat);
    return v;
  }
  if (name_ == "barotropic-jet") {
    v.depth = south_ + jet_rise(lat);
    v.east = jet_speed(lat);
    if (perturbed_) {
      const double l = lon > pi ? lon - 2 * pi : lon;
      const auto hump = [](double x) { return std::exp(-x * x); };
      v.depth += 120 * std::cos(lat) * hump(3 * l) * hump(15 * (pi / 4 - lat));
    }
    return v;
  }
  const double u0 = wind_rate() * a, sine = std::sin(planet_.tilt), cosine = std::cos(planet_.tilt);
  v.east = u0 * (std::cos(lat) * cosine + std::cos(lon) * std::sin(lat) * sine);
  v.north = -u0 * std::sin(lon) * sine;
  if (name_ == "williamson-1") {
    v.depth = background() + bell(planet_, wind_rate(), lon, lat, t);
    return v;
  }
  const double s = -std::cos(lon) * std::cos(lat) * sine + std::sin(lat) * cosine;
  v.depth = (2.94e4 - (a * planet_.rate * u0 + 0.5 * u0 * u0) * s * s) / g;
  return v;
}

}  // namespace watersmeet::shallow_water
