// watersmeet stop DIR: asks a running case to write a checkpoint and end, by creating DIR/STOP.
#include <fmt/format.h>

#include <filesystem>

#include "core/error.hpp"
#include "run/atomic_file.hpp"
#include "run/message.hpp"
#include "run/run_directory.hpp"
#include "run/run_target.hpp"
#include "watersmeet/commands.hpp"

namespace watersmeet {

int command_stop(const std::string& directory, const CommonOptions& options) {
  run::require_run_directory(directory);
  const run::RunRecord record = run::read_run_record(directory);
  const run::Launch* const last = record.launches.empty() ? nullptr : &record.launches.back();
  if (last == nullptr || !last->end.empty()) {
    const std::string end =
        last == nullptr ? ""
                        : fmt::format(" at {} with exit status {}", last->end,
                                      last->exit_status ? std::to_string(*last->exit_status) : "?");
    refuse({.kind = "not-running",
            .found = directory,
            .message = fmt::format("the run in {} has ended{}", directory, end),
            .suggestion = fmt::format("see:  watersmeet info {}", directory),
            .allowed = {}});
  }
  const std::string file = run::join(directory, "STOP");
  run::write_text_file(file, "");
  if (options.json) {
    fmt::print("{{\"stop\": {}}}\n", run::json_text(file));
  } else if (!options.quiet) {
    fmt::print("created {}; the run writes a checkpoint at its next report and ends\n", file);
    fmt::print("go on with:  watersmeet resume {}\n", directory);
  }
  return 0;
}

}  // namespace watersmeet
