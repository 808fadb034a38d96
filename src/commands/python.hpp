#pragma once
// Running the Python side as a process: the picture at the end of a run, the check of an example, the
// commands plot and watch.

#include <string>
#include <vector>

namespace watersmeet::commands {

struct PythonResult {
  int status = 127;    // exit status; 127 when there is no interpreter
  std::string output;  // standard output and error
  std::string last_line() const;
};

// Runs the first of $WATERSMEET_PYTHON, /usr/bin/python3 and the python3 on PATH that lacks no package,
// with the package watersmeet of this tree or installation importable.
PythonResult run_python(const std::vector<std::string>& arguments);

// Replaces this process by `python3 -m watersmeet.MODULE WORDS`, so that the terminal and its signals
// are the package's own; the interpreter is chosen by whether it has the named packages. Throws
// Error{resource} where there is none.
[[noreturn]] void become_python(const std::string& module, const std::vector<std::string>& words,
                                const std::vector<std::string>& packages);

}  // namespace watersmeet::commands
