#pragma once
// One fault of the input and its printed form: kind, message, place, the line with a caret, and
// what to try. All faults of a case are shown together, in file order (docs, "Errors in the
// input").

#include <string>
#include <vector>

#include "core/error.hpp"

namespace watersmeet::config {

enum class FaultKind {
  syntax,          // not TOML
  unknown_key,     // a key or section that is not known
  bad_type,        // a number where text is meant, wrong length of a list
  range,           // a number outside the allowed range
  bad_value,       // a word that is not one of the choices
  bad_expression,  // a fault inside an expression
  missing_key,     // a required key is not given
  conflict,        // two keys contradict each other
  missing_file,    // the case itself, or the file of a table, cannot be read
};
const char* name_of(FaultKind kind);  // "unknown-key"

struct Fault {
  FaultKind kind = FaultKind::conflict;
  std::string file;  // name of the case, or "--set a.b=c"
  int line = 0;      // from 1; 0: no line
  int column = 0;    // from 1, in characters; 0: no place in the text
  int width = 1;     // characters to underline
  int option = 0;    // number of the --set option it is in, from 1; 0: in the file
  std::string key;   // full path, "grid.cells"
  std::string message, found, allowed, suggestion;
  std::string note;     // further line below the excerpt; may be empty
  std::string excerpt;  // the line of text that is shown; may be empty
};

// Faults of the file by line and column, then those without a line, then those of options.
void sort_faults(std::vector<Fault>& faults);

// The text of one fault, ending in a newline.
std::string render(const Fault& fault);

// The same of a remark: "note: ..." in place of the kind.
std::string render_note(const Fault& fault);

// The text of all faults and the closing line "3 errors in rb.toml; nothing was run".
std::string render(const std::vector<Fault>& faults, const std::string& file);

// Error{user_input} of one fault that only the grid showed, when the case was read already: its
// place comes from Input::place().
Error error_at(Fault place, const std::string& message, const std::string& suggestion = "");

// A number for a message: six figures, and not a number without a sign.
std::string shown(double value);

// [{"file", "line", "column", "key", "found", "allowed", "suggestion", "kind", "message"}, ...]
std::string to_json(const std::vector<Fault>& faults);

}  // namespace watersmeet::config
