#pragma once
// The text of a job script for Slurm, and what it is made from. The script asks for a signal three
// minutes before the limit, upon which a run writes a checkpoint and ends with status 75; that
// status puts the job back into the queue, where it resumes from the checkpoint.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "config/schema.hpp"

namespace watersmeet::launch {

struct SlurmSite {
  std::string partition, account;
  std::vector<std::string> directives;  // "--constraint=h200"
  std::vector<std::string> modules, srun;
  std::vector<std::pair<std::string, std::string>> environment;
};

struct SlurmJob {
  std::string name;
  int nodes = 1, tasks_per_node = 1, gpus_per_node = 0;
  std::int64_t seconds = 0;          // limit of the job
  SlurmSite site;                    // with the command line's own partition and account
  std::vector<std::string> program;  // "watersmeet", "run", "case.toml", ...
  std::string origin;                // the command that made the script
};

// Seconds before its limit at which the job is asked to end.
constexpr int signal_seconds = 180;

// Slurm's forms "90" (minutes), "90:00", "4:00:00", "1-12", "1-12:00", "1-12:00:00", and those of
// cases with a unit, "4h", "90 min", "1 d". Error{user_input}.
std::int64_t job_seconds(const std::string& text);
// Whether all characters are letters, digits or one of _ . , : @ % + / -, as comments for sbatch can hold them, where nothing is quoted.
bool is_plain_word(const std::string& word);
// "04:00:00", "1-12:00:00"
std::string slurm_time(std::int64_t seconds);

// The keys of a site file.
config::Schema site_schema();
// A site by its file or its name: looked for in $WATERSMEET_SITES, in share/watersmeet/sites beside
// the program's folder, and in the source tree. All faults at once, as for a case.
SlurmSite load_site(const std::string& path_or_name);

std::string job_script(const SlurmJob& job);

}  // namespace watersmeet::launch
