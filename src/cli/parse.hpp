#pragma once
// The arguments of a command line, read into one call of a command. Whatever is wrong with them becomes
// Error{user_input} with the nearest right argument; nothing is printed and nothing is run here.

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

// --json and --color, looked up without understanding the rest: how messages are to be shown,
// those about arguments that parse() refuses included.
CommonOptions message_options(const std::vector<std::string>& arguments);

}  // namespace watersmeet::cli
