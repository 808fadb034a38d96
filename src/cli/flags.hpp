#pragma once
// The flags of all commands in one table, from which arguments are read and the texts of --help are
// made.

#include <string>
#include <vector>

#include "cli/help.hpp"

namespace watersmeet::cli {

struct Flag {
  std::string name;      // without the dashes
  std::string value;     // what its help calls the value; empty: it takes none
  std::string commands;  // "run resume "; empty: every command
  std::string meaning;
  std::vector<std::string> choices = {};
  bool repeatable = false;
};
const std::vector<Flag>& all_flags();

bool belongs(const Flag& flag, const std::string& command);
// "--dir", ...; those of every command for an empty one.
std::vector<std::string> flag_names(const std::string& command);
// What to write for the setting of a key without --set, "time.end=2" or "--time.end"; "" where the
// command has no --set or the words are none.
std::string as_setting(const std::string& command, const std::string& words);
// "--dir DIR"
std::string usage_of(const Flag& flag);
std::vector<FlagHelp> flag_help(const std::string& command);

}  // namespace watersmeet::cli
