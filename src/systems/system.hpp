#pragma once
// What every system of equations looks like to the rest of the program: a host interface without
// templates, of three parts. A system reads its own keys, owns its state and its compiled loops, and
// knows nothing of files, folders or the terminal.

#include "systems/observation.hpp"
#include "systems/set_up.hpp"
#include "systems/stepping.hpp"

namespace watersmeet::systems {

class System : public SetUp, public Stepping, public Observation {};

}  // namespace watersmeet::systems
