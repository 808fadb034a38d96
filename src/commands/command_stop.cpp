// watersmeet stop DIR: asks a running case to write a checkpoint and end, by creating DIR/STOP.
#include <fmt/format.h>

#include "commands/run_target.hpp"
#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/message.hpp"
#include "io/run_directory.hpp"
#include "watersmeet/commands.hpp"

namespace watersmeet {

int command_stop(const std::string& directory, const CommonOptions& options) {
  commands::require_run_directory(directory);
  const io::RunRecord record = io::read_run_record(directory);
  const io::Launch* const last = record.launches.empty() ? nullptr : &record.launches.back();
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
  const std::string file = io::join(directory, "STOP");
  io::write_text_file(file, "");
  if (options.json) {
    fmt::print("{{\"stop\": {}}}\n", io::json_text(file));
  } else if (!options.quiet) {
    fmt::print("created {}; the run writes a checkpoint at its next report and ends\n", file);
    fmt::print("resume it with:  watersmeet resume {}\n", directory);
  }
  return 0;
}

}  // namespace watersmeet
