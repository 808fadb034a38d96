#pragma once
// The examples: cases that run by name. Each is a folder with case.toml, a smaller quick.toml and
// further variants, a README.md and a check.py that judges the result.

#include <string>
#include <vector>

namespace watersmeet::commands {

struct Example {
  std::string name;  // "taylor-green"
  std::string directory;
  std::string title;                  // first line of its README.md, or of case.toml's comment
  std::vector<std::string> variants;  // "quick" for quick.toml; without case.toml, in order

  bool has(const std::string& variant) const;
};

// The folder of the examples: $WATERSMEET_EXAMPLES, else share/watersmeet/examples beside the
// program's own folder, else that of the source tree. Empty when none of them is there.
std::string examples_directory();

// By name.
std::vector<Example> list_examples();

bool is_example(const std::string& name);

// The file of a case: a path as it is, the case.toml of an example by its name, or its VARIANT.toml
// for "NAME/VARIANT"; quick.toml for the name alone with `quick`. Error{user_input} for a word that
// is neither, with the nearest example, and for a variant that an example does not have, with those
// that it has. A path to a file that is not there is returned, for config::Input to refuse.
std::string resolve_case(const std::string& case_or_example, bool quick = false);

}  // namespace watersmeet::commands
