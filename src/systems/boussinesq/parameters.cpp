// Reads [physics].
#include "systems/boussinesq/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "config/usual_keys.hpp"

namespace watersmeet::boussinesq {

using config::amount_key;
using config::choice_key;
using config::expression_key;
using config::expressions_key;
using config::FaultKind;
using config::Key;
using config::positive_key;
using config::vector_key;

double Parameters::largest_diffusivity() const {
  double largest = viscosity;
  for (const Scalar& s : scalars) largest = std::max(largest, s.diffusivity);
  return largest;
}

Coefficients<double> Parameters::coefficients() const {
  Coefficients<double> c;
  c.viscosity = viscosity;
  int n = 0;
  for (const Scalar& scalar : scalars) {
    c.diffusivity[n] = scalar.diffusivity;
    c.buoyancy[gravity_axis][n++] = upward * scalar.buoyancy;
  }
  c.coriolis = {{coriolis[0], coriolis[1], coriolis[2]}};
  for (const double f : coriolis) c.rotating = c.rotating || f != 0;
  c.drag = drag;
  return c;
}

namespace {

// Names that quantities, series and files have already.
const std::vector<std::string>& reserved_names() {
  static const std::vector<std::string> names = {
      "temperature", "velocity",    "pressure",
      "p",           "speed",       "vorticity",
      "divergence",  "dissipation", "thermal_dissipation",
      "enstrophy",   "helicity",    "q_criterion",
      "u",           "v",           "w",
      "phi"};
  return names;
}

void read_numbers(config::Input& input, Parameters& p, Scalar& heat) {
  const bool by_rayleigh = input.is_set("physics.rayleigh");
  if (!by_rayleigh) {
    for (const char* key : {"physics.prandtl", "physics.scaling"}) {
      if (!input.is_set(key)) continue;
      input.fault(FaultKind::conflict, key,
                  fmt::format("`{}` is given without physics.rayleigh", key),
                  "add physics.rayleigh, or give viscosity, diffusivity and buoyancy instead");
    }
    if (!input.is_set("physics.viscosity")) {
      input.fault(
          FaultKind::missing_key, "physics.viscosity",
          "the case gives neither physics.rayleigh nor physics.viscosity",
          "add rayleigh and prandtl, or viscosity (0 is allowed), diffusivity and buoyancy");
      return;
    }
    p.viscosity = input.real("physics.viscosity");
    heat.diffusivity =
        input.is_set("physics.diffusivity") ? input.real("physics.diffusivity") : p.viscosity;
    if (input.is_set("physics.buoyancy")) heat.buoyancy = input.real("physics.buoyancy");
    return;
  }
  for (const char* key : {"physics.viscosity", "physics.diffusivity", "physics.buoyancy"}) {
    if (!input.is_set(key)) continue;
    input.fault(
        FaultKind::conflict, key,
        fmt::format("`{}` is given together with physics.rayleigh ({}), from which it follows", key,
                    input.origin("physics.rayleigh")),
        "remove one of them");
    return;
  }
  const double ra = p.rayleigh = input.real("physics.rayleigh");
  const double pr = p.prandtl =
      input.is_set("physics.prandtl") ? input.real("physics.prandtl") : 1.0;
  p.set = input.is_set("physics.scaling") ? input.text("physics.scaling") : "free-fall";
  if (p.set == "diffusive") {
    p.viscosity = pr;
    heat.diffusivity = 1;
    heat.buoyancy = ra * pr;
  } else {
    p.viscosity = std::sqrt(pr / ra);
    heat.diffusivity = 1 / std::sqrt(ra * pr);
    heat.buoyancy = 1;
  }
}

}  // namespace

Parameters read_parameters(config::Input& input) {
  Parameters p;
  Scalar heat;
  heat.name = "temperature";
  read_numbers(input, p, heat);
  if (input.is_set("physics.heating")) heat.source = input.expression("physics.heating");
  heat.source_place = input.place(FaultKind::range, "physics.heating");
  p.scalars.push_back(heat);
  const std::vector<std::string> names = input.names("physics.scalars");
  if (static_cast<int>(names.size()) + 1 > most_scalars) {
    input.fault(
        FaultKind::range, "physics.scalars",
        fmt::format("the case has {} scalars besides the temperature; at most {} are possible",
                    names.size(), most_scalars - 1),
        "remove some");
  }
  for (const std::string& name : names) {
    const std::string path = "physics.scalars." + name;
    const auto& taken = reserved_names();
    if (std::find(taken.begin(), taken.end(), name) != taken.end()) {
      input.fault(FaultKind::bad_value, path,
                  fmt::format("a scalar cannot be called `{}`, a field has that name", name),
                  "choose another name");
    }
    if (static_cast<int>(p.scalars.size()) == most_scalars) break;
    Scalar s;
    s.name = name;
    s.diffusivity = input.real(path + ".diffusivity");
    s.buoyancy = input.real(path + ".buoyancy");
    if (input.is_set(path + ".source")) s.source = input.expression(path + ".source");
    s.source_place = input.place(FaultKind::range, path + ".source");
    p.scalars.push_back(s);
  }
  const std::string gravity = input.text("physics.gravity");
  if (gravity.size() == 2) {
    p.gravity_axis = gravity[1] - 'x';
    p.upward = gravity[0] == '-' ? 1 : -1;
  }
  p.coriolis = input.reals3("physics.coriolis");
  p.beta = input.real("physics.beta");
  if (input.is_set("physics.beta_y0")) p.beta_y0 = input.real("physics.beta_y0");
  if (p.beta == 0) {
    input.refuse_idle("physics.beta_y0", "physics.beta is 0");
  } else if (input.integers3("grid.cells")[1] == 1) {
    input.fault(FaultKind::conflict, "physics.beta",
                "beta needs y, along which the grid has one cell",
                "use more cells along y, or remove beta");
  }
  p.drag = input.real("physics.drag");
  if (input.is_set("physics.acceleration")) {
    p.acceleration = input.expressions3("physics.acceleration");
    p.acceleration_place = input.place(FaultKind::range, "physics.acceleration");
  }
  return p;
}

void check_scalar_names(config::Input& input, const std::string& section,
                        const std::vector<Scalar>& scalars, std::size_t first) {
  for (const std::string& name : input.names(section)) {
    bool known = false;
    std::string list;
    for (std::size_t n = first; n < scalars.size(); ++n) {
      known = known || scalars[n].name == name;
      list += (list.empty() ? "" : ", ") + scalars[n].name;
    }
    if (known) continue;
    input.fault(FaultKind::bad_value, section + "." + name,
                fmt::format("the case has no scalar `{}`", name),
                list.empty() ? "add it to [physics.scalars]" : "scalars of the case: " + list);
  }
}

std::vector<Key> parameter_keys() {
  const std::string scalar = "physics.scalars.*";
  return {
      positive_key(
          "physics.rayleigh", "1", "",
          "Rayleigh number B dT H^3/(nu kappa), in place of viscosity, diffusivity and "
          "buoyancy. The height H and the temperature difference dT of the layer are then the "
          "units of the case."),
      positive_key("physics.prandtl", "1", "",
                   "Prandtl number nu/kappa; with physics.rayleigh, 1 when unset."),
      choice_key("physics.scaling", "", {"free-fall", "diffusive"},
                 "Unit of time with physics.rayleigh: H/U with U^2 = B dT H (when unset), or "
                 "H^2/kappa."),
      amount_key("physics.viscosity", "length^2/time", "", "Kinematic viscosity nu."),
      amount_key("physics.diffusivity", "length^2/time", "",
                 "Diffusivity kappa of the temperature; equal to the viscosity when unset."),
      {.path = "physics.buoyancy",
       .unit = "length/(time^2 temperature)",
       .help = "Upward acceleration per unit of temperature, which is thermal expansion times "
               "gravity; 0 when unset."},
      choice_key("physics.gravity", "-z", {"-x", "+x", "-y", "+y", "-z", "+z"},
                 "Direction of gravity."),
      vector_key("physics.coriolis", "1/time", "[0, 0, 0]",
                 "f, twice the angular velocity of a rotating frame: the acceleration -f x u."),
      {.path = "physics.beta",
       .unit = "1/(length time)",
       .default_text = "0.0",
       .help = "Beta plane: the third component of f is that of coriolis and beta (y - beta_y0)."},
      {.path = "physics.beta_y0",
       .unit = "length",
       .help = "Value of y at which f is that of coriolis; 0 when unset."},
      amount_key("physics.drag", "1/time", "0.0",
                 "Linear drag (Rayleigh friction) d: the acceleration -d u."),
      expressions_key("physics.acceleration", "length/time^2", "", "x y z r",
                      "Body force per unit mass, or a mean pressure gradient, constant in time."),
      expression_key("physics.heating", "temperature/time", "", "x y z r",
                     "Source of temperature, constant in time."),
      amount_key(scalar + ".diffusivity", "length^2/time", "0.0",
                 "Diffusivity of this scalar; [physics.scalars] may name eight."),
      {.path = scalar + ".buoyancy",
       .unit = "length/time^2",
       .default_text = "0.0",
       .help = "Upward acceleration per unit of this scalar; 0 for a passive scalar."},
      expression_key(scalar + ".source", "1/time", "", "x y z r",
                     "Source of this scalar, constant in time."),
  };
}

}  // namespace watersmeet::boussinesq
