#include "cli/flags.hpp"

#include <algorithm>

namespace watersmeet::cli {

const std::vector<Flag>& all_flags() {
  static const std::string simulating = "run resume check ";
  static const std::string computing = simulating + "bench verify ";
  static const std::string launching = "run resume bench ";
  static const std::vector<Flag> flags = {
      {"dir", "DIR", "run ", "folder of the run instead of runs/NAME-001"},
      {"dir", "DIR", "slurm ", "folder of the run instead of runs/NAME"},
      {"resume",
       "auto",
       "run ",
       "resume from the newest good checkpoint of --dir if there is one, else start",
       {"auto"}},
      {"dry-run", "", "run ", "only check, as watersmeet check does"},
      {"dry-run", "", "mesh ", "write nothing"},
      {"split", "", "mesh ", "cut blocks until all links join complete faces"},
      {"shares", "N", "mesh ", "cut blocks until N ranks have about equal shares"},
      {"until", "T", "resume ", "new end time instead of time.end"},
      {"wall", "TIME", "run resume ",
       "write a checkpoint and stop before this time is over: 90 min, 4h; a number is seconds"},
      {"set",
       "KEY=VALUE",
       simulating + "slurm bench ",
       "replace a key of the case: time.cfl=0.5; repeatable",
       {},
       true},
      {"set", "KEY=VALUE", "mesh ", "a key of the mesh: cells=[64,32]; repeatable", {}, true},
      {"device",
       "KIND",
       computing,
       "auto, cpu or gpu, in place of device.kind",
       {"auto", "cpu", "gpu"}},
      {"precision",
       "P",
       computing + "slurm ",
       "single or double, in place of numerics.precision",
       {"single", "double"}},
      {"gpus", "N", launching, "start N ranks on this host, each with a GPU of its own"},
      {"ranks", "N", launching, "start N ranks on this host"},
      {"gpus", "N", "check ", "predict the speed of N ranks, each with a GPU of its own"},
      {"ranks", "N", "check ", "predict the speed of N ranks on this host"},
      {"cpu-ranks", "K", launching, "with --gpus: K more ranks, on the CPU"},
      {"threads", "N", computing, "CPU threads; all cores when not given"},
      {"nodes", "N", "slurm ", "hosts of the job; 1 when not given"},
      {"gpus-per-node", "N", "slurm ", "GPUs of each host, with a rank each"},
      {"ranks-per-node", "N", "slurm ", "ranks of each host; those beyond its GPUs are on the CPU"},
      {"time", "TIME", "slurm ", "limit of the job: 4:00:00, 1-12, 4h; a number is minutes"},
      {"partition", "NAME", "slurm ", "partition of the job"},
      {"account", "NAME", "slurm ", "account that the job is charged to"},
      {"name", "NAME", "slurm ", "name of the job; that of the case when not given"},
      {"site", "SITE", "slurm ", "site file, or its name: packaging/sites/example.toml explains"},
      {"system", "SYSTEM", "new ", "the system of the case; isothermal when not given"},
      {"from", "EXAMPLE", "new ", "start from an example instead"},
      {"list", "", "new ", "list the systems and the examples"},
      {"list", "", "mesh ", "list the generators and their keys"},
      {"format",
       "FORM",
       "keys ",
       "text, markdown or json-schema; text when not given",
       {"text", "markdown", "json-schema"}},
      {"outputs", "", "keys ", "describe the fields and columns that runs write, not the keys"},
      {"series", "", "info ", "write DIR/series.vtkhdf over all snapshots of a run"},
      {"compare", "FILE", "bench ", "earlier result to compare with"},
      {"output", "FILE", "bench ", "file of the result; bench-DEVICE-DATE.json when not given"},
      {"output", "NAME", "mesh ",
       "write NAME.xyz and NAME.toml, or one file NAME.cgns (default: the generator's name)"},
      {"cells", "N", "bench ", "grid: 256 or 512x512x256; repeatable", {}, true},
      {"only", "WORDS", "bench ", "only rows that have all these words: \"ring stored 55-point\""},
      {"repeats", "N", "bench ", "samples of each row"},
      {"seconds", "S", "bench ", "least duration of a sample"},
      {"field", "NAME", "plot ", "one field instead of the overview: rho, speed, velocity.x"},
      {"field", "NAME", "watch ", "field of the pictures on the page"},
      {"average", "NAME", "plot ", "the field of the newest average of this name in time"},
      {"slice", "PLANE", "plot ", "its plane: z=0, y=mid; on a box over terrain also level=3"},
      {"limits", "LOW,HIGH", "plot ", "values at the ends of the colours"},
      {"movie", "", "plot ", "a movie of the field over all snapshots, with the same colours"},
      {"fps", "N", "plot ", "pictures of a movie a second; 10 when not given"},
      {"iso", "VALUES", "plot ",
       "surfaces where the field has these values: 0.3,0.6; in a plane lines"},
      {"color-by", "NAME", "plot ", "field whose values are the colours of the surfaces"},
      {"volume", "", "plot ", "the field as a transparent volume"},
      {"view",
       "FROM",
       "plot ",
       "of surfaces and volumes: corner, or along an axis",
       {"corner", "x", "y", "z", "-x", "-y", "-z"}},
      {"cp", "", "plot ", "pressure along the walls; with --slice y=0.2,0.5 of a wing"},
      {"output", "FILE", "plot ",
       "file to write; in DIR/plots when not given; surfaces also as .vtp or .vtkhdf"},
      {"every", "S", "watch ", "seconds between two looks; 2 when not given"},
      {"series", "NAMES", "watch ",
       "columns of the time series: u_rms,mach_max; the first is drawn"},
      {"html", "FILE", "watch ", "also write a page for a browser, at every look"},
      {"once", "", "watch ", "look once and end"},
      {"quick", "", "verify ", "smaller grids, which take less time"},
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

std::string as_setting(const std::string& command, const std::string& words) {
  const std::vector<std::string> names = flag_names(command);
  const std::size_t begin = words.find_first_not_of('-'), equal = words.find('=');
  const bool named =
      begin < words.size() && words.substr(begin, equal - begin).find('.') != std::string::npos;
  if (!named || std::find(names.begin(), names.end(), "--set") == names.end()) return "";
  if (begin == 0 && equal == std::string::npos) return "";  // a file
  return "did you mean `--set " + words.substr(begin) +
         (equal == std::string::npos ? "=VALUE" : "") + "`?";
}

std::string usage_of(const Flag& flag) {
  const char* const between = flag.name == "resume" ? "=" : " ";
  return "--" + flag.name + (flag.value.empty() ? "" : between + flag.value);
}

std::vector<FlagHelp> flag_help(const std::string& command) {
  std::vector<FlagHelp> arguments;
  for (const Flag& flag : all_flags()) {
    if (!belongs(flag, command)) continue;
    arguments.push_back({usage_of(flag), flag.meaning});
  }
  return arguments;
}

}  // namespace watersmeet::cli
