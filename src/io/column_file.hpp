#pragma once
// Tables of one argument from text files of columns: soundings, profiles, measured series.

#include <string>

#include "config/table.hpp"

namespace watersmeet::io {

// Whether a file that can be read holds text: no byte of its beginning is a control character.
bool is_text_file(const std::string& path);

// Rows of numbers, separated by blanks, commas, semicolons or tabs, below any lines of other text.
// Columns are called by their number from 1, or by a name in the line above the rows, of as many
// words as there are columns, that has it. Rows where either number is nan are left out. Throws
// Error with what is wrong.
config::Table read_columns(const config::TableSource& source);

}  // namespace watersmeet::io
