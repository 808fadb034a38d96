#pragma once
// A word of the command line that should be the name of a system.

#include <string>

namespace watersmeet::run {

// Refuses a name that is none, with the nearest one and all of them.
void check_system_name(const std::string& name);

}  // namespace watersmeet::run
