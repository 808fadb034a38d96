#pragma once
// Checks of a flow by name, `state` of an entry of [[initial]], that systems on a sphere share.

#include <cstddef>
#include <initializer_list>

#include "config/input.hpp"

namespace watersmeet::systems {

// Such a flow is the whole initial state: none of the keys `others` (".theta") may stand beside it
// in entry n, and no other entry. Faults go to the input.
void check_named_state(config::Input& input, std::size_t n,
                       std::initializer_list<const char*> others);

// A fault of every entry that is to be without the perturbation of a state and names none.
void check_perturbed(config::Input& input);

}  // namespace watersmeet::systems
