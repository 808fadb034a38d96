// The rows of the MHD benchmark: isothermal and full MHD in both precisions.
#include "systems/mhd/system.hpp"

namespace watersmeet::mhd {

// Smooth, fully three-dimensional flow and field, so that no value is trivial and nothing decays to zero.
systems::Bench bench(Backend backend) {
  return systems::usual_bench(backend, "mhd", "physics.energy", {"isothermal", "entropy"},
                              R"toml(physics.viscosity = 1.0e-3
physics.resistivity = 1.0e-3
[[initial]]
density = "1 + 0.1*sin(x)*cos(2*y)*sin(z)"
velocity = ["0.1*sin(x)*cos(y)*cos(z)", "-0.1*cos(x)*sin(y)*cos(2*z)", "0.05*sin(x + y)*cos(z)"]
potential = ["0.1*sin(y + z)", "0.1*cos(x)*sin(2*z)", "0.1*sin(x)*cos(y)"]
)toml");
}

}  // namespace watersmeet::mhd
