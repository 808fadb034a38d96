#include "commands/run_launch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "core/error.hpp"
#include "io/message.hpp"
#include "io/version.hpp"
#include "run/run_plan.hpp"
#include "run/stop_requests.hpp"

namespace watersmeet::commands {

io::Launch launch_of(const RunOptions& options, const run::Placement& placement,
                     const std::string& system, std::int64_t first_step) {
  const run::DeviceChoice& device = placement.device;
  const io::BuildInfo build = io::build_info();
  io::Launch launch;
  launch.command_line = options.command_line;
  launch.version = build.version;
  launch.commit = build.commit;
  launch.dirty = build.dirty;
  launch.compiler = build.compiler;
  launch.flags = build.flags;
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  launch.host = host;
  launch.system = system;
  launch.backend = device.backend == Backend::cuda ? "cuda" : "cpu";
  launch.devices = placement.devices;
  launch.ranks = static_cast<int>(placement.devices.size());
  for (const DeviceInfo& d : cuda_devices()) launch.driver = d.driver;
  launch.threads = device.threads;
  launch.first_step = first_step;
  return launch;
}

void check_resources(const run::Case& loaded, const std::string& directory,
                     const RunOptions& options) {
  run::wall_limit(options.wall, loaded.input);
  io::check_writable(directory);
  const run::DiskPlan plan = run::plan_disk(*loaded.system, loaded.input,
                                            run::estimate_steps(*loaded.system, loaded.input));
  const double free = static_cast<double>(io::free_disk_bytes(directory));
  if (plan.total_bytes > free) {
    throw Error(
        ErrorKind::io,
        fmt::format(
            "the output would not fit on the disk of {}: {} of {} and the checkpoints "
            "need {}, {} are free.\nFree some space, or try a longer output.every or more "
            "output.every_steps, fewer output.fields, output.precision = \"single\", or another "
            "disk with --dir",
            directory, run::snapshots_text(plan), io::bytes_text(plan.snapshot_bytes),
            run::disk_text(plan.total_bytes), io::bytes_text(free)));
  }
}

}  // namespace watersmeet::commands
