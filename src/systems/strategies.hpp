#pragma once
// The keys of [device] that choose among the strategies of exec/strategy.hpp, for the systems that
// have them compiled: schedule = "axes": a launch an axis.

#include <optional>
#include <string>
#include <vector>

#include "config/input.hpp"
#include "config/schema.hpp"
#include "core/types.hpp"
#include "exec/strategy.hpp"

namespace watersmeet::systems {

// The help of device.schedule.
extern const char* const schedule_help;
// device.depot, device.halo_threads and device.tuned.
std::vector<config::Key> strategy_keys();

// The choice of a case whose device.schedule is "axes", else none. Faults are recorded: keys that
// contradict each other or stand beside another schedule, and what none is compiled for: another
// precision than double, and the system's own reason in `refusal`, which is empty where all serve.
std::optional<exec::Strategy> strategy_of(config::Input& input, Precision precision,
                                          const std::string& refusal);

// All that are compiled: the base, the tuned one, and those with a depot.
std::vector<exec::Strategy> all_strategies();
// The strategy with a name that name_of() gives, or none.
std::optional<exec::Strategy> strategy_named(const std::string& name);
// The keys of a case that is computed by this one, KEY=VALUE, and the same as a section [device].
std::vector<std::string> device_keys(const exec::Strategy& choice);
std::string device_text(const exec::Strategy& choice);

}  // namespace watersmeet::systems
