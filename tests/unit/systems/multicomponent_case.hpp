#pragma once
// A case text read with the keys of fluids and initial states, for tests.

#include "config/input.hpp"
#include "systems/multicomponent/initial/state.hpp"

namespace multicomponent_case {

using namespace watersmeet;

inline config::Input validated(const std::string& text) {
  config::Schema schema = config::common_schema({"isothermal", "multicomponent"});
  schema.add(multicomponent::fluid_keys());
  schema.add(multicomponent::initial_keys());
  config::Input input = config::Input::from_text(text, "case.toml");
  input.validate(schema);
  return input;
}

inline mesh::Uniform geometry_of(const config::Input& input) {
  const Index3 cells = input.integers3("grid.cells");
  const Real3 lower = input.reals3("grid.lower"), upper = input.reals3("grid.upper");
  mesh::Uniform geometry{lower, {}, 0.5};
  for (std::size_t a = 0; a < 3; ++a)
    geometry.spacing[a] = (upper[a] - lower[a]) / static_cast<double>(cells[a]);
  return geometry;
}

// Throws when the case has faults, unless they are wanted.
struct Case {
  config::Input input;
  std::vector<multicomponent::Fluid> fluids;
  Index3 cells;
  multicomponent::InitialState state;

  explicit Case(const std::string& text, bool faulty = false)
      : input(validated(text)),
        fluids(multicomponent::read_fluids(input)),
        cells(input.integers3("grid.cells")),
        state(input, fluids, {geometry_of(input), cells}) {
    if (!faulty) input.throw_if_faults();
  }
};

}  // namespace multicomponent_case
