#pragma once
// What every system of equations looks like to the rest of the program: a host interface without
// templates. A system reads its own keys, owns its state and its compiled loops, and knows nothing
// of files, folders or the terminal.
//
// A step is queued in two parts, so that the host can look at the clock of the step before while
// this one runs:
//   begin_step    moves the clock where the kernels run (exec/clock.hpp) and prepares what the step
//                 needs
//   run_stages    queues the stages; in a step that the clock did not allow they do nothing, and
//                 undo_stages() takes back what the host assumed about them

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "comm/domain.hpp"
#include "comm/team.hpp"
#include "config/input.hpp"
#include "core/device.hpp"
#include "core/types.hpp"
#include "exec/clock.hpp"
#include "exec/kernel_report.hpp"
#include "memory/state.hpp"
#include "mesh/grid_description.hpp"
#include "stream/plan.hpp"

namespace watersmeet::systems {

// A derived quantity that can be written to snapshots. `when`: the cases that have it, "on a
// sphere"; empty: all. `former`: its name of before, which cases may still give it.
struct QuantityInfo {
  std::string name, long_name, units, standard_name;
  int components = 1;
  std::string when = {}, former = {};
};

// A column of the time series; `progress` columns also stand in the progress line with this format
// ("%+.1e"). The definition is one line for the reference; `when` and `former` as of a quantity: a
// resumed run goes on with a column of the former name under the present one. A run ends as failed
// where the magnitude is above `largest`; 0: it may have any.
struct SeriesColumn {
  std::string name, units;
  std::string progress_title, progress_format;
  std::string definition = {}, when = {}, former = {};
  double largest = 0;
};

// A derived field of three components whose spectra are written beside those of the velocity, in the
// columns NAME, NAMEx, NAMEy and NAMEz of spectra.csv.
struct SpectralField {
  std::string quantity, name, units, definition;
};

// A variable beyond those of variables() that a checkpoint keeps, so that a run goes on with the
// same bits: right-hand sides of the step before, a pressure. Zero where a checkpoint has none.
struct StoredArray {
  std::string name;
  memory::State* state = nullptr;  // shaped like state()
  int reg = 0, variable = 0;
};

struct MemoryNeed {
  std::size_t working_bytes = 0;  // where the kernels run
  std::size_t staging_bytes = 0;  // on the host, for output and checkpoints
};

// A text file of output times, "surface_airfoil" and "csv" for surface_airfoil_000100.csv.
struct TextFile {
  std::string name, ending;
  std::string content;
};

// Where and with whom a case is computed. Team and domain outlive the system's use of them. Each
// rank has one part today.
struct Placement {
  Queue queue;
  comm::Team* team = nullptr;
  const comm::Domain* domain = nullptr;
  std::string schedule = "auto";
  // Where the solution is kept in host memory and computed by windows; none: it stays where the kernels run.
  std::optional<stream::Plan> stream = std::nullopt;
};

// Whether and how the solution can be kept in host memory (stream/plan.hpp).
struct Streaming {
  std::string refusal;  // why it cannot be, a sentence without its stop; empty: it can
  stream::Demand demand;
};

class System {
 public:
  virtual ~System() = default;

  virtual std::string name() const = 0;
  virtual std::string summary()
      const = 0;  // "isothermal compressible Navier-Stokes, 6th order, 55-point"
  virtual std::vector<Variable> variables() const = 0;
  virtual std::vector<QuantityInfo> quantities() const = 0;
  virtual std::vector<std::string> default_fields() const = 0;
  virtual std::vector<SeriesColumn> series_columns() const = 0;
  // The stored velocity along x, y and z, whose shell-averaged spectra are taken; empty when
  // spectra make no sense or no such variables are stored. Keys of spectra are then refused.
  virtual std::vector<std::string> spectral_variables() const { return {}; }
  // Fields that have spectra beside those of the velocity.
  virtual std::vector<SpectralField> further_spectra() const { return {}; }
  // Text attributes for output headers, such as the forcing's wave vectors.
  virtual std::map<std::string, std::string> notes() const { return {}; }
  // Factors from code units to physical units ("mass", "length", "time"); empty when none were
  // given.
  virtual std::map<std::string, double> scales() const { return {}; }
  virtual std::uint64_t seed() const { return 0; }  // of random numbers, where the case has any

  // Reads every key; records faults in the input and allocates nothing.
  virtual void configure(config::Input& input) = 0;

  // The whole grid, once the case is configured without faults.
  virtual const mesh::GridDescription& grid() const = 0;
  virtual Precision precision() const = 0;
  // Stages of a step: evaluations of the right-hand side.
  virtual int stages() const = 0;
  // Bytes on one rank for a part of `cells`, everything of this case included.
  virtual MemoryNeed memory_needed(const Index3& cells) const = 0;
  // The same for a solution in host memory. By default it cannot be there.
  virtual Streaming streaming(const Index3& cells) const {
    (void)cells;
    return {"streaming is not implemented for this system", {}};
  }
  // Bytes that a step must move per point when every field is read and written once a pass: the
  // bound of progress lines.
  virtual double bytes_per_point_step() const = 0;
  // Floating-point operations of a right-hand side per point, by the count that the system's
  // README.md gives; 0 when nobody counted.
  virtual double flops_per_point_rhs() const { return 0; }
  // The most steps of a run for which the common keys give no end; 0: there are none.
  virtual std::int64_t most_steps() const { return 0; }
  // dt times the clock's signal above which the scheme lets waves grow; 0: not known.
  virtual double stable_cfl() const { return 0; }
  // A guess of dt from the initial fields sampled on a coarse grid.
  virtual double estimate_step(const config::Input& input) const = 0;

  // Allocates the state and chooses the kernels. Error{resource}, Error{unsupported}.
  virtual void allocate(const Placement& placement) = 0;
  // Initial fields of the case, on this rank's part.
  virtual void initialise(const config::Input& input) = 0;
  // To be called after the state was set from outside, and once after initialise() or a restart:
  // measures the first signal. By all ranks.
  virtual void state_changed() = 0;

  virtual void begin_step(double t_limit, bool allowed) = 0;
  virtual void run_stages() = 0;
  virtual void undo_stages() = 0;
  // Steps that a visit of streamed planes carries out at most; 0: the solution stays where the kernels run, and the three functions above
  // make a step.
  virtual int fused_steps() const { return 0; }
  // Carries out up to so many steps of a streamed solution and returns their clocks, each as it was when its step began; fewer at the end of
  // the run. Waits for them.
  virtual std::vector<exec::Clock> visit(double t_limit, int steps) {
    (void)t_limit, (void)steps;
    return {};
  }
  virtual exec::Clock* clock() = 0;  // where the kernels run
  virtual void set_clock(const exec::Clock& clock) = 0;

  virtual memory::State& state() = 0;
  virtual int current_register() const = 0;  // holds the solution between steps
  // Before allocate() the names alone count.
  virtual std::vector<StoredArray> further_arrays() { return {}; }

  // Values of series_columns(), the same on all ranks, which all call. Waits for the device.
  virtual std::vector<double> series() = 0;
  // Averages over the planes across one axis: the coordinate of the planes first, then the
  // averages. Empty when the system has none; keys of profiles are then refused.
  virtual std::vector<SeriesColumn> profile_columns() const { return {}; }
  // A row of profile_columns() after the other, from the lowest plane to the highest; the same on
  // all ranks, which all call. Waits for the device.
  virtual std::vector<double> profiles() { return {}; }
  // Fills packed arrays [k][j][i][component] of boxes of this rank's part, one after the other, in
  // the run's precision, where the kernels run. Ordered in the queue; by all ranks, also those that
  // want no box.
  virtual void evaluate(const std::string& quantity, std::span<const Box> boxes, void* packed) = 0;

  // Further files to be written with every snapshot, such as surface values. By all ranks; the
  // contents count on the first one.
  virtual std::vector<TextFile> text_files() { return {}; }

  // Numbers beyond the state and the clock that a checkpoint must keep, by all ranks (values that
  // drifts refer to).
  virtual std::map<std::string, double> checkpoint_scalars() const { return {}; }
  virtual void restore_scalars(const std::map<std::string, double>& numbers) { (void)numbers; }

  // Whether messages to other ranks travel while cells are computed.
  virtual bool overlaps() const = 0;
  // Of a stage; its name tells the method and the schedule, "55-point ring".
  virtual exec::KernelReport kernel() const = 0;
  // The kernels of a step, each timed by itself, median of `repeats`; empty when the system does
  // not tell. Waits for the device and may spoil the state; by all ranks.
  virtual std::vector<exec::KernelTime> time_kernels(int repeats) {
    (void)repeats;
    return {};
  }

  // What is wrong with the values of variables() of one cell, as stored, in words that hold the
  // numbers: "pressure -1.2e9 below -p_c = -3.4e8; rho = 980, ..."; empty when a run can go on with
  // them. Not asked about values that are not finite. A run is stopped by a signal that is not a
  // number, so a cell like that must make it one.
  virtual std::string inadmissible(std::span<const double> values) const {
    (void)values;
    return {};
  }
  // How a run came to its end, where that is more than a time: "converged: residual 1e-8 after 412
  // cycles", or that it did not converge. By all ranks.
  virtual std::string termination_summary() { return {}; }
  // What to try after a run that failed, beside a smaller step: "numerics.riemann = \"hll\", which
  // is more dissipative".
  virtual std::vector<std::string> failure_hints() const { return {}; }
};

}  // namespace watersmeet::systems
