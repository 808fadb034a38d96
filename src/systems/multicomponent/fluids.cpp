#include "systems/multicomponent/fluids.hpp"

#include <fmt/format.h>

#include "config/nearest.hpp"
#include "config/usual_keys.hpp"

namespace watersmeet::multicomponent {

using config::amount_key;
using config::FaultKind;
using config::Key;
using config::positive_key;

std::vector<Key> fluid_keys() {
  return {
      {.path = "physics.fluids.*.gamma",
       .required = true,
       .lowest = 1.0,
       .lowest_open = true,
       .help = "Exponent gamma of this fluid, a stiffened gas: p = (gamma - 1) rho e - gamma p_c."},
      amount_key("physics.fluids.*.p_c", "pressure", "0.0",
                 "Stiffening pressure p_c; 0 is an ideal gas."),
      positive_key("physics.fluids.*.density", "mass/length^3", "",
                   "Density of initial entries that name this fluid and give no density."),
  };
}

std::vector<Fluid> read_fluids(config::Input& input) {
  std::vector<Fluid> fluids;
  for (const std::string& name : input.names("physics.fluids")) {
    const std::string path = "physics.fluids." + name;
    Fluid fluid;
    fluid.name = name;
    // A value with a fault reads as 1 where there is no default; the fault is known already.
    if (input.is_good(path + ".gamma")) fluid.gamma = input.real(path + ".gamma");
    fluid.p_c = input.real(path + ".p_c");
    if (input.is_set(path + ".density")) fluid.density = input.real(path + ".density");
    fluids.push_back(std::move(fluid));
  }
  if (fluids.empty()) {
    input.fault(FaultKind::missing_key, "physics.fluids", "the case has no fluid",
                "add a section [physics.fluids] with lines such as air = { gamma = 1.4, density = "
                "1.204 }");
  }
  if (fluids.size() > most_fluids) {
    input.fault(
        FaultKind::range, "physics.fluids",
        fmt::format("the case has {} fluids; at most {} are possible", fluids.size(), most_fluids),
        "remove those that no initial entry uses");
  }
  return fluids;
}

const Fluid* find_fluid(config::Input& input, const std::string& path,
                        const std::vector<Fluid>& fluids) {
  const std::string name = input.text(path);
  std::vector<std::string> names;
  for (const Fluid& fluid : fluids) {
    if (fluid.name == name) return &fluid;
    names.push_back(fluid.name);
  }
  if (fluids.empty() || !input.is_good(path)) return nullptr;
  const std::optional<std::string> near = config::nearest(name, names);
  input.fault(FaultKind::bad_value, path, fmt::format("no fluid `{}`", name),
              near ? fmt::format("did you mean `{}`?", *near)
                   : "the fluids of this case are " + config::join(names));
  return nullptr;
}

}  // namespace watersmeet::multicomponent
