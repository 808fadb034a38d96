#pragma once
// A simulation in this process: what the command line, the verification suite and C++ programs
// drive (a test compiles and runs this example as it stands here).
//
//   watersmeet::Simulation s = watersmeet::Simulation::from_file("case.toml");
//   s.advance_to(1.0);
//   std::vector<double> rho = s.field("rho");
//
// Every function throws watersmeet::Error (core/error.hpp): user_input with all faults of the case
// at once, resource when memory or a device is missing, diverged with the first bad cell when the
// state is not finite or the equations do not allow it, and with the columns of diagnostics() that
// are not finite or beyond the range of any sound flow: by diagnostics() and save(), and after steps
// as often as output.series_every_steps says.

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace watersmeet {

namespace run {
class Averages;
class Engine;
}  // namespace run

// A function of one to three coordinates, given by numbers on a grid of them, which expressions of a
// case call by its name as they do those of [tables] (docs/reference/cases.md).
struct GridFunction {
  std::string name;
  std::vector<std::vector<double>> at;  // coordinates of each argument, rising or falling
  std::vector<double> periods;          // of each argument, 0: constant beyond; empty: all 0
  std::vector<double> values;           // the first argument is the fastest
};

// Choices that are not part of a case. Empty text or zero leaves the case's own value.
struct SimulationOptions {
  std::string device;            // "auto", "cpu", "gpu"
  std::string precision;         // "single", "double"
  int threads = 0;               // CPU threads
  std::vector<std::string> set;  // "time.cfl=0.5", as --set
  int cpu_ranks = -1;            // device.cpu_ranks; negative: the case's own
  std::vector<GridFunction> functions = {};
};

// Shell-averaged spectra of the velocity: E(k) = sum over k - 1/2 <= |n| < k + 1/2 of |u_n|^2 / 2,
// n the wave number in units of 2 pi / (longest side).
struct Spectra {
  std::vector<double> k, total, x, y, z;
};

// Where the values of a stored variable lie: no copy, but the memory that the program computes with.
struct VariableMemory {
  void* first = nullptr;                 // the first interior cell
  std::array<std::int64_t, 3> cells{};   // along z, y, x
  std::array<std::int64_t, 3> stride{};  // values between neighbours along z, y, x, ghosts skipped
  bool single_precision = false;
  int gpu = -1;  // the CUDA device whose memory it is; -1: host memory
};

// Points of a block of a grid that is no box of straight cells.
struct BlockPoints {
  std::array<std::int64_t, 3> n{};  // along z, y, x
  std::vector<double> xyz;          // [k][j][i][3]
};

// A field of an average in time.
struct AverageField {
  std::string name;  // "velocity_mean"
  int components = 1;
  std::vector<double> values;  // [k][j][i][component]
};
// An [[output.average]] from the beginning of a window to the present state.
struct Average {
  double begin = 0;          // of the window
  double averaged_over = 0;  // time
  std::int64_t samples = 0;
  std::vector<AverageField> fields;
  // Over the planes across the axis of its `profile`; empty without one. Of each plane, the number of columns.
  std::vector<double> along, profile;
  std::vector<std::string> columns;
};

// Whether a run is to end now; asked between steps, by the thread that steps.
using StopTest = std::function<bool()>;

class Simulation {
 public:
  static Simulation from_file(const std::string& path, const SimulationOptions& options = {});
  // `name` stands for the file in messages.
  static Simulation from_text(const std::string& toml, const SimulationOptions& options = {},
                              const std::string& name = "case");
  // The case and the state of a checkpoint, from which the simulation continues with the same bits. Error{io} where
  // it is none. Functions that its case calls are to be given again.
  static Simulation from_checkpoint(const std::string& path, const SimulationOptions& options = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  // Carries out n steps, each of the length that the case's rule gives; fewer where a steady flow
  // has converged. False: `stop` ended it, after a whole step.
  bool step(std::int64_t n = 1, const StopTest& stop = {});
  // Steps until t is reached; the last step is shortened to hit it. False as above.
  bool advance_to(double t, const StopTest& stop = {});
  // Whichever comes first.
  bool advance(double t, std::int64_t n, const StopTest& stop = {});

  double t() const;
  double dt() const;  // of the last step
  std::int64_t steps() const;

  std::array<std::int64_t, 3> cells() const;
  std::array<double, 3> lower() const;
  std::array<double, 3> spacing() const;

  // Where the values of a stored variable are, along x, y and z: points or middles of cells, or in
  // a direction in which it is staggered their lower faces. Error{unsupported} for a grid that is no
  // box of straight cells.
  std::array<std::vector<double>, 3> coordinates_of(const std::string& variable) const;
  // For curvilinear blocks the nodes, where the values are, block after block; for a box over terrain
  // and for the panels of a sphere the corners of the cells. None for a box of straight cells.
  std::vector<BlockPoints> blocks() const;
  bool single_precision() const;

  // Derived quantities ("rho", "velocity", ...): names; values in double, shape
  // [k][j][i][component], no ghosts.
  std::vector<std::string> quantities() const;
  std::vector<double> field(const std::string& quantity) const;
  // Stored variables, of isothermal "lnrho", "ux", "uy", "uz", shape [k][j][i]; writing takes
  // effect before the next step.
  std::vector<std::string> variables() const;
  std::vector<double> variable(const std::string& name) const;
  void set_variable(const std::string& name, const std::vector<double>& values);
  // To be read and, unless `read_only`, written in place until the next step or restore(), which may
  // leave the solution elsewhere. What was written takes effect with the next call that computes:
  // of memory of the host these compare a checksum; of a GPU's they take it that something was
  // written, and measure the signal of the time step anew, which may change its last bits. Work of
  // other streams on a GPU's memory must have ended by then.
  VariableMemory memory_of(const std::string& variable, bool read_only = false);

  // Volume integrals, means and extrema by name ("mass", ...), as in series.csv of the system.
  // Drifts refer to the state before the first step, or to that of the first call if it came
  // earlier; of a restored run to that of its checkpoint.
  std::map<std::string, double> diagnostics() const;
  Spectra spectra() const;  // Error{unsupported} for a system without them

  // Averages in time that the case asks for, as a run with files has them where it stops with this state
  // and the same steps: their windows shorten steps as they do there. A window that has ended can be
  // read until the next step. What is written to variables is the state from then on, and that before
  // it counts no more.
  std::vector<std::string> averages() const;
  // Error{user_input}: there is none of this name, or no step was taken in a window of it yet.
  Average average(const std::string& name) const;

  // Checkpoints: everything needed to continue with the same bits, sums of averages too.
  void save(const std::string& path) const;
  void restore(const std::string& path);

  std::string device_description() const;
  bool on_gpu() const;

  // Its device is the current one of this thread afterwards.
  run::Engine& engine() const;

 private:
  explicit Simulation(std::unique_ptr<run::Engine> engine);
  void test_sums();
  void begin_windows();
  void take_writes() const;
  std::unique_ptr<run::Engine> engine_;
  std::unique_ptr<run::Averages> averages_;  // of the engine
  std::int64_t tested_step_ = -1;
  mutable bool handed_out_ = false;  // memory_of() since the last step
  mutable std::uint64_t checksum_ = 0;
};

}  // namespace watersmeet
