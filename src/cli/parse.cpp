// Finds --help, --version and the command's name, then reads the other arguments as the options of that
// command.
#include "cli/parse.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "cli/flags.hpp"
#include "cli/given.hpp"
#include "cli/help.hpp"

namespace watersmeet::cli {
namespace {

[[noreturn]] void refuse_command(const std::string& argument) {
  std::string suggestion = did_you_mean(argument, command_names());
  if (const std::string known = command_for_synonym(argument); !known.empty()) {
    suggestion = "did you mean `" + known + "`?";
  }
  if (argument.ends_with(".toml")) suggestion = "try:  watersmeet run " + argument;
  if (argument.ends_with(".vtkhdf") || argument.ends_with(".h5") || argument.ends_with("/")) {
    suggestion = "try:  watersmeet info " + argument;
  }
  refuse({.kind = "unknown-command",
          .found = argument,
          .message = "no command `" + argument + "`",
          .suggestion = suggestion,
          .allowed = fmt::format("commands: {}        (watersmeet --help)",
                                 fmt::join(command_names(), ", "))});
}

// The positive number that a flag was given; `otherwise` without the flag.
double number(const Given& given, const std::string& name, double otherwise, bool whole,
              double most = 1e6) {
  const std::string& text = given.texts.at(name);
  if (text.empty()) return otherwise;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool read = error == std::errc() && end == text.data() + text.size() && value > 0 &&
                    value <= most && (!whole || value == std::floor(value));
  if (!read) {
    refuse({.kind = "bad-value",
            .found = text,
            .message =
                fmt::format("`--{}` must be a {}number greater than 0, at most {:.0f}; not `{}`",
                            name, whole ? "whole " : "", most, text),
            .suggestion = {},
            .allowed = {}});
  }
  return value;
}

// Refuses fewer than `least` and more than `most` arguments, naming the first that is too many.
void require_arguments(const Given& given, std::size_t least, std::size_t most) {
  const CommandHelp& command = *find_command(given.command);
  const std::string usage = "usage: watersmeet " + command.name +
                            (command.arguments.empty() ? "" : " " + command.arguments) + " [flags]";
  if (given.arguments.size() < least) {
    refuse({.kind = "missing-argument",
            .found = {},
            .message =
                "`watersmeet " + command.name + "` needs " + command.arguments +
                (given.arguments.empty() ? "" : "; only `" + given.arguments[0] + "` was given"),
            .suggestion = {},
            .allowed = usage + "        e.g. " + command.examples.front()});
  }
  if (given.arguments.size() > most) {
    refuse({.kind = "extra-argument",
            .found = given.arguments[most],
            .message = "`watersmeet " + command.name + "` takes no further argument `" +
                       given.arguments[most] + "`",
            .suggestion = as_setting(command.name, given.arguments[most]),
            .allowed = usage});
  }
}

void fill(CommonOptions& options, const Given& given, const std::string& line) {
  const auto text = [&](const char* name) {
    const auto found = given.texts.find(name);
    return found == given.texts.end() ? std::string() : found->second;
  };
  options.device = text("device");
  options.precision = text("precision");
  if (given.texts.count("threads") > 0) {
    options.threads = static_cast<int>(number(given, "threads", 0, true, most_threads));
  }
  const auto whole = [&](const char* name) {
    return text(name).empty() ? 0 : static_cast<int>(number(given, name, 0, true, most_ranks));
  };
  options.gpus = whole("gpus");
  options.ranks = whole("ranks");
  options.cpu_ranks = whole("cpu-ranks");
  if (options.gpus > 0) {
    if (options.device == "cpu") {
      refuse({.kind = "bad-value",
              .found = "--gpus",
              .message = "`--gpus` gives each rank a GPU, but `--device cpu` forbids it",
              .suggestion = "for ranks on the CPU:  --ranks " + text("gpus"),
              .allowed = {}});
    }
    options.device = options.cpu_ranks > 0 ? "auto" : "gpu";
  }
  if (given.lists.count("set") > 0) options.set = given.lists.at("set");
  if (!text("color").empty()) options.color = text("color");
  options.json = given.switches.at("json");
  options.quiet = given.switches.at("quiet");
  options.command_line = line;
  options.words = given.all_arguments;
}

std::function<int()> action(const Given& given, const std::string& line) {
  const std::string first = given.arguments.empty() ? "" : given.arguments[0];
  const std::string& name = given.command;
  RunOptions options;
  fill(options, given, line);
  if (name == "run") {
    require_arguments(given, 1, 1);
    options.directory = given.texts.at("dir");
    options.wall = given.texts.at("wall");
    options.resume_auto = !given.texts.at("resume").empty();
    options.dry_run = given.switches.at("dry-run");
    return [=] { return command_run(first, options); };
  }
  if (name == "resume") {
    require_arguments(given, 1, 1);
    options.wall = given.texts.at("wall");
    const std::string until = given.texts.at("until");
    return [=] { return command_resume(first, until, options); };
  }
  if (name == "check") {
    require_arguments(given, 1, 1);
    return [=] { return command_check(first, options); };
  }
  if (name == "new") {
    NewOptions fresh;
    static_cast<CommonOptions&>(fresh) = options;
    fresh.list = given.switches.at("list");
    fresh.from = given.texts.at("from");
    fresh.system = given.texts.at("system");
    require_arguments(given, fresh.list ? 0 : 1, 1);
    return [=] { return command_new(first, fresh); };
  }
  if (name == "keys") {
    require_arguments(given, 0, 1);
    const std::string format = given.texts.at("format");
    if (given.switches.at("outputs")) {
      if (format == "json-schema") {
        refuse({.kind = "bad-value",
                .found = format,
                .message = "outputs are not keys and have no JSON schema; leave out `--outputs` or "
                           "the format",
                .suggestion = "--format markdown, or --json",
                .allowed = {}});
      }
      return [=] { return command_outputs(first, format, options); };
    }
    return [=] { return command_keys(first, format.empty() ? "text" : format, options); };
  }
  if (name == "info") {
    const bool series = given.switches.at("series");
    require_arguments(given, series ? 1 : 0, 1);
    return [=] { return command_info(first, series, options); };
  }
  if (name == "diff") {
    require_arguments(given, 2, 2);
    return [=] { return command_diff(first, given.arguments[1], options); };
  }
  if (name == "plot" || name == "watch") {
    require_arguments(given, 1, 1);
    return [=] { return command_pictures(first, options); };
  }
  if (name == "stop") {
    require_arguments(given, 1, 1);
    return [=] { return command_stop(first, options); };
  }
  if (name == "slurm") {
    require_arguments(given, 1, 1);
    SlurmOptions slurm;
    static_cast<CommonOptions&>(slurm) = options;
    slurm.nodes = static_cast<int>(number(given, "nodes", 1, true));
    slurm.gpus_per_node = static_cast<int>(number(given, "gpus-per-node", 0, true));
    slurm.ranks_per_node = static_cast<int>(number(given, "ranks-per-node", 0, true));
    slurm.time = given.texts.at("time");
    slurm.partition = given.texts.at("partition");
    slurm.account = given.texts.at("account");
    slurm.name = given.texts.at("name");
    slurm.site = given.texts.at("site");
    slurm.directory = given.texts.at("dir");
    return [=] { return command_slurm(first, slurm); };
  }
  if (name == "mesh") {
    MeshOptions mesh;
    static_cast<CommonOptions&>(mesh) = options;
    mesh.list = given.switches.at("list");
    mesh.split = given.switches.at("split");
    mesh.dry_run = given.switches.at("dry-run");
    mesh.output = given.texts.at("output");
    mesh.shares = static_cast<int>(number(given, "shares", 0, true));
    require_arguments(given, mesh.list ? 0 : 1, 1);
    return [=] { return command_mesh(first, mesh); };
  }
  require_arguments(given, 0, 1);
  if (name == "verify") {
    const bool quick = given.switches.at("quick");
    return [=] { return command_verify(first, quick, options); };
  }
  BenchOptions bench;
  static_cast<CommonOptions&>(bench) = options;
  bench.compare = given.texts.at("compare");
  bench.only = given.texts.at("only");
  bench.output = given.texts.at("output");
  bench.cells = given.lists.at("cells");
  bench.repeats = static_cast<int>(number(given, "repeats", bench.repeats, true));
  bench.seconds = number(given, "seconds", bench.seconds, false);
  return [=] { return command_bench(first, bench); };
}

}  // namespace

CommonOptions message_options(const std::vector<std::string>& arguments) {
  CommonOptions options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--json") options.json = true;
    if (arguments[i] == "--color" && i + 1 < arguments.size()) options.color = arguments[i + 1];
    if (arguments[i].rfind("--color=", 0) == 0) options.color = arguments[i].substr(8);
  }
  return options;
}

Request parse(const std::vector<std::string>& arguments) {
  // Flags that all commands have may precede the command, so the command is the first argument that is not a flag.
  std::size_t place = 0;
  while (place < arguments.size() && arguments[place].size() > 1 && arguments[place][0] == '-') {
    const std::string& argument = arguments[place];
    if (argument == "-h" || argument == "--help") return {{}, program_help(), 0};
    if (argument == "-V" || argument == "--version") return {{}, version_text() + "\n", 0};
    const std::vector<std::string> common = flag_names("");
    if (std::find(common.begin(), common.end(), argument.substr(0, argument.find('='))) ==
        common.end()) {
      refuse({.kind = "unknown-flag",
              .found = argument,
              .message = "no flag `" + argument + "` before the command",
              .suggestion =
                  did_you_mean(argument, {"--help", "--version", "--json", "--quiet", "--color"}),
              .allowed =
                  "usage: watersmeet COMMAND [arguments and flags]        (watersmeet --help)"});
    }
    place += argument == "--color" ? 2 : 1;
  }
  if (place >= arguments.size()) return {{}, program_help(), 2};
  std::string name = arguments[place];
  std::vector<std::string> others = arguments;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(place));
  if (name == "help") {
    if (others.size() <= place) return {{}, program_help(), 0};
    name = others[place];
    others = {"--help"};
  }
  const CommandHelp* const command = find_command(name);
  if (command == nullptr) refuse_command(name);
  Given given = split(name, others);
  given.all_arguments = arguments;
  if (given.switches.at("help")) return {{}, command_help(*command, flag_help(name)), 0};
  std::string line = "watersmeet";
  for (const std::string& argument : arguments) {
    const bool quoted =
        argument.empty() || argument.find_first_of(" \t\"'$&|;<>()*?`\\") != std::string::npos;
    line += " " + (quoted ? "'" + argument + "'" : argument);
  }
  return {action(given, line), {}, 0};
}

}  // namespace watersmeet::cli
