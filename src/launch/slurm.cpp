#include "launch/slurm.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "comm/launched.hpp"
#include "config/form.hpp"
#include "config/input.hpp"
#include "config/nearest.hpp"
#include "config/usual_keys.hpp"
#include "core/error.hpp"
#include "core/own_program.hpp"
#include "launch/launch.hpp"
#include "watersmeet/commands.hpp"

namespace watersmeet::launch {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_time(const std::string& text, const std::string& why) {
  refuse({.kind = "bad-value",
          .found = text,
          .message = "--time " + text + ": " + why,
          .suggestion = {},
          .allowed = "4:00:00, 1-12 (days-hours), 90 (minutes), 4h, 90 min, 1 d"});
}

std::vector<fs::path> site_folders() {
  std::vector<fs::path> folders;
  if (const char* const own = std::getenv("WATERSMEET_SITES")) folders.emplace_back(own);
  folders.push_back(installed_path("share/watersmeet/sites"));
  folders.emplace_back(WATERSMEET_SOURCE_SITES);
  return folders;
}

std::string find_site(const std::string& word) {
  if (word.find('/') != std::string::npos || fs::path(word).extension() == ".toml") return word;
  std::vector<std::string> names;
  for (const fs::path& folder : site_folders()) {
    std::error_code error;
    if (fs::is_regular_file(folder / (word + ".toml"), error)) return folder / (word + ".toml");
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      if (it->path().extension() == ".toml") names.push_back(it->path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  refuse({.kind = "missing-file",
          .found = word,
          .message = "no site `" + word + "`",
          .suggestion = did_you_mean(word, names),
          .allowed = "sites: " + config::join(names) +
                     "        ($WATERSMEET_SITES names a folder of more, or give a file)"});
}

// What ends up in a comment for sbatch cannot be quoted.
void check_flags(config::Input& input, const char* path) {
  const std::vector<std::string> flags = input.texts(path);
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i].rfind("--", 0) == 0 && flags[i].find('\n') == std::string::npos) continue;
    input.fault(config::FaultKind::bad_value, fmt::format("{}[{}]", path, i),
                fmt::format("{}: each entry is one flag that begins with --", path));
  }
}

void check_plain(config::Input& input, const char* path) {
  if (!input.is_set(path) || (is_plain_word(input.text(path)) && !input.text(path).empty())) return;
  input.fault(config::FaultKind::bad_value, path,
              fmt::format("{}: letters, digits and _ . , : @ % + / - only", path));
}

}  // namespace

config::Schema site_schema() {
  config::Schema schema;
  using config::KeyType;
  schema.add(std::vector<config::Key>{
      config::text_key("site.partition", "Partition of the job."),
      config::text_key("site.account", "Account that is charged."),
      {.path = "site.directives",
       .type = KeyType::texts,
       .default_text = "[]",
       .help = "Further flags of sbatch."},
      {.path = "site.modules",
       .type = KeyType::texts,
       .default_text = "[]",
       .help = "Modules to load."},
      {.path = "site.srun",
       .type = KeyType::texts,
       .default_text = "[]",
       .help = "Further flags of srun."},
      config::text_key("environment.*", "A variable to export."),
  });
  return schema;
}

bool is_plain_word(const std::string& word) {
  return std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           std::string_view("_.,:@%+/-").find(c) != std::string_view::npos;
  });
}

std::int64_t job_seconds(const std::string& text) {
  constexpr const char* ours = R"(\s*([0-9]+(?:\.[0-9]+)?)\s*(s|min|h|d)\s*)";
  constexpr const char* slurm =
      R"((?:([0-9]{1,4})-)?([0-9]{1,6})(?::([0-9]{1,2}))?(?::([0-9]{1,2}))?)";
  double seconds = 0;
  if (const auto part = config::parts_of_form(text, ours)) {
    const std::string& unit = (*part)[2];
    seconds = std::stod((*part)[1]) * (unit == "s"     ? 1.0
                                       : unit == "min" ? 60.0
                                       : unit == "h"   ? 3600.0
                                                       : 86400.0);
  } else if (const auto piece = config::parts_of_form(text, slurm)) {
    const auto is_given = [&](std::size_t i) { return !(*piece)[i].empty(); };
    const auto number = [&](std::size_t i) { return is_given(i) ? std::stod((*piece)[i]) : 0.0; };
    if (is_given(1)) {  // days-hours[:minutes[:seconds]]
      seconds = 86400 * number(1) + 3600 * number(2) + 60 * number(3) + number(4);
    } else if (is_given(4)) {  // hours:minutes:seconds
      seconds = 3600 * number(2) + 60 * number(3) + number(4);
    } else {  // minutes[:seconds]
      seconds = 60 * number(2) + number(3);
    }
  } else {
    refuse_time(text, "cannot be read as a time");
  }
  if (seconds <= 2 * signal_seconds) {
    refuse_time(text, fmt::format("too short: the last {} minutes are kept for the checkpoint, so "
                                  "give more than {}",
                                  signal_seconds / 60, 2 * signal_seconds / 60));
  }
  if (seconds > 366 * 86400.0) refuse_time(text, "more than a year");
  return static_cast<std::int64_t>(std::ceil(seconds));
}

std::string slurm_time(std::int64_t seconds) {
  const std::int64_t days = seconds / 86400;
  const std::string clock =
      fmt::format("{:02}:{:02}:{:02}", seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
  return days > 0 ? fmt::format("{}-{}", days, clock) : clock;
}

SlurmSite load_site(const std::string& path_or_name) {
  const std::string path = find_site(path_or_name);
  config::Input input = config::Input::from_file(path);
  input.validate(site_schema());
  check_plain(input, "site.partition");
  check_plain(input, "site.account");
  check_flags(input, "site.directives");
  check_flags(input, "site.srun");
  SlurmSite site;
  input.throw_if_faults();
  if (input.is_set("site.partition")) site.partition = input.text("site.partition");
  if (input.is_set("site.account")) site.account = input.text("site.account");
  site.directives = input.texts("site.directives");
  site.modules = input.texts("site.modules");
  site.srun = input.texts("site.srun");
  for (const std::string& name : input.names("environment")) {
    site.environment.emplace_back(name, input.text("environment." + name));
  }
  return site;
}

std::string job_script(const SlurmJob& job) {
  std::string text = "#!/bin/bash\n# " + job.origin + "\n";
  const auto ask = [&](const std::string& flag) { text += "#SBATCH " + flag + "\n"; };
  ask("--job-name=" + job.name);
  ask(fmt::format("--nodes={}", job.nodes));
  ask(fmt::format("--ntasks-per-node={}", job.tasks_per_node));
  if (job.gpus_per_node > 0) {
    ask(fmt::format("--gpus-per-node={}", job.gpus_per_node));
  } else {
    ask("--exclusive");  // all processors of the hosts, for the ranks to divide
  }
  ask("--time=" + slurm_time(job.seconds));
  if (!job.site.partition.empty()) ask("--partition=" + job.site.partition);
  if (!job.site.account.empty()) ask("--account=" + job.site.account);
  for (const std::string& flag : job.site.directives) ask(flag);
  ask(fmt::format("--signal=USR1@{}", signal_seconds));  // without B: the ranks get it
  ask("--requeue");
  ask("--open-mode=append");
  text += "\n";
  for (const std::string& name : job.site.modules)
    text += shell_line({"module", "load", name}) + "\n";
  for (const auto& [name, value] : job.site.environment) {
    text += "export " + name + "=" + shell_line({value}) + "\n";
  }
  if (job.gpus_per_node > 0) {
    text += "export NCCL_NVLS_ENABLE=\"${NCCL_NVLS_ENABLE:-0}\"\n";
  }
  // Where srun connects no ranks by itself, MPI could not start them.
  text +=
      "if [ \"$(scontrol show config | awk '$1 == \"MpiDefault\" { print $3 }')\" = none ]; then\n"
      "  export SLURM_MPI_TYPE=\"${SLURM_MPI_TYPE:-" +
      comm::slurm_plugin() +
      "}\"\n"
      "fi\n";
  std::vector<std::string> words = {"srun", "--kill-on-bad-exit=1", "--cpu-bind=none"};
  words.insert(words.end(), job.site.srun.begin(), job.site.srun.end());
  words.insert(words.end(), job.program.begin(), job.program.end());
  text += shell_line(words) + "\n";
  text +=
      "status=$?\n"
      "# 75: stopped before its end, with a checkpoint to resume from\n"
      "if [ \"$status\" -eq 75 ]; then\n"
      "  scontrol requeue \"$SLURM_JOB_ID\"\n"
      "fi\n"
      "exit \"$status\"\n";
  return text;
}

}  // namespace watersmeet::launch
