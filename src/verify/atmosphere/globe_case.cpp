#include "verify/atmosphere/globe_case.hpp"

#include <fmt/format.h>

#include <cmath>

namespace watersmeet::verify {

std::string text_of(const GlobeCase& c) {
  return fmt::format(
      "[case]\nsystem = \"atmosphere\"\n[grid]\nkind = \"cubed_sphere\"\n"
      "cells = [{}, {}, {}]\nradius = 60e3\ntop = 12e3\n{}[physics]\n{}"
      "reference = {{ {} }}\n[numerics]\n{}[time]\nend = 1e9\n{}{}",
      c.n, c.n, c.levels, c.grid, c.physics, c.reference, c.numerics, c.time,
      c.initial.empty() ? "" : "[[initial]]\n" + c.initial);
}

GlobeCase case_of(const GlobeChoice& choice, const char* grid) {
  GlobeCase c;
  c.grid = grid;
  if (choice.terrain) c.physics = globe_mountains;
  if (choice.deepened) c.physics = deep_globe + c.physics;
  if (choice.split) c.time = globe_hevi;
  c.numerics = choice.across ? globe_transverse : choice.numerics;
  return c;
}

const char* const globe_mountains =
    "terrain = \"1000*(1 + cos(4*lon)*cos(lat)^2*sin(3*lat))\"\nrotation = { rate = 1e-3 }\n";
const char* const globe_bubble =
    "theta = \"2*exp(-20*((cos(lat)*cos(lon) - 0.6)^2 + (cos(lat)*sin(lon) - 0.6)^2 + (sin(lat) - "
    "0.53)^2) - ((z - 5000)/2000)^2)\"\n"
    "velocity = [\"20*cos(lat)\", \"5*sin(2*lat)*cos(lon)\", 0]\n";

const char* const globe_hevi = "cfl = 0.8\nscheme = \"hevi\"\n";
const char* const deep_globe = "atmosphere = \"deep\"\n";
const char* const globe_transverse = "reconstruction = { transverse = \"-1/24\" }\n";

GlobeCase steady_deep_globe() {
  GlobeCase c;
  c.physics = std::string(deep_globe) + "rotation = { rate = 1e-3 }\n";
  c.reference = "kind = \"isothermal\", temperature = 300";
  c.initial =
      "temperature = \"0\"\n"
      "pressure = \"1e5*exp(-9.81*z/(1 + z/60e3)/(287*300))"
      "*(exp(0.5*((1.3e-3)^2 - (1e-3)^2)*((60e3 + z)*cos(lat))^2/(287*300)) - 1)\"\n"
      "velocity = [\"3e-4*(60e3 + z)*cos(lat)\", 0, 0]\n";
  return c;
}

double globe_steady_error(const Verification& v, GlobeCase c, std::int64_t n, std::int64_t levels) {
  c.n = n;
  c.levels = levels;
  Simulation s = start(v, c);
  const std::vector<double> before = s.field("velocity_east");
  s.advance_to(200);
  const std::vector<double> after = s.field("velocity_east"), w = s.field("w");
  double sum = 0;
  for (std::size_t p = 0; p < before.size(); ++p) {
    sum += (after[p] - before[p]) * (after[p] - before[p]) + w[p] * w[p];
  }
  return std::sqrt(sum / static_cast<double>(before.size()));
}

std::vector<double> globe_warm_air(const Verification& v, GlobeCase c, const std::string& time,
                                   double end) {
  c.initial =
      "theta = \"2*exp(4*cos(lon - 0.7)*cos(lat) - 4)*sin(pi*z/12000)^2\"\n"
      "velocity = [\"15*cos(lat)\", 0, 0]\n";
  c.physics = "rotation = { rate = 0 }\n";
  c.time = time;
  Simulation s = start(v, c);
  s.advance_to(end);
  return s.field("theta_perturbation");
}

}  // namespace watersmeet::verify
