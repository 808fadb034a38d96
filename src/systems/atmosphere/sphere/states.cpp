#include "systems/atmosphere/sphere/states.hpp"

#include <cmath>
#include <numbers>

namespace watersmeet::atmosphere {

namespace {

using std::numbers::pi;

// Between two places on the unit sphere.
double great_circle(double lon, double lat, double lon_0, double lat_0) {
  return std::acos(
      std::min(1.0, std::max(-1.0, std::sin(lat_0) * std::sin(lat) +
                                       std::cos(lat_0) * std::cos(lat) * std::cos(lon - lon_0))));
}

}  // namespace

std::vector<std::string> globe_state_names() { return {"dcmip31", "baroclinic-wave"}; }

GlobeValues GlobeState::at(double lon, double lat, double z) const {
  return name_ == "dcmip31" ? gravity_waves(lon, lat, z) : baroclinic_wave(lon, lat, z);
}

GlobeValues GlobeState::gravity_waves(double lon, double lat, double z) const {
  constexpr double u_0 = 20, frequency = 0.01, equator = 300, p_equator = 1e5;
  const double n2 = frequency * frequency, g = c_.gravity, r_d = c_.gas.r_d, c_p = c_.gas.c_p;
  const double big = g * g / (n2 * c_p);
  const double turning = u_0 * (u_0 + 2 * c_.rate * c_.radius), bend = std::cos(2 * lat) - 1;
  const double ground = big + (equator - big) * std::exp(-(turning * n2 / (4 * g * g)) * bend);
  const double p_ground = p_equator * std::exp(turning / (4 * big * r_d) * bend) *
                          std::pow(ground / equator, c_p / r_d);
  const double rise = std::exp(n2 * z / g);
  GlobeValues v;
  v.p = p_ground * std::pow(big / ground / rise + 1 - big / ground, c_p / r_d);
  v.temperature = big * (1 - rise) + ground * rise;
  v.east = u_0 * std::cos(lat);
  if (perturbed_) {
    constexpr double width = 5000, wavelength = 20e3, size = 1;
    const double r = c_.radius * great_circle(lon, lat, 2 * pi / 3, 0);
    const double shape = width * width / (width * width + r * r);
    const double theta = size * shape * std::sin(2 * pi * z / wavelength);
    v.temperature += theta * std::pow(v.p / p_equator, r_d / c_p);
  }
  return v;
}

GlobeValues GlobeState::baroclinic_wave(double lon, double lat, double z) const {
  constexpr double t_equator = 310, t_pole = 240, lapse = 0.005, b = 2, k = 3, p_0 = 1e5;
  const double g = c_.gravity, r_d = c_.gas.r_d;
  const double t_0 = (t_equator + t_pole) / 2, a = 1 / lapse;
  const double bc = (t_0 - t_pole) / (t_0 * t_pole);
  const double c = (k + 2) / 2 * (t_equator - t_pole) / (t_equator * t_pole);
  const double s = z / (b * r_d * t_0 / g), bell = std::exp(-s * s),
               grow = std::exp(lapse * z / t_0);
  const double tau_1 = grow / t_0 + bc * (1 - 2 * s * s) * bell;
  const double tau_2 = c * (1 - 2 * s * s) * bell;
  const double i_1 = a * (grow - 1) + bc * z * bell, i_2 = c * z * bell;
  // r/a, and the distance from the axis over a.
  const double relative = c_.deep ? 1 + z / c_.radius : 1.0, cosine = relative * std::cos(lat);
  const double shape = std::pow(cosine, k) - k / (k + 2) * std::pow(cosine, k + 2);
  GlobeValues v;
  v.temperature = 1 / (relative * relative * (tau_1 - tau_2 * shape));
  v.p = p_0 * std::exp(-g / r_d * (i_1 - i_2 * shape));
  const double slope =
      g * k / c_.radius * i_2 * (std::pow(cosine, k - 1) - std::pow(cosine, k + 1)) * v.temperature;
  const double arm = c_.radius * cosine, turning = c_.rate * arm;
  v.east = -turning + std::sqrt(turning * turning + arm * slope);
  constexpr double ceiling = 15e3, reach = 0.1, push = 1;
  const double d = great_circle(lon, lat, pi / 9, 2 * pi / 9), y = z / ceiling;
  if (perturbed_ && y < 1 && d < reach) {
    v.east += push * (1 - 3 * y * y + 2 * y * y * y) * std::exp(-(d / reach) * (d / reach));
  }
  return v;
}

}  // namespace watersmeet::atmosphere
