#pragma once
// device.schedule = "measured": the schedules that can compute a case are timed on its device by some
// steps of the case itself, and the fastest one is taken. All give the same bits, so that only time
// depends on the choice. It is stored in a file of the user for later runs of the same kind: device,
// equations and numerics, precision, grid, and version of this program.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "run/case.hpp"
#include "run/placement.hpp"
#include "systems/registry.hpp"

namespace watersmeet::run {

class RememberedSchedules {
 public:
  // Without a path nothing is remembered. A file that is not JSON counts as empty.
  explicit RememberedSchedules(std::string path) : path_(std::move(path)) {}
  std::optional<std::string> find(const std::string& kind) const;
  // Does not fail: where the file cannot be written, the next run measures again.
  void keep(const std::string& kind, const std::string& schedule) const;

 private:
  std::string path_;
};
// $XDG_CACHE_HOME/watersmeet/schedules.json, else under $HOME/.cache; empty without both.
std::string remembered_schedules_path();

// The name of the fastest choice. A negative time means that the choice cannot compute the case;
// "auto" when none can.
std::string fastest_of(const std::vector<systems::ScheduleChoice>& choices,
                       const std::function<double(const systems::ScheduleChoice&)>& seconds);

// The cells of a trial for a part of a grid: the longest axis is halved until there are no more cells
// than make a difference. An axis whose faces the case lists keeps all cells of the grid.
Index3 trial_cells(const mesh::GridDescription& grid, const Box& part);

// The schedule for System::allocate(): that of the case, unless it is "measured". `remark` says why
// nothing was measured, where that is not obvious; else it is empty. Collective: rank 0 measures, on a
// grid with the size of its own part.
struct SettledSchedule {
  std::string name, remark;
};
SettledSchedule settled_schedule(const Case& loaded, const Placement& placement);

}  // namespace watersmeet::run
