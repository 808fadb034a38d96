#pragma once
// How messages and numbers look on a terminal: colours where they are wanted and understood, and
// sizes as text. The texts of errors themselves are made where the error is found.

#include <concepts>
#include <string>
#include <vector>

#include "core/types.hpp"
#include "watersmeet/commands.hpp"

namespace watersmeet::io {

// Whether to send colours to a file descriptor: --color always and never decide; auto means a
// terminal that is not "dumb", with NO_COLOR unset or empty (https://no-color.org).
bool use_color(const CommonOptions& options, int descriptor);

// The text with "error...:" and "note:" at the start of a line, and carets, in colour.
std::string colored(const std::string& text);

// "1.1 GiB", "300 B"
std::string bytes_text(double bytes);
// "16.8 M", "4.29 G", "125": a count with three digits.
std::string count_text(double count);
// "1 file", "3 files"
std::string counted(std::integral auto count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}
// "6.283", "1.0e-10": `digits` digits, for reading.
std::string number_text(double value, int digits = 4);
std::string size_text(const Index3& n);  // "129 x 65 x 2"
// "129 x 65 x 2, 65 x 65 x 2, ...": the nodes of the first six blocks.
std::string sizes_text(const std::vector<Index3>& blocks);
// "72 s", "18 min", "5.2 h", "3.1 d"
std::string duration_text(double seconds);

// Refuses the value of a flag of the command line, with a text that says what is wrong with it.
[[noreturn]] void refuse_flag(const std::string& flag, const std::string& message,
                              const std::string& suggestion = "");

// A text of a file for the terminal: bytes that are not UTF-8 become U+FFFD, control characters `?`.
std::string printable(const std::string& text);

// A double-quoted text for JSON, with the quotes; bytes that are not UTF-8 are replaced.
std::string json_text(const std::string& text);

}  // namespace watersmeet::io
