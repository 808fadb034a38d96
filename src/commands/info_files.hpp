#pragma once
// What `watersmeet info` says of the folder of a run, and of files beside snapshots and checkpoints: meshes, maps of a sphere, time series and
// other tables, and the records of a run.

#include <string>

#include "commands/run_target.hpp"
#include "watersmeet/commands.hpp"

namespace watersmeet::commands {

void describe_run(const std::string& directory, const CommonOptions& options);
// A run's mesh.h5, or a mesh that cases read: blocks, nodes, boundaries.
void describe_mesh(const std::string& path, bool of_run, const CommonOptions& options);
void describe_map(const std::string& path, const CommonOptions& options);      // latlon_*.nc
void describe_scalars(const std::string& path, const CommonOptions& options);  // series.h5
void describe_table(const std::string& path, const CommonOptions& options);    // *.csv
void describe_bench(const std::string& path, const CommonOptions& options);    // bench-*.json
// A record, a kept input or a picture of a run: its kind, and the folder to look at for more.
void describe_by_kind(Target kind, const std::string& path, const CommonOptions& options);

}  // namespace watersmeet::commands
