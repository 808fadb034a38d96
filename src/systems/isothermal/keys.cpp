// Input keys of the isothermal system.
#include "config/usual_keys.hpp"
#include "systems/isothermal/system.hpp"

namespace watersmeet::isothermal {

using config::amount_key;
using config::choice_key;
using config::Key;
using config::KeyType;
using config::positive_key;

std::vector<Key> keys() {
  const std::vector<Key> own = {
      amount_key("physics.sound_speed", "speed", "1.0",
                 "Constant sound speed c; 0 gives pressureless flow."),
      amount_key("physics.viscosity", "length^2/time", "5.0e-3", "Kinematic shear viscosity nu."),
      amount_key("physics.bulk_viscosity", "length^2/time", "0.0",
                 "Kinematic bulk viscosity zeta."),
      amount_key("physics.hyperviscosity", "length^6/time", "0.0",
                 "nu_3 of the term nu_3 (d_x^6 + d_y^6 + d_z^6) u."),
      choice_key("numerics.method", "55-point", {"55-point", "19-point"},
                 "grad div u by mixed derivatives in one pass, or by first derivatives of a stored "
                 "div u."),
      {.path = "numerics.upwind",
       .type = KeyType::texts,
       .default_text = "[]",
       .choices = {"rho", "velocity"},
       .help = "Fields advected with 5th-order upwinding instead of central differences."},
      positive_key("time.cfl_viscous", "1", "0.25",
                   "Limit on dt times nu sum 1/h^2; linear stability ends at 0.37. With "
                   "rk4-carpenter-kennedy it ends at 0.68, and the default is 0.45."),
      positive_key("time.cfl_hyper", "1", "0.01",
                   "Limit on dt times nu_3 sum 1/h^6; linear stability ends at 0.039. With "
                   "rk4-carpenter-kennedy it ends at 0.073, and the default is 0.018."),
  };
  return config::joined({own, systems::central_keys(),
                         systems::source_keys(systems::central_source_equations(), "x y z r",
                                              systems::central_state)});
}

void adjust_schema(config::Schema& schema) {
  schema.set_default("time.cfl", "0.9");
  schema.set_help("time.cfl", systems::central_cfl_help);
  schema.set_default("output.fields", "[\"rho\", \"velocity\"]");
}

}  // namespace watersmeet::isothermal
