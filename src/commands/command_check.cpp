// watersmeet check CASE: validates, and says what the run would cost: memory, time step, duration,
// disk, and what several ranks gain. Nothing is written. Exit status 3 when memory or disk would not
// suffice, or the ranks would be refused.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "commands/estimate.hpp"
#include "commands/examples.hpp"
#include "core/error.hpp"
#include "io/message.hpp"
#include "io/run_directory.hpp"
#include "run/engine.hpp"
#include "run/fit.hpp"
#include "run/memory_plan.hpp"

namespace watersmeet {
namespace {

// A remark about a key with its place in the file, in the form of a fault.
config::Fault note_at(const config::Input& input, const std::string& path,
                      const std::string& message, const std::string& beside,
                      const std::string& advice) {
  config::Input copy = input;
  copy.fault(config::FaultKind::range, path, message, beside);
  config::Fault note = copy.faults().back();
  note.note = advice;
  return note;
}

// Place of the size of the grid in the case.
std::string grid_key(const run::Case& loaded) {
  if (loaded.system->grid().kind != mesh::GridKind::curvilinear_blocks) return "grid.cells";
  return loaded.input.is_set("grid.file") ? "grid.file" : "grid.mesh";
}

std::vector<config::Fault> notes_of(const run::Case& loaded, const commands::Estimate& e,
                                    bool& fits) {
  const config::Input& input = loaded.input;
  std::vector<config::Fault> notes = input.notes();
  const auto free = static_cast<double>(e.device.free_bytes);
  if (!e.stream) {
    for (const std::string& key : run::unused_stream_keys(input))
      notes.push_back(note_at(input, key, run::stream_key_unused, "", ""));
  }
  if (e.ranks == 1) {
    const comm::Locality place = comm::find_locality(*comm::make_self());
    if (const std::string crowded = run::crowded_processors(e.device, place); !crowded.empty()) {
      config::Fault note;
      note.message = crowded;
      notes.push_back(note);
    }
  }
  if (!e.trial_fault.empty()) {
    config::Fault note;
    note.message = fmt::format("the trial steps{} failed: {}",
                               e.trial_cells == e.cells || loaded.system->grid().blocks
                                   ? ""
                                   : " on " + io::size_text(e.trial_cells) + " cells",
                               e.trial_fault);
    notes.push_back(note);
  }
  if (e.forecast && e.gpus) {
    if (const auto loss = run::loss_of(input, *e.forecast, e.certain)) {
      fits = fits && !loss->refused;
      config::Fault note;
      note.message = loss->text + (loss->refused ? "; a run is refused" : "");
      note.note = "allow it with --set device.slower_ranks=true";
      notes.push_back(note);
    }
  }
  if (e.devices_here && e.memory > free) {
    fits = false;
    const bool single = input.text("numerics.precision") == "single";
    const std::string halves = single ? "" : "--precision single halves the need";
    const std::string advice =
        !loaded.system->grid().is_box()
            ? halves
            : fmt::format("the largest grid of this shape that fits is {}{}{}",
                          io::size_text(
                              run::largest_grid(*loaded.system, e.cells, e.along, e.beside, free)),
                          single ? "" : "; ", halves);
    notes.push_back(note_at(
        input, grid_key(loaded),
        fmt::format("{} needs {} of memory, and {} has {} free",
                    e.ranks > 1 ? "a part of the grid" : "the grid", io::bytes_text(e.memory),
                    e.device.backend == Backend::cpu ? "this machine" : e.device.description,
                    io::bytes_text(free)),
        "", advice));
  }
  if (e.disk.total_bytes > e.disk_free) {
    fits = false;
    const double left =
        e.disk_free -
        static_cast<double>(input.integer("output.checkpoints_kept") + 1) * e.disk.checkpoint_bytes;
    const double fit = std::max(0.0, std::floor(left / std::max(e.disk.snapshot_bytes, 1.0)));
    const std::string key = input.is_set("output.every")         ? "output.every"
                            : input.is_set("output.every_steps") ? "output.every_steps"
                                                                 : grid_key(loaded);
    notes.push_back(
        note_at(input, key, "output would not fit on this disk",
                fmt::format("{}; {:.0f} fit", run::snapshots_text(e.disk), fit),
                "try:  a larger every, fewer output.fields, or output.precision = \"single\""));
  }
  try {
    io::check_writable("runs");
  } catch (const Error& error) {
    config::Fault note;
    note.message = std::string(error.what()) + "; run it with --dir DIR";
    notes.push_back(note);
  }
  return notes;
}

}  // namespace

int command_check(const std::string& case_or_example, const CommonOptions& options) {
  // The same choice of an example's size as `run` makes.
  const bool quick =
      commands::is_example(case_or_example) && (options.device == "cpu" || cuda_devices().empty());
  const std::string path = commands::resolve_case(case_or_example, quick);
  // The speed of GPUs can be predicted on a machine without them.
  const bool absent = options.gpus > 1 && cuda_devices().empty();
  const SimulationOptions choices{absent ? "cpu" : options.device, options.precision,
                                  options.threads, options.set};
  const run::Case loaded = run::load_case(path, choices);
  const commands::Estimate e = commands::estimate(loaded, path, options, choices, absent);
  bool fits = true;
  const std::vector<config::Fault> notes = notes_of(loaded, e, fits);
  if (options.json) {
    commands::print_estimate_json(loaded, path, e, notes, fits);
  } else {
    if (!options.quiet) commands::print_estimate(loaded, path, e, notes.size());
    std::string text;
    for (const config::Fault& note : notes) text += config::render_note(note);
    fmt::print("{}", io::use_color(options, 1) ? io::colored(text) : text);
  }
  return fits ? 0 : 3;
}

}  // namespace watersmeet
