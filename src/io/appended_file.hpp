#pragma once
// Text files that grow by whole lines. An append that fails half way is undone.

#include <string>

namespace watersmeet::io {

// Opens for appending (creates an empty file where there is none). Error{io}.
int open_for_append(const std::string& path);

// Appends the text in full or, on failure, throws Error{io} with the file as it was.
void append_text(int descriptor, const std::string& path, const std::string& text);

// Removes a last line that has no line end, as a killed program leaves it. Error{io}.
void drop_unfinished_line(const std::string& path);

}  // namespace watersmeet::io
