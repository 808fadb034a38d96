// Input keys of the multicomponent system; those of fluids, initial states and boundaries stand
// with the code that reads them.
#include "config/usual_keys.hpp"
#include "systems/multicomponent/system.hpp"
#include "systems/stretching.hpp"

namespace watersmeet::multicomponent {

using config::choice_key;
using config::flag_key;
using config::Key;
using config::KeyType;
using config::positive_key;

namespace {

std::vector<Key> model_keys() {
  return {
      choice_key(
          "grid.geometry", "cartesian", {"cartesian", "axisymmetric"},
          "Cartesian, or axisymmetric: then x lies along the axis and y is the distance from "
          "it, with grid.lower[1] = 0 and one cell along z."),
      choice_key("physics.model", "mpcf", {"mpcf", "mpcf-k"},
                 "mpcf-k adds Kapila's term for two fluids: in mixed cells the lighter one is "
                 "compressed more."),
      positive_key(
          "physics.scales.density", "mass/length^3", "",
          "Density by which the state is scaled inside the program. When unset, 1 in double "
          "precision and about the largest initial density in single precision."),
      positive_key("physics.scales.speed", "speed", "",
                   "Speed that the state is divided by inside; 1 in double precision, about "
                   "sqrt(pressure / density) of the largest in single when unset."),
  };
}

std::vector<Key> numerics_keys() {
  const std::string largest =
      " of the smoothness indicators; the largest of the initial state "
      "when unset.";
  return {
      choice_key("numerics.reconstruction", "weno5-js",
                 {"weno5-js", "weno5-z", "weno3", "first-order"},
                 "How primitive variables are reconstructed at the faces."),
      positive_key(
          "numerics.weno_epsilon", "1", "",
          "Small number epsilon in the WENO weights, for fields scaled to magnitude 1. When "
          "unset 1e-6; for weno5-z 1e-40 in double and 1e-20 in single precision."),
      positive_key("numerics.weno_scales.density", "mass/length^3", "",
                   "Magnitude of the density" + largest),
      positive_key(
          "numerics.weno_scales.speed", "speed", "",
          "Magnitude of the velocity of the smoothness indicators; the largest of the initial "
          "state when unset, sqrt(pressure / density) of a fluid at rest."),
      positive_key("numerics.weno_scales.pressure", "pressure", "",
                   "Magnitude of the pressure" + largest),
      positive_key("numerics.weno_scales.Gamma", "1", "", "Magnitude of Gamma" + largest),
      positive_key("numerics.weno_scales.Pi", "pressure", "", "Magnitude of Pi" + largest),
      choice_key("numerics.riemann", "hllc", {"hllc", "hllc-lm", "hll", "rusanov"},
                 "Approximate Riemann solver of the faces; hllc-lm: HLLC with less dissipation by "
                 "sound where the flow through a face is slow, against the instability of strong "
                 "shocks that follow the grid (carbuncle)."),
      choice_key("numerics.wave_speeds", "einfeldt", {"einfeldt", "roe"},
                 "Averages that give the outer wave speeds of the Riemann solver."),
      choice_key("numerics.energy", "auto", {"auto", "total", "split"},
                 "Stored energy: E, or E - Pi, which keeps the pressure of stiff liquids in single "
                 "precision; auto: split in single, total in double."),
      choice_key("numerics.phi_source", "cell", {"cell", "faces"},
                 "Gamma and Pi of the source phi div u: of the cell, or means over its edges."),
      choice_key(
          "numerics.positivity", "fallback", {"fallback", "scaling", "strict", "off"},
          "Reconstructed states outside the equation of state: replaced by the cell's own, or "
          "pulled towards it; strict: replaced, and a cell that a stage leaves outside gets "
          "fluxes of first order, its neighbours with it."),
      flag_key("numerics.clip", "false",
               "Keep Gamma between those of the fluids, and Pi from 0 on, after each step."),
      choice_key(
          "time.cfl_norm", "sum", {"sum", "max"},
          "What time.cfl limits: dt times the sum over axes of (|u_i| + c)/h_i with the widths h_i "
          "of the cell, or the largest (|u_i| + c) over the smallest h of the grid."),
      choice_key("time.scheme", "rk3-cubism", {"rk3-cubism", "rk3-williamson", "ssp-rk3"},
                 "Runge-Kutta scheme of third order: low-storage, or strong-stability-preserving."),
      positive_key("output.schlieren_contrast", "1", "40.0",
                   "k of the field schlieren, exp(-k |grad rho| / max |grad rho|)."),
  };
}

const std::vector<systems::SourceEquation> source_equations = {
    {"density", 1, "mass/(length^3 time)",
     "Adds to the rate of change of the density, at the same momentum and energy."},
    {"momentum", 3, "mass/(length^2 time^2)",
     "Adds to the rate of change of the momentum: a force per volume."},
    {"energy", 1, "mass/(length time^3)",
     "Adds to the rate of change of the total energy: heat and the work of forces per volume."}};

}  // namespace

std::vector<Key> keys() {
  std::vector<Key> all = model_keys();
  for (const std::vector<Key>& more :
       {systems::stretching_keys(), fluid_keys(), numerics_keys(), initial_keys(), boundary_keys(),
        systems::source_keys(source_equations, "x y z r",
                             "rho velocity.x velocity.y velocity.z p alpha Gamma Pi mach "
                             "sound_speed speed energy")}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

void adjust_schema(config::Schema& schema) {
  schema.set_choices("device.schedule", {"auto", "sweeps"});
}

}  // namespace watersmeet::multicomponent
