#pragma once
// How the solution of a system is stepped, stored and timed, once it is allocated.
//
// A step is queued in two parts, so that the host can look at the clock of the step before while
// this one runs:
//   begin_step    moves the clock on the device (exec/clock.hpp) and prepares what the step
//                 needs
//   run_stages    queues the stages; in a step that the clock did not allow they do nothing, and
//                 undo_stages() takes back what the host assumed about them

#include <map>
#include <string>
#include <vector>

#include "exec/clock.hpp"
#include "exec/kernel_report.hpp"
#include "memory/state.hpp"

namespace watersmeet::systems {

// A variable beyond those of variables() that a checkpoint keeps, so that a run resumes with the
// same bits: right-hand sides of the step before, a pressure. Zero where a checkpoint has none.
struct StoredArray {
  std::string name;
  memory::State* state = nullptr;  // shaped like state()
  int reg = 0, variable = 0;
};

class Stepping {
 public:
  virtual ~Stepping() = default;

  // To be called after the state was set from outside, and once after initialise() or a restart:
  // measures the first signal. Collective.
  virtual void state_changed() = 0;

  virtual void begin_step(double t_limit, bool allowed) = 0;
  virtual void run_stages() = 0;
  virtual void undo_stages() = 0;
  // Steps that a visit of streamed planes carries out at most; 0: the solution stays on the device, and the three functions above
  // make a step.
  virtual int fused_steps() const { return 0; }
  // Carries out up to so many steps of a streamed solution and returns their clocks, each as it was when its step began; fewer at the end of
  // the run. Waits for them.
  virtual std::vector<exec::Clock> visit(double t_limit, int steps) {
    (void)t_limit, (void)steps;
    return {};
  }
  virtual exec::Clock* clock() = 0;  // on the device
  virtual void set_clock(const exec::Clock& clock) = 0;

  virtual memory::State& state() = 0;
  virtual int current_register() const = 0;  // holds the solution between steps
  // Before allocate() the names alone count.
  virtual std::vector<StoredArray> further_arrays() { return {}; }

  // Numbers beyond the state and the clock that a checkpoint must keep, by all ranks (values that
  // drifts refer to).
  virtual std::map<std::string, double> checkpoint_scalars() const { return {}; }
  virtual void restore_scalars(const std::map<std::string, double>& numbers) { (void)numbers; }

  // Whether messages to other ranks travel while cells are computed.
  virtual bool overlaps() const = 0;
  // The kernel of a stage; its name tells the method and the schedule, "55-point ring".
  virtual exec::KernelReport kernel() const = 0;
  // The kernels of a step, each timed by itself, median of `repeats`; empty when the system does
  // not tell. Waits for the device and may spoil the state; collective.
  virtual std::vector<exec::KernelTime> time_kernels(int repeats) {
    (void)repeats;
    return {};
  }
};

}  // namespace watersmeet::systems
