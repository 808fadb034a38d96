#pragma once
// The state beyond a boundary that a case gives for it, boundary.NAME.state: density, pressure and velocity, each a number, an expression of place
// and time, or of the flow at the node too. What is left out is the free stream.

#include <string>
#include <vector>

#include "config/input.hpp"
#include "systems/aerodynamics/case/free_stream.hpp"
#include "systems/aerodynamics/solver/solver.hpp"
#include "systems/user_sources.hpp"

namespace watersmeet::aerodynamics {

// False where the case gives none at this path. Sets Condition::outside of a condition of a known kind, or appends to `values`, of stored variables,
// where they read the flow. Every fault goes into the input.
bool read_outer_state(config::Input& input, const std::string& path, const FreeStream& stream,
                      Condition& condition, std::vector<systems::SideValue>& values);

// Whether nothing of that state is of the free stream.
bool whole_outer_state(const config::Input& input, const std::string& path);

}  // namespace watersmeet::aerodynamics
