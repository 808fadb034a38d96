// `watersmeet slurm`: a job script on the standard output, after the case has been checked.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "commands/examples.hpp"
#include "core/error.hpp"
#include "core/own_program.hpp"
#include "io/message.hpp"
#include "launch/launch.hpp"
#include "launch/slurm.hpp"
#include "run/case.hpp"
#include "watersmeet/commands.hpp"

namespace watersmeet {
namespace {

namespace fs = std::filesystem;

// These are in comments for sbatch, where nothing can be quoted.
void check_plain(const std::string& flag, const std::string& word) {
  if (launch::is_plain_word(word)) return;
  io::refuse_flag(flag,
                  fmt::format("{} {}: letters, digits and _ . , : @ % + / - only", flag, word));
}

int tasks_per_node(const SlurmOptions& options) {
  if (options.gpus_per_node == 0 && options.ranks_per_node == 0) {
    io::refuse_flag("--gpus-per-node", "the number of ranks on each host is missing",
                    "give  --gpus-per-node N  or, for CPUs,  --ranks-per-node N");
  }
  if (options.ranks_per_node == 0) return options.gpus_per_node;
  if (options.ranks_per_node < options.gpus_per_node) {
    io::refuse_flag(
        "--ranks-per-node",
        fmt::format("--ranks-per-node {} leaves {} of the {} GPUs of each host unused",
                    options.ranks_per_node, options.gpus_per_node - options.ranks_per_node,
                    options.gpus_per_node));
  }
  return options.ranks_per_node;
}

// As a person would type it where the program is found by its name.
std::string program_word() {
  const fs::path own = own_program();
  if (own.empty()) return "watersmeet";
  std::error_code error;
  const char* const variable = std::getenv("PATH");
  const std::string path = variable == nullptr ? "" : variable;
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    const fs::path candidate = fs::path(path.substr(begin, end - begin)) / "watersmeet";
    // The first one found is the one that the script's shell would take.
    if (fs::exists(candidate, error)) {
      return fs::equivalent(candidate, own, error) ? "watersmeet" : own.string();
    }
    begin = end + 1;
  }
  return own.string();
}

std::string job_name(const SlurmOptions& options, const config::Input& input,
                     const std::string& path) {
  if (!options.name.empty()) return options.name;
  const std::string given = input.is_set("case.name") ? input.text("case.name") : "";
  std::string name = given.empty() ? fs::path(path).stem().string() : given;
  for (char& c : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
    if (!plain) c = '-';
  }
  return name;
}

std::vector<std::string> program_words(const std::string& case_or_example,
                                       const SlurmOptions& options, const std::string& name,
                                       int cpu_ranks) {
  std::vector<std::string> words = {program_word(),
                                    "run",
                                    case_or_example,
                                    "--dir",
                                    options.directory.empty() ? "runs/" + name : options.directory,
                                    "--resume=auto"};
  const auto add = [&](const char* flag, const std::string& value) {
    words.insert(words.end(), {flag, value});
  };
  add("--device", options.gpus_per_node == 0 ? "cpu" : cpu_ranks > 0 ? "auto" : "gpu");
  if (cpu_ranks > 0) add("--cpu-ranks", std::to_string(cpu_ranks));
  if (!options.precision.empty()) add("--precision", options.precision);
  for (const std::string& set : options.set) add("--set", set);
  return words;
}

}  // namespace

int command_slurm(const std::string& case_or_example, const SlurmOptions& options) {
  launch::SlurmJob job;
  job.nodes = options.nodes;
  job.gpus_per_node = options.gpus_per_node;
  job.tasks_per_node = tasks_per_node(options);
  if (options.time.empty()) {
    io::refuse_flag("--time", "how long may the job run?", "give  --time 4:00:00");
  }
  job.seconds = launch::job_seconds(options.time);
  check_plain("--partition", options.partition);
  check_plain("--account", options.account);
  check_plain("--name", options.name);
  if (!options.site.empty()) job.site = launch::load_site(options.site);
  if (!options.partition.empty()) job.site.partition = options.partition;
  if (!options.account.empty()) job.site.account = options.account;

  // All faults of the case now, not when the job begins.
  const std::string path = commands::resolve_case(case_or_example, false);
  const run::Case loaded =
      run::load_case(path, SimulationOptions{"", options.precision, 0, options.set});
  job.name = job_name(options, loaded.input, path);
  const int cpu_ranks = options.gpus_per_node > 0 ? job.tasks_per_node - options.gpus_per_node : 0;
  job.program = program_words(case_or_example, options, job.name, cpu_ranks);
  std::vector<std::string> typed = {"watersmeet"};
  typed.insert(typed.end(), options.words.begin(), options.words.end());
  job.origin = launch::shell_line(typed);
  for (char& c : job.origin) {
    if (c == '\n') c = ' ';  // it is in a comment
  }
  const std::string script = launch::job_script(job);
  if (options.json) {
    const nlohmann::ordered_json result = {{"script", script}};
    fmt::print("{}\n",
               result.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  } else {
    fmt::print("{}", script);
  }
  return 0;
}

}  // namespace watersmeet
