#pragma once
// The compiled loops of a system behind one small interface, chosen once at set-up: a virtual call for a launch. What every system has stands
// here; a system adds its own launches to an interface of its own, which derives from Loops, and implements them once for both back ends by
// the functions of exec/*_loops.hpp. Parameters are those of the case, in double; functors are made from them at each launch, rounded
// once to the precision of the loops (core/rounded.hpp).

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/block_layout.hpp"
#include "core/device.hpp"
#include "core/types.hpp"
#include "exec/cell.hpp"
#include "exec/clock.hpp"
#include "exec/exact_sum.hpp"
#include "exec/kernel_report.hpp"

namespace watersmeet::exec {

// Arrays of one launch: starts of registers of a state (memory/state.hpp), in the precision of the loops.
struct Registers {
  const BlockLayout* layout = nullptr;
  const void* in = nullptr;
  void* out = nullptr;
  void* increment = nullptr;  // w, the beginning of the step, or the rate before (exec::UpdateForm)
  const void* extra = nullptr;  // one more input variable in a congruent state of its own, or null
  const BlockLayout* extra_layout = nullptr;
};

struct Launch {
  Registers registers;
  Box box;                       // cells to compute
  std::array<int, 3> periods{};  // CellArrays::periods
  FarRegisters far;              // CellArrays::far
  StageUpdate<double> update;
  Clock* clock = nullptr;  // on the device
  Queue queue;
};

template <class R>
CellArrays<R> arrays_of(const Launch& l) {
  const Registers& r = l.registers;
  auto a = cell_arrays<R>(*r.layout, r.in, r.out, r.increment, l.box);
  if (r.extra) a.extra = static_cast<const R*>(r.extra) + r.extra_layout->first;
  for (std::size_t axis = 0; axis < 3; ++axis) a.periods[axis] = l.periods[axis];
  a.far_axis = l.far.axis;
  for (int side = 0; side < 2; ++side) {
    const FarRegister& f = l.far.side[side];
    if (f.start) a.far[side] = {static_cast<R*>(f.start) + f.first, f.stride_var, f.begin, f.end};
  }
  return a;
}

// Whatever the form of the right-hand side.
class CommonLaunches {
 public:
  CommonLaunches() = default;
  CommonLaunches(const CommonLaunches&) = delete;
  CommonLaunches& operator=(const CommonLaunches&) = delete;
  virtual ~CommonLaunches() = default;

  virtual void begin_step(const StepRule& rule, double t_limit, bool allowed, Clock* clock,
                          const Queue& queue) = 0;
  // The two passes of the time series over a box of `in` (comm/exact_reduction.hpp), on the host: largest[sums + maxima] is raised,
  // high_low[2 sums] added to. They wait for the queue.
  virtual void measure(const Launch& launch, double* largest) = 0;
  virtual void count(const Launch& launch, const SumScale* scales, std::int64_t* high_low) = 0;
  // A quantity of a box of `in`: a packed array [k][j][i][component] on the device, in the precision of the loops.
  virtual void evaluate(const Launch& launch, int quantity, int components, void* packed) = 0;
  // The launches of a stage; no registers on the CPU.
  virtual std::vector<KernelReport> describe() const = 0;
};

// The loops of systems with explicit stages on cells.
class Loops : public CommonLaunches {
 public:
  // The right-hand side and the update of one stage: in -> out.
  virtual void stage(const Launch& launch) = 0;
  // The largest signal of a box of `in`. Waits for the queue.
  virtual double signal(const Launch& launch) = 0;
};

// A stage that is compiled apart from the other loops, in files of its own for each schedule.
struct StageLaunch {
  std::function<void(const Launch&)> run;
  std::function<std::vector<KernelReport>()> describe;
  std::string schedule;  // "cpu" there
};

// Loops whose stage is a StageLaunch.
class StagedLoops : public Loops {
 public:
  void set_stage(StageLaunch stage) { stage_ = std::move(stage); }
  const std::string& schedule() const { return stage_.schedule; }
  void stage(const Launch& launch) final { stage_.run(launch); }
  std::vector<KernelReport> describe() const final { return stage_.describe(); }

 private:
  StageLaunch stage_;
};

}  // namespace watersmeet::exec
