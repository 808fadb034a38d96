#pragma once
// What a case will take before it runs: steps, and room on the disk.

#include <cstdint>
#include <string>
#include <vector>

#include "config/input.hpp"
#include "systems/system.hpp"

namespace watersmeet::run {

// The step after which the case ends, by its keys or by what its system allows; the largest number
// there is when only a time ends it.
std::int64_t last_step(const systems::SetUp& system, const config::Input& input);
// The first time step, about, and with it the steps to the end of the case; infinite when unknown.
struct StepEstimate {
  double dt = 0, count = 0;
};
StepEstimate estimate_steps(const systems::SetUp& system, const config::Input& input);

// Their names, with commas between.
std::string names_of(const std::vector<systems::QuantityInfo>& fields);
// The fields of these names, in their order.
std::vector<systems::QuantityInfo> fields_named(const systems::Observation& system,
                                                const std::vector<std::string>& names);
// output.fields, or the system's own list where neither case nor schema gives one.
std::vector<systems::QuantityInfo> snapshot_fields(const systems::Observation& system,
                                                   const config::Input& input);

// Bytes that the snapshots, averages, parts, pictures and checkpoints of a case will take, for the check against the free
// disk.
struct DiskPlan {
  std::int64_t snapshots = 0;
  double snapshot_bytes = 0, checkpoint_bytes = 0, total_bytes = 0;
  std::int64_t averages = 0;  // files of averages in time
  double average_bytes = 0;   // of all of them
  std::int64_t parts = 0;     // files of parts of the grid
  double part_bytes = 0;      // of all of them, as if none were compressed
  bool compressed = false;    // whether any is
  std::int64_t pictures = 0;
  double picture_bytes = 0;      // of all of them, as if none were compressed
  std::int64_t isosurfaces = 0;  // whose size is not known before
};
DiskPlan plan_disk(systems::System& system, const config::Input& input, const StepEstimate& steps);
std::string snapshots_text(const DiskPlan& plan);  // "12 snapshots"
std::string disk_text(double bytes);               // of all output of a run

}  // namespace watersmeet::run
