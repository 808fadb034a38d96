// Input keys of aerodynamics; those of mesh, free stream, method, initial state and boundaries
// stand with the code that reads them.
#include "config/usual_keys.hpp"
#include "systems/aerodynamics/surface/file.hpp"
#include "systems/aerodynamics/system.hpp"
#include "systems/user_sources.hpp"

namespace watersmeet::aerodynamics {

using config::Key;
using config::KeyType;
using config::positive_key;
using config::vector_key;

namespace {

std::vector<Key> output_keys() {
  const std::string forces = "output.forces.";
  return {
      {.path = forces + "patches",
       .type = KeyType::texts,
       .help = "Walls whose forces are summed for the coefficients; all slip walls when unset."},
      positive_key(forces + "area", "length^2", "",
                   "Reference area of the coefficients, in 2-D a length; 1 when unset."),
      positive_key(forces + "length", "length", "",
                   "Reference length of the moment coefficient; 1 when unset."),
      vector_key(forces + "moment_about", "length", "",
                 "Point that the moment is taken about; [0.25, 0, 0] when unset."),
      {.path = "output.surface",
       .type = KeyType::texts,
       .default_text = "[\"cp\", \"mach\", \"entropy\"]",
       .choices = surface_values(),
       .help =
           "Values in surface_NAME_NNNNNN.csv, one file for each slip wall and snapshot, beside "
           "block, node, coordinates and arc length; none: []."},
  };
}

const std::vector<systems::SourceEquation> source_equations = {
    {"density", 1, "mass/(length^3 time)", "Source of the density."},
    {"momentum", 3, "mass/(length^2 time^2)", "Source of the momentum: a force per volume."},
    {"energy", 1, "mass/(length time^3)",
     "Source of the total energy per volume: heat, and the work of forces."}};

}  // namespace

std::vector<Key> keys() {
  const std::string state =
      "rho velocity.x velocity.y velocity.z speed p temperature mach entropy total_enthalpy energy";
  return config::joined({grid_keys(), stream_keys(), method_keys(), initial_keys(),
                         boundary_keys(state), output_keys(),
                         systems::source_keys(source_equations, "x y z r", state)});
}

void adjust_schema(config::Schema& schema) {
  // Blocks are shared out whole, by their nodes.
  for (const char* const path :
       {"grid.cells", "grid.lower", "grid.upper", "device.ranks_along", "device.weights"}) {
    schema.remove(path);
  }
  schema.set_choices("device.schedule", {"auto", "direct", "cubes", "march"});
  schema.set_default("time.cfl", "");
  schema.set_help("time.cfl",
                  "CFL number: time step divided by the time in which waves cross a cell, summed "
                  "over the directions. When unset 1.5, from order 4 on 0.7; in unsteady runs 1.");
  schema.set_help("time.end",
                  "Unsteady: the run ends at this time; time.end or time.steps must be "
                  "given.");
}

}  // namespace watersmeet::aerodynamics
