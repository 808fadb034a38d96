// One table of flags; CLI11 (https://github.com/CLIUtils/CLI11) splits the words by it, and what
// CLI11 cannot place is explained here, so that a message always names the nearest right word.
#include "cli/parse.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "cli/help.hpp"

namespace watersmeet::cli {
namespace {

struct Flag {
  std::string name;      // without the dashes
  std::string value;     // what its help calls the value; empty: it takes none
  std::string commands;  // "run resume "; empty: every command
  std::string meaning;
  std::vector<std::string> choices = {};
  bool repeatable = false;
};

const std::vector<Flag>& all_flags() {
  static const std::string simulating = "run resume check ";
  static const std::string computing = simulating + "bench verify ";
  static const std::string launching = "run resume bench ";
  static const std::vector<Flag> flags = {
      {"dir", "DIR", "run slurm ", "folder of the run instead of runs/NAME-001"},
      {"resume",
       "auto",
       "run ",
       "go on from the newest good checkpoint of --dir if there is one, else start",
       {"auto"}},
      {"dry-run", "", "run ", "only check, as watersmeet check does"},
      {"dry-run", "", "mesh ", "write nothing"},
      {"split", "", "mesh ", "cut blocks until all links join complete faces"},
      {"shares", "N", "mesh ", "cut blocks until N ranks have about equal shares"},
      {"until", "T", "resume ", "new end time instead of time.end"},
      {"wall", "TIME", "run resume ",
       "stop in time with a checkpoint: 90 min, 4h (number: seconds)"},
      {"set",
       "KEY=VALUE",
       simulating + "slurm bench ",
       "replace a key of the case: time.cfl=0.5; repeatable",
       {},
       true},
      {"set", "KEY=VALUE", "mesh ", "a key of the mesh: cells=[64,32]; repeatable", {}, true},
      {"device", "KIND", computing, "auto, cpu or gpu", {"auto", "cpu", "gpu"}},
      {"precision", "P", computing + "slurm ", "single or double", {"single", "double"}},
      {"gpus", "N", launching, "start N ranks on this host, each with a GPU of its own"},
      {"ranks", "N", launching, "start N ranks on this host"},
      {"cpu-ranks", "K", launching, "with --gpus: K more ranks, on the CPU"},
      {"threads", "N", computing, "CPU threads; all cores when not given"},
      {"nodes", "N", "slurm ", "hosts of the job; 1 when not given"},
      {"gpus-per-node", "N", "slurm ", "GPUs of each host, with a rank each"},
      {"ranks-per-node", "N", "slurm ", "ranks of each host; those beyond its GPUs are on the CPU"},
      {"time", "TIME", "slurm ", "limit of the job: 4:00:00, 1-12, 4h; a number is minutes"},
      {"partition", "NAME", "slurm ", "partition of the job"},
      {"account", "NAME", "slurm ", "account that pays"},
      {"name", "NAME", "slurm ", "name of the job; that of the case when not given"},
      {"site", "SITE", "slurm ", "site file, or its name: packaging/sites/example.toml explains"},
      {"system", "SYSTEM", "new ", "the system of the case; isothermal when not given"},
      {"from", "EXAMPLE", "new ", "start from an example instead"},
      {"list", "", "new ", "list the systems and the examples"},
      {"list", "", "mesh ", "list the generators and their keys"},
      {"format",
       "FORM",
       "keys ",
       "text, markdown or json-schema",
       {"text", "markdown", "json-schema"}},
      {"series", "", "info ", "write DIR/series.vtkhdf over all snapshots of a run"},
      {"compare", "FILE", "bench ", "earlier result to compare with"},
      {"output", "FILE", "bench ", "file of the result; bench-DEVICE-DATE.json when not given"},
      {"output", "NAME", "mesh ",
       "write NAME.xyz and NAME.toml, or NAME.cgns alone; a generated mesh its own name"},
      {"cells", "N", "bench ", "grid: 256 or 512x512x256; repeatable", {}, true},
      {"only", "WORDS", "bench ", "rows that have all these words: \"ring stored 55-point\""},
      {"repeats", "N", "bench ", "samples of each row"},
      {"seconds", "S", "bench ", "least duration of a sample"},
      {"quick", "", "verify ", "small grids, for a minute"},
      {"json", "", "", "results and faults as JSON on the standard output"},
      {"quiet", "", "", "only results and faults"},
      {"color",
       "WHEN",
       "",
       "auto, always or never; auto honours NO_COLOR",
       {"auto", "always", "never"}},
      {"help", "", "", "this text"},
  };
  return flags;
}

bool belongs(const Flag& flag, const std::string& command) {
  return flag.commands.empty() ||
         (" " + flag.commands).find(" " + command + " ") != std::string::npos;
}

std::vector<std::string> flag_names(const std::string& command) {
  std::vector<std::string> names;
  for (const Flag& flag : all_flags()) {
    if (belongs(flag, command)) names.push_back("--" + flag.name);
  }
  return names;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// What CLI11 found.
struct Given {
  std::string command;
  std::vector<std::string> words;  // that are no flags
  std::vector<std::string> all_words;
  std::map<std::string, std::string> texts;
  std::map<std::string, bool> switches;
  std::map<std::string, std::vector<std::string>> lists;
};

[[noreturn]] void refuse_flag(const std::string& word, const std::string& command) {
  const std::string name = word.substr(0, word.find('='));
  const std::vector<std::string> names = flag_names(command);
  std::string suggestion = did_you_mean("--" + name.substr(name.find_first_not_of('-')), names);
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
  refuse({.kind = "unknown-flag",
          .found = name,
          .message = "`watersmeet " + command + "` has no flag `" + name + "`",
          .suggestion = suggestion,
          .allowed = "flags: " + joined(names) + "        (watersmeet " + command + " --help)"});
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

[[noreturn]] void refuse_command(const std::string& word) {
  std::string suggestion = did_you_mean(word, command_names());
  if (const std::string known = command_for_synonym(word); !known.empty()) {
    suggestion = "did you mean `" + known + "`?";
  }
  if (ends_with(word, ".toml")) suggestion = "try:  watersmeet run " + word;
  if (ends_with(word, ".vtkhdf") || ends_with(word, ".h5") || ends_with(word, "/")) {
    suggestion = "try:  watersmeet info " + word;
  }
  refuse({.kind = "unknown-command",
          .found = word,
          .message = "no command `" + word + "`",
          .suggestion = suggestion,
          .allowed = "commands: " + joined(command_names()) + "        (watersmeet --help)"});
}

std::string usage_of(const Flag& flag) {
  const char* const between = flag.name == "resume" ? "=" : " ";
  return "--" + flag.name + (flag.value.empty() ? "" : between + flag.value);
}

[[noreturn]] void refuse_missing_value(const Flag& flag) {
  refuse({.kind = "missing-word",
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
          .message = "the words after `watersmeet " + command + "` cannot be read: " + text,
          .suggestion = {},
          .allowed = "watersmeet " + command + " --help"});
}

Given split(const std::string& command, const std::vector<std::string>& words) {
  Given given;
  given.command = command;
  CLI::App app;
  app.set_help_flag();  // ours below: CLI11's would print by itself
  app.allow_extras();
  app.add_option("words", given.words);
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
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    // CLI11 would take a flag that follows for the value: `--dir --json` names no folder.
    if (i + 1 < words.size() && words[i + 1].rfind("--", 0) == 0) {
      for (const Flag& flag : all_flags()) {
        if (word == "--" + flag.name && belongs(flag, command) && !flag.value.empty()) {
          refuse_missing_value(flag);
        }
      }
    }
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || word.rfind("--", 0) != 0) continue;
    if (given.switches.count(word.substr(2, equals - 2)) == 0) continue;
    refuse({.kind = "extra-word",
            .found = word,
            .message = "`" + word.substr(0, equals) + "` takes no value",
            .suggestion = {},
            .allowed = {}});
  }
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 takes from the back
  } catch (const CLI::ParseError& error) {
    refuse_value(error, command);
  }
  for (const std::string& word : app.remaining()) {
    if (word.size() > 1 && word[0] == '-' && word != "--") refuse_flag(word, command);
  }
  for (const Flag& flag : all_flags()) {
    const std::string& value = given.texts[flag.name];
    const auto& choices = flag.choices;
    if (value.empty() || choices.empty()) continue;
    if (std::find(choices.begin(), choices.end(), value) == choices.end()) {
      refuse({.kind = "bad-value",
              .found = value,
              .message = "`--" + flag.name + "` must be one of: " + joined(choices),
              .suggestion = did_you_mean(value, choices),
              .allowed = {}});
    }
  }
  return given;
}

double number(const Given& given, const std::string& name, double otherwise, bool whole) {
  const std::string& text = given.texts.at(name);
  if (text.empty()) return otherwise;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool read = error == std::errc() && end == text.data() + text.size() && value > 0 &&
                    value <= 1e6 && (!whole || value == std::floor(value));
  if (!read) {
    refuse({.kind = "bad-value",
            .found = text,
            .message = "`--" + name + "` must be a " + (whole ? "whole " : "") +
                       "number greater than 0, at most 1000000; not `" + text + "`",
            .suggestion = {},
            .allowed = {}});
  }
  return value;
}

// At most `most` words, and at least `least`; the first that is too many or missing is named.
void count_words(const Given& given, std::size_t least, std::size_t most) {
  const CommandWords& command = *find_command(given.command);
  const std::string usage = "usage: watersmeet " + command.name +
                            (command.arguments.empty() ? "" : " " + command.arguments) + " [flags]";
  if (given.words.size() < least) {
    refuse({.kind = "missing-word",
            .found = {},
            .message = "`watersmeet " + command.name + "` needs " + command.arguments +
                       (given.words.empty() ? "" : "; only `" + given.words[0] + "` was given"),
            .suggestion = {},
            .allowed = usage + "        e.g. " + command.examples.front()});
  }
  if (given.words.size() > most) {
    refuse(
        {.kind = "extra-word",
         .found = given.words[most],
         .message = "`watersmeet " + command.name + "` has no use for `" + given.words[most] + "`",
         .suggestion = {},
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
    options.threads = static_cast<int>(number(given, "threads", 0, true));
  }
  const auto whole = [&](const char* name) {
    return text(name).empty() ? 0 : static_cast<int>(number(given, name, 0, true));
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
  options.words = given.all_words;
}

std::function<int()> action(const Given& given, const std::string& line) {
  const std::string first = given.words.empty() ? "" : given.words[0];
  const std::string& name = given.command;
  RunOptions options;
  fill(options, given, line);
  if (name == "run") {
    count_words(given, 1, 1);
    options.directory = given.texts.at("dir");
    options.wall = given.texts.at("wall");
    options.resume_auto = !given.texts.at("resume").empty();
    options.dry_run = given.switches.at("dry-run");
    return [=] { return command_run(first, options); };
  }
  if (name == "resume") {
    count_words(given, 1, 1);
    options.wall = given.texts.at("wall");
    const std::string until = given.texts.at("until");
    return [=] { return command_resume(first, until, options); };
  }
  if (name == "check") {
    count_words(given, 1, 1);
    return [=] { return command_check(first, options); };
  }
  if (name == "new") {
    NewOptions fresh;
    static_cast<CommonOptions&>(fresh) = options;
    fresh.list = given.switches.at("list");
    fresh.from = given.texts.at("from");
    fresh.system = given.texts.at("system");
    count_words(given, fresh.list ? 0 : 1, 1);
    return [=] { return command_new(first, fresh); };
  }
  if (name == "keys") {
    count_words(given, 0, 1);
    const std::string format = given.texts.at("format");
    return [=] { return command_keys(first, format.empty() ? "text" : format, options); };
  }
  if (name == "info") {
    const bool series = given.switches.at("series");
    count_words(given, series ? 1 : 0, 1);
    return [=] { return command_info(first, series, options); };
  }
  if (name == "diff") {
    count_words(given, 2, 2);
    return [=] { return command_diff(first, given.words[1], options); };
  }
  if (name == "stop") {
    count_words(given, 1, 1);
    return [=] { return command_stop(first, options); };
  }
  if (name == "slurm") {
    count_words(given, 1, 1);
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
    count_words(given, mesh.list ? 0 : 1, 1);
    return [=] { return command_mesh(first, mesh); };
  }
  count_words(given, 0, 1);
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

std::vector<FlagWords> flag_words(const std::string& command) {
  std::vector<FlagWords> words;
  for (const Flag& flag : all_flags()) {
    if (!belongs(flag, command)) continue;
    words.push_back({usage_of(flag), flag.meaning});
  }
  return words;
}

}  // namespace

CommonOptions message_options(const std::vector<std::string>& words) {
  CommonOptions options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--json") options.json = true;
    if (words[i] == "--color" && i + 1 < words.size()) options.color = words[i + 1];
    if (words[i].rfind("--color=", 0) == 0) options.color = words[i].substr(8);
  }
  return options;
}

Request parse(const std::vector<std::string>& words) {
  // Flags of every command may stand before it, so the command is the first word that is none.
  std::size_t place = 0;
  while (place < words.size() && words[place].size() > 1 && words[place][0] == '-') {
    const std::string& word = words[place];
    if (word == "-h" || word == "--help") return {{}, program_help(), 0};
    if (word == "-V" || word == "--version") return {{}, version_text() + "\n", 0};
    const std::vector<std::string> common = flag_names("");
    if (std::find(common.begin(), common.end(), word.substr(0, word.find('='))) == common.end()) {
      refuse({.kind = "unknown-flag",
              .found = word,
              .message = "no flag `" + word + "` before the command",
              .suggestion =
                  did_you_mean(word, {"--help", "--version", "--json", "--quiet", "--color"}),
              .allowed = "usage: watersmeet COMMAND [words and flags]        (watersmeet --help)"});
    }
    place += word == "--color" ? 2 : 1;
  }
  if (place >= words.size()) return {{}, program_help(), 2};
  std::string name = words[place];
  std::vector<std::string> others = words;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(place));
  if (name == "help") {
    if (others.size() <= place) return {{}, program_help(), 0};
    name = others[place];
    others = {"--help"};
  }
  const CommandWords* const command = find_command(name);
  if (command == nullptr) refuse_command(name);
  Given given = split(name, others);
  given.all_words = words;
  if (given.switches.at("help")) return {{}, command_help(*command, flag_words(name)), 0};
  std::string line = "watersmeet";
  for (const std::string& word : words) {
    const bool quoted =
        word.empty() || word.find_first_of(" \t\"'$&|;<>()*?`\\") != std::string::npos;
    line += " " + (quoted ? "'" + word + "'" : word);
  }
  return {action(given, line), {}, 0};
}

}  // namespace watersmeet::cli
