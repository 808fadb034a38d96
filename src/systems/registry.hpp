#pragma once
// The systems of this program: the one list that names them.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "config/schema.hpp"
#include "systems/bench.hpp"
#include "systems/outputs.hpp"
#include "systems/system.hpp"

namespace watersmeet::systems {

struct SystemEntry {
  std::string name, summary;
  std::vector<config::Key> (*keys)();
  void (*adjust)(config::Schema& schema);  // defaults and choices of common keys
  std::unique_ptr<System> (*make)();
  const Outputs& (*outputs)();      // all that cases may write
  Bench (*bench)(Backend backend);  // rows for a machine with or without a GPU
  // Keys that a new case of `watersmeet new` sets beside the required ones, and their values as
  // they stand in it; of an empty one the default, or what any case begins with.
  std::vector<std::pair<std::string, std::string>> starting_values;
};

const std::vector<SystemEntry>& all_systems();
// Adds a system that this program does not have by itself, such as those of examples/systems. A file of that system calls it before main(),
// to initialise a constant with the result, which is true.
bool add_system(const SystemEntry& system);
std::vector<std::string> system_names();
// Internal error for an unknown name, as of all below.
const SystemEntry& system_entry(const std::string& system);
// Common keys, the system's own, and the other systems' as foreign ones.
const config::Schema& schema_for(const std::string& system);
// A schedule by the name that System::allocate() knows, and the keys (KEY=VALUE) by which a case
// asks for it.
struct ScheduleChoice {
  std::string name;
  std::vector<std::string> keys;
};
// All that a system has; of launches an axis (exec/strategy.hpp) those that are tuned.
std::vector<ScheduleChoice> schedule_choices(const std::string& system);
std::unique_ptr<System> make_system(const std::string& system);

}  // namespace watersmeet::systems
