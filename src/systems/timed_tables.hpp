#pragma once
// Tables of what a case prescribes at its boundaries as expressions of place and time: tabulated on
// the host for the time of every stage, where anything depends on time, and copied to where the
// kernels run without waiting for the copies before.

#include <optional>
#include <span>
#include <vector>

#include "memory/buffer.hpp"
#include "systems/stage_times.hpp"

namespace watersmeet::systems {

// Numbers on the device, in the precision of a run, filled once or again and again.
class StagedTable {
 public:
  StagedTable() = default;
  StagedTable(std::size_t numbers, Precision precision, bool again, const Queue& queue);

  void* start() const { return buffer_.start(); }
  // As many numbers as it was made for, rounded; queued.
  void fill(std::span<const double> numbers, const Queue& queue);

 private:
  // A host copy on its way.
  struct Staging {
    memory::Buffer buffer;
    Event copied;
  };
  Precision precision_ = Precision::double_;
  memory::Buffer buffer_;
  std::vector<Staging> staging_;  // none on the CPU
  std::size_t next_ = 0;
};

// Tables that are filled anew by set_time() where they depend on time; else nothing here does
// anything. Reading t and dt of a step waits for the clock.
class TimedTables {
 public:
  virtual ~TimedTables() = default;
  // Before the stages of a step, and before each: for the time t + fraction dt.
  void begin_step(const exec::Clock* clock, const Queue& queue) {
    if (depends_on_time()) times_.begin_step(clock, queue);
  }
  void set_stage(double fraction, const Queue& queue) {
    if (depends_on_time()) set_time(times_.at(fraction), queue);
  }
  // For the solution between two steps, where the clock is then.
  void set_now(const exec::Clock* clock, const Queue& queue) {
    if (depends_on_time()) set_time(solution_time(clock, queue), queue);
  }
  // In a step that the host knows, at this fraction of it; without one for the solution between two steps, where the clock is then.
  void set_known(const exec::Clock& step, std::optional<double> fraction, const Queue& queue) {
    if (!depends_on_time()) return;
    const double between = step.pending ? step.t_end : step.t;
    set_time(fraction ? step.t + *fraction * step.dt : between, queue);
  }
  virtual bool depends_on_time() const = 0;

 protected:
  TimedTables() = default;
  TimedTables(TimedTables&&) = default;
  TimedTables& operator=(TimedTables&&) = default;
  virtual void set_time(double t, const Queue& queue) = 0;

 private:
  StageTimes times_;
};

}  // namespace watersmeet::systems
