#pragma once
// What a run would cost: memory, time step, duration, disk, and what several ranks gain; for `watersmeet check` and for what it prints.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "config/fault.hpp"
#include "run/rank_model.hpp"
#include "run/run_plan.hpp"
#include "stream/plan.hpp"
#include "watersmeet/commands.hpp"

namespace watersmeet::commands {

// Everything that is printed, in bytes, seconds and the case's units.
struct Estimate {
  Index3 cells{};
  double points = 0;
  run::DeviceChoice device;
  int ranks = 1;
  bool gpus = false;         // each rank has one
  bool devices_here = true;  // on this host; else only predicted
  Index3 part{};             // the largest of a rank
  std::array<int, 3> along{1, 1, 1};
  std::optional<run::Forecast> forecast;
  // About the prediction: whether it is certain, and where the time of a step on one device is from.
  bool certain = false, recorded = true, measured = false;
  double memory = 0, host_memory = 0;
  // Bytes of the memory for each cell that averages in time and triggers take, and those of averages alone.
  std::size_t beside = 0, of_averages = 0;
  std::size_t triggers = 0;
  std::optional<stream::Plan> stream;
  double bus = 0;   // bytes a second each way, of a streamed solution
  double host = 0;  // and of the host's memory for each rank, where the host updates it
  double dt = 0, steps = 0;
  double step_seconds = 0, seconds = 0;  // 0: not measured
  Index3 trial_cells{};
  std::string trial_fault;  // why the trial steps failed, where they did
  run::DiskPlan disk;
  double disk_free = 0;
};

// Tries a few steps of the case with the choices that it was loaded with, but where its GPUs are absent: their speed is predicted all the same.
// Error{user_input} where the initial state is refused, Error{resource} for a grid that no machine holds.
Estimate estimate(const run::Case& loaded, const std::string& path, const CommonOptions& options,
                  const SimulationOptions& choices, bool absent);

// What a user is told: a summary, or JSON.
void print_estimate(const run::Case& loaded, const std::string& path, const Estimate& e,
                    std::size_t n_notes);
void print_estimate_json(const run::Case& loaded, const std::string& path, const Estimate& e,
                         const std::vector<config::Fault>& notes, bool fits);

}  // namespace watersmeet::commands
