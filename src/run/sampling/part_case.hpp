#pragma once
// Parts of the grid that a case writes by themselves, [[output.part]]: boxes, planes and lines of cells, whole or every n-th along each axis, with
// fields and an interval of their own.

#include <string>
#include <vector>

#include "config/input.hpp"
#include "core/types.hpp"
#include "io/snapshot.hpp"
#include "run/sampling/case_faults.hpp"
#include "run/sampling/schedule.hpp"
#include "systems/system.hpp"

namespace watersmeet::run {

struct PartCase {
  std::string name;
  std::vector<systems::QuantityInfo> fields;
  Schedule schedule;
  Index3 first{0, 0, 0}, stride{1, 1, 1}, n{1, 1, 1};  // cells first + stride*(0 .. n - 1)
  std::string precision;  // of the file: "single", "double", or empty for that of the run
  int deflate = 0;        // level; 0: not compressed

  double values() const;  // in a file
  // Which of its cells lie in a box of the grid, in its own numbers; may be empty.
  Box within(const Box& of_grid) const;
  // The grid of its files; `whole` is that of snapshots.
  io::SnapshotGrid grid(const io::SnapshotGrid& whole) const;
};

// Reads name, every and every_steps of a table, which is a `kind` of thing ("part"); `taken`: the names of those before.
void read_name_and_schedule(const config::Input& input, const std::string& table,
                            const std::string& kind, std::set<std::string>& taken,
                            const Report& report, PartCase& one);

// Reads the key x, y or z of a table, in `table`: which cells of a box lie in the part along an axis, all where the key is not set. False after a
// fault, which names the part as it is `called`.
bool read_axis(const config::Input& input, const std::string& table, const std::string& called,
               const mesh::GridDescription& grid, std::size_t axis, const Report& report,
               PartCase& one);

// Records the faults of the parts of a case whose system is configured; part of loading.
void check_parts(config::Input& input, const systems::System& system);
// Requires a case without faults.
std::vector<PartCase> parts_of(const config::Input& input, const systems::System& system);

}  // namespace watersmeet::run
