#pragma once
// The commands of the program as functions: each prints what its command prints, returns the exit
// status (0, 1 or 75 where that is documented) and throws watersmeet::Error otherwise. src/cli only
// parses the words.

#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "core/host_limits.hpp"

namespace watersmeet {

struct CommonOptions {
  std::string device;            // "", "auto", "cpu", "gpu"
  std::string precision;         // "", "single", "double"
  int threads = 0;               // 0: as many as the machine offers
  std::vector<std::string> set;  // --set a.b=c
  std::string color = "auto";    // auto | always | never
  bool json = false, quiet = false;
  std::string command_line;  // for provenance
  // Ranks to start on this host (src/launch/launch.hpp), each 0 when not asked for: with a GPU each,
  // of any kind, and on the CPU beside those with a GPU.
  int gpus = 0, ranks = 0, cpu_ranks = 0;
  std::vector<std::string> words;  // of the command line, after the program's name
};

struct RunOptions : CommonOptions {
  std::string directory;  // --dir
  std::string wall;       // --wall 4h
  bool resume_auto =
      false;  // --resume=auto: resume from the newest good checkpoint of --dir if there is one
  bool dry_run = false;  // as check
};

struct BenchOptions : CommonOptions {
  std::string compare;             // earlier result to compare with
  std::string output;              // file to write; default bench-<device>-<date>.json
  std::string only;                // words that a row of the table must have: "ring stored"
  std::vector<std::string> cells;  // grid sizes, "256" or "512x512x256"; default the standard table
  int repeats = 5;
  double seconds = 0;  // least time of a sample; 0: default
};

struct SlurmOptions : CommonOptions {
  int nodes = 1, gpus_per_node = 0, ranks_per_node = 0;
  std::string time;  // of the job: "4:00:00", "4h"
  std::string partition, account, name, directory;
  std::string site;  // a site file, or the name of one
};

struct MeshOptions : CommonOptions {
  std::string output;  // NAME.xyz and NAME.toml are written, or NAME.cgns
  bool list = false, split = false, dry_run = false;
  int shares = 0;  // blocks are cut until so many ranks have about equal shares; 0: not
};

struct NewOptions : CommonOptions {
  std::string from;    // an example to copy
  std::string system;  // what the case is of, where it is no copy; empty: the first one
  bool list = false;
};

int command_run(const std::string& case_or_example, const RunOptions& options);
int command_resume(const std::string& directory, const std::string& until,
                   const RunOptions& options);
int command_check(const std::string& case_or_example, const CommonOptions& options);
int command_new(const std::string& name, const NewOptions& options);
int command_keys(const std::string& section,
                 const std::string& format /* text | markdown | json-schema */,
                 const CommonOptions& options);
// What runs may write: of one system, or of all where it is empty.
int command_outputs(const std::string& system, const std::string& format /* text | markdown */,
                    const CommonOptions& options);
int command_info(const std::string& target, bool series, const CommonOptions& options);
int command_diff(const std::string& a, const std::string& b, const CommonOptions& options);
// plot and watch: the Python package takes the place of this process, with options.words. Returns
// only by an Error.
int command_pictures(const std::string& directory, const CommonOptions& options);
int command_stop(const std::string& directory, const CommonOptions& options);
int command_bench(const std::string& system, const BenchOptions& options);
int command_mesh(const std::string& generator_or_file, const MeshOptions& options);
int command_slurm(const std::string& case_or_example, const SlurmOptions& options);
int command_verify(const std::string& system, bool quick, const CommonOptions& options);

// The file of a case: a path as it is, else that of an example, "sod" or "sod/quick".
std::string case_file(const std::string& case_or_example);

std::string version_text();

// Exit status for an exception that a command threw, and its text as the program prints it ("error:
// ..."), ending in a newline: with colours where options.color and the error stream allow, as a
// JSON list of faults with options.json.
int exit_status_of(const std::exception& error);
std::string message_of(const std::exception& error, const CommonOptions& options);
// "user-input", "unsupported", "io", "resource", "device", "communication", "diverged", "internal".
std::string kind_of(const std::exception& error);

// A fault of the command line itself.
struct WordFault {
  std::string
      kind;  // "unknown-command", "unknown-flag", "bad-value", "missing-argument", "extra-argument"
  std::string found;       // the word as typed; may be empty
  std::string message;     // "no command `resme`"
  std::string suggestion;  // "did you mean `resume`?"; may be empty
  std::string allowed;     // "commands: run, resume, ..."; may be empty
  bool absent = false;     // a file or device that is not there: exit status 3 instead of 2
};
// Error{user_input}, or Error{resource} for what is absent, with that text and its JSON.
[[noreturn]] void refuse(const WordFault& fault);
// The candidate nearest to a mistyped word, if one is near.
std::optional<std::string> nearest_word(const std::string& word,
                                        const std::vector<std::string>& candidates);
// "did you mean `resume`?" when a candidate is near, else empty.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace watersmeet
