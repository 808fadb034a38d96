#pragma once
// Turns the position and words of a TOML syntax error into a fault that says what was written and
// what was meant: text without quotes, a decimal comma, True for true, a key given twice, an
// unclosed quote.

#include "config/document.hpp"

namespace watersmeet::config {

Fault syntax_fault(const Document& document, int line, int column, std::string description);

// Whether the line is a whole "key = value" by itself, so that reading may continue without it.
bool stands_alone(const std::string& line);

// Characters beyond ASCII outside quotes and comments, the first of each line. TOML forbids them,
// and version 3.3 of the library must not be given any: its search for foreign blanks is undefined
// for letters such as U+00E9.
std::vector<Position> foreign_characters(const std::vector<std::string>& lines, int source);

}  // namespace watersmeet::config
