// Input keys of the isothermal system.
#include "systems/isothermal/system.hpp"

namespace watersmeet::isothermal {

using config::Key;
using config::KeyType;

std::vector<Key> keys() {
  std::vector<Key> all = {
      {.path = "physics.sound_speed",
       .unit = "speed",
       .default_text = "1.0",
       .lowest = 0.0,
       .help = "Constant sound speed c; 0 gives pressureless flow."},
      {.path = "physics.viscosity",
       .unit = "length^2/time",
       .default_text = "5.0e-3",
       .lowest = 0.0,
       .help = "Kinematic shear viscosity nu."},
      {.path = "physics.bulk_viscosity",
       .unit = "length^2/time",
       .default_text = "0.0",
       .lowest = 0.0,
       .help = "Kinematic bulk viscosity zeta."},
      {.path = "physics.hyperviscosity",
       .unit = "length^6/time",
       .default_text = "0.0",
       .lowest = 0.0,
       .help = "nu_3 of the term nu_3 (d_x^6 + d_y^6 + d_z^6) u."},
      {.path = "numerics.method",
       .type = KeyType::choice,
       .default_text = "\"55-point\"",
       .choices = {"55-point", "19-point"},
       .help = "grad div u by mixed derivatives in one pass, or by first derivatives of a stored "
               "div u."},
      {.path = "numerics.upwind",
       .type = KeyType::texts,
       .default_text = "[]",
       .choices = {"rho", "velocity"},
       .help = "Fields advected with 5th-order upwinding instead of central differences."},
      {.path = "time.cfl_viscous",
       .default_text = "0.25",
       .lowest = 0.0,
       .lowest_open = true,
       .help = "Limit on dt times nu sum 1/h^2; linear stability ends at 0.37."},
      {.path = "time.cfl_hyper",
       .default_text = "0.01",
       .lowest = 0.0,
       .lowest_open = true,
       .help = "Limit on dt times nu_3 sum 1/h^6; linear stability ends at 0.039."},
  };
  const std::vector<Key> common = systems::central_keys();
  all.insert(all.end(), common.begin(), common.end());
  return all;
}

void adjust_schema(config::Schema& schema) {
  schema.set_default("time.cfl", "0.9");
  schema.set_default("output.fields", "[\"rho\", \"velocity\"]");
}

}  // namespace watersmeet::isothermal
