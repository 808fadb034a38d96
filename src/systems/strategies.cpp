#include "systems/strategies.hpp"

#include <fmt/format.h>

#include "config/usual_keys.hpp"

namespace watersmeet::systems {

using config::choice_key;
using config::FaultKind;
using config::flag_key;
using config::Key;

const char* const schedule_help =
    "Loop schedule of the kernels on GPUs. auto: the fastest for most grids; measured: the program "
    "times all schedules that are possible for the case and stores the fastest; axes: one launch "
    "for each axis, for comparison, in double precision.";

std::vector<Key> strategy_keys() {
  return {
      choice_key("device.depot", "none", {"none", "shared", "shuffle"},
                 "With schedule = \"axes\": where threads read the edge values of neighbouring "
                 "cells: shared memory, or registers of their warp (shuffle). none: each thread "
                 "computes all that it needs."),
      flag_key("device.halo_threads", "false",
               "With a depot: groups of threads overlap by one thread at each end, which computes "
               "edge values and updates no cell. false: the outermost threads compute the "
               "additional edge values."),
      flag_key("device.tuned", "true",
               "With schedule = \"axes\": use block shapes, register limits and cache preferences "
               "found by measurement; false, possible without a depot only: those of the compiler "
               "and driver."),
  };
}

std::optional<exec::Strategy> strategy_of(config::Input& input, Precision precision,
                                          const std::string& refusal) {
  // Keys that are set to their defaults are accepted with every schedule: the resolved input of a
  // run has them all.
  exec::Strategy choice;
  const std::string depot = input.text("device.depot");
  choice.source = depot == "shared"    ? exec::NeighbourSource::shared
                  : depot == "shuffle" ? exec::NeighbourSource::shuffle
                                       : exec::NeighbourSource::none;
  choice.halo_threads = input.boolean("device.halo_threads");
  choice.tuned = input.boolean("device.tuned");
  const std::string schedule = input.text("device.schedule");
  if (schedule != "axes") {
    const auto refuse = [&](const char* key) {
      input.fault(FaultKind::conflict, key,
                  fmt::format("this key has no effect with schedule = \"{}\"", schedule),
                  "remove it, or set schedule = \"axes\"");
    };
    if (choice.source != exec::NeighbourSource::none) refuse("device.depot");
    if (choice.halo_threads) refuse("device.halo_threads");
    if (!choice.tuned) refuse("device.tuned");
    return {};
  }
  if (precision != Precision::double_) {
    input.fault(FaultKind::conflict, "device.schedule",
                "schedule \"axes\" is compiled in double precision only",
                "set schedule = \"auto\", or numerics.precision = \"double\"");
  } else if (!refusal.empty()) {
    input.fault(FaultKind::conflict, "device.schedule", refusal, "set schedule = \"auto\"");
  }
  if (choice.halo_threads && choice.source == exec::NeighbourSource::none) {
    input.fault(FaultKind::conflict, "device.halo_threads",
                "halo_threads has no effect with depot = \"none\"",
                "set depot = \"shared\" or \"shuffle\"");
  }
  if (!choice.tuned && choice.source != exec::NeighbourSource::none) {
    input.fault(FaultKind::conflict, "device.tuned",
                fmt::format("depot = \"{}\" is compiled with tuned = true only", depot),
                "set tuned = true");
  }
  return choice;
}

std::vector<exec::Strategy> all_strategies() {
  using exec::NeighbourSource;
  return {{NeighbourSource::none, false, false},   {NeighbourSource::none, false, true},
          {NeighbourSource::shared, false, true},  {NeighbourSource::shared, true, true},
          {NeighbourSource::shuffle, false, true}, {NeighbourSource::shuffle, true, true}};
}

std::optional<exec::Strategy> strategy_named(const std::string& name) {
  for (const exec::Strategy& strategy : all_strategies()) {
    if (exec::name_of(strategy) == name) return strategy;
  }
  return {};
}

std::vector<std::string> device_keys(const exec::Strategy& choice) {
  const char* const depot = choice.source == exec::NeighbourSource::none     ? "none"
                            : choice.source == exec::NeighbourSource::shared ? "shared"
                                                                             : "shuffle";
  return {"device.schedule=\"axes\"", fmt::format("device.depot=\"{}\"", depot),
          fmt::format("device.halo_threads={}", choice.halo_threads),
          fmt::format("device.tuned={}", choice.tuned)};
}

std::string device_text(const exec::Strategy& choice) {
  std::string text = "[device]\n";
  for (const std::string& key : device_keys(choice)) text += key.substr(key.find('.') + 1) + "\n";
  return text;
}

}  // namespace watersmeet::systems
