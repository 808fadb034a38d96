#pragma once
// Changes a TOML text as somebody who writes cases would get it wrong: another value, another key of the same schema, a line more or
// less or elsewhere, a number of another size, characters of other scripts.

#include <string>
#include <string_view>

#include "config/schema.hpp"

namespace watersmeet::fuzz {

// The schema of the texts that a target reads: of a case that of the system that the text names, of any system where it names none; nullptr
// for targets whose input is no TOML.
const config::Schema* schema_of_texts(const std::string& target, std::string_view text,
                                      unsigned seed);

std::string mutate_toml(std::string_view text, const config::Schema& schema, unsigned seed);

}  // namespace watersmeet::fuzz
