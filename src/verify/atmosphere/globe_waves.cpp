// Known flows of air on a sphere as wholes: DCMIP's gravity waves on a small planet (case 3-1) on
// ever finer meshes, and the balanced jet of Ullrich et al. (2014) without the perturbation that
// sets off its wave: steady, but unstable to errors at the edges of panels.
#include <fmt/format.h>

#include <cmath>

#include "verify/atmosphere/groups.hpp"

namespace watersmeet::verify {

namespace {

// A field [panel][level][j][i] of n x n columns, means of eight cells.
std::vector<double> coarser(const std::vector<double>& fine, std::int64_t n) {
  std::vector<double> sums(fine.size() / 8, 0.0);
  for (std::size_t c = 0; c < fine.size(); ++c) {
    const auto cell = static_cast<std::int64_t>(c);
    // Levels of all panels one after the other, an even number of each.
    const std::int64_t i = cell % n / 2, j = cell / n % n / 2, level = cell / (n * n) / 2;
    sums[static_cast<std::size_t>((level * (n / 2) + j) * (n / 2) + i)] += fine[c] / 8;
  }
  return sums;
}

struct Waves {
  std::vector<double> theta, w;
};

Waves gravity_waves(const Verification& v, std::int64_t n, double until) {
  Simulation s = v.start(fmt::format(
      "[case]\nsystem = \"atmosphere\"\n[grid]\nkind = \"cubed_sphere\"\ncells = [{}, {}, {}]\n"
      "radius = 50969.76\ntop = 10e3\n[physics]\ngravity = 9.80616\nrotation = {{ rate = 0 }}\n"
      "reference = {{ kind = \"stratified\", theta = 300, brunt_vaisala = 0.01 }}\n"
      "[time]\nend = 1e9\ncfl = 0.9\n[[initial]]\nstate = \"dcmip31\"\n",
      n, n, n * 5 / 8));
  s.advance_to(until);
  return {s.field("theta_perturbation"), s.field("w")};
}

// Bubbles of 5 km half width: 5, 2.5, 1.25 and 0.625 km between columns.
void gravity_wave_rows(Verification& v) {
  if (!v.at_least(Extent::full))
    return v.leave_out("gravity waves on a small planet",
                       "they are resolved by meshes of the full extent");
  Waves before = gravity_waves(v, 16, 600);
  double theta_before = 0, w_before = 0;
  for (const std::int64_t n : {32, 64, 128}) {
    Waves here = gravity_waves(v, n, 600);
    const double theta = rms_difference(coarser(here.theta, n), before.theta),
                 w = rms_difference(coarser(here.w, n), before.w);
    v.report(fmt::format("gravity waves, N = {}, theta' less that of half of it, K", n), theta,
             "rms");
    // The coarsest mesh hardly resolves the bubble.
    if (n > 32) {
      const std::string name = fmt::format("gravity waves, N = {}, order of ", n);
      v.report(name + "theta'", std::log2(theta_before / theta), "2 where waves are resolved");
      v.report(name + "w", std::log2(w_before / w), "2 where waves are resolved");
    }
    theta_before = theta;
    w_before = w;
    before = std::move(here);
  }
}

// Relative to the wind of the beginning, all cells alike.
void jet_rows(Verification& v) {
  for (const std::int64_t n : {10, 45, 90}) {
    const bool brief = n == 10;
    if (!brief && !v.at_least(Extent::full)) continue;
    Simulation s = v.start(fmt::format(
        "[case]\nsystem = \"atmosphere\"\n[grid]\nkind = \"cubed_sphere\"\ncells = [{}, {}, {}]\n"
        "radius = 6371220\ntop = 30e3\n[physics]\ngravity = 9.80616\nreference = {{ kind = "
        "\"isothermal\", temperature = 250 }}\n[time]\nend = 1e9\nscheme = \"hevi\"\n[[initial]]\n"
        "state = \"baroclinic-wave\"\nperturbed = false\n",
        n, n, brief ? 10 : 30));
    const std::vector<double> first = s.field("velocity_east");
    const double size = rms(first);
    for (const double on_day : {1.0, 3.0, 5.0, 9.0}) {
      if (on_day > 1 && brief) break;
      s.advance_to(86400 * on_day);
      const double east = rms_difference(s.field("velocity_east"), first),
                   north = rms(s.field("velocity_north"));
      const std::string name =
          fmt::format("steady jet, N = {}, l2 of the change of the wind on day {:g}", n, on_day);
      if (brief) {
        v.below(name, std::hypot(east, north) / size, 0.08);
      } else {
        v.report(name, std::hypot(east, north) / size, "of the scheme");
      }
    }
  }
}

}  // namespace

void verify_air_globe_waves(Verification& v) {
  if (v.single())
    return v.leave_out("waves on a sphere", "errors are measured in double precision");
  gravity_wave_rows(v);
  jet_rows(v);
}

}  // namespace watersmeet::verify
