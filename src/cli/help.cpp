// The one place where the commands are described; docs/reference/command-line.md says more.
#include "cli/help.hpp"

#include <algorithm>
#include <map>

#include "watersmeet/commands.hpp"

namespace watersmeet::cli {
namespace {

constexpr const char* exit_statuses =
    "exit status:\n"
    "  0   done\n"
    "  1   any other failure, a lost rank; for diff: a difference\n"
    "  2   bad or unsupported input\n"
    "  3   missing resource: memory, disk, device, file\n"
    "  4   numerical failure: not a number, values out of range, time step too small\n"
    "  5   verification failed\n"
    "  75  stopped early with a checkpoint\n";

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width > text.size() ? width - text.size() : 0, ' ');
}

}  // namespace

const std::vector<CommandHelp>& all_commands() {
  static const std::vector<CommandHelp> commands = {
      {"run",
       "CASE",
       "Runs a case file, or an example by its name.",
       {"The results go to runs/NAME-001 and so on, or to --dir; nothing is overwritten.",
        "EXAMPLE/quick is the small version of an example; watersmeet new --list names the "
        "others."},
       {"watersmeet run taylor-green", "watersmeet run case.toml --gpus 4",
        "watersmeet run case.toml --set time.cfl=0.5 --wall 4h",
        "watersmeet run case.toml --dir out --resume=auto"}},
      {"resume",
       "DIR",
       "Continues a run from its newest good checkpoint.",
       {},
       {"watersmeet resume runs/rb-003", "watersmeet resume runs/rb-003 --until 200"}},
      {"new",
       "NAME",
       "Writes a commented case NAME.toml to start from.",
       {"It names every key of its system, or is a copy of an example. A file that exists is never "
        "overwritten."},
       {"watersmeet new --list", "watersmeet new tide --system shallow_water",
        "watersmeet new vortex --from taylor-green"}},
      {"check",
       "CASE",
       "Validates a case and shows its memory, disk use and number of steps; runs nothing.",
       {},
       {"watersmeet check case.toml", "watersmeet check case.toml --set grid.cells=[512,512,512]",
        "watersmeet check case.toml --gpus 4"}},
      {"keys",
       "[SECTION or KEY]",
       "Describes the keys of case files: type, unit, default, allowed values.",
       {"With --outputs it describes the fields and the columns of tables that runs of a system "
        "write,",
        "or those of all systems where none is named."},
       {"watersmeet keys", "watersmeet keys time.cfl", "watersmeet keys --outputs isothermal",
        "watersmeet keys --format json-schema > case.schema.json"}},
      {"info",
       "[CASE, DIR or FILE]",
       "Shows machine and build; or what a run or file holds and how to open it.",
       {},
       {"watersmeet info", "watersmeet info runs/rb-003",
        "watersmeet info runs/rb-003/fields_000100.vtkhdf"}},
      {"bench",
       "[SYSTEM]",
       "Measures speed on this machine and prints a table to compare.",
       {},
       {"watersmeet bench isothermal --cells 256 --cells 512x512x256",
        "watersmeet bench --compare bench-old.json"}},
      {"verify",
       "[SYSTEM]",
       "Checks convergence orders, exact solutions and published values; each passes or fails.",
       {},
       {"watersmeet verify isothermal --quick"}},
      {"diff",
       "A B",
       "Compares two snapshots, checkpoints or run folders, field by field.",
       {"Exit status 0 only when nothing differs, not even in the last bit; else 1."},
       {"watersmeet diff runs/a-001 runs/a-002"}},
      {"mesh",
       "GENERATOR or FILE",
       "Makes or reads a mesh of curvilinear blocks, checks it and reports its quality.",
       {"FILE is a mesh file (.toml), Plot3D or CGNS. A generated mesh is written as GENERATOR.xyz "
        "and",
        "GENERATOR.toml. A mesh that was read is written only with --output. No file is "
        "overwritten."},
       {"watersmeet mesh --list", "watersmeet mesh naca4 --set cells=[128,64] --output foil",
        "watersmeet mesh wing.toml --split --output wing-split",
        "watersmeet mesh wing.toml --output wing.cgns",
        "watersmeet mesh glider15 --shares 8 --output glider8"}},
      {"slurm",
       "CASE",
       "Prints a job script for Slurm that resumes by itself until the case is done.",
       {"The case is checked first. With --ranks-per-node alone the job runs on CPUs."},
       {"watersmeet slurm case.toml --nodes 2 --gpus-per-node 4 --time 4:00:00 > job.sh",
        "watersmeet slurm case.toml --ranks-per-node 2 --time 12h --site "
        "packaging/sites/example.toml"}},
      {"plot",
       "DIR",
       "Draws a picture or a movie of a run, and prints its path.",
       {"Without --field it draws the overview, and of the folder of a study lift and drag. A "
        "movie",
        "is made by ffmpeg where that is installed, else as an animated GIF. Surfaces and volumes",
        "are drawn by PyVista."},
       {"watersmeet plot runs/rb-003",
        "watersmeet plot runs/rb-003 --field temperature --slice y=mid",
        "watersmeet plot runs/rb-003 --field temperature --movie --limits 0,1"}},
      {"watch",
       "DIR",
       "Follows a run: progress, time left, newest values, a curve; and a page of HTML.",
       {"It ends with the run, with its exit status, or by Ctrl-C."},
       {"watersmeet watch runs/rb-003", "watersmeet watch runs/rb-003 --html rb.html --every 30",
        "watersmeet watch runs/rb-003 --once --json"}},
      {"stop",
       "DIR",
       "Asks a running case to write a checkpoint and end.",
       {},
       {"watersmeet stop runs/rb-003"}},
  };
  return commands;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const CommandHelp& command : all_commands()) names.push_back(command.name);
  return names;
}

const CommandHelp* find_command(const std::string& name) {
  const auto& commands = all_commands();
  const auto found = std::find_if(commands.begin(), commands.end(),
                                  [&](const CommandHelp& c) { return c.name == name; });
  return found == commands.end() ? nullptr : &*found;
}

std::string command_for_synonym(const std::string& word) {
  static const std::map<std::string, std::string> synonyms = {
      {"start", "run"},    {"simulate", "run"},   {"restart", "resume"},  {"continue", "resume"},
      {"create", "new"},   {"init", "new"},       {"examples", "new"},    {"validate", "check"},
      {"lint", "check"},   {"estimate", "check"}, {"schema", "keys"},     {"parameters", "keys"},
      {"show", "info"},    {"status", "watch"},   {"benchmark", "bench"}, {"test", "verify"},
      {"compare", "diff"}, {"grid", "mesh"},      {"generate", "mesh"},   {"sbatch", "slurm"},
      {"job", "slurm"},    {"kill", "stop"},      {"abort", "stop"},      {"draw", "plot"},
      {"movie", "plot"},   {"follow", "watch"},   {"monitor", "watch"},
  };
  const auto found = synonyms.find(word);
  return found == synonyms.end() ? "" : found->second;
}

std::string program_help() {
  std::string text = version_text() +
                     "\nFluid dynamics on structured grids, on CPUs and NVIDIA GPUs.\n\n"
                     "usage: watersmeet COMMAND [arguments and flags]\n\ncommands:\n";
  for (const CommandHelp& command : all_commands()) {
    text += "  " + padded(command.name, 8) + command.sentence + "\n";
  }
  text +=
      "\nflags of every command:\n"
      "  --help            what the command does and its flags\n"
      "  --json            results and faults as JSON on the standard output\n"
      "  --quiet           only results and faults\n"
      "  --color WHEN      auto, always or never; auto honours NO_COLOR\n"
      "  --version         this program's version and build (no command)\n\n";
  text += exit_statuses;
  return text +
         "\nstart with: watersmeet run taylor-green       the pages: "
         "docs/reference/command-line.md\n";
}

std::string command_help(const CommandHelp& command, const std::vector<FlagHelp>& flags) {
  std::string text = "usage: watersmeet " + command.name + " " + command.arguments +
                     " [flags]\n\n" + command.sentence + "\n";
  for (const std::string& line : command.details) text += line + "\n";
  std::size_t width = 0;
  for (const FlagHelp& flag : flags) width = std::max(width, flag.usage.size());
  text += "\nflags:\n";
  for (const FlagHelp& flag : flags) {
    text += "  " + padded(flag.usage, width + 2) + flag.meaning + "\n";
  }
  text += "\nexamples:\n";
  for (const std::string& line : command.examples) text += "  " + line + "\n";
  return text;
}

}  // namespace watersmeet::cli
