#pragma once
// Reads the arguments of a command line into one call of a command. Wrong arguments throw
// Error{user_input} with the nearest valid one; nothing is printed and nothing is run here.

#include <functional>
#include <string>
#include <vector>

#include "watersmeet/commands.hpp"

namespace watersmeet::cli {

struct Request {
  std::function<int()> command;  // empty: only the text is to be printed
  std::string text;              // of --help and --version
  int status = 0;                // exit status after the text; not 0: it belongs on stderr
};

// `arguments` are those after the program's name.
Request parse(const std::vector<std::string>& arguments);

// --json and --color, found without reading the rest: they say how messages are shown, also those
// about arguments that parse() refuses.
CommonOptions message_options(const std::vector<std::string>& arguments);

}  // namespace watersmeet::cli
