#include "systems/aerodynamics/case/free_stream.hpp"

#include <fmt/format.h>

#include <cmath>

namespace watersmeet::aerodynamics {

using config::FaultKind;
using config::Key;

namespace {
constexpr double degree = 3.14159265358979323846 / 180;
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
      {.path = stream + "mach",
       .lowest = 0,
       .help = "Mach number of the free stream; a gas at rest when unset."},
      {.path = stream + "alpha_deg",
       .unit = "degree",
       .default_text = "0.0",
       .lowest = -90,
       .highest = 90,
       .help = "Angle of attack in degrees, from the x axis towards z, in 2-D towards y."},
      {.path = stream + "beta_deg",
       .unit = "degree",
       .default_text = "0.0",
       .lowest = -90,
       .highest = 90,
       .help = "Sideslip angle in degrees, towards y; in 3-D only."},
      {.path = stream + "density",
       .unit = "mass/length^3",
       .default_text = "1.0",
       .lowest = 0,
       .lowest_open = true,
       .help = "Density of the free stream."},
      {.path = stream + "sound_speed",
       .unit = "length/time",
       .default_text = "1.0",
       .lowest = 0,
       .lowest_open = true,
       .help = "Speed of sound of the free stream; its pressure is density sound_speed^2 / gamma."},
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
  return {flow.rho / flow.p, 1 / entropy(), flow.p, q > 0 ? 1 / q : 0};
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
