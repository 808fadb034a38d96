#include "commands/estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "core/copy_bandwidth.hpp"
#include "core/error.hpp"
#include "io/message.hpp"
#include "io/run_directory.hpp"
#include "run/engine.hpp"
#include "run/fit.hpp"
#include "run/memory_plan.hpp"
#include "run/sampling/average_case.hpp"
#include "stream/bus.hpp"

namespace watersmeet::commands {

namespace {

// The first line of an error, without its kind.
std::string first_line(const Error& error) {
  const std::string text = error.what();
  const std::string line = text.substr(0, text.find('\n'));
  const auto kind = line.starts_with("error[") ? line.find("]: ") : std::string::npos;
  return kind == std::string::npos ? line : line.substr(kind + 3);
}

// What a trial of a case needs to know of it.
struct Trial {
  const systems::SetUp& system;
  const std::string& path;
  const SimulationOptions& options;
  std::int64_t panel_cells;  // the third number of grid.cells of panels, 0 of others

  // Curvilinear blocks, which cannot be made smaller and are tried as they are.
  bool blocks() const { return system.grid().blocks != nullptr; }
};

// The cells of a trial of at most `most`, in whole tiles of the kernels of GPUs: a row of 400 cells takes 13 of 32, one of 1024 takes 32. Panels
// have fewer along all their edges and keep their levels.
Index3 trial_cells(const Trial& trial, const Index3& cells, double most, bool on_gpu) {
  if (trial.blocks()) return cells;
  if (trial.panel_cells == 0) {
    const double factor = run::coarsening(cells, most);
    return run::coarser(cells, factor, on_gpu && factor < 1 ? 32 : 8);
  }
  const double edge = std::floor(std::sqrt(most / static_cast<double>(cells[2])));
  const std::int64_t n = std::min(cells[0], static_cast<std::int64_t>(edge));
  return {n, n, cells[2]};
}

// Seconds for each cell of panels with `n` cells along an edge, relative to those of long edges: a row is taken to last as long as one that is
// eight cells longer, for the cells beside a panel are computed too (docs/reference/command-line.md has what predictions come to).
double of_rows(std::int64_t n) { return 1 + 8 / static_cast<double>(n); }

// The case on the grid of `n` cells, before its first step.
std::unique_ptr<run::Engine> begin_trial(const Trial& trial, const Index3& n, bool& begun) {
  SimulationOptions options = trial.options;
  options.set.push_back("device.memory=resident");
  if (!trial.blocks()) {
    options.set.push_back(fmt::format("grid.cells=[{}, {}, {}]", n[0], n[1],
                                      trial.panel_cells > 0 ? trial.panel_cells : n[2]));
  }
  run::Case smaller = run::load_case(trial.path, options, run::Start::skip);
  begun = true;
  return std::make_unique<run::Engine>(std::move(smaller));
}

// Seconds of each of the next steps.
double seconds_of_step(run::Engine& engine, std::int64_t steps) {
  const double before = engine.seconds_stepping();
  engine.advance(1e300, engine.clock().step + steps);
  return (engine.seconds_stepping() - before) / static_cast<double>(steps);
}

// That of the faster of the first two steps, for the first has the first use of much.
double seconds_of_first_steps(run::Engine& engine) {
  const double first = seconds_of_step(engine, 1);
  return std::min(first, seconds_of_step(engine, 1));
}

// That of three samples of which `first` is one. Other work on a processor slows a run as it does a trial, which the median has; a GPU has none.
// Small grids take many steps for a sample, but none beyond the last one of the case, where its state may no longer be one.
double seconds_of_samples(run::Engine& engine, double first, bool on_cpu, double last_step) {
  std::array<double, 3> samples{first, first, first};
  double fastest = first;
  for (std::size_t s = 1; s < samples.size(); ++s) {
    // The host waits at the end of each sample, which a run does not do after each step.
    auto steps = std::clamp<std::int64_t>(std::llround(0.01 / std::max(fastest, 1e-6)), 1, 50);
    if (last_step > 0) {
      const double left = std::ceil(last_step) - static_cast<double>(engine.clock().step);
      if (left < 1) break;
      steps = static_cast<std::int64_t>(std::min(static_cast<double>(steps), left));
    }
    samples[s] = seconds_of_step(engine, steps);
    fastest = std::min(fastest, samples[s]);
  }
  std::ranges::sort(samples);
  return samples[on_cpu ? 1 : 0];
}

// Seconds per step of the whole grid on one device, of several ranks as if it stayed there, measured in a few steps of a smaller one; 0 when those fail,
// as they may when the coarse grid does not carry the flow. An initial state that the grid of the
// case itself refuses is a fault of the case.
double measure(const Trial& trial, Estimate& e) {
  bool begun = false;
  try {
    const bool on_cpu = e.device.backend == Backend::cpu;
    // A large grid keeps all of a GPU busy, as the trial has to: 128^3 points take up to a third longer each than 512^3 do on an H100.
    const bool busy = e.stream && e.points > 1e9;
    const double most = on_cpu ? run::least_trial_cells : busy ? 1.3e8 : 1.7e7;
    e.trial_cells = trial_cells(trial, e.cells, most, !on_cpu);
    // Blocks are tried as they are, and rounding up makes others larger.
    const double too_many = on_cpu ? 2.6e5 : 4 * most;
    if (run::points_of(e.trial_cells) > too_many) return 0;
    std::unique_ptr<run::Engine> engine = begin_trial(trial, e.trial_cells, begun);
    double first = seconds_of_first_steps(*engine);
    // The caches of a processor hold so small a grid, but not that of a run. A second trial is as large as the speed allows. Runs of less than
    // a minute on one rank have none.
    const double per_cell = first / run::points_of(e.trial_cells);
    const bool soon_over =
        e.ranks == 1 && !e.stream && e.steps > 0 && per_cell * e.points * e.steps < 60;
    if (on_cpu && !soon_over) {
      const Index3 cells = trial_cells(trial, e.cells, run::cells_of_second_trial(per_cell), false);
      if (run::points_of(cells) > 1.5 * run::points_of(e.trial_cells) &&
          run::fits(trial.system, cells, e.beside, e.device.free_bytes)) {
        e.trial_cells = cells;
        engine.reset();
        engine = begin_trial(trial, cells, begun);
        first = seconds_of_step(*engine, 1);
      }
    }
    const double seconds = seconds_of_samples(*engine, first, on_cpu, e.steps);
    double resident = seconds * e.points / run::points_of(e.trial_cells);
    if (on_cpu && trial.panel_cells > 0)
      resident *= of_rows(e.cells[0]) / of_rows(e.trial_cells[0]);
    if (!e.stream) return resident;
    engine.reset();
    Queue queue;  // its own are made where the bus is measured
    queue.backend = e.device.backend;
    queue.threads = e.device.threads;
    e.bus = stream::measure_bus(queue);
    if (e.stream->demand.host_updates)
      e.host = measure_host_copy_bandwidth(e.device.threads) / e.ranks;
    return e.ranks > 1 ? resident
                       : stream::seconds_of_step(*e.stream, resident, e.bus, !on_cpu, e.host);
  } catch (const Error& error) {
    const bool bad_state = error.kind() == ErrorKind::user_input;
    if (begun && bad_state && e.trial_cells == e.cells) throw;
    if (begun && (bad_state || error.kind() == ErrorKind::diverged))
      e.trial_fault = first_line(error);
    return 0;
  }
}

// The ranks that the options ask for, one by default.
void choose_ranks(const run::Case& loaded, const CommonOptions& options, Estimate& e) {
  if (options.gpus > 0 && options.ranks > 0) {
    io::refuse_flag("--ranks",
                    "--gpus and --ranks both say how many ranks to predict; give one of them");
  }
  e.ranks = std::max({1, options.gpus, options.ranks});
  e.gpus = options.gpus > 0 || e.device.backend == Backend::cuda;
  e.part = e.cells;
  if (e.ranks == 1) return;
  e.devices_here = !e.gpus || std::ssize(cuda_devices()) >= e.ranks;
  if (!e.gpus) e.device.free_bytes /= static_cast<std::size_t>(e.ranks);
  e.part = run::largest_part(loaded, e.ranks, e.gpus,
                             e.gpus && e.devices_here ? e.device.free_bytes : std::size_t{0});
}

// GPUs by the recorded speeds, but by the trial where it was on another kind of GPU or with methods that were not recorded; ranks on the CPU by
// the trial.
void predict_ranks(const run::Case& loaded, Estimate& e) {
  if (e.ranks == 1 || (e.stream && e.bus <= 0)) return;
  run::StepTime step = run::recorded_step(*loaded.system);
  const bool same_device = !e.devices_here || e.device.description == run::recorded_device;
  e.certain = e.gpus && e.devices_here && run::is_certain(loaded, step, e.device.description, 1);
  e.recorded = step.recorded;
  if (!e.gpus || (e.step_seconds > 0 && !(step.recorded && same_device))) {
    if (e.step_seconds <= 0) return;
    step = {0, e.step_seconds / e.points, false};
    e.measured = true;
    e.recorded = false;
  }
  e.forecast = run::forecast(loaded, step, e.ranks, e.gpus,
                             e.gpus && e.devices_here ? e.device.free_bytes : std::size_t{0});
  e.along = e.forecast->several.along;
  const run::RankTime& several = e.forecast->several;
  e.step_seconds = e.stream ? several.messages + stream::seconds_of_step(*e.stream, several.alone,
                                                                         e.bus, e.gpus, e.host)
                            : several.seconds();
}

}  // namespace

Estimate estimate(const run::Case& loaded, const std::string& path, const CommonOptions& options,
                  const SimulationOptions& choices, bool absent) {
  Estimate e;
  e.cells = loaded.system->grid().n();
  e.points = run::points_of(e.cells);
  e.device = run::choose_device(loaded.input);
  e.of_averages =
      run::averages_of(loaded.input, *loaded.system).bytes_per_cell(loaded.system->precision());
  e.beside = run::bytes_beside(*loaded.system, loaded.input);
  e.triggers = loaded.input.count("trigger");
  if (e.points > 1e15) {  // beyond what the sums below can count
    const Index3 fit = run::largest_grid(*loaded.system, e.cells, {1, 1, 1}, e.beside,
                                         static_cast<double>(e.device.free_bytes));
    throw Error(ErrorKind::resource,
                fmt::format("{} = {:.3g} cells are more than any machine holds\n   = the largest "
                            "grid of this shape that fits here is {}",
                            io::size_text(e.cells), e.points, io::size_text(fit)));
  }
  choose_ranks(loaded, options, e);
  const systems::MemoryNeed need = loaded.system->memory_needed(e.part);
  e.stream = run::plan_stream(*loaded.system, loaded.input, e.device, e.part, e.ranks);
  e.memory = static_cast<double>(e.stream ? e.stream->window_bytes
                                          : run::working_bytes(*loaded.system, e.part, e.beside));
  const run::StepEstimate steps = run::estimate_steps(*loaded.system, loaded.input);
  e.dt = steps.dt;
  e.steps = steps.count;
  e.disk = run::plan_disk(*loaded.system, loaded.input, steps);
  e.host_memory = std::max(static_cast<double>(need.staging_bytes),
                           std::max(e.disk.snapshot_bytes, e.disk.checkpoint_bytes));
  if (e.stream)
    e.host_memory += static_cast<double>(e.stream->host_bytes) +
                     static_cast<double>(e.beside) * run::points_of(e.part);
  e.disk_free = static_cast<double>(io::free_disk_bytes("runs"));
  const std::int64_t panel_cells =
      loaded.system->grid().levels == 0 ? 0 : loaded.input.integers3("grid.cells")[2];
  if (!absent) {
    e.step_seconds = measure({*loaded.system, path, choices, panel_cells}, e);
  }
  predict_ranks(loaded, e);
  e.seconds = e.step_seconds * e.steps;
  return e;
}

}  // namespace watersmeet::commands
