#pragma once
// Text files that grow by whole lines: one write call per append, undone when it fails half way.

#include <string>

namespace watersmeet::io {

// Opens for appending (creates an empty file where there is none). Error{io}.
int open_for_append(const std::string& path);

// Appends the text in full or, on failure, throws Error{io} with the file as it was.
void append_text(int descriptor, const std::string& path, const std::string& text);

// Cuts off a last line without its line end, as a killed program leaves it. Error{io}.
void drop_unfinished_line(const std::string& path);

}  // namespace watersmeet::io
