// The atmosphere on a cubed sphere: rest over any terrain, what is kept across edges of panels, the
// same answers on every panel, steady flows that stay, and the same bits however it is computed.
#include <fmt/format.h>

#include <cmath>

#include "core/math.hpp"
#include "verify/atmosphere/globe_rows.hpp"
#include "verify/atmosphere/groups.hpp"

namespace watersmeet::verify {

namespace {

void rest_rows(Verification& v) {
  for (const GlobeChoice& choice :
       {GlobeChoice{"lmars", true, false, false, false, "riemann = \"lmars\"\n"},
        GlobeChoice{"ausm", true, false, false, false, "riemann = \"ausm\"\n"},
        GlobeChoice{"hllc", true, false, false, false, "riemann = \"hllc\"\n"},
        GlobeChoice{"hevi", true, false, true}, GlobeChoice{"deep", true, true},
        GlobeChoice{"deep, hevi", true, true, true}, GlobeChoice{"c3", true, false, false, true},
        GlobeChoice{"deep, c3", true, true, false, true}}) {
    globe_rest_row(v, choice, "");
  }
  GlobeCase c;
  c.initial = globe_bubble;
  Simulation moving = start(v, c);
  moving.step(5);
  v.above("with wind: numbers that are not 0", count_nonzero(moving), 5.0 * 0.9 * 6 * 12 * 12 * 8);
}

void conservation_rows(Verification& v) {
  for (const GlobeChoice& choice :
       {GlobeChoice{"flat"}, GlobeChoice{"mountains", true},
        GlobeChoice{"flat, hevi", false, false, true},
        GlobeChoice{"mountains, hevi", true, false, true}, GlobeChoice{"flat, deep", false, true},
        GlobeChoice{"flat, deep, hevi", false, true, true},
        GlobeChoice{"mountains, deep, hevi", true, true, true},
        GlobeChoice{"flat, c3", false, false, false, true},
        GlobeChoice{"mountains, c3", true, false, false, true},
        GlobeChoice{"mountains, deep, c3", true, true, false, true}}) {
    globe_conserved_rows(v, "", choice, "");
  }
}

// A flow turned by a quarter around the axis is that of the next panel.
void rotation_rows(Verification& v, bool across) {
  const auto theta = [&](const char* lon) {
    GlobeCase c;
    c.initial = fmt::format(
        "theta = \"2*exp(4*cos({0} - 0.7)*cos(lat) - 4)*sin(pi*z/12000)\"\n"
        "velocity = [\"15*cos(lat)*(1 + 0.5*sin({0}))\", \"5*cos(lat)*cos({0})\", 0]\n",
        lon);
    if (across) c.numerics = globe_transverse;
    Simulation s = start(v, c);
    s.step(40);
    return s.field("theta_perturbation");
  };
  const std::vector<double> here = theta("lon"), turned = theta("(lon - pi/2)");
  const std::size_t panel = here.size() / 6;
  double largest = 0, size = 0;
  for (std::size_t c = 0; c < 4 * panel; ++c) {
    largest = max_or_nan(largest, std::abs(here[c] - turned[(c + panel) % (4 * panel)]));
    size = max_or_nan(size, std::abs(here[c]));
  }
  v.below(fmt::format("turned by a quarter{}, relative difference of theta'", across ? ", c3" : ""),
          largest / size, v.single() ? 1e-3 : 1e-10);
}

// The zonal flow of DCMIP's case 3-1 without its bubble: what it becomes is error.
GlobeCase steady_shallow() {
  GlobeCase c;
  c.physics = "gravity = 9.80616\nrotation = { rate = 0 }\n";
  c.initial = "state = \"dcmip31\"\nperturbed = false\n";
  return c;
}

void steady_rows(Verification& v) {
  if (v.single()) return;
  globe_steady_deep_rows(v, "", v.at_least(Extent::quick));
  for (const bool across : {false, true}) {
    GlobeCase c = steady_shallow();
    if (across) c.numerics = globe_transverse;
    const std::string name = fmt::format("steady zonal flow{}, ", across ? ", c3" : "");
    const double coarse = globe_steady_error(v, c, 8, 6);
    v.below(name + "N = 8, error after 200 s", coarse, 0.05);
    if (!v.at_least(Extent::quick)) continue;
    const double fine = globe_steady_error(v, c, 16, 12), finest = globe_steady_error(v, c, 32, 24);
    v.above(name + "order from N = 8 to 16", order_of(coarse, fine), 1.7);
    v.above(name + "order from N = 16 to 32", order_of(fine, finest), 1.7);
  }
}

// Steps of ever smaller size, with sound across levels implicit, against the smallest explicit
// ones.
void hevi_rows(Verification& v) {
  if (v.single()) return;
  const auto theta = [&](double dt, const char* scheme) {
    return globe_warm_air(v, {}, fmt::format("dt = {}\nscheme = \"{}\"\n", dt, scheme));
  };
  const std::vector<double> a = theta(8, "hevi"), b = theta(4, "hevi"), c = theta(2, "hevi");
  v.above("hevi, order in time of theta'", order_of(rms_difference(a, b), rms_difference(b, c)),
          1.7);
  globe_split_rows(v, "", "");

  // A jet in balance (closed form: tests/python/test_reference_air.py); a step is 170 times what sound takes through a level.
  Simulation jet = v.start(
      "[case]\nsystem = \"atmosphere\"\n[grid]\nkind = \"cubed_sphere\"\ncells = [10, 10, 20]\n"
      "top = 30e3\n[physics]\ngravity = 9.80616\nreference = { kind = \"isothermal\", temperature "
      "= 250 }\n[time]\nend = 1e9\nscheme = \"hevi\"\n[[initial]]\nstate = "
      "\"baroclinic-wave\"\nperturbed = false\n");
  jet.advance_to(86400);
  const auto numbers = jet.diagnostics();
  v.below("balanced jet, hevi, a day: fastest rise", numbers.at("w_max"), 0.05);
  v.near("balanced jet, hevi, a day: fastest air", numbers.at("speed_max"), 27.907, 1.0);
  v.near("balanced jet, hevi, a day: lowest pressure on the ground, Pa",
         numbers.at("surface_pressure_min"), 1e5, 500);
}

// Over terrain the sponge follows the levels, and so does z here.
void sponge_rows(Verification& v, bool split) {
  GlobeCase c;
  c.physics = globe_mountains;
  c.time = fmt::format("dt = 1.0\n{}", split ? "scheme = \"hevi\"\n" : "");
  std::vector<double> z;
  for (int panel = 0; panel < 6; ++panel) {
    for (std::int64_t k = 0; k < c.levels; ++k)
      z.insert(z.end(), static_cast<std::size_t>(c.n * c.n), (static_cast<double>(k) + 0.5) * 1500);
  }
  const SpongeStep step = globe_sponge_step(v, c, z);
  const std::string name = split ? "sponge, hevi: " : "sponge: ";
  v.zero(name + "values below it that it changes", step.outside);
  v.below(name + "relative error of its step", step.error, v.single() ? 5e-7 : 1e-15);
  v.above(name + "values in it", step.values, 0.9 * 5 * 3 * 6 * 144);
}

}  // namespace

void verify_air_globe(Verification& v) {
  rest_rows(v);
  conservation_rows(v);
  for (const bool across : {false, true}) rotation_rows(v, across);
  steady_rows(v);
  hevi_rows(v);
  for (const bool split : {false, true}) sponge_rows(v, split);
  globe_bit_rows(v, "", {"", true}, "");
  globe_bit_rows(v, "hevi, ", {"hevi", true, false, true}, "");
  globe_bit_rows(v, "c3, ", {"c3", true, false, false, true}, "");
}

}  // namespace watersmeet::verify
