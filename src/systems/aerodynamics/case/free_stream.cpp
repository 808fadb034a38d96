#include "systems/aerodynamics/case/free_stream.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "config/usual_keys.hpp"

namespace watersmeet::aerodynamics {

using config::amount_key;
using config::bounded_key;
using config::FaultKind;
using config::Key;
using config::positive_key;

namespace {
constexpr double degree = std::numbers::pi / 180;
}  // namespace

std::vector<Key> stream_keys() {
  const std::string stream = "physics.freestream.";
  return {
      {.path = "physics.gamma",
       .default_text = "1.4",
       .lowest = 1,
       .highest = 10,
       .lowest_open = true,
       .help = "Ratio of the specific heats."},
      amount_key(stream + "mach", "1", "",
                 "Mach number of the free stream; a gas at rest when unset."),
      bounded_key(stream + "alpha_deg", "degree", "0.0", -90, 90,
                  "Angle of attack in degrees, from the x axis towards z, in 2-D towards y."),
      bounded_key(stream + "beta_deg", "degree", "0.0", -90, 90,
                  "Sideslip angle in degrees, towards y; in 3-D only."),
      positive_key(stream + "density", "mass/length^3", "1.0", "Density of the free stream."),
      positive_key(
          stream + "sound_speed", "length/time", "1.0",
          "Speed of sound of the free stream; its pressure is density sound_speed^2 / gamma."),
  };
}

double FreeStream::speed() const { return mach * sound_speed(); }
double FreeStream::sound_speed() const { return std::sqrt(gas.gamma * flow.p / flow.rho); }
double FreeStream::dynamic_pressure() const { return 0.5 * flow.rho * speed() * speed(); }
double FreeStream::entropy() const { return flow.p / std::pow(flow.rho, gas.gamma); }
double FreeStream::total_temperature() const { return 1 + 0.5 * (gas.gamma - 1) * mach * mach; }
double FreeStream::total_enthalpy() const {
  return total_temperature() * sound_speed() * sound_speed() / (gas.gamma - 1);
}
double FreeStream::total_pressure() const {
  return flow.p * std::pow(total_temperature(), gas.gamma / (gas.gamma - 1));
}

StreamScale<double> FreeStream::scale() const {
  const double q = dynamic_pressure();
  return {flow.rho / flow.p, 1 / entropy(),        flow.p,
          q > 0 ? 1 / q : 0, 1 / total_enthalpy(), 1 / total_pressure()};
}

Real3 FreeStream::drag_direction(int dimensions) const {
  if (dimensions == 2) return {std::cos(alpha), std::sin(alpha), 0};
  return {std::cos(alpha) * std::cos(beta), std::sin(beta), std::sin(alpha) * std::cos(beta)};
}

Real3 FreeStream::lift_direction(int dimensions) const {
  if (dimensions == 2) return {-std::sin(alpha), std::cos(alpha), 0};
  return {-std::sin(alpha), 0, std::cos(alpha)};
}

std::string FreeStream::description() const {
  std::string text = fmt::format("M {:g}, alpha {:g} deg", mach, alpha / degree);
  if (beta != 0) text += fmt::format(", beta {:g} deg", beta / degree);
  return text;
}

FreeStream read_free_stream(config::Input& input, int dimensions) {
  FreeStream s;
  const std::string path = "physics.freestream.";
  s.given = input.is_set(path + "mach") && input.is_good(path + "mach");
  if (s.given) s.mach = input.real(path + "mach");
  s.alpha = input.real(path + "alpha_deg") * degree;
  s.beta = input.real(path + "beta_deg") * degree;
  if (dimensions == 2 && s.beta != 0) {
    input.fault(FaultKind::conflict, path + "beta_deg",
                "a 2-D mesh has no sideslip: the free stream must lie in its plane", "remove it");
    s.beta = 0;
  }
  const double c = input.real(path + "sound_speed");
  s.gas = {input.real("physics.gamma"), 1e-10 * c * c};
  s.flow.rho = input.real(path + "density");
  s.flow.p = s.flow.rho * c * c / s.gas.gamma;
  const Real3 along = s.drag_direction(dimensions);
  for (int m = 0; m < 3; ++m) s.flow.u[m] = s.mach * c * along[static_cast<std::size_t>(m)];
  return s;
}

}  // namespace watersmeet::aerodynamics
