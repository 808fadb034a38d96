#include "systems/aerodynamics/case/exact_flows.hpp"

#include <fmt/format.h>

#include <cmath>

#include "config/usual_keys.hpp"
#include "core/error.hpp"

namespace watersmeet::aerodynamics {

using config::choice_key;
using config::FaultKind;
using config::Key;
using config::positive_key;
using config::vector_key;

namespace {

// Ringleb's formulas hold for gamma = 1.4.
struct RinglebSpeed {
  double c, rho, j;
};
RinglebSpeed ringleb_speed(double q) {
  const double c = std::sqrt(1 - 0.2 * q * q);
  const double c3 = c * c * c, c5 = c3 * c * c;
  return {c, c5, 1 / c + 1 / (3 * c3) + 1 / (5 * c5) - 0.5 * std::log((1 + c) / (1 - c))};
}

// Points of one speed lie on a circle around (J/2, 0) with the radius 1/(2 rho q^2): how far
// outside of it the place is.
double outside_circle(double q, double x, double y) {
  const RinglebSpeed s = ringleb_speed(q);
  const double a = 1 / (2 * s.rho * q * q), dx = x - 0.5 * s.j;
  return std::sqrt(dx * dx + y * y) - a;
}

}  // namespace

// Circles of higher speed lie within those of lower speed as long as the flow is regular, so the
// place is inside the circles of low speeds and leaves them at its own: the first change of sign.
RinglebPlace ringleb_place(double x, double y) {
  const double lowest = 0.02, highest = 2.2, step = 0.005;
  double low = lowest;
  while (low < highest && outside_circle(low + step, x, y) < 0) low += step;
  if (low >= highest || outside_circle(lowest, x, y) >= 0) {
    throw Error(ErrorKind::user_input,
                fmt::format("Ringleb's flow has no state at x = {:g}, y = {:g}; its mesh is "
                            "grid.mesh = \"ringleb\"",
                            x, y));
  }
  double high = low + step;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (outside_circle(middle, x, y) < 0 ? low : high) = middle;
  }
  const double q = 0.5 * (low + high);
  const RinglebSpeed s = ringleb_speed(q);
  const double a = 1 / (2 * s.rho * q * q);
  // x - J/2 = a (1 - 2 q^2/k^2)
  const double share = std::min(1.0, std::max(1e-12, 0.5 * (1 - (x - 0.5 * s.j) / a)));
  return {q, q / std::sqrt(share)};
}

Primitive<double> ringleb_flow(const Real3& x, const FreeStream& stream) {
  const RinglebPlace place = ringleb_place(x[0], x[1]);
  const RinglebSpeed s = ringleb_speed(place.q);
  const double sine = std::min(1.0, place.q / place.k);
  const double cosine = std::sqrt(1 - sine * sine);
  const double c_inf = stream.sound_speed();
  // The flow comes from the right below the axis and leaves to the right above it.
  return {stream.flow.rho * s.rho,
          {{c_inf * place.q * (x[1] < 0 ? -cosine : cosine), c_inf * place.q * sine, 0}},
          stream.flow.p * std::pow(s.c, 7)};
}

Primitive<double> vortex_flow(const Real3& x, double t, const Vortex& vortex,
                              const FreeStream& stream) {
  const double dx = (x[0] - vortex.centre[0] - stream.flow.u[0] * t) / vortex.radius;
  const double dy = (x[1] - vortex.centre[1] - stream.flow.u[1] * t) / vortex.radius;
  const double f = vortex.strength * std::exp(0.5 * (1 - dx * dx - dy * dy));
  const double c = stream.sound_speed(), g1 = stream.gas.gamma - 1;
  const double ratio = 1 - 0.5 * g1 * f * f;  // of c^2
  Primitive<double> flow = stream.flow;
  flow.u[0] -= c * f * dy;
  flow.u[1] += c * f * dx;
  flow.rho *= std::pow(ratio, 1 / g1);
  flow.p *= std::pow(ratio, stream.gas.gamma / g1);
  return flow;
}

std::vector<Key> flow_keys() {
  const std::string flow = "initial[].flow.";
  return {
      choice_key(
          flow + "kind", "", {"freestream", "vortex", "ringleb"},
          "An exact solution: the free stream, a vortex that moves with it, or Ringleb's flow "
          "around a bend; boundaries of kind exact follow it."),
      vector_key(flow + "centre", "length", "", "Centre of the vortex at t = 0; its axis is z."),
      positive_key(flow + "radius", "length", "",
                   "Distance of the largest speed from the centre of the vortex; 1 when unset."),
      {.path = flow + "strength",
       .help = "Largest speed of the vortex around its centre over the speed of sound of the free "
               "stream; 0.15 when unset."},
  };
}

std::optional<ExactFlow> read_flow(config::Input& input, const std::string& entry,
                                   const FreeStream& stream) {
  const std::string path = entry + ".flow";
  const bool given = input.is_set(path + ".kind");
  if (given && !input.is_good(path + ".kind")) return std::nullopt;
  const std::string kind = given ? input.text(path + ".kind") : "";
  if (kind != "vortex") {
    for (const char* const key : {"centre", "radius", "strength"}) {
      if (!input.is_set(path + "." + key)) continue;
      input.fault(FaultKind::conflict, path + "." + key,
                  given ? fmt::format("a flow of kind \"{}\" has no `{}`", kind, key)
                        : fmt::format("`{}` is a key of a vortex, and the flow has no kind", key),
                  given ? "remove it" : "add kind = \"vortex\", or remove it");
    }
  }
  if (!given) return std::nullopt;
  if (kind == "freestream") {
    return ExactFlow{[flow = stream.flow](const Real3&, double) { return flow; }};
  }
  if (kind == "ringleb") {
    if (stream.gas.gamma != 1.4) {
      input.fault(FaultKind::conflict, "physics.gamma",
                  "Ringleb's flow is computed for gamma = 1.4 only", "remove it");
    }
    return ExactFlow{[stream](const Real3& x, double) { return ringleb_flow(x, stream); }};
  }
  Vortex vortex;
  if (input.is_set(path + ".centre")) vortex.centre = input.reals3(path + ".centre");
  vortex.radius = input.is_set(path + ".radius") ? input.real(path + ".radius") : 1.0;
  vortex.strength = input.is_set(path + ".strength") ? input.real(path + ".strength") : 0.15;
  const double most = std::sqrt(2 / (stream.gas.gamma - 1) / std::exp(1.0));
  if (!(std::abs(vortex.strength) < most)) {
    input.fault(FaultKind::range, path + ".strength",
                fmt::format("a vortex of strength {:g} has a vacuum in its centre; the limit is "
                            "{:.4g} for this gas",
                            vortex.strength, most));
    return std::nullopt;
  }
  return ExactFlow{
      [vortex, stream](const Real3& x, double t) { return vortex_flow(x, t, vortex, stream); },
      true};
}

}  // namespace watersmeet::aerodynamics
