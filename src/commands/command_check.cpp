// watersmeet check CASE: validates, and says what the run would cost: memory, time step, duration,
// disk, and what several ranks gain. Nothing is written. Exit status 3 when memory or disk would not
// suffice, or the ranks would be refused.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands/examples.hpp"
#include "core/error.hpp"
#include "io/message.hpp"
#include "io/run_directory.hpp"
#include "run/engine.hpp"
#include "run/fit.hpp"
#include "run/memory_plan.hpp"
#include "run/other_grid.hpp"
#include "run/rank_model.hpp"
#include "run/run_plan.hpp"
#include "run/sampling/average_case.hpp"
#include "stream/bus.hpp"
#include "watersmeet/commands.hpp"

namespace watersmeet {
namespace {

using Json = nlohmann::ordered_json;

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
  // Of the prediction: whether it is certain, and where the time of a step on one device is from.
  bool certain = false, recorded = true, measured = false;
  double memory = 0, host_memory = 0;
  // Bytes of the memory for each cell that averages in time and triggers take, and those of averages alone.
  std::size_t beside = 0, of_averages = 0;
  std::size_t triggers = 0;
  std::optional<stream::Plan> stream;
  double bus = 0;  // bytes a second each way, of a streamed solution
  double dt = 0, steps = 0;
  double step_seconds = 0, seconds = 0;  // 0: not measured
  Index3 trial_cells{};
  std::string trial_fault;  // why the trial steps failed, where they did
  run::DiskPlan disk;
  double disk_free = 0;
};

double points_of(const Index3& n) {
  return static_cast<double>(n[0]) * static_cast<double>(n[1]) * static_cast<double>(n[2]);
}

// "31 600": three digits, thousands apart.
std::string about(double count) {
  if (count >= 1e12) return fmt::format("{:.2e}", count);
  auto value = static_cast<std::int64_t>(count);
  if (const double digits = std::floor(std::log10(std::max(count, 1.0))); digits > 2) {
    const double unit = std::pow(10.0, digits - 2);
    value = static_cast<std::int64_t>(std::round(count / unit) * unit);
  }
  std::string text = std::to_string(value);
  for (std::size_t i = text.size(); i > 3;) text.insert(i -= 3, 1, ' ');
  return text;
}

// The first line of an error, without its kind.
std::string first_line(const Error& error) {
  const std::string text = error.what();
  const std::string line = text.substr(0, text.find('\n'));
  const auto kind = line.starts_with("error[") ? line.find("]: ") : std::string::npos;
  return kind == std::string::npos ? line : line.substr(kind + 3);
}

// Seconds per step of the whole grid on one device, of several ranks as if it stayed there, measured in a few steps of a smaller one; 0 when those fail,
// as they may when the coarse grid does not carry the flow. An initial state that the grid of the
// case itself refuses is a fault of the case. Curvilinear blocks cannot be made
// smaller and are tried as they are; panels have fewer cells along all their edges and keep the
// third number of grid.cells, which is 0 for others.
double measure(const std::string& path, const SimulationOptions& options, bool blocks,
               std::int64_t panel_cells, Estimate& e) {
  bool begun = false;
  try {
    // A large grid keeps all of a GPU busy, as the trial has to: 128^3 points take up to a third longer each than 512^3 do on an H100.
    const bool busy = e.stream && e.points > 1e9;
    const double most = e.device.backend == Backend::cpu ? 6.4e4 : busy ? 1.3e8 : 1.7e7;
    e.trial_cells = blocks ? e.cells : run::coarser(e.cells, run::coarsening(e.cells, most));
    if (panel_cells > 0) {
      const double edge = std::floor(std::sqrt(most / static_cast<double>(e.cells[2])));
      const std::int64_t n = std::min(e.cells[0], static_cast<std::int64_t>(edge));
      e.trial_cells = {n, n, e.cells[2]};
    }
    if (points_of(e.trial_cells) > 4 * most) return 0;
    SimulationOptions trial = options;
    trial.set.push_back("device.memory=resident");
    const Index3& n = e.trial_cells;
    if (!blocks) {
      trial.set.push_back(
          fmt::format("grid.cells=[{}, {}, {}]", n[0], n[1], panel_cells > 0 ? panel_cells : n[2]));
    }
    run::Case smaller = run::load_case(path, trial, run::Start::skip);
    begun = true;
    run::Engine engine(std::move(smaller));
    engine.advance(1e300, 1);
    double fastest = INFINITY;  // other work on the machine only ever adds
    std::int64_t steps = 1;
    for (int sample = 0; sample < 3; ++sample) {
      const double before = engine.seconds_stepping();
      engine.advance(1e300, engine.clock().step + steps);
      const double seconds = engine.seconds_stepping() - before;
      fastest = std::min(fastest, seconds / static_cast<double>(steps));
      // The host waits at the end of each sample, which a run does not do after each step.
      steps = std::clamp<std::int64_t>(std::llround(0.01 / std::max(fastest, 1e-6)), 1, 50);
    }
    const double resident = fastest * e.points / points_of(e.trial_cells);
    if (!e.stream) return resident;
    Queue queue;  // its own are made where the bus is measured
    queue.backend = e.device.backend;
    queue.threads = e.device.threads;
    e.bus = stream::measure_bus(queue);
    return e.ranks > 1 ? resident
                       : stream::seconds_of_step(*e.stream, resident, e.bus,
                                                 queue.backend == Backend::cuda);
  } catch (const Error& error) {
    const bool bad_state = error.kind() == ErrorKind::user_input;
    if (begun && bad_state && e.trial_cells == e.cells) throw;
    if (begun && (bad_state || error.kind() == ErrorKind::diverged))
      e.trial_fault = first_line(error);
    return 0;
  }
}

// What the options ask for; without ranks one.
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
  e.step_seconds =
      e.stream ? several.messages + stream::seconds_of_step(*e.stream, several.alone, e.bus, e.gpus)
               : several.seconds();
}

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

std::vector<config::Fault> notes_of(const run::Case& loaded, const Estimate& e, bool& fits) {
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
    note.message = fmt::format("the trial of 3 steps{} failed: {}",
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

// Along the axes that have more than one cell: a plane has no dz.
std::string spacing_text(const mesh::GridDescription& grid, bool si) {
  const Index3 n = grid.n();
  const Real3 h = grid.geometry().spacing;
  const std::array<std::vector<double>, 3>& faces = grid.faces;
  const std::string unit = si ? " m" : "";
  std::vector<std::string> names, uneven;
  std::vector<double> spacings;
  for (std::size_t a = 0; a < 3; ++a) {
    if (n[a] == 1) continue;
    if (faces[a].size() > 1) {
      double least = INFINITY, most = 0;
      for (std::size_t i = 1; i < faces[a].size(); ++i) {
        least = std::min(least, faces[a][i] - faces[a][i - 1]);
        most = std::max(most, faces[a][i] - faces[a][i - 1]);
      }
      uneven.push_back(fmt::format("d{} from {} to {}{}", "xyz"[a], io::number_text(least),
                                   io::number_text(most), unit));
      continue;
    }
    names.push_back(std::string("d") + "xyz"[a]);
    spacings.push_back(h[a]);
  }
  if (spacings.empty()) {
    return uneven.empty() ? "a single one" : fmt::format("{}", fmt::join(uneven, ", "));
  }
  const std::string others = uneven.empty() ? "" : fmt::format(", {}", fmt::join(uneven, ", "));
  const auto [least, most] = std::minmax_element(spacings.begin(), spacings.end());
  if (*most - *least < 1e-9 * *most) {
    return names.size() == 3 ? fmt::format("dx = {}{} (cubic)", io::number_text(h[0]), unit)
                             : fmt::format("{} = {}{}{}", fmt::join(names, " = "),
                                           io::number_text(spacings[0]), unit, others);
  }
  std::string text;
  for (std::size_t a = 0; a < names.size(); ++a) {
    text += fmt::format("{}{} = {}", a == 0 ? "" : ", ", names[a], io::number_text(spacings[a]));
  }
  return text + unit + others;
}

std::string ranks_text(const Estimate& e) {
  return fmt::format("{} {}", e.ranks, e.gpus ? "GPUs" : "CPU ranks");
}

// Where the numbers are from.
std::string source_text(const Estimate& e) {
  if (!e.gpus) return "an assumption; steps as measured here";
  const std::string device = run::recorded_device;
  if (e.recorded) return fmt::format("all as recorded on {} (docs/scaling.md)", device);
  return e.measured ? fmt::format("as recorded on {}; steps as measured here", device)
                    : fmt::format(
                          "as recorded on {}; steps by the bytes they move, none was "
                          "recorded with these methods",
                          device);
}

void print_ranks(const run::Case& loaded, const Estimate& e) {
  if (!e.forecast) {
    fmt::print("  ranks      {}: no prediction, the trial steps failed\n", ranks_text(e));
    return;
  }
  const run::Forecast& f = *e.forecast;
  const run::RankTime& several = f.several;
  const auto& along = several.along;
  const bool blocks = loaded.system->grid().blocks != nullptr;
  fmt::print(
      "  ranks      {}{}, {}: {:.3g} ms a step, {}{:.3g} times as fast as {}, efficiency {:.0f} "
      "%\n",
      ranks_text(e),
      several.ranks < f.asked ? fmt::format(" of which {} compute", several.ranks) : "",
      blocks ? "whole blocks" : fmt::format("{} x {} x {}", along[0], along[1], along[2]),
      1e3 * e.step_seconds,
      e.stream ? fmt::format("{:.3g} ms if it stayed on the devices, ", 1e3 * several.seconds())
               : "",
      f.speed_up(), e.gpus ? "one" : "one with all threads", 100 * f.efficiency());
  const double count = several.traffic.count();
  fmt::print("             {:.3g} ms of it for {:.3g} exchanges of {} each, {}\n",
             1e3 * several.messages, count,
             io::bytes_text(count > 0 ? several.traffic.bytes() / count : 0), source_text(e));
}

void print(const run::Case& loaded, const std::string& path, const Estimate& e,
           std::size_t n_notes) {
  const config::Input& input = loaded.input;
  const systems::System& system = *loaded.system;
  const bool si = input.text("case.units") == "SI";
  fmt::print("{}: ok{}\n", path,
             n_notes == 0 ? "" : fmt::format(", {} note{}", n_notes, n_notes == 1 ? "" : "s"));
  fmt::print("  system     {}, {} fields, {}\n", system.summary(), system.variables().size(),
             name_of(system.precision()));
  if (!system.grid().is_box()) {
    fmt::print("  grid       {}\n", run::grid_text(system.grid()));
  } else {
    fmt::print("  grid       {} = {} cells, {}\n", io::size_text(e.cells), io::count_text(e.points),
               spacing_text(system.grid(), si));
  }
  for (const auto& [key, text] : system.notes()) fmt::print("  {:<10} {}\n", key, text);
  if (loaded.start) fmt::print("  start      {}\n", loaded.start->text());
  const auto free = static_cast<double>(e.device.free_bytes);
  if (e.stream) {
    fmt::print("  memory     {}; {} on the host, {}\n", run::memory_text(*e.stream),
               io::bytes_text(e.host_memory), e.device.description);
  } else if (!e.devices_here) {
    fmt::print("  memory     {} on each GPU, {} on the host for output\n", io::bytes_text(e.memory),
               io::bytes_text(e.host_memory));
  } else if (e.device.backend == Backend::cuda) {
    fmt::print("  memory     {} on {} ({} free), {} on the host for output\n",
               io::bytes_text(e.memory), e.device.description, io::bytes_text(free),
               io::bytes_text(e.host_memory));
  } else {
    fmt::print("  memory     {} and {} for output ({} free), {}\n", io::bytes_text(e.memory),
               io::bytes_text(e.host_memory), io::bytes_text(free), e.device.description);
  }
  const std::string unit = si ? " s" : "";
  const std::string rule = input.is_set("time.dt")
                               ? "time.dt"
                               : fmt::format("CFL {}", io::number_text(input.real("time.cfl")));
  std::string end = std::isfinite(e.steps)
                        ? fmt::format("about {} step{}", about(e.steps), e.steps == 1 ? "" : "s")
                        : "a number of steps that is not known yet";
  if (input.is_set("time.end")) {
    end += fmt::format(" to t = {}{}", io::number_text(input.duration("time.end")), unit);
  }
  if (system.most_steps() > 0) {
    fmt::print("  cycles     at most {} ({})\n", about(e.steps), rule);
  } else {
    fmt::print("  time step  about {:.1e}{} ({}) -> {}\n", e.dt, unit, rule, end);
  }
  if (e.ranks > 1) print_ranks(loaded, e);
  if (e.forecast && std::isfinite(e.seconds)) {
    fmt::print("  duration   about {} on {}, as predicted\n", io::duration_text(e.seconds),
               ranks_text(e));
  } else if (e.ranks == 1 && e.seconds > 0 && std::isfinite(e.seconds)) {
    fmt::print("  duration   about {} on this machine (measured in 3 trial steps of {} cells{})\n",
               io::duration_text(e.seconds),
               system.grid().blocks ? io::count_text(points_of(e.trial_cells))
                                    : io::size_text(e.trial_cells),
               e.bus > 0 ? fmt::format(", and copies of {:.1f} GB/s each way", e.bus * 1e-9) : "");
  }
  const double points = points_of(e.part);
  if (e.of_averages > 0) {
    fmt::print("  averages   {} of the memory{}; {} file{}, {} together\n",
               io::bytes_text(static_cast<double>(e.of_averages) * points),
               e.stream ? " of the host" : "", e.disk.averages, e.disk.averages == 1 ? "" : "s",
               io::bytes_text(e.disk.average_bytes));
  }
  if (e.triggers > 0) {
    fmt::print(
        "  triggers   {}, {} of the memory{}; what they write is not in the disk use below\n",
        e.triggers, io::bytes_text(static_cast<double>(e.beside - e.of_averages) * points),
        e.stream ? " of the host" : "");
  }
  if (e.disk.parts > 0) {
    fmt::print("  parts      {} file{}, {} together{}\n", e.disk.parts,
               e.disk.parts == 1 ? "" : "s", io::bytes_text(e.disk.part_bytes),
               e.disk.compressed ? " before compression" : "");
  }
  if (e.disk.pictures > 0) {
    fmt::print("  pictures   {} file{}, {} together before compression\n", e.disk.pictures,
               e.disk.pictures == 1 ? "" : "s", io::bytes_text(e.disk.picture_bytes));
  }
  if (e.disk.isosurfaces > 0) {
    fmt::print(
        "  surfaces   {} file{}, whose size depends on the flow and is not in the disk use below\n",
        e.disk.isosurfaces, e.disk.isosurfaces == 1 ? "" : "s");
  }
  fmt::print("  disk       {} x {}{}{}{} and {} checkpoints x {} = {}; free here: {}\n",
             run::snapshots_text(e.disk), io::bytes_text(e.disk.snapshot_bytes),
             e.disk.averages > 0 ? ", averages " + io::bytes_text(e.disk.average_bytes) : "",
             e.disk.parts > 0 ? ", parts " + io::bytes_text(e.disk.part_bytes) : "",
             e.disk.pictures > 0 ? ", pictures " + io::bytes_text(e.disk.picture_bytes) : "",
             input.integer("output.checkpoints_kept") + 1, io::bytes_text(e.disk.checkpoint_bytes),
             run::disk_text(e.disk.total_bytes),
             e.disk_free > 1e18 ? "not known" : io::bytes_text(e.disk_free));
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json ranks_json(const Estimate& e) {
  if (!e.forecast) return {};
  const run::Forecast& f = *e.forecast;
  return {{"ranks", e.ranks},
          {"gpus", e.gpus},
          {"computing", f.several.ranks},
          {"ranks_along", f.several.along},
          {"seconds_per_step", f.several.seconds()},
          {"message_seconds_per_step", f.several.messages},
          {"exchanges_per_step", f.several.traffic.count()},
          {"bytes_per_step", f.several.traffic.bytes()},
          {"speed_up", f.speed_up()},
          {"efficiency", f.efficiency()},
          {"fastest_ranks", f.fastest.ranks},
          {"recorded", e.recorded}};
}

void print_json(const run::Case& loaded, const std::string& path, const Estimate& e,
                const std::vector<config::Fault>& notes, bool fits) {
  const Json all = {
      {"case", path},
      {"valid", true},
      {"fits", fits},
      {"system", loaded.system->name()},
      {"summary", loaded.system->summary()},
      {"cells", e.cells},
      {"grid", run::grid_text(loaded.system->grid())},
      {"precision", name_of(loaded.system->precision())},
      {"device", e.device.description},
      {"memory",
       {{"device", e.memory}, {"device_free", e.device.free_bytes}, {"host", e.host_memory}}},
      {"dt", number(e.dt)},
      {"steps", number(e.steps)},
      {"seconds", e.seconds > 0 ? number(e.seconds) : Json()},
      {"seconds_per_step", e.step_seconds > 0 ? number(e.step_seconds) : Json()},
      {"disk",
       {{"snapshots", e.disk.snapshots},
        {"snapshot_bytes", e.disk.snapshot_bytes},
        {"checkpoint_bytes", e.disk.checkpoint_bytes},
        {"averages", e.disk.averages},
        {"average_bytes", e.disk.average_bytes},
        {"parts", e.disk.parts},
        {"part_bytes", e.disk.part_bytes},
        {"pictures", e.disk.pictures},
        {"picture_bytes", e.disk.picture_bytes},
        {"isosurfaces", e.disk.isosurfaces},
        {"total_bytes", e.disk.total_bytes},
        {"free_bytes", e.disk_free}}},
      {"prediction", ranks_json(e)},
      {"notes", Json::parse(config::to_json(notes))}};
  fmt::print("{}\n", all.dump(2, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

int command_check(const std::string& case_or_example, const CommonOptions& options) {
  // The same choice of an example's size as `run` makes.
  const bool quick =
      commands::is_example(case_or_example) && (options.device == "cpu" || cuda_devices().empty());
  const std::string path = commands::resolve_case(case_or_example, quick);
  // Of GPUs that are not here the speed can be predicted all the same.
  const bool absent = options.gpus > 1 && cuda_devices().empty();
  const SimulationOptions choices{absent ? "cpu" : options.device, options.precision,
                                  options.threads, options.set};
  const run::Case loaded = run::load_case(path, choices);
  Estimate e;
  e.cells = loaded.system->grid().n();
  e.points = points_of(e.cells);
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
  e.dt = loaded.system->estimate_step(loaded.input);
  e.steps = run::estimate_steps(*loaded.system, loaded.input);
  e.disk = run::plan_disk(*loaded.system, loaded.input, e.steps);
  e.host_memory = std::max(static_cast<double>(need.staging_bytes),
                           std::max(e.disk.snapshot_bytes, e.disk.checkpoint_bytes));
  if (e.stream)
    e.host_memory += static_cast<double>(e.stream->host_bytes) +
                     static_cast<double>(e.beside) * points_of(e.part);
  e.disk_free = static_cast<double>(io::free_disk_bytes("runs"));
  const std::int64_t panel_cells =
      loaded.system->grid().levels == 0 ? 0 : loaded.input.integers3("grid.cells")[2];
  if (!absent) {
    e.step_seconds =
        measure(path, choices, loaded.system->grid().blocks != nullptr, panel_cells, e);
  }
  predict_ranks(loaded, e);
  e.seconds = e.step_seconds * e.steps;
  bool fits = true;
  const std::vector<config::Fault> notes = notes_of(loaded, e, fits);
  if (options.json) {
    print_json(loaded, path, e, notes, fits);
  } else {
    if (!options.quiet) print(loaded, path, e, notes.size());
    std::string text;
    for (const config::Fault& note : notes) text += config::render_note(note);
    fmt::print("{}", io::use_color(options, 1) ? io::colored(text) : text);
  }
  return fits ? 0 : 3;
}

}  // namespace watersmeet
