#pragma once
// What follows a command's name, split into flags with their values and other arguments.

#include <map>
#include <string>
#include <vector>

namespace watersmeet::cli {

struct Given {
  std::string command;
  std::vector<std::string> arguments;      // that are no flags or their values
  std::vector<std::string> all_arguments;  // of the command line
  std::map<std::string, std::string> texts;
  std::map<std::string, bool> switches;
  std::map<std::string, std::vector<std::string>> lists;
};

// Refuses flags that the command does not have, and values that are missing or not to be chosen.
Given split(const std::string& command, const std::vector<std::string>& arguments);

}  // namespace watersmeet::cli
