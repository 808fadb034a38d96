#pragma once
// The description of each command, and the texts of --help made from them.

#include <string>
#include <vector>

namespace watersmeet::cli {

struct CommandHelp {
  std::string name;       // "run"
  std::string arguments;  // "CASE"
  std::string sentence;   // one line of `watersmeet --help`
  std::vector<std::string> details, examples;
};

const std::vector<CommandHelp>& all_commands();
std::vector<std::string> command_names();
// Null when there is no such command.
const CommandHelp* find_command(const std::string& name);
// The command that other programs call by this name ("restart": resume); empty when none.
std::string command_for_synonym(const std::string& word);

// One flag of a command as its help shows it: "--dir DIR", "folder of the run".
struct FlagHelp {
  std::string usage, meaning;
};

std::string program_help();
std::string command_help(const CommandHelp& command, const std::vector<FlagHelp>& flags);

}  // namespace watersmeet::cli
