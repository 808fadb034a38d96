#pragma once
// What `run` and `resume` record and check before a run begins.

#include <cstdint>
#include <string>

#include "io/run_directory.hpp"
#include "run/placement.hpp"
#include "watersmeet/commands.hpp"

namespace watersmeet::commands {

// This launch, for run.json.
io::Launch launch_of(const RunOptions& options, const run::Placement& placement,
                     const std::string& system, std::int64_t first_step);

// What can be refused before anything is written or allocated: a wall-clock limit that cannot be
// read, a place that cannot be written to, too little disk for the planned files.
void check_resources(const run::Case& loaded, const std::string& directory,
                     const RunOptions& options);

}  // namespace watersmeet::commands
