#pragma once
// A configured case on a device: owns queue and system, carries out steps one ahead of what the
// host has seen, and hands out fields, diagnostics and checkpoints. The driver (a run with files)
// and the public Simulation are built on it.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "run/case.hpp"
#include "run/checkpoint.hpp"
#include "solve/spectra.hpp"

namespace watersmeet::run {

// Which device a case runs on: the case's own wish and what this machine has. Error{resource} when
// a GPU is asked for and none answers.
struct DeviceChoice {
  Backend backend = Backend::cpu;
  int index = 0, threads = 1;
  std::string description;  // "NVIDIA H200" or "CPU, 2 threads"
  std::size_t free_bytes = 0;
};
DeviceChoice choose_device(const config::Input& input);
// Error{resource} with the largest grid that fits when a case needs more memory than is free.
void check_memory(const systems::System& system, const DeviceChoice& device);

// Memory that a process can still take on this host.
std::size_t free_host_bytes();

enum class AdvanceEnd { time_reached, steps_reached, interrupted };

class Engine {
 public:
  // Chooses the device, checks that the memory suffices (Error{resource} with the largest grid that
  // fits), allocates, and sets the initial state.
  explicit Engine(Case loaded);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Steps until t_limit (hit exactly) or until `step_limit` steps are completed in all. `watch` is
  // called with the clock of every step seen, one step late; returning false interrupts. On return
  // the clock is settled and the state is finite: otherwise Error{diverged} naming the first bad
  // cell, its variable and value.
  AdvanceEnd advance(double t_limit, std::int64_t step_limit,
                     const std::function<bool(const exec::Clock&)>& watch = {});

  const exec::Clock& clock() const { return clock_; }
  // Seconds spent inside advance(), and steps done there.
  double seconds_stepping() const { return seconds_stepping_; }
  std::int64_t steps_done() const { return steps_done_; }

  systems::System& system() { return *case_.system; }
  const config::Input& input() const { return case_.input; }
  const Queue& queue() const { return queue_; }
  const DeviceChoice& device() const { return device_; }
  double points() const { return static_cast<double>(system_points_); }

  // A quantity in the run's precision, packed, in host memory: `values` must hold quantity_bytes().
  std::size_t quantity_bytes(const systems::QuantityInfo& quantity) const;
  void quantity_to_host(const systems::QuantityInfo& quantity, void* values);
  std::vector<double> quantity_as_doubles(const std::string& name);
  std::vector<double> variable_as_doubles(const std::string& name);
  void set_variable(const std::string& name, const std::vector<double>& values);
  solve::ShellSpectra spectra();

  // Arrays and numbers of a checkpoint; the arrays live in `storage`.
  Checkpoint make_checkpoint(std::vector<std::vector<char>>& storage);
  // Error{user_input} when the checkpoint is of another grid or system; changes nothing.
  void check_matches(const CheckpointReader& reader) const;
  void restore(CheckpointReader& reader);

 private:
  void enqueue(double t_limit, bool allowed, bool with_stages);
  const exec::Clock& settled(std::size_t slot);
  [[noreturn]] void report_not_finite();
  int variable_index(const std::string& name) const;

  Case case_;
  DeviceChoice device_;
  Queue queue_;
  memory::Buffer records_;  // two clocks
  Event recorded_[2];
  memory::Buffer packed_;  // where kernels run, for quantities
  exec::Clock clock_;
  double seconds_stepping_ = 0;
  std::int64_t steps_done_ = 0;
  std::int64_t system_points_ = 0;
};

}  // namespace watersmeet::run
