#pragma once
// The fluids of a case by name: stiffened gases, p = (gamma - 1) rho e - gamma p_c. The equations
// carry them as Gamma = 1/(gamma - 1) and Pi = gamma p_c/(gamma - 1), which mix linearly in the
// volume fraction: E = Gamma p + Pi + rho |u|^2 / 2.

#include <optional>
#include <string>
#include <vector>

#include "config/input.hpp"
#include "config/schema.hpp"

namespace watersmeet::multicomponent {

struct Fluid {
  std::string name;
  double gamma = 1.4;
  double p_c = 0;                 // pressure
  std::optional<double> density;  // of initial entries of this fluid that give none

  double Gamma() const { return 1 / (gamma - 1); }
  double Pi() const { return gamma * p_c / (gamma - 1); }
};

// More make no sense: the equations know a cell's mixture only by its Gamma and Pi.
inline constexpr std::size_t most_fluids = 8;

std::vector<config::Key> fluid_keys();  // physics.fluids.*

// In the order of the case; records a fault when there is none or more than most_fluids.
std::vector<Fluid> read_fluids(config::Input& input);

// The fluid that the key `path` names; null, with a fault that proposes the nearest name, when
// there is no such fluid.
const Fluid* find_fluid(config::Input& input, const std::string& path,
                        const std::vector<Fluid>& fluids);

}  // namespace watersmeet::multicomponent
