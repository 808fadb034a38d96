#pragma once
// device.schedule = "measured": the schedules that serve a case are timed on its device by some
// steps of the case itself, and the fastest one is taken. All give the same bits, so that nothing
// but time depends on it. What was found is remembered in a file of the user's for the next run of
// the same kind: device, equations and numerics, precision, grid, and version of this program.

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
  // Without a path nothing is remembered. A file that makes no sense counts as none.
  explicit RememberedSchedules(std::string path) : path_(std::move(path)) {}
  std::optional<std::string> find(const std::string& kind) const;
  // Where the file cannot be written, the next run measures again.
  void keep(const std::string& kind, const std::string& schedule) const;

 private:
  std::string path_;
};
// $XDG_CACHE_HOME/watersmeet/schedules.json, else under $HOME/.cache; empty without both.
std::string remembered_schedules_path();

// The choice whose time is least, by its name; choices whose time is negative do not serve. "auto"
// when none does.
std::string fastest_of(const std::vector<systems::ScheduleChoice>& choices,
                       const std::function<double(const systems::ScheduleChoice&)>& seconds);

// The cells of a trial for a part of a grid: half as many along the longest axis as often as there
// are more than matter. Where cells are of unequal width the case may list them, and all of them
// are kept.
Index3 trial_cells(const mesh::GridDescription& grid, const Box& part);

// The schedule for System::allocate(): that of the case, unless it is "measured". `remark` gives
// the reason why nothing was measured, where it is not obvious. By all ranks; the first one measures, on
// a grid like its own part.
struct SettledSchedule {
  std::string name, remark;
};
SettledSchedule settled_schedule(const Case& loaded, const Placement& placement);

}  // namespace watersmeet::run
