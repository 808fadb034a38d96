#pragma once
// The nearest known name to a mistyped one: used for keys, choices, functions, subcommands, flags
// and field names. Distance of Damerau (1964) and Levenshtein (1966): insertions, deletions,
// substitutions and swaps of neighbours.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace watersmeet::config {

// Unrestricted Damerau-Levenshtein distance in bytes. Cost: a.size() * b.size().
std::size_t edit_distance(std::string_view a, std::string_view b);

// The text with the letters A to Z made small.
std::string lower_case(std::string_view text);

// The candidate with the smallest distance to `word` (letter case ignored), provided that the
// distance is at most max(1, word.size() / 3), and that a word of at most 4 bytes does not differ in a number of
// the same length. Ties go to the longest common prefix, then to the first candidate. When there is none,
// the only candidate of several words ("rk4-carpenter-kennedy") whose first word it is.
std::optional<std::string> nearest(std::string_view word,
                                   const std::vector<std::string>& candidates);

// "a, b, c"; each item between the given quotes.
std::string join(const std::vector<std::string>& items, std::string_view separator = ", ",
                 std::string_view quote = "");

}  // namespace watersmeet::config
