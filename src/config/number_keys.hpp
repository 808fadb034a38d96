#pragma once
// Keys of one real number with a bound, as tables of keys list them. Without a default they are unset unless given.

#include <string>

#include "config/schema.hpp"

namespace watersmeet::config {

// A number that is not negative.
inline Key amount_key(const std::string& path, const std::string& unit,
                      const std::string& default_text, const std::string& help) {
  return {.path = path, .unit = unit, .default_text = default_text, .lowest = 0.0, .help = help};
}

inline Key positive_key(const std::string& path, const std::string& unit,
                        const std::string& default_text, const std::string& help) {
  Key key = amount_key(path, unit, default_text, help);
  key.lowest_open = true;
  return key;
}

}  // namespace watersmeet::config
