#pragma once
// Advice about a key that the program does not have: a key of another system, of another section, of
// another code, or a mistyped one.

#include <string>

#include "config/fault.hpp"
#include "config/schema.hpp"

namespace watersmeet::config {

// Fills message, allowed, suggestion and note of an unknown-key fault. `path` is the concrete path
// of the key; `is_section`: it was written as a table.
void advise_unknown_key(Fault& fault, const Schema& schema, const std::string& system,
                        const std::string& section, const std::string& leaf, bool is_section);

}  // namespace watersmeet::config
