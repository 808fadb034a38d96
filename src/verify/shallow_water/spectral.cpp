// Flow over a mountain and the Rossby-Haurwitz wave on a cubed sphere against spectral solutions
// (validation/data/williamson{5,6}-spectral.csv, whose transform model is not in this tree;
// validation/reference/water_spectral.py is another one, and converges to them). The level
// is interpolated to the points of the reference, cubic along both axes of a panel. The distances
// expected with 32 and 64 cells are those of validation/reference/water_sphere.py, the same scheme
// in numpy; with 128 cells they are bounded by falling from those of 64 with order 1.5.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "mesh/cubed_sphere.hpp"
#include "verify/reference_data.hpp"
#include "verify/shallow_water/groups.hpp"

namespace watersmeet::verify {

namespace {

using std::numbers::pi;

struct Cubic {
  std::int64_t first = 0;
  std::array<double, 4> weight;
  Cubic(double angle, std::int64_t n) {
    const double place = (angle + pi / 4) * 2 * static_cast<double>(n) / pi - 0.5;
    first = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(place)) - 1, 0, n - 4);
    weight = mesh::cubic_weights(place - static_cast<double>(first));
  }
};

// A field [panel][j][i] at a longitude and latitude.
double value_at(const std::vector<double>& field, std::int64_t n, double lon, double lat) {
  const mesh::PanelAngles at = mesh::panel_angles(lon, lat);
  const Cubic x(at.alpha, n), y(at.beta, n);
  double sum = 0;
  for (std::size_t q = 0; q < 4; ++q) {
    for (std::size_t p = 0; p < 4; ++p) {
      const std::int64_t row = at.panel * n + y.first + static_cast<std::int64_t>(q);
      const std::int64_t cell = row * n + x.first + static_cast<std::int64_t>(p);
      sum += y.weight[q] * x.weight[p] * field[static_cast<std::size_t>(cell)];
    }
  }
  return sum;
}

// Relative l2 of the level on one day, with the areas of the reference's cells as weights.
double distance(const std::vector<double>& field, std::int64_t n,
                const std::vector<std::vector<double>>& reference, double on_day) {
  double error = 0, size = 0;
  for (std::size_t p = 0; p < reference[0].size(); ++p) {
    if (reference[0][p] != on_day) continue;
    const double lat = reference[1][p] * pi / 180, lon = reference[2][p] * pi / 180;
    const double off = value_at(field, n, lon, lat) - reference[3][p];
    error += std::cos(lat) * off * off;
    size += std::cos(lat) * reference[3][p] * reference[3][p];
  }
  return size > 0 ? std::sqrt(error / size) : NAN;
}

Simulation start(const Verification& v, const char* state, std::int64_t n) {
  return v.start(
      fmt::format("[case]\nsystem = \"shallow_water\"\n[grid]\nkind = \"cubed_sphere\"\n"
                  "cells = {}\n[time]\nend = 1e9\ncfl = 1.2\n[[initial]]\nstate = \"{}\"\n",
                  n, state));
}

struct Known {
  std::int64_t n;
  double distance;
  Extent extent;
};

void rows(Verification& v, const char* state, const char* file, double on_day, const Known& coarse,
          const Known& fine) {
  const auto reference = read_reference(file);
  const Known finest = {2 * fine.n, fine.distance * std::pow(0.5, 1.5), Extent::full};
  for (const Known& k : {coarse, fine, finest}) {
    if (!v.at_least(k.extent)) continue;
    Simulation s = start(v, state, k.n);
    s.advance_to(on_day * day);
    const auto numbers = s.diagnostics();
    const std::string name = fmt::format("{}, N = {}, ", state, k.n);
    const std::string what = fmt::format("{}l2 of the level on day {:g}", name, on_day);
    const double found = distance(s.field("surface"), k.n, reference, on_day);
    if (k.n == finest.n) {
      v.below(what, found, k.distance);
    } else {
      v.near_relative(what, found, k.distance, 1e-2);
    }
    v.below(name + "drift of the volume", std::abs(numbers.at("volume_drift")), 1e-12);
    v.report(name + "drift of the energy", numbers.at("energy_drift"), "of the scheme");
    v.report(name + "highest level", numbers.at("surface_max"), "m");
    v.report(name + "lowest level", numbers.at("surface_min"), "m");
    v.report(name + "largest speed", numbers.at("speed_max"), "m/s");
  }
}

}  // namespace

void verify_sphere_spectral(Verification& v) {
  if (v.single())
    return v.leave_out("sphere, spectral solutions", "errors are measured in double precision");
  rows(v, "williamson-5", "williamson5-spectral.csv", 15, {32, 4.326e-3, Extent::brief},
       {64, 6.943e-4, Extent::quick});
  rows(v, "williamson-6", "williamson6-spectral.csv", 7, {32, 4.261e-3, Extent::brief},
       {64, 1.012e-3, Extent::quick});
}

}  // namespace watersmeet::verify
