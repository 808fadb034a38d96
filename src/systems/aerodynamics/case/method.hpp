#pragma once
// The numerical method of a case from its keys, with the defaults of keys that a case leaves unset.

#include "config/input.hpp"
#include "systems/aerodynamics/case/free_stream.hpp"
#include "systems/aerodynamics/solver/solver.hpp"

namespace watersmeet::aerodynamics {

std::vector<config::Key> method_keys();

// Contradictions are faults of the input.
Method read_method(config::Input& input, const FreeStream& stream);

// "order 3, matrix dissipation": for the head of a run.
std::string method_text(const Method& method);

}  // namespace watersmeet::aerodynamics
