// Input keys of shallow water; those of boundaries stand with the code that reads them.
#include <numbers>

#include "config/usual_keys.hpp"
#include "systems/shallow_water/system.hpp"
#include "systems/strategies.hpp"

namespace watersmeet::shallow_water {

using config::amount_key;
using config::bounded_key;
using config::choice_key;
using config::expression_key;
using config::expressions_key;
using config::flag_key;
using config::Key;
using config::KeyType;
using config::positive_key;

namespace {

// Keys that only a cubed sphere has.
std::vector<Key> sphere_keys() {
  return {
      choice_key("grid.kind", "box", {"box", "cubed_sphere"},
                 "A plane box, with expressions in x and y; or a cubed sphere of six panels, with "
                 "expressions in lon, from 0 to 2 pi, and lat, both in radians."),
      positive_key("grid.radius", "length", "",
                   "Radius of the sphere. When unset that of the Earth, 6.37122e6 m."),
      {.path = "physics.rotation.rate",
       .unit = "1/time",
       .help = "Angular velocity of the sphere. When unset that of the Earth, 7.292e-5 1/s. It "
               "limits the time step."},
      bounded_key(
          "physics.rotation.tilt", "1", "", -std::numbers::pi, std::numbers::pi,
          "Angle, in radians, between the axis of rotation and the poles of the grid, towards "
          "the longitude pi; 0 when unset."),
  };
}

std::vector<Key> physics_keys() {
  return {
      positive_key("physics.gravity", "length/time^2", "9.81",
                   "Acceleration of gravity; 9.80616 on a sphere when unset."),
      expression_key(
          "physics.bed", "length", "0", "x y lon lat",
          "Level of the bed. In single precision choose the level of the water at rest as 0, "
          "where rounding is least."),
      {.path = "physics.coriolis.f",
       .unit = "1/time",
       .default_text = "0.0",
       .help = "Coriolis parameter at y = y0; its largest value on the grid limits the time step."},
      {.path = "physics.coriolis.beta",
       .unit = "1/(length time)",
       .default_text = "0.0",
       .help = "Derivative of the Coriolis parameter along y (beta plane)."},
      {.path = "physics.coriolis.y0",
       .unit = "length",
       .default_text = "0.0",
       .help = "Value of y at which the Coriolis parameter is f."},
      amount_key(
          "physics.friction.manning", "time/length^(1/3)", "0.0",
          "Manning's coefficient n of the bed, with the acceleration -g n^2 |u| u / h^(4/3). "
          "All friction terms are treated implicitly where they are stiff, with the order in "
          "time of the scheme up to the third."),
      amount_key(
          "physics.friction.drag", "1", "0.0",
          "Quadratic drag coefficient c_d of the bed, with the acceleration -c_d |u| u / h."),
      amount_key("physics.friction.linear", "1/time", "0.0",
                 "Coefficient r of linear (Rayleigh) friction, with the acceleration -r u."),
  };
}

std::vector<Key> numerics_keys() {
  const std::string reconstruction = "numerics.reconstruction";
  return {
      bounded_key(reconstruction + ".kappa", "1", "\"1/3\"", -1.0, 1.0,
                  "Kappa of the reconstruction: 1/3 is of third order in one dimension, 0 Fromm's "
                  "scheme, 1/2 QUICK."),
      bounded_key(
          reconstruction + ".transverse", "1", "0.0", -0.25, 0.25,
          "Weight c3 of the second difference across the axis, \"-1/24\" for the value at the "
          "centre of a face; 13 points in place of 9 unless 0."),
      choice_key(
          reconstruction + ".limiter", "auto", {"auto", "none", "minmod", "vanleer", "tvd"},
          "Limiter of the slopes, for bores and shores; tvd is the kappa scheme with TVD "
          "bounds (Koren's limiter at kappa = 1/3). auto: vanleer with wet_dry and without a "
          "transverse term, else none."),
      choice_key("numerics.riemann", "auto", {"auto", "osher", "hllc", "linearised"},
                 "Approximate Riemann solver of the faces; auto: hllc with a limiter or with "
                 "wet_dry, else osher."),
      flag_key("numerics.wet_dry", "false",
               "Allow cells to fall dry and to be flooded; if false, a depth that is not positive "
               "ends the run."),
      positive_key(
          "numerics.dry_depth", "length", "",
          "Depth up to which a cell counts as dry: its water does not move. When unset 1e-8 "
          "in double and 1e-4 in single precision."),
      choice_key("time.scheme", "ssp-rk3", exec::time_scheme_names(),
                 "Runge-Kutta scheme: strong-stability-preserving of three, two or four stages, or "
                 "of fourth order with five."),
  };
}

std::vector<Key> initial_keys() {
  return {
      choice_key("initial[].state", "", sphere_state_names(),
                 "On a sphere: a known flow with its bed, in place of the keys below. williamson-1 "
                 "and williamson-2 follow the axis of physics.rotation.tilt."),
      flag_key("initial[].perturbed", "true",
               "State barotropic-jet: include the perturbation of the surface that makes the jet "
               "unstable; without it the jet is steady."),
      expression_key("initial[].surface", "length", "", "x y lon lat",
                     "Initial level of the water; where it is below the bed the cell is dry. When "
                     "neither this nor depth is set, that of the previous entry, or 0."),
      expression_key("initial[].depth", "length", "", "x y lon lat",
                     "Initial depth above the bed, in place of surface."),
      expressions_key(
          "initial[].velocity", "length/time", "", "x y lon lat",
          "Initial velocity, on a sphere its components to the east and north; the third "
          "component must be 0. When unset, that of the previous entry, or 0."),
  };
}

const std::vector<systems::SourceEquation> source_equations = {
    {"surface", 1, "length/time",
     "Adds to the rate of change of the level of the water: rain, less what seeps away."},
    {"discharge", 3, "length^2/time^2",
     "Adds to the rate of change of depth times velocity: a stress over the density of the water; "
     "on a sphere its components to the east and north. The third component must be 0."}};

}  // namespace

std::vector<Key> keys() {
  return config::joined(
      {sphere_keys(), physics_keys(), numerics_keys(), initial_keys(), boundary_keys(),
       systems::strategy_keys(),
       systems::source_keys(source_equations, "x y lon lat",
                            "surface depth velocity.x velocity.y velocity.z velocity_east "
                            "velocity_north bed speed froude")});
}

void adjust_schema(config::Schema& schema) {
  schema.set_choices("device.schedule", {"auto", "measured", "march", "axes"});
  schema.set_help("device.schedule", systems::schedule_help);
  schema.set_default("grid.upper", "[1, 1, 1]");
  schema.allow_alone("grid.cells", 6);
  schema.set_help("grid.cells",
                  "Number of cells along x, y and z; of a cubed sphere one number: the cells along "
                  "an edge of its six panels.");
}

}  // namespace watersmeet::shallow_water
