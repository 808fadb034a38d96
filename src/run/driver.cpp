#include "run/driver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/copy_bandwidth.hpp"
#include "core/error.hpp"
#include "run/atomic_file.hpp"
#include "run/lon_lat_file.hpp"
#include "run/mesh_h5.hpp"
#include "run/message.hpp"
#include "run/ranks.hpp"
#include "run/run_directory.hpp"
#include "run/units.hpp"
#include "run/version.hpp"
#include "run/xdmf.hpp"

namespace watersmeet::run {

namespace {
// How many ranks, how they are laid out and how they talk.
std::string describe_ranks(Engine& engine, const Share& share, const std::string& directory) {
  const Placement& placement = engine.placement();
  const auto& along = placement.shares.ranks_along;
  const comm::Team& team = engine.team();
  return fmt::format(
      "ranks      {} on {} host{}, {} x {} x {}        messages {}{}        files {}", team.size(),
      placement.place.hosts, placement.place.hosts == 1 ? "" : "s", along[0], along[1], along[2],
      team.transport()->name(), engine.system().overlaps() ? ", overlapped" : "",
      writing_method(share, directory));
}

constexpr double never = std::numeric_limits<double>::infinity();
constexpr std::int64_t no_step = std::numeric_limits<std::int64_t>::max();

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Schedule fields_schedule(const config::Input& input) { return Schedule::from(input, "output."); }
}  // namespace

std::int64_t last_step(const systems::System& system, const config::Input& input) {
  if (input.is_set("time.steps")) return input.integer("time.steps");
  return system.most_steps() > 0 ? system.most_steps() : no_step;
}

double estimate_steps(const systems::System& system, const config::Input& input) {
  const std::int64_t most = last_step(system, input);
  double steps = most == no_step ? never : static_cast<double>(most);
  if (input.is_set("time.end")) {
    const double dt = system.estimate_step(input);
    if (dt > 0) steps = std::min(steps, std::ceil(input.duration("time.end") / dt));
  }
  return steps;
}

// output.fields, or the system's own list where neither case nor schema gives one.
static std::vector<std::string> wanted_fields(const systems::System& system,
                                              const config::Input& input) {
  return input.is_good("output.fields") ? input.texts("output.fields") : system.default_fields();
}

DiskPlan plan_disk(systems::System& system, const config::Input& input, double steps) {
  DiskPlan plan;
  const double points = static_cast<double>(system.mesh().block(0).interior().count());
  const std::string kept = input.text("output.precision");
  const double word = kept == "single"   ? 4
                      : kept == "double" ? 8
                                         : static_cast<double>(size_of(system.precision()));
  const std::vector<std::string> wanted = wanted_fields(system, input);
  for (const systems::QuantityInfo& q : system.quantities()) {
    if (std::find(wanted.begin(), wanted.end(), q.name) != wanted.end())
      plan.snapshot_bytes += points * word * q.components;
  }
  plan.checkpoint_bytes =
      points * static_cast<double>(size_of(system.precision()) *
                                   (system.variables().size() + system.further_arrays().size()));
  const Schedule schedule = fields_schedule(input);
  double count = 2;  // first and last state
  if (schedule.every > 0 && input.is_set("time.end"))
    count = std::floor(input.duration("time.end") / schedule.every + 1e-9) + 1;
  if (schedule.every_steps > 0 && std::isfinite(steps))
    count += std::floor(steps / double(schedule.every_steps));
  plan.snapshots = static_cast<std::int64_t>(count);
  plan.total_bytes =
      count * plan.snapshot_bytes +
      (static_cast<double>(input.integer("output.checkpoints_kept")) + 1) * plan.checkpoint_bytes;
  return plan;
}

Driver::Driver(std::unique_ptr<Engine> engine, std::string directory, const RunOptions& options,
               Terminal& terminal, const std::string& resume_from)
    : owned_(std::move(engine)),
      engine_(*owned_),
      directory_(std::move(directory)),
      options_(options),
      terminal_(terminal),
      resumed_(!resume_from.empty()),
      probes_(engine_.input(), engine_.system()),
      first_(engine_.first()),
      files_(engine_.team().communicator().duplicate()),
      stop_(directory_, wall_limit(options.wall, engine_.input()), first_),
      writer_(2, files_->size() > 1, files_->size() > 1 && !files_->concurrent()) {
  const config::Input& input = engine_.input();
  t_end_ = input.is_set("time.end") ? input.duration("time.end") : never;
  si_units_ = input.text("case.units") == "SI";
  step_end_ = last_step(engine_.system(), input);
  fields_ = fields_schedule(input);
  series_schedule_.every_steps = input.integer("output.series_every_steps");
  spectra_schedule_ = Schedule::from(input, "output.spectra_");
  profiles_schedule_ = Schedule::from(input, "output.profiles_");
  checkpoints_ = Schedule::from(input, "output.checkpoint_");
  has_spectra_ = spectra_schedule_.set() && !engine_.system().spectral_variables().empty();
  if (input.is_set("output.report_every_steps"))
    report_every_steps_ = input.integer("output.report_every_steps");
  for (const std::string& name : wanted_fields(engine_.system(), input)) {
    for (const systems::QuantityInfo& q : engine_.system().quantities()) {
      if (q.name == name) field_list_.push_back(q);
    }
  }
  if (input.is_set("output.latlon")) choose_maps();
  provenance_ = make_provenance();
  if (resumed_) {
    CheckpointReader reader(resume_from, &engine_.team().communicator());
    engine_.restore(reader);
    last_checkpoint_ = resume_from;
    last_checkpoint_step_ = engine_.clock().step;
  }
}

void Driver::choose_maps() {
  const std::vector<systems::QuantityInfo> known = engine_.system().quantities();
  std::vector<std::string> wanted;
  std::vector<std::pair<std::string, int>> offered;
  for (const systems::QuantityInfo& q : field_list_) wanted.push_back(q.name);
  for (const systems::QuantityInfo& q : known) offered.emplace_back(q.name, q.components);
  for (const std::string& name : lon_lat_sources(wanted, offered)) {
    for (const systems::QuantityInfo& q : known) {
      if (q.name == name) lon_lat_list_.push_back(q);
    }
  }
  const std::vector<double> size = engine_.input().reals("output.latlon");
  mesh::LonLatGrid grid;
  grid.nlon = static_cast<std::int64_t>(size[0]);
  grid.nlat = static_cast<std::int64_t>(size[1]);
  if (first_) {
    const std::int64_t n = engine_.system().cell_blocks()[0][0];
    remap_ = std::make_unique<mesh::LonLatRemap>(n, grid);
  }
}

Provenance Driver::make_provenance() const {
  const BuildInfo build = build_info();
  Provenance p;
  p.program = "watersmeet";
  p.version = build.version;
  p.commit = commit_text(build);
  p.build = fmt::format("{}, {}, CUDA {}, MPI {}, HDF5 {}, {}", build.type, build.compiler,
                        build.cuda, build.mpi, build.hdf5, build.simd);
  p.system = engine_.system().name();
  p.backend = engine_.queue().backend == Backend::cuda ? "cuda" : "cpu";
  p.command_line = options_.command_line;
  p.run_id = run_id_of(directory_);
  p.title = engine_.input().is_set("case.name") ? engine_.input().text("case.name") : p.system;
  p.history = utc_now() + " " + options_.command_line;
  for (const auto& [key, text] : engine_.system().notes()) p.history += "\n" + key + " = " + text;
  p.devices = engine_.placement().devices;
  p.ranks = engine_.team().size();
  p.seed = engine_.system().seed();
  p.input_toml = engine_.input().original_text();
  p.resolved_toml = engine_.input().resolved_toml();
  p.scales = engine_.system().scales();
  return p;
}

int Driver::run() {
  try {
    const int status = run_steps();
    finish(status);
    return status;
  } catch (const comm::AgreedError& error) {
    throw comm::AgreedError(error.kind(), text_after(error));
  } catch (const Error& error) {
    // Of this rank alone: the others may wait for it in a file's making.
    if (files_->size() > 1) end_all_ranks(*files_, error, options_);
    throw Error(error.kind(), text_after(error));
  } catch (const std::exception& error) {
    if (files_->size() > 1) end_all_ranks(*files_, error, options_);
    throw;
  }
}

// What ended the run, once the files under way are finished.
std::string Driver::text_after(const Error& error) {
  std::string text = error.what();
  try {
    writer_.drain();
  } catch (const Error& later) {
    if (text.find(later.what()) == std::string::npos)
      text += std::string("\nalso: ") + later.what();
  }
  if (error.kind() == ErrorKind::diverged && first_) text += advice_after_divergence();
  return text;
}

void Driver::guard(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error&) {
    if (!fault_) fault_ = std::current_exception();
  }
}

void Driver::agree() {
  comm::agree(*engine_.placement().ranks, [this] {
    if (fault_) std::rethrow_exception(std::exchange(fault_, nullptr));
  });
}

// The last good state, a command that goes on from there (or starts anew) with half the step, and
// what the system advises.
std::string Driver::advice_after_divergence() const {
  if (!resumed_ && engine_.clock().step == 0) {
    return fmt::format(
        "\n  before any step: numbers of the case are too large or too small for {} precision. "
        "Look at "
        "its [physics], [[initial]] and lengths, or choose other units",
        name_of(engine_.system().precision()));
  }
  const std::string newest = newest_good_checkpoint(directory_);
  const std::string key = engine_.input().is_set("time.dt") ? "time.dt" : "time.cfl";
  std::string text = fmt::format(
      "\n  {}\n  likely: the time step is too long or the grid too coarse. Try  watersmeet {} "
      "--set {}={:g}",
      newest.empty() ? "no checkpoint was written before" : "last good state: " + newest,
      newest.empty() ? "run " + join(directory_, "resolved.toml") : "resume " + directory_, key,
      engine_.input().real(key) / 2);
  for (const std::string& hint : engine_.system().failure_hints()) text += "\n  or: " + hint;
  return text;
}

void Driver::begin() {
  systems::System& system = engine_.system();
  const Box mine = engine_.share(nullptr).mine;
  const systems::MemoryNeed need = system.memory_needed({mine.size(0), mine.size(1), mine.size(2)});
  const DiskPlan disk = plan_disk(system, engine_.input(), estimate_steps(system, engine_.input()));
  terminal_.say(fmt::format("watersmeet {}  {}  {}", provenance_.version, provenance_.title,
                            system.summary()));
  terminal_.say(fmt::format(
      "device     {}, {} free        precision {}", engine_.placement().description(),
      bytes_text(static_cast<double>(engine_.device().free_bytes)), name_of(system.precision())));
  if (engine_.team().size() > 1)
    terminal_.say(describe_ranks(engine_, engine_.share(files_.get()), directory_));
  for (const std::string& remark : engine_.placement().remarks) terminal_.say("note: " + remark);
  terminal_.say(fmt::format("grid       {}        memory {}        disk {} ({} snapshots)",
                            grid_text(system), bytes_text(static_cast<double>(need.working_bytes)),
                            bytes_text(disk.total_bytes), disk.snapshots));
  terminal_.say("output     " + directory_);
  // Until the first checkpoint has been timed: a slow disk.
  stop_.set_checkpoint_seconds(disk.checkpoint_bytes / 5e8);
  for (const auto& [key, text] : system.notes()) terminal_.say(fmt::format("{}  {}", key, text));
  for (const std::string& line : probes_.words()) terminal_.say(line);

  // Of what the run moves: a small case finds it in caches, and has begun the sooner.
  const std::vector<double> bandwidths =
      engine_.copy_bandwidths(std::min(need.working_bytes / 2, large_copy));
  bandwidth_ = std::accumulate(bandwidths.begin(), bandwidths.end(), 0.0);
  const double bound_ns = system.bytes_per_point_step() / bandwidth_ * 1e9;
  progress_ = std::make_unique<Progress>(system.series_columns(), engine_.points(), bound_ns,
                                         t_end_, step_end_, terminal_.width());
  progress_->mark_start(engine_.clock());
  if (first_) guard([this] { open_files(); });
  agree();
  steps_before_ = engine_.clock().step;
  reported_steps_ = engine_.clock().step;
  next_report_step_ = report_every_steps_ > 0
                          ? (engine_.clock().step / report_every_steps_ + 1) * report_every_steps_
                          : no_step;
  terminal_.say("\n" + progress_->title());
  // The preparations above count neither as stepping nor as output.
  begin_ = std::chrono::steady_clock::now();
}

void Driver::open_files() {
  systems::System& system = engine_.system();
  // First, because a resumed run with another mesh is refused here.
  if (system.curvilinear()) write_mesh_file(directory_, *system.curvilinear(), provenance_);
  if (!system.cell_blocks().empty() || system.moved_corners()) {
    write_mesh_file(directory_, system.cell_corners(), provenance_);
  }
  const std::optional<std::int64_t> from =
      resumed_ ? std::optional<std::int64_t>(engine_.clock().step) : std::nullopt;
  const auto unit = [this](const std::string& dimension) {
    return unit_text(dimension, si_units_);
  };
  std::vector<SeriesColumn> columns = {{"t", unit("time")}, {"dt", unit("time")}};
  std::vector<std::pair<std::string, std::string>> units = {
      {"step", "1"},      {"t", unit("time")}, {"dt", unit("time")}, {"wall", "s"},
      {"grind_ns", "ns"}, {"bound", "1"},      {"io_s", "s"}};
  for (const systems::SeriesColumn& c : system.series_columns()) {
    columns.push_back({c.name, unit(c.units)});
    units.push_back({c.name, unit(c.units)});
  }
  for (const systems::SeriesColumn& c : probes_.columns())
    columns.push_back({c.name, unit(c.units)});
  series_ = std::make_unique<SeriesFile>(directory_ + "/series.csv", columns, from);
  if (has_spectra_) {
    std::vector<SeriesColumn> spectrum = {{"t", unit("time")}, {"k", unit("2 pi/length")}};
    for (const char* name : {"E", "Ex", "Ey", "Ez"})
      spectrum.push_back({name, unit("length^2/time^2")});
    spectra_ = std::make_unique<SeriesFile>(directory_ + "/spectra.csv", spectrum, from);
  }
  if (profiles_schedule_.set()) {
    std::vector<SeriesColumn> of_profiles = {{"t", unit("time")}};
    for (const systems::SeriesColumn& c : system.profile_columns()) {
      of_profiles.push_back({c.name, unit(c.units)});
    }
    profiles_ = std::make_unique<SeriesFile>(directory_ + "/profiles.csv", of_profiles, from);
  }
  telemetry_ = std::make_unique<Telemetry>(
      directory_ + "/telemetry.jsonl", units,
      TelemetryRecord{{"program", std::string("watersmeet ") + provenance_.version},
                      {"commit", provenance_.commit},
                      {"device", engine_.placement().description()},
                      {"ranks", std::int64_t{engine_.team().size()}},
                      {"points", engine_.points()},
                      {"copy_bandwidth", bandwidth_},
                      {"bytes_per_point_step", system.bytes_per_point_step()}},
      resumed_);
  snapshots_ = scan_snapshots(directory_);
  if (!snapshots_.empty()) write_xdmf(directory_, snapshots_);
}

void Driver::report(const exec::Clock& clock, bool permanent) {
  if (!first_) return;
  const double wall = seconds_since(begin_);
  const double stepping = wall - io_seconds_;
  const std::int64_t steps = clock.step - reported_steps_;
  const double seconds = stepping - reported_seconds_;
  const double window = stop_.seconds_left();
  const double remaining = progress_->seconds_left(clock, wall);
  std::string left = fmt::format("{:>7}", clock_text(remaining));
  if (std::isfinite(remaining) && window < remaining) left += " (job ends first)";
  const std::string line = progress_->line(clock, seconds, steps, left);
  if (!permanent) {
    terminal_.status(line);
    return;
  }
  terminal_.say(line);
  record_telemetry(clock, progress_->grind_ns(seconds, steps));
  reported_steps_ = clock.step;
  reported_seconds_ = stepping;
}

void Driver::record_telemetry(const exec::Clock& clock, double grind) {
  TelemetryRecord record = {
      {"step", clock.step}, {"t", clock.t}, {"dt", clock.dt}, {"wall", seconds_since(begin_)}};
  record.emplace_back("grind_ns", grind);
  record.emplace_back("bound", progress_->of_bound(grind));
  record.emplace_back("io_s", io_seconds_);
  const auto columns = engine_.system().series_columns();
  for (std::size_t c = 0; c < columns.size() && c < last_series_.size(); ++c) {
    record.emplace_back(columns[c].name, last_series_[c]);
  }
  telemetry_->record(record);
}

int Driver::run_steps() {
  begin();
  const auto ended = [this] {
    const exec::Clock& c = engine_.clock();
    return c.t >= t_end_ || c.step >= step_end_ || c.status == exec::ClockStatus::converged;
  };
  if (!resumed_) outputs(true, ended());  // time.steps = 0 writes the initial state and ends
  const auto watch = [this](const exec::Clock& clock) {
    const double now = seconds_since(begin_);
    if (report_every_steps_ > 0) {
      if (clock.step >= next_report_step_) {
        report(clock, true);
        next_report_step_ = (clock.step / report_every_steps_ + 1) * report_every_steps_;
      }
    } else if (now - last_permanent_ > std::max(1.0, now / 20)) {
      last_permanent_ = last_report_ = now;
      report(clock, true);
    } else if (now - last_report_ > 0.5) {
      last_report_ = now;
      report(clock, false);
    }
    return stop_.wish();
  };
  while (!ended()) {
    const exec::Clock& c = engine_.clock();
    double t_limit = t_end_;
    std::int64_t step_limit = step_end_;
    for (const Schedule* s :
         {&fields_, &series_schedule_, &spectra_schedule_, &profiles_schedule_, &checkpoints_}) {
      t_limit = std::min(t_limit, s->next_time(c.t));
      step_limit = std::min(step_limit, s->next_step(c.step));
    }
    engine_.advance(t_limit, step_limit, watch);
    std::uint64_t wish[1] = {std::max(stop_.wish(), engine_.clock().stop)};
    engine_.team().communicator().all_reduce_max(std::span<std::uint64_t>(wish));
    const std::string reason = reason_of(wish[0]);
    const bool last = ended();
    outputs(false, last);
    if (!reason.empty() && !last) {
      terminal_.say(
          fmt::format("stopping at step {}: {}{}", engine_.clock().step, reason,
                      reason == "Ctrl-C" ? " (press it again to stop without a checkpoint)" : ""));
      write_checkpoint_file();
      guard([this] { writer_.drain(); });
      agree();
      terminal_.say(fmt::format("checkpoint {}\ngo on with:  watersmeet resume {}",
                                last_checkpoint_, directory_));
      return 75;
    }
  }
  return 0;
}

void Driver::outputs(bool first, bool last) {
  const auto begin = std::chrono::steady_clock::now();
  const exec::Clock& c = engine_.clock();
  const bool fields = fields_.set() ? first || fields_.due(c.t, c.step) || last : first || last;
  const bool spectra = has_spectra_ && (first || last || spectra_schedule_.due(c.t, c.step));
  const bool profiles =
      profiles_schedule_.set() && (first || last || profiles_schedule_.due(c.t, c.step));
  if (first || last || spectra || series_schedule_.due(c.t, c.step)) write_series();
  if (first) check_sums();
  if (spectra) write_spectra();
  if (profiles) write_profiles();
  if (fields) write_fields();
  if (last || (!first && checkpoints_.due(c.t, c.step))) write_checkpoint_file();
  agree();
  io_seconds_ += seconds_since(begin);
}

void Driver::write_series() {
  if (last_series_step_ == engine_.clock().step) return;
  last_series_step_ = engine_.clock().step;
  last_series_ = engine_.system().series();
  std::vector<double> row = {engine_.clock().t, engine_.clock().dt};
  row.insert(row.end(), last_series_.begin(), last_series_.end());
  const std::vector<double> probed = probes_.values(engine_);
  row.insert(row.end(), probed.begin(), probed.end());
  if (!first_) return;
  guard([&] { series_->append(engine_.clock().step, row); });
  progress_->set_series(last_series_);
}

// Numbers of the whole grid that the run goes by, such as the mass or the energy at the beginning:
// where one is not finite no drift can be told from it, and no checkpoint be written. All ranks
// have the same.
void Driver::check_sums() {
  for (const auto& [name, number] : engine_.system().memory_of_run()) {
    if (std::isfinite(number)) continue;
    throw comm::AgreedError(
        ErrorKind::diverged,
        fmt::format("{} of the whole grid is {} at step {}, t = {:.9g}", name,
                    config::shown(number), engine_.clock().step, engine_.clock().t));
  }
}

void Driver::write_spectra() {
  if (last_spectra_step_ == engine_.clock().step) return;
  last_spectra_step_ = engine_.clock().step;
  const solve::ShellSpectra s = engine_.spectra();
  if (!first_) return;
  std::vector<double> rows;
  for (std::size_t k = 0; k < s.k.size(); ++k) {
    rows.insert(rows.end(), {engine_.clock().t, s.k[k], s.total[k], s.component[0][k],
                             s.component[1][k], s.component[2][k]});
  }
  guard([&] { spectra_->append(engine_.clock().step, rows); });
}

void Driver::write_profiles() {
  if (last_profiles_step_ == engine_.clock().step) return;
  last_profiles_step_ = engine_.clock().step;
  const std::size_t columns = engine_.system().profile_columns().size();
  const std::vector<double> values = engine_.system().profiles();
  if (!first_) return;
  std::vector<double> rows;
  for (std::size_t at = 0; at < values.size(); at += columns) {
    rows.push_back(engine_.clock().t);
    rows.insert(rows.end(), values.begin() + static_cast<std::ptrdiff_t>(at),
                values.begin() + static_cast<std::ptrdiff_t>(at + columns));
  }
  guard([&] { profiles_->append(engine_.clock().step, rows); });
}

// A job fails on all ranks or on none: what rank 0 alone does is part of it.
void Driver::submit(std::function<void()> job) {
  guard([&] { writer_.submit([this, job = std::move(job)] { comm::agree(*files_, job); }); });
}

// Pinned memory is slow to obtain, so buffers whose file has been written are used again.
std::shared_ptr<memory::Buffer> Driver::staging(std::size_t bytes) {
  for (const auto& buffer : pool_) {
    if (buffer.use_count() == 1 && buffer->bytes() == bytes) return buffer;
  }
  pool_.push_back(
      std::make_shared<memory::Buffer>(memory::staging_space(engine_.queue().backend), bytes));
  return pool_.back();
}

void Driver::write_fields() {
  const exec::Clock clock = engine_.clock();
  if (last_fields_step_ == clock.step) return;
  last_fields_step_ = clock.step;
  const mesh::Mesh& mesh = engine_.system().mesh();
  SnapshotGrid grid;
  grid.n = mesh.block(0).n;
  grid.lower = mesh.geometry().lower;
  grid.spacing = mesh.geometry().spacing;
  grid.cell_offset = mesh.geometry().offset;
  grid.faces = engine_.system().uneven_faces();
  grid.moved_corners = engine_.system().moved_corners();
  grid.length_units = si_units_ ? "m" : "1";
  grid.time_units = si_units_ ? "s" : "1";
  if (const mesh::MultiBlockMesh* blocks = engine_.system().curvilinear()) {
    for (const mesh::CurvilinearBlock& block : blocks->blocks) grid.blocks.push_back(block.n);
  } else if (grid.blocks = engine_.system().cell_blocks(); !grid.blocks.empty()) {
    grid.values_in_cells = true;
    grid.sphere = {engine_.system().sphere_radius(), grid.faces[2]};
    grid.faces = {};
  }
  // Those of the snapshot, then those that maps need besides.
  std::vector<systems::QuantityInfo> list = field_list_;
  for (const systems::QuantityInfo& q : lon_lat_list_) {
    const bool there = std::any_of(field_list_.begin(), field_list_.end(),
                                   [&](const auto& other) { return other.name == q.name; });
    if (!there) list.push_back(q);
  }
  std::vector<SnapshotField> all;
  std::vector<std::shared_ptr<memory::Buffer>> held;
  guard([&] {
    for (const systems::QuantityInfo& q : list) held.push_back(staging(engine_.quantity_bytes(q)));
  });
  agree();
  const auto described = [this](const systems::QuantityInfo& q, const void* values) {
    return SnapshotField{q.name,          q.long_name,  unit_text(q.units, si_units_),
                         q.standard_name, q.components, engine_.system().precision(),
                         values};
  };
  for (std::size_t f = 0; f < list.size(); ++f) {
    engine_.quantity_to_host(list[f], held[f]->start());
    all.push_back(described(list[f], held[f]->start()));
  }
  const std::vector<SnapshotField> fields(all.begin(), all.begin() + std::ssize(field_list_));
  std::vector<SnapshotField> maps, known;
  for (const systems::QuantityInfo& q : lon_lat_list_) {
    for (const SnapshotField& field : all) {
      if (field.name == q.name) maps.push_back(field);
    }
  }
  for (const systems::QuantityInfo& q : engine_.system().quantities()) {
    known.push_back(described(q, nullptr));
  }
  const LonLatRun of_maps = {clock.t, clock.step, grid.sphere,
                             grid.blocks.empty() ? 1 : grid.blocks[0][2], si_units_};
  const std::string kept = engine_.input().text("output.precision");
  const std::string precision = kept == "same" ? "" : kept;
  const std::string path = snapshot_path(directory_, clock.step, !grid.blocks.empty());
  const double wall = seconds_since(begin_);
  snapshots_.push_back(summarise(path, grid, clock.t, clock.step, fields, precision));
  submit(
      [=, this, held = std::move(held), index = snapshots_, share = engine_.share(files_.get())] {
        write_snapshot(path, grid, clock.t, clock.step, clock.dt, wall, fields, provenance_,
                       precision, share);
        if (first_) write_xdmf(directory_, index);
        if (!maps.empty()) {
          write_lon_lat(lon_lat_path(directory_, clock.step), remap_.get(), of_maps, maps, known,
                        provenance_, precision, share);
        }
      });
  const std::vector<systems::TextFile> texts = engine_.system().text_files();
  if (!first_) return;
  guard([&] {
    for (const systems::TextFile& text : texts) {
      write_text_file(
          join(directory_, fmt::format("{}_{:06}.{}", text.name, clock.step, text.ending)),
          table_in_units(text.content, si_units_));
    }
  });
}

void Driver::write_checkpoint_file() {
  const exec::Clock clock = engine_.clock();
  if (last_checkpoint_step_ == clock.step) return;
  last_checkpoint_step_ = clock.step;
  const auto begin = std::chrono::steady_clock::now();
  const auto storage = std::make_shared<std::vector<std::vector<char>>>();
  Checkpoint checkpoint;
  guard([&] { checkpoint = engine_.make_checkpoint(*storage); });
  agree();
  const std::string path = checkpoint_path(directory_, clock.step);
  const int kept = static_cast<int>(engine_.input().integer("output.checkpoints_kept"));
  submit([=, this, share = engine_.share(files_.get())] {
    const std::shared_ptr<std::vector<std::vector<char>>> alive = storage;
    write_checkpoint(path, checkpoint, provenance_, share);
    stop_.set_checkpoint_seconds(seconds_since(begin));
    if (first_) prune_checkpoints(directory_, kept);
  });
  last_checkpoint_ = path;
}

void Driver::finish(int status) {
  guard([this] { writer_.drain(); });
  agree();
  const std::string words = engine_.system().end_words();
  if (first_) guard([&] { conclude(status, words); });
  agree();
}

void Driver::conclude(int status, const std::string& words) {
  const exec::Clock& c = engine_.clock();
  const double grind = progress_->grind_ns(engine_.seconds_stepping(), engine_.steps_done());
  record_telemetry(c, grind);
  if (status == 0) {
    write_series_h5(directory_);
    const std::int64_t steps = c.step - steps_before_;
    terminal_.say(progress_->line(c, engine_.seconds_stepping(), engine_.steps_done()));
    terminal_.say(fmt::format(
        "\ndone   {} in {} ({} steps, {:.4g} ns/point/step, {} points/s; {} with output)",
        words.empty() ? fmt::format("t = {:g}", c.t) : words,
        duration_text(engine_.seconds_stepping()), steps, grind,
        grind > 0 ? count_text(1e9 / grind) : "-", duration_text(seconds_since(begin_))));
  }
  record_end(directory_, status);
}

}  // namespace watersmeet::run
