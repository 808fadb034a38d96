#pragma once
// Changes a TOML text as somebody who writes cases would get it wrong: another value, another key of the same schema, a line more or
// less or elsewhere, a number of another size, characters of other scripts.

#include <string>
#include <string_view>

#include "config/schema.hpp"

namespace watersmeet::fuzz {

std::string mutate_toml(std::string_view text, const config::Schema& schema, unsigned seed);

}  // namespace watersmeet::fuzz
