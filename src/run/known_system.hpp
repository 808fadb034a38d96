#pragma once
// A word of the command line that should be the name of a system.

#include <string>

namespace watersmeet::run {

// The name itself, or that of the first system for an empty one. Refuses a name that is none, with
// the nearest one and all of them.
std::string known_system(const std::string& name);

}  // namespace watersmeet::run
