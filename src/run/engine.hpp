#pragma once
// A configured case on the devices of its ranks: owns queue, team and system, carries out steps one
// ahead of what the host has seen, and hands out fields, diagnostics and checkpoints. The driver (a
// run with files) and the public Simulation are built on it. With several ranks every public
// function is called by all of them, and arrays are those of this rank's part.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/checkpoint.hpp"
#include "run/case.hpp"
#include "run/placement.hpp"
#include "solve/spectra.hpp"

namespace watersmeet::run {

enum class AdvanceEnd { time_reached, steps_reached, interrupted, converged };

// What is taken of the states that steps begin from, on the device; of a streamed solution on the host. All ranks see the same calls.
class StateSampler {
 public:
  virtual ~StateSampler() = default;
  // Whether the state after so many steps is wanted.
  virtual bool wants(std::int64_t step) = 0;
  // The state, its clock closed: queues what evaluates quantities of it.
  virtual void take() = 0;
  // The step after it has begun: the clock has its dt, or is inactive where there is no such step. Of a streamed solution it has ended by then.
  virtual void step_begun(std::int64_t step, const exec::Clock* clock) = 0;
};

class SolutionCopy;

class Engine {
 public:
  // Checks that the memory suffices (Error{resource} with the largest grid that fits), allocates,
  // and sets the initial state.
  // `placement`: of place_case(); without one, on one device of this process alone.
  explicit Engine(Case loaded, std::optional<Placement> placement = std::nullopt);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Steps until t_limit (hit exactly) or until `step_limit` steps are completed in all. `watch` is
  // called with the clock of every step seen, one step late; what it returns other than 0 is a request
  // to stop, which interrupts all ranks after the same step as soon as all know it; clock().stop is
  // the largest such request. On return the clock is settled and the run can continue: otherwise
  // Error{diverged} naming the first bad cell and what is wrong with it (failure.hpp). Of every
  // device.verify_every steps one is carried out twice (repeated_step.cpp).
  AdvanceEnd advance(double t_limit, std::int64_t step_limit,
                     const std::function<std::uint64_t(const exec::Clock&)>& watch = {});

  // Samples all steps from now on; null: none. A visit of a streamed solution ends with a state that is wanted, for those between its steps are nowhere whole.
  void set_sampler(StateSampler* sampler) { sampler_ = sampler; }

  // The system's row of the time series at the present step: sums and extrema of the state.
  // Error{diverged} where it shows that the run cannot continue (sound_series.hpp), although every
  // value of the state may be finite; so does the first call where a number that drifts refer to
  // is not finite. No state is to be kept without this test.
  std::vector<double> series();

  const exec::Clock& clock() const { return clock_; }
  // Seconds spent inside advance(), and steps done there.
  double seconds_stepping() const { return seconds_stepping_; }
  std::int64_t steps_done() const { return steps_done_; }

  systems::System& system() { return *case_.system; }
  const config::Input& input() const { return case_.input; }
  const Queue& queue() const { return queue_; }
  // Makes the device of this run the current one of this thread, for processes that use several.
  void select_device() const {
    if (queue_.backend == Backend::cuda) select_cuda_device(placement_.device.index);
  }
  const DeviceChoice& device() const { return placement_.device; }
  const Placement& placement() const { return placement_; }
  // How the solution is streamed from host memory, if it is.
  const std::optional<stream::Plan>& streaming() const { return stream_; }
  // Where output computes with fields of the whole part: on the device, of a streamed solution the host.
  Queue queue_of_fields() const {
    return stream_ ? Queue{Backend::cpu, nullptr, queue_.threads} : queue_;
  }
  comm::Team& team() const { return *team_; }
  bool first() const { return team_->rank() == 0; }  // prints and writes
  // Bandwidths of a copy, bytes/s of each rank; measured anew by each call. On a CPU of `bytes`, on a GPU of
  // as many as its memory takes a while to move.
  std::vector<double> copy_bandwidths(std::size_t bytes) const;
  double points() const { return static_cast<double>(whole_points_); }  // of all ranks

  // This rank's part of the grid, for files written together over `team`.
  io::Share share(comm::Communicator* team) const;
  // A quantity in the run's precision, packed, in host memory: `values` must hold quantity_bytes().
  std::size_t quantity_bytes(const systems::QuantityInfo& quantity) const;
  void quantity_to_host(const systems::QuantityInfo& quantity, void* values);
  // The same on the device, in memory of the caller.
  void evaluate(const systems::QuantityInfo& quantity, void* packed);
  std::vector<double> quantity_as_doubles(const std::string& name);
  // The same of boxes of this rank's part, in its own indices, one after the other: a number of bytes for each cell that quantity_bytes() has for
  // each of the part. Collective, also those that want no box.
  void boxes_to_host(const systems::QuantityInfo& quantity, std::span<const Box> boxes,
                     void* values);
  // Such a box with ends where the packs of its rows have theirs: its cells see the instructions that they see when the whole grid is evaluated.
  Box in_whole_packs(Box box) const;
  // The components of a quantity in each of these cells of the whole grid; nothing for those of
  // other ranks.
  std::vector<std::vector<double>> quantity_in_cells(const systems::QuantityInfo& quantity,
                                                     const std::vector<Index3>& cells);
  std::vector<double> variable_as_doubles(const std::string& name);
  void set_variable(const std::string& name, const std::vector<double>& values);
  VariableMemory memory_of(const std::string& name);
  // After values of the state were written: its signal is measured, and known to the next checkpoint.
  void state_was_written();
  std::array<std::vector<double>, 3> coordinates_of(const std::string& name) const;
  // The checksum of the interior cells of all variables in host memory; internal error for a GPU's.
  std::uint64_t checksum_of_state();
  // Spectra of the whole grid, gathered on the first rank; empty on the others. Error{unsupported} when the
  // system has none.
  solve::ShellSpectra spectra();
  // Spectra of a derived field of three components.
  solve::ShellSpectra spectra_of(const std::string& quantity);

  // Arrays and numbers of a checkpoint; the arrays are in `storage`, but those of a streamed solution may be those of the state, which must
  // not change before they are written.
  io::Checkpoint make_checkpoint(std::vector<std::vector<char>>& storage);
  // Error{user_input} when the checkpoint is of another grid or system; changes nothing.
  void check_matches(const io::CheckpointReader& reader) const;
  void restore(io::CheckpointReader& reader);

  // The grid in other parts for the same ranks, with a system to compute it. Collective.
  struct Division {
    mesh::Shares shares;
    std::unique_ptr<systems::System> system;
  };
  // Of ranks that take so many seconds a cell and step each.
  mesh::Shares shares_by_speed(std::vector<double> seconds_per_cell) const;
  // Changes nothing. AgreedError where a part has no memory, or the case can no longer be read.
  Division divide(mesh::Shares shares);
  // Goes on so from a checkpoint of the present state. What refers to the system or to the part of
  // this rank is of no use afterwards.
  void go_on(Division division, io::CheckpointReader& reader);
  double seconds_of_set_up() const { return seconds_of_set_up_; }

 private:
  using Watch = std::function<std::uint64_t(const exec::Clock&)>;
  void set_up();
  // The numbers of a checkpoint beside its arrays.
  std::map<std::string, double> checkpoint_reals();
  // After the arrays were written. Not complete: the past that a multistep scheme needs is not there.
  void restore_numbers(const std::map<std::string, double>& reals, std::int64_t step,
                       bool complete);
  AdvanceEnd carry_out(double t_limit, std::int64_t step_limit, const Watch& watch);
  AdvanceEnd carry_out_twice(double t_limit, const Watch& watch);
  void keep(std::unique_ptr<SolutionCopy>& copy);
  void require_same(const SolutionCopy& once);
  void request_stop(std::uint64_t request);
  void enqueue(double t_limit, bool allowed, bool with_stages, std::int64_t step = -1);
  const exec::Clock& settled(std::size_t slot);
  AdvanceEnd end_advance(double t_limit, std::int64_t step_limit, double last_dt, bool interrupted,
                         std::chrono::steady_clock::time_point begin);
  [[noreturn]] void report_failure(const std::string& found, const std::string& details = "");
  int variable_index(const std::string& name) const;

  Case case_;
  Placement placement_;
  std::optional<stream::Plan> stream_;
  Queue queue_;
  std::unique_ptr<comm::Team> team_;
  std::unique_ptr<comm::Domain> domain_;
  memory::Buffer records_;  // two clocks, and a stop request
  Event recorded_[2];
  memory::Buffer packed_;  // on the device, for quantities
  exec::Clock clock_;
  double first_signal_ = 0;  // of the state that this engine began from
  double seconds_stepping_ = 0, seconds_of_set_up_ = 0;
  std::int64_t steps_done_ = 0;
  bool measured_ = false;
  StateSampler* sampler_ = nullptr;
  std::int64_t verify_every_ = 0;
  std::unique_ptr<SolutionCopy> before_, once_;        // of a step that is carried out twice
  std::int64_t system_points_ = 0, whole_points_ = 0;  // of this rank, of all
};

// Seconds on the slowest of all ranks, which all call; what is measured counts when all are done.
double seconds_of_steps(Engine& engine, std::int64_t steps);

}  // namespace watersmeet::run
