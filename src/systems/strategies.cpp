#include "systems/strategies.hpp"

#include <fmt/format.h>

#include <array>

namespace watersmeet::systems {

using config::FaultKind;
using config::Key;
using config::KeyType;

namespace {
constexpr std::array<const char*, 3> own_keys = {"device.depot", "device.halo_threads",
                                                 "device.tuned"};
}

std::vector<Key> strategy_keys() {
  return {
      {.path = "device.depot",
       .type = KeyType::choice,
       .default_text = "\"none\"",
       .choices = {"none", "shared", "shuffle"},
       .help = "Of schedule = \"axes\": where threads find the edges of the cells beside theirs, "
               "in shared memory or in the registers of their warp; none: each makes all it "
               "needs."},
      {.path = "device.halo_threads",
       .type = KeyType::boolean,
       .default_text = "false",
       .help = "Of a depot: groups of threads overlap by one at each end, which makes edges and "
               "updates nothing; false: the outermost threads make the edges behind theirs too."},
      {.path = "device.tuned",
       .type = KeyType::boolean,
       .default_text = "true",
       .help = "Of schedule = \"axes\": shapes of blocks, bounds of registers and use of caches "
               "found by trial; false, without a depot only: those of compiler and driver."},
  };
}

std::optional<exec::Strategy> strategy_of(config::Input& input, Precision precision,
                                          const std::string& refusal) {
  if (input.text("device.schedule") != "axes") {
    for (const char* const key : own_keys) {
      if (!input.is_set(key)) continue;
      input.fault(
          FaultKind::conflict, key,
          fmt::format("schedule = \"{}\" has no such choice", input.text("device.schedule")),
          "remove it, or schedule = \"axes\"");
    }
    return {};
  }
  if (precision != Precision::double_) {
    input.fault(FaultKind::conflict, "device.schedule",
                "launches an axis are compiled in double precision only",
                "schedule = \"auto\", or numerics.precision = \"double\"");
  } else if (!refusal.empty()) {
    input.fault(FaultKind::conflict, "device.schedule", refusal, "schedule = \"auto\"");
  }
  exec::Strategy choice;
  const std::string depot = input.text("device.depot");
  choice.depot = depot == "shared"    ? exec::Depot::shared
                 : depot == "shuffle" ? exec::Depot::shuffle
                                      : exec::Depot::none;
  choice.halo_threads = input.boolean("device.halo_threads");
  choice.tuned = input.boolean("device.tuned");
  if (choice.halo_threads && choice.depot == exec::Depot::none) {
    input.fault(FaultKind::conflict, "device.halo_threads",
                "without a depot every thread makes all edges itself",
                "depot = \"shared\" or \"shuffle\"");
  }
  if (!choice.tuned && choice.depot != exec::Depot::none) {
    input.fault(FaultKind::conflict, "device.tuned",
                fmt::format("depot = \"{}\" is compiled tuned alone", depot), "tuned = true");
  }
  return choice;
}

std::vector<exec::Strategy> all_strategies() {
  using exec::Depot;
  return {{Depot::none, false, false}, {Depot::none, false, true},    {Depot::shared, false, true},
          {Depot::shared, true, true}, {Depot::shuffle, false, true}, {Depot::shuffle, true, true}};
}

std::string device_text(const exec::Strategy& choice) {
  return fmt::format(
      "[device]\nschedule = \"axes\"\ndepot = \"{}\"\nhalo_threads = {}\ntuned = {}\n",
      choice.depot == exec::Depot::none     ? "none"
      : choice.depot == exec::Depot::shared ? "shared"
                                            : "shuffle",
      choice.halo_threads, choice.tuned);
}

}  // namespace watersmeet::systems
