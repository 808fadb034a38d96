#pragma once
// Conditions of a case on its solution, [[trigger]], "max(mach) > 3", and what is done where they hold.
//
// A condition is an expression of the input file of t, step and the columns of the time series, and of reductions of fields, which are functions
// of one argument: max(...), min(...), mean(...) and sum(...) over all cells of an expression of fields (config/program.hpp). With two arguments max and
// min are those of two numbers.

#include <string>
#include <vector>

#include "config/expression.hpp"
#include "config/input.hpp"
#include "config/program.hpp"
#include "run/sampling/packed_fields.hpp"
#include "run/sampling/schedule.hpp"
#include "systems/system.hpp"

namespace watersmeet::run {

enum class ReductionKind { max, min, mean, sum };

// A number of the whole grid.
struct FieldReduction {
  ReductionKind kind = ReductionKind::max;
  std::string text;  // of the field, "velocity.x^2"
  std::vector<Instruction> program;
  bool operator==(const FieldReduction& other) const {
    return kind == other.kind && text == other.text;
  }
};

// When a condition that holds does something.
enum class TriggerMode {
  latched,  // at the first evaluation at which it holds, and never again
  edge,     // at each at which it holds and did not at the one before
  level     // at each at which it holds
};

struct TriggerActions {
  bool snapshot = false, checkpoint = false, stop = false;
};

// One [[trigger]].
struct TriggerCase {
  std::string name, when;
  config::Expression condition;         // of the variables of TriggerCases, then of its reductions
  std::vector<std::size_t> reductions;  // numbers of those of TriggerCases
  bool needs_series = false, needs_probes = false;
  TriggerMode mode = TriggerMode::latched;
  TriggerActions actions = {};
  Schedule schedule = {};
  // What the trigger is: a run continues what a checkpoint keeps of one with the same definition.
  std::string definition() const;
};

// All of a case. Reductions and fields are shared by all of them.
struct TriggerCases {
  std::vector<TriggerCase> cases;
  // Numbers of the run that conditions may name, and where each stands in the row t, step, dt, the columns of the system, those of probes.
  std::vector<std::string> variables;
  std::vector<std::size_t> places;
  std::vector<FieldReduction> reductions;  // each once
  NeededFields fields;                     // of reductions
};

// Records the faults of the triggers of a case whose system is configured; part of loading.
void check_triggers(config::Input& input, const systems::System& system);
// Requires a case without faults.
TriggerCases triggers_of(const config::Input& input, const systems::System& system);

}  // namespace watersmeet::run
