#pragma once
// Paths of keys. A concrete path names one place of a case, "initial[3].shape.kind"; a pattern
// stands for many: "[]" for any entry of a list of sections, "*" for any name,
// "physics.fluids.*.gamma". A pattern fits itself.

#include <string>

namespace watersmeet::config {

// "initial[3].density" -> "initial[].density"
std::string pattern_of(const std::string& path);
// Last name of a path, and what stands before it: "time.cfl" -> "cfl", "time".
std::string leaf_of(const std::string& path);
std::string section_of(const std::string& path);
// "time", "cfl" -> "time.cfl"; a first part that is empty is left out.
std::string path_of(const std::string& section, const std::string& name);
// How a section is written in a case: "[time]", "[[initial]]", "[initial.shape]",
// "[physics.fluids.NAME]".
std::string header_of(const std::string& section);

// Whether a pattern stands for a path.
bool fits(const std::string& pattern, const std::string& path);
// Whether a pattern continues below a path, which may be empty: "grid.cells" is below "grid". The
// name that comes next, "cells", is handed out as it stands in the pattern: "initial[]", "*".
bool is_below(const std::string& pattern, const std::string& path, std::string* next = nullptr);
// The same or below, for readers: marks of lists may be left out, NAME stands for "*".
bool is_part(const std::string& pattern, const std::string& prefix);

// A name that expressions, quantities and files can use: letters, digits and _, no digit first.
bool is_identifier(const std::string& name);

}  // namespace watersmeet::config
