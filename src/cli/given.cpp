// CLI11 (https://github.com/CLIUtils/CLI11) splits the arguments by the table of flags, and what it
// cannot place is explained here, so that a message always names the nearest right argument.
#include "cli/given.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/flags.hpp"
#include "watersmeet/commands.hpp"

namespace watersmeet::cli {
namespace {

[[noreturn]] void refuse_flag(const std::string& argument, const std::string& command) {
  const std::string name = argument.substr(0, argument.find('='));
  const std::vector<std::string> names = flag_names(command);
  std::string suggestion =
      did_you_mean("--" + name.substr(std::min(name.find_first_not_of('-'), name.size())), names);
  if (suggestion.empty()) {  // another command's flag, perhaps mistyped
    std::vector<std::string> all;
    for (const Flag& flag : all_flags()) all.push_back("--" + flag.name);
    const auto near = nearest_word(name, all);
    std::string owners;  // several commands may have a flag of this name
    for (const Flag& flag : all_flags()) {
      if (near && "--" + flag.name == *near) owners += flag.commands;
    }
    if (near && !owners.empty()) {
      owners.pop_back();
      std::replace(owners.begin(), owners.end(), ' ', '/');
      suggestion = "`" + *near + "` belongs to: watersmeet " + owners;
    }
  }
  if (suggestion.empty()) suggestion = as_setting(command, argument);
  refuse({.kind = "unknown-flag",
          .found = name,
          .message = "`watersmeet " + command + "` has no flag `" + name + "`",
          .suggestion = suggestion,
          .allowed = fmt::format("flags: {}        (watersmeet {} --help)", fmt::join(names, ", "),
                                 command)});
}

[[noreturn]] void refuse_missing_value(const Flag& flag) {
  refuse({.kind = "missing-argument",
          .found = "--" + flag.name,
          .message = "`--" + flag.name + "` needs a value: " + usage_of(flag),
          .suggestion = {},
          .allowed = "--" + flag.name + ": " + flag.meaning});
}

// What CLI11 could not read.
[[noreturn]] void refuse_value(const CLI::ParseError& error, const std::string& command) {
  const std::string text = error.what();
  for (const Flag& flag : all_flags()) {
    const std::string name = "--" + flag.name;
    if (flag.value.empty() || text.rfind(name + ":", 0) != 0) continue;
    refuse_missing_value(flag);
  }
  refuse({.kind = "bad-value",
          .found = {},
          .message = "the arguments after `watersmeet " + command + "` cannot be read: " + text,
          .suggestion = {},
          .allowed = "watersmeet " + command + " --help"});
}

}  // namespace

Given split(const std::string& command, const std::vector<std::string>& arguments) {
  Given given;
  given.command = command;
  CLI::App app;
  app.set_help_flag();  // ours below: CLI11's would print by itself
  app.allow_extras();
  app.add_option("arguments", given.arguments);
  for (const Flag& flag : all_flags()) {
    if (!belongs(flag, command)) continue;
    const std::string name = flag.name == "help" ? "-h,--help" : "--" + flag.name;
    if (flag.value.empty()) {
      app.add_flag(name, given.switches[flag.name]);
    } else if (flag.repeatable) {
      app.add_option(name, given.lists[flag.name])->allow_extra_args(false);
    } else {
      app.add_option(name, given.texts[flag.name])
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    }
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    // CLI11 would take a flag that follows for the value: `--dir --json` names no folder.
    if (i + 1 < arguments.size() && arguments[i + 1].rfind("--", 0) == 0) {
      for (const Flag& flag : all_flags()) {
        if (argument == "--" + flag.name && belongs(flag, command) && !flag.value.empty()) {
          refuse_missing_value(flag);
        }
      }
    }
    const std::size_t equals = argument.find('=');
    if (equals == std::string::npos || argument.rfind("--", 0) != 0) continue;
    if (given.switches.count(argument.substr(2, equals - 2)) == 0) continue;
    refuse({.kind = "extra-argument",
            .found = argument,
            .message = "`" + argument.substr(0, equals) + "` takes no value",
            .suggestion = {},
            .allowed = {}});
  }
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(),
                                       arguments.rend()));  // CLI11 takes from the back
  } catch (const CLI::ParseError& error) {
    refuse_value(error, command);
  }
  for (const std::string& argument : app.remaining()) {
    if (argument.size() > 1 && argument[0] == '-' && argument != "--")
      refuse_flag(argument, command);
  }
  for (const Flag& flag : all_flags()) {
    const std::string& value = given.texts[flag.name];
    const auto& choices = flag.choices;
    if (value.empty() || choices.empty()) continue;
    if (std::find(choices.begin(), choices.end(), value) == choices.end()) {
      refuse(
          {.kind = "bad-value",
           .found = value,
           .message = fmt::format("`--{}` must be one of: {}", flag.name, fmt::join(choices, ", ")),
           .suggestion = did_you_mean(value, choices),
           .allowed = {}});
    }
  }
  return given;
}

}  // namespace watersmeet::cli
