// Input keys of the atmosphere; those of boundaries stand with the code that reads them.
#include "config/document.hpp"
#include "config/usual_keys.hpp"
#include "systems/atmosphere/system.hpp"
#include "systems/strategies.hpp"

namespace watersmeet::atmosphere {

using config::amount_key;
using config::bounded_key;
using config::choice_key;
using config::expression_key;
using config::expressions_key;
using config::flag_key;
using config::Key;
using config::KeyType;
using config::positive_key;
using config::text_key;
using config::vector_key;

namespace {

// Keys that only a cubed sphere has.
std::vector<Key> globe_keys() {
  return {
      choice_key("grid.kind", "box", {"box", "cubed_sphere"},
                 "A box, or a sphere of six panels of cells[0] x cells[0] columns with cells[2] "
                 "levels; expressions are of x, y and z, or of longitude and latitude, lon in "
                 "[0, 2 pi) and lat, and z."),
      positive_key("grid.radius", "length", "",
                   "Radius of the sphere; 6.37122e6, that of the Earth in m, when unset."),
      positive_key("grid.top", "length", "",
                   "On a sphere: height of the lid above the bottom, z = 0."),
      {.path = "physics.rotation.rate",
       .unit = "1/time",
       .help = "On a sphere: angular velocity. When unset that of the Earth, 7.29212e-5 1/s. It "
               "limits the time step."},
      choice_key("physics.atmosphere", "shallow", {"shallow", "deep"},
                 "Of a sphere: shallow has the horizontal lengths, the gravity and the rotation of "
                 "the ground at any height, deep those of the distance from the centre; heights of "
                 "physics.reference are geopotential ones then."),
  };
}

std::vector<Key> gas_keys() {
  const std::string reference = "physics.reference.";
  return {
      amount_key("physics.gravity", "length/time^2", "9.81",
                 "Acceleration of gravity, down along z."),
      positive_key("physics.gas_constant", "length^2/(time^2 temperature)", "287.0",
                   "Gas constant R_d of the air."),
      positive_key("physics.heat_capacity", "length^2/(time^2 temperature)", "1004.5",
                   "Heat capacity c_p at constant pressure."),
      positive_key("physics.exner_pressure", "pressure", "1e5",
                   "Reference pressure p_0 of the potential temperature."),
      choice_key(
          reference + "kind", "neutral", {"neutral", "stratified", "isothermal", "table"},
          "Hydrostatic reference state; the program computes the departures from it. neutral: "
          "constant potential temperature; stratified: constant Brunt-Vaisala frequency; "
          "isothermal: constant temperature; table: potential temperature or temperature given at "
          "heights, by lists or by a table of a file."),
      positive_key(
          reference + "theta", "temperature", "",
          "Kinds neutral and stratified: potential temperature, for stratified that at z = 0; "
          "300 when unset."),
      positive_key(reference + "brunt_vaisala", "1/time", "",
                   "Kind stratified: Brunt-Vaisala frequency; required there."),
      positive_key(reference + "temperature", "temperature", "",
                   "Kind isothermal: temperature; required there."),
      {.path = reference + "heights",
       .type = KeyType::reals,
       .unit = "length",
       .help = "Kind table: heights, ascending, of thetas or temperatures."},
      {.path = reference + "thetas",
       .type = KeyType::reals,
       .unit = "temperature",
       .help = "Kind table: potential temperatures at these heights, interpolated linearly and "
               "constant beyond the ends."},
      {.path = reference + "temperatures",
       .type = KeyType::reals,
       .unit = "temperature",
       .help = "Kind table: temperatures at these heights in place of potential ones, likewise."},
      text_key(reference + "theta_table",
               "Kind table: name of a table of [tables] of one argument, the height, with the "
               "potential temperature, such as a sounding; in place of heights and thetas."),
      text_key(reference + "temperature_table", "Kind table: the same with the temperature."),
      positive_key(reference + "pressure", "pressure", "1e5", "Pressure at z = 0."),
  };
}

std::vector<Key> flow_keys() {
  std::vector<Key> keys = {
      expression_key(
          "physics.terrain", "length", "", "x y lon lat",
          "Height of the ground; the levels of the mesh follow it and flatten towards the "
          "lid. Flat at the bottom of the grid when unset."),
      vector_key(
          "physics.wind", "length/time", "[0, 0, 0]",
          "Mean wind: the initial velocity where none is given and the velocity to which sponges "
          "relax; it is in balance with the Coriolis force. Its third component must be 0."),
      {.path = "physics.coriolis.f",
       .unit = "1/time",
       .default_text = "0.0",
       .help = "Coriolis parameter, which acts on departures from the mean wind; it limits the "
               "time step."},
      amount_key("physics.viscosity", "length^2/time", "0.0",
                 "Kinematic viscosity, also of potential temperature."),
  };
  const auto add_sponge = [&](const std::string& name, const std::string& where) {
    keys.push_back(
        amount_key("physics.sponge." + name + ".width", "length", "0.0",
                   "Depth of a layer " + where +
                       " in which the flow relaxes to the reference and the mean wind, on a "
                       "sphere to rest; 0 for no sponge."));
    keys.push_back(
        amount_key("physics.sponge." + name + ".rate", "1/time", config::to_toml(usual_sponge_rate),
                   "Relaxation rate at the outer edge of the sponge, from which it falls "
                   "as sin^2 to 0. In a box it limits the time step."));
  };
  add_sponge("top", "below the lid");
  add_sponge("x", "at both x sides");
  add_sponge("y", "at both y sides");
  return keys;
}

std::vector<Key> numerics_keys() {
  return {
      bounded_key("numerics.reconstruction.kappa", "1", "\"1/3\"", -1.0, 1.0,
                  "Kappa of the reconstruction: 1/3 is of third order in one dimension, 0 Fromm's "
                  "scheme, 1/2 QUICK."),
      bounded_key(
          "numerics.reconstruction.transverse", "1", "0.0", -0.25, 0.25,
          "Weight c3 of the second differences across the axis, \"-1/24\" for the value at the "
          "centre of a face; 25 points in place of 13 unless 0."),
      choice_key("numerics.reconstruction.limiter", "none", {"none", "minmod", "vanleer", "tvd"},
                 "Limiter of the slopes, for shocks; tvd is the kappa scheme with TVD bounds."),
      choice_key("numerics.riemann", "lmars", {"lmars", "ausm", "hllc"},
                 "Approximate Riemann solver of the faces: linear acoustics, AUSM+-up, HLLC."),
      bounded_key("numerics.least_mach", "1", "", 0.05, 1.0,
                  "Solver ausm: Mach number below which its dissipation is kept constant; 0.3 when "
                  "unset. Values below 0.2 need a smaller time step."),
      choice_key("time.scheme", "ssp-rk3", time_scheme_choices(),
                 "Runge-Kutta scheme: strong-stability-preserving of three, two or four stages, of "
                 "fourth order with five, or hevi: three stages, sound across the levels implicit, "
                 "so that their depth does not bound the step."),
  };
}

std::vector<Key> initial_keys() {
  const auto departure = [](const std::string& name, const std::string& unit,
                            const std::string& help) {
    return Key{.path = "initial[]." + name,
               .type = KeyType::expression,
               .unit = unit,
               .variables = "x y z lon lat",
               .help = help};
  };
  return {
      choice_key("initial[].state", "", globe_state_names(),
                 "On a sphere: a known flow in place of the keys below: DCMIP's gravity waves on a "
                 "small planet, or the baroclinic wave of Ullrich et al. (2014)."),
      flag_key("initial[].perturbed", "true",
               "With state: include the perturbation that starts its waves; without it the state "
               "is steady."),
      departure("theta", "temperature",
                "Departure of the potential temperature from the reference; 0 when none of theta, "
                "temperature and density is set in any entry."),
      departure(
          "temperature", "temperature",
          "Departure of the temperature at the pressure of the reference, in place of theta."),
      departure("density", "density", "Departure of the density, in place of theta."),
      departure("pressure", "pressure", "Departure of the pressure; 0 when unset."),
      expressions_key("initial[].velocity", "length/time", "", "x y z lon lat",
                      "Initial velocity, on a sphere its components to the east, to the north and "
                      "upwards; the mean wind when unset."),
  };
}

const std::vector<systems::SourceEquation> source_equations = {
    {"density", 1, "mass/(length^3 time)",
     "Adds to the rate of change of the density, at the same momentum and energy."},
    {"momentum", 3, "mass/(length^2 time^2)",
     "Adds to the rate of change of the momentum: a force per volume; on a sphere its components "
     "to "
     "the east, to the north and upwards."},
    {"energy", 1, "mass/(length time^3)",
     "Adds to the rate of change of the total energy, which includes rho g z: heat and the work of "
     "forces per volume."}};

}  // namespace

std::vector<Key> keys() {
  const std::string coordinates = "x y z r lon lat",
                    state =
                        "rho p temperature theta velocity.x velocity.y velocity.z velocity_east "
                        "velocity_north w speed height density_perturbation pressure_perturbation "
                        "theta_perturbation";
  return config::joined({globe_keys(), level_keys(), gas_keys(), flow_keys(), numerics_keys(),
                         initial_keys(), boundary_keys(coordinates, state),
                         systems::strategy_keys(),
                         systems::source_keys(source_equations, coordinates, state)});
}

void adjust_schema(config::Schema& schema) {
  schema.set_choices("device.schedule", {"auto", "measured", "sweeps", "tile", "axes"});
  schema.set_help("device.schedule", systems::schedule_help);
  schema.set_help("grid.cells",
                  "Number of cells along x, y and z; of a cubed sphere those along both edges of a "
                  "panel, which are equal, and its levels.");
}

}  // namespace watersmeet::atmosphere
