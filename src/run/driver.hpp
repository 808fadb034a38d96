#pragma once
// A run with files: owns the engine and everything a run folder holds, and decides what happens
// between steps. Fresh and resumed runs differ only in how they begin.

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/series.hpp"
#include "io/snapshot.hpp"
#include "io/surface_view.hpp"
#include "io/telemetry.hpp"
#include "io/terminal.hpp"
#include "io/writer.hpp"
#include "mesh/lon_lat_remap.hpp"
#include "run/balance.hpp"
#include "run/engine.hpp"
#include "run/progress.hpp"
#include "run/sampling/averages.hpp"
#include "run/sampling/isosurface_case.hpp"
#include "run/sampling/part_case.hpp"
#include "run/sampling/picture_case.hpp"
#include "run/sampling/probes.hpp"
#include "run/sampling/schedule.hpp"
#include "run/sampling/triggers.hpp"
#include "run/stop_requests.hpp"
#include "watersmeet/commands.hpp"

namespace watersmeet::run {

class Driver {
 public:
  // The folder must exist. `resume_from`: path of a checkpoint, or empty.
  Driver(std::unique_ptr<Engine> engine, std::string directory, const RunOptions& options,
         io::Terminal& terminal, const std::string& resume_from);

  // Runs to the end. Exit status: 0 finished, 75 stopped early with a checkpoint. A divergence
  // ends the run with an Error whose text names the last good checkpoint and a command to type.
  int run();
  const std::string& directory() const { return directory_; }
  const std::string& last_checkpoint() const { return last_checkpoint_; }
  // Whether a run that looks for a steady state has found it; empty for other runs.
  std::optional<bool> converged() const;

 private:
  // driver_begin.cpp
  void choose_maps();
  io::Provenance make_provenance() const;
  void begin();
  void open_files();
  void place_isosurfaces();  // they refer to the grid of the system

  // driver.cpp
  int run_steps();
  void report(const exec::Clock& clock, bool permanent);
  void record_telemetry(const exec::Clock& clock, double grind);
  // Other parts of the grid for the ranks, where their speeds in this run ask for them.
  void correct_parts();
  void finish(int status);
  void conclude(int status, const std::string& words);
  std::string text_after(const Error& error);
  std::string advice_after_divergence() const;
  void set_aside_unconfirmed() const;
  // Runs what may fail on this rank alone; the others learn of it at the next agree().
  void guard(const std::function<void()>& work);
  void agree();

  // driver_output.cpp
  void outputs(bool first, bool last);
  TriggerActions pull_triggers();
  void measure_state();
  void write_series();
  void write_spectra();
  void write_profiles();
  void write_fields();
  io::SnapshotGrid snapshot_grid() const;
  io::SnapshotField described(const systems::QuantityInfo& quantity, const void* values) const;
  void end_windows(bool all);
  void write_average(std::size_t number);
  void write_checkpoint_file();
  // sampling/driver_parts.cpp
  // The fields of a part of the grid in the cells of this rank, in host memory: `pick` gives those of each field packed, `share` is where these
  // cells lie in the part.
  struct EvaluatedPart {
    std::vector<io::SnapshotField> fields;  // without their values
    io::Share share;
    std::function<std::vector<std::vector<char>>()> pick;
    // On rank 0 those of the whole part, nothing on others; collective.
    std::vector<std::vector<char>> gather() const;
  };
  EvaluatedPart evaluate(const PartCase& what);
  void write_parts();
  void write_part(std::size_t number);
  void index_parts(bool all);
  struct Drawn {
    PictureCase what;
    std::shared_ptr<const io::PixelMap> pixels = nullptr;  // of rank 0
  };
  struct Marched {
    IsosurfaceCase what;
    Lattices lattices = {};  // of rank 0
    io::View view = {};      // of its picture; of rank 0
  };
  // Pictures or iso-surfaces of parts that are due: their fields are gathered, and rank 0 writes the file.
  template <class Gathered>
  void write_gathered(const std::vector<Gathered>& all);
  // With what a picture of these colours says of itself.
  void write_picture(io::Picture picture, const std::string& name, const PartExpression& field,
                     const io::Limits& limits, const std::string& colours,
                     const exec::Clock& clock) const;
  void write_file(const Drawn& one, const std::vector<io::SnapshotField>& about,
                  const std::vector<std::vector<char>>& fields, const exec::Clock& clock) const;
  void write_file(const Marched& one, const std::vector<io::SnapshotField>& about,
                  const std::vector<std::vector<char>>& fields, const exec::Clock& clock) const;
  void submit(std::function<void()> job);
  std::shared_ptr<memory::Buffer> staging(std::size_t bytes);

  std::unique_ptr<Engine> owned_;
  Engine& engine_;
  std::string directory_;
  RunOptions options_;
  io::Terminal& terminal_;
  bool resumed_;
  Probes probes_;
  std::optional<Averages> averages_;
  std::optional<Triggers> triggers_;
  std::optional<Balance> balance_;  // once the run has begun
  std::vector<std::string> new_averages_,
      new_triggers_;        // that the checkpoint of a resumed run does not have
  std::string stopped_by_;  // the trigger that ended the run
  io::Provenance provenance_;
  bool first_;                                 // rank 0: prints, and writes what is small
  std::unique_ptr<comm::Communicator> files_;  // the ranks once more, for the writer threads
  std::exception_ptr fault_;
  StopRequests stop_;
  double t_end_;
  std::int64_t step_end_;
  // Files of a part of the grid, and how many of them its index names. What rank 0 found when the run was resumed is known to it alone, but for
  // the number.
  struct Part {
    PartCase what;
    std::vector<io::SnapshotSummary> files = {};
    std::size_t indexed = 0;
  };
  std::vector<Part> parts_;
  std::vector<Drawn> pictures_;
  std::vector<Marched> isosurfaces_;
  Schedule fields_, series_schedule_, spectra_schedule_, profiles_schedule_, checkpoints_;
  std::vector<systems::QuantityInfo> field_list_;
  std::vector<systems::QuantityInfo> lon_lat_list_;  // fields that are remapped
  std::unique_ptr<mesh::LonLatRemap> remap_;         // of rank 0
  bool si_units_ = false;  // of the numbers of the case, and so of all files
  bool has_spectra_ = false;
  std::unique_ptr<io::SeriesFile> series_, spectra_, profiles_;    // of rank 0
  std::vector<std::unique_ptr<io::SeriesFile>> average_profiles_;  // of rank 0; null without one
  std::unique_ptr<io::Telemetry> telemetry_;
  std::vector<io::SnapshotSummary> snapshots_;
  std::vector<std::shared_ptr<memory::Buffer>> pool_;
  std::unique_ptr<Progress> progress_;
  std::vector<double> last_series_;
  std::int64_t measured_step_ = -1, last_series_step_ = -1, last_spectra_step_ = -1,
               last_profiles_step_ = -1, last_fields_step_ = -1, last_checkpoint_step_ = -1;
  std::string last_checkpoint_;
  // Steps of the newest two sound rows, and the one before them: states of up to that step are good.
  std::int64_t sound_steps_[2] = {-1, -1}, confirmed_step_ = -1;
  double bandwidth_ = 0, io_seconds_ = 0, last_report_ = 0, last_permanent_ = 0,
         reported_seconds_ = 0;
  std::int64_t reported_steps_ = 0, report_every_steps_ = 0, next_report_step_ = 0;
  std::int64_t steps_before_ = 0;
  std::chrono::steady_clock::time_point begin_;
  io::Writer writer_;  // last: its jobs use what is above
};

}  // namespace watersmeet::run
