// How a run begins: what the case asks of it, the words at its head, and its files.
#include "run/common_columns.hpp"
#include "run/driver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "core/copy_bandwidth.hpp"
#include "io/lon_lat_file.hpp"
#include "io/mesh_h5.hpp"
#include "io/message.hpp"
#include "io/run_directory.hpp"
#include "io/units.hpp"
#include "io/version.hpp"
#include "io/xdmf.hpp"
#include "run/fit.hpp"
#include "run/memory_plan.hpp"
#include "run/run_plan.hpp"

namespace watersmeet::run {

namespace {
// How many ranks, how they are laid out and how they talk.
std::string describe_ranks(Engine& engine, const io::Share& share, const std::string& directory) {
  const Placement& placement = engine.placement();
  const auto& along = placement.shares.ranks_along;
  const comm::Team& team = engine.team();
  return fmt::format("ranks      {} on {}, {} x {} x {}        messages {}{}        files {}",
                     team.size(), io::counted(placement.place.hosts, "host"), along[0], along[1],
                     along[2], team.transport()->name(),
                     engine.system().overlaps() ? ", overlapped" : "",
                     io::writing_method(share, directory));
}
}  // namespace

Driver::Driver(std::unique_ptr<Engine> engine, std::string directory, const RunOptions& options,
               io::Terminal& terminal, const std::string& resume_from)
    : owned_(std::move(engine)),
      engine_(*owned_),
      directory_(std::move(directory)),
      options_(options),
      terminal_(terminal),
      resumed_(!resume_from.empty()),
      probes_(engine_.input(), engine_.system().grid(), engine_.system()),
      averages_(std::in_place, engine_),
      triggers_(std::in_place, engine_),
      first_(engine_.first()),
      files_(engine_.team().communicator().duplicate()),
      stop_(directory_, wall_limit(options.wall, engine_.input()), first_),
      writer_(2, files_->size() > 1 && !files_->concurrent()) {
  const config::Input& input = engine_.input();
  t_end_ = input.is_set("time.end") ? input.duration("time.end")
                                    : std::numeric_limits<double>::infinity();
  si_units_ = input.text("case.units") == "SI";
  step_end_ = last_step(engine_.system(), input);
  fields_ = Schedule::from(input, "output.");
  series_schedule_.every_steps = input.integer("output.series_every_steps");
  spectra_schedule_ = Schedule::from(input, "output.spectra_");
  profiles_schedule_ = Schedule::from(input, "output.profiles_");
  checkpoints_ = Schedule::from(input, "output.checkpoint_");
  has_spectra_ = spectra_schedule_.set() && !engine_.system().spectral_variables().empty();
  if (input.is_set("output.report_every_steps"))
    report_every_steps_ = input.integer("output.report_every_steps");
  field_list_ = snapshot_fields(engine_.system(), input);
  for (PartCase& part : parts_of(input, engine_.system())) parts_.push_back({std::move(part)});
  for (PictureCase& picture : pictures_of(input, engine_.system()))
    pictures_.push_back({std::move(picture)});
  for (IsosurfaceCase& surface : isosurfaces_of(input, engine_.system()))
    isosurfaces_.push_back({std::move(surface)});
  if (input.is_set("output.latlon")) choose_maps();
  provenance_ = make_provenance();
  if (resumed_) {
    io::CheckpointReader reader(resume_from, &engine_.team().communicator());
    engine_.restore(reader);
    new_averages_ = averages_->restore(reader);
    new_triggers_ = triggers_->restore(reader);
    last_checkpoint_ = resume_from;
    last_checkpoint_step_ = confirmed_step_ = sound_steps_[0] = sound_steps_[1] =
        engine_.clock().step;
  }
}

void Driver::choose_maps() {
  const std::vector<systems::QuantityInfo> known = engine_.system().quantities();
  std::vector<std::string> wanted;
  std::vector<std::pair<std::string, int>> offered;
  for (const systems::QuantityInfo& q : field_list_) wanted.push_back(q.name);
  for (const systems::QuantityInfo& q : known) offered.emplace_back(q.name, q.components);
  for (const std::string& name : io::lon_lat_sources(wanted, offered)) {
    for (const systems::QuantityInfo& q : known) {
      if (q.name == name) lon_lat_list_.push_back(q);
    }
  }
  const std::vector<double> size = engine_.input().reals("output.latlon");
  mesh::LonLatGrid grid;
  grid.nlon = static_cast<std::int64_t>(size[0]);
  grid.nlat = static_cast<std::int64_t>(size[1]);
  if (first_) {
    const std::int64_t n = engine_.system().grid().n()[0];
    remap_ = std::make_unique<mesh::LonLatRemap>(n, grid);
  }
}

io::Provenance Driver::make_provenance() const {
  const io::BuildInfo build = io::build_info();
  io::Provenance p;
  p.program = "watersmeet";
  p.version = build.version;
  p.commit = io::commit_text(build);
  p.build = fmt::format("{}, {}, CUDA {}, MPI {}, HDF5 {}, {}", build.type, build.compiler,
                        build.cuda, build.mpi, build.hdf5, build.simd);
  p.system = engine_.system().name();
  p.backend = engine_.queue().backend == Backend::cuda ? "cuda" : "cpu";
  p.command_line = options_.command_line;
  p.run_id = io::run_id_of(directory_);
  p.title = engine_.input().is_set("case.name") ? engine_.input().text("case.name") : p.system;
  p.history = io::utc_now() + " " + options_.command_line;
  for (const auto& [key, text] : engine_.system().notes()) p.history += "\n" + key + " = " + text;
  p.devices = engine_.placement().devices;
  p.ranks = engine_.team().size();
  p.seed = engine_.system().seed();
  p.input_toml = engine_.input().original_text();
  p.resolved_toml = engine_.input().resolved_toml();
  p.scales = engine_.system().scales();
  return p;
}

void Driver::begin() {
  systems::System& system = engine_.system();
  const Box mine = engine_.share(nullptr).mine;
  const std::size_t need = working_bytes(system, {mine.size(0), mine.size(1), mine.size(2)},
                                         bytes_beside(system, engine_.input()));
  const DiskPlan disk = plan_disk(system, engine_.input(), estimate_steps(system, engine_.input()));
  terminal_.say(fmt::format("watersmeet {}  {}  {}", provenance_.version, provenance_.title,
                            system.summary()));
  terminal_.say(fmt::format("device     {}, {} free        precision {}",
                            engine_.placement().description(),
                            io::bytes_text(static_cast<double>(engine_.device().free_bytes)),
                            name_of(system.precision())));
  if (engine_.team().size() > 1)
    terminal_.say(describe_ranks(engine_, engine_.share(files_.get()), directory_));
  for (const std::string& remark : engine_.placement().remarks) terminal_.say("note: " + remark);
  const std::optional<stream::Plan>& streaming = engine_.streaming();
  const std::string memory =
      streaming ? fmt::format("{} for the window, {} on the host",
                              io::bytes_text(static_cast<double>(streaming->window_bytes)),
                              io::bytes_text(static_cast<double>(streaming->host_bytes)))
                : io::bytes_text(static_cast<double>(need));
  terminal_.say(fmt::format("grid       {}        memory {}        disk {} ({})",
                            grid_text(system.grid()), memory, disk_text(disk.total_bytes),
                            snapshots_text(disk)));
  terminal_.say("output     " + directory_);
  // Until the first checkpoint has been timed: a slow disk.
  stop_.set_checkpoint_seconds(disk.checkpoint_bytes / 5e8);
  for (const auto& [key, text] : system.notes()) terminal_.say(fmt::format("{}  {}", key, text));
  for (const std::string& line : probes_.place_texts()) terminal_.say(line);
  if (resumed_) averages_->begin_windows(engine_.clock());
  for (const std::string& name : new_averages_)
    terminal_.say(fmt::format(
        "average {}: the checkpoint has no sums of it; they begin here or at its next window",
        name));
  for (const std::string& name : new_triggers_)
    terminal_.say(fmt::format(
        "trigger {}: the checkpoint does not know this condition; it begins here as in a new run",
        name));

  // Measured with as many bytes as the run moves: a small case has them in caches, and the measurement is shorter.
  const std::vector<double> bandwidths = engine_.copy_bandwidths(std::min(need / 2, large_copy));
  bandwidth_ = std::accumulate(bandwidths.begin(), bandwidths.end(), 0.0);
  const double bound_ns = system.bytes_per_point_step() / bandwidth_ * 1e9;
  progress_ = std::make_unique<Progress>(system.series_columns(), engine_.points(), bound_ns,
                                         t_end_, step_end_, terminal_.width());
  progress_->mark_start(engine_.clock());
  if (first_) guard([this] { open_files(); });
  agree();
  // Rank 0 alone has looked for files of before; all must know their number, by which they decide together when an index is due.
  for (Part& part : parts_) {
    std::uint64_t found = part.files.size();
    engine_.team().communicator().broadcast(&found, sizeof found, 0);
    part.files.resize(found);
    part.indexed = found;
  }
  steps_before_ = engine_.clock().step;
  reported_steps_ = engine_.clock().step;
  next_report_step_ = report_every_steps_ > 0
                          ? (engine_.clock().step / report_every_steps_ + 1) * report_every_steps_
                          : std::numeric_limits<std::int64_t>::max();
  terminal_.say("\n" + progress_->title());
  balance_.emplace(engine_);
  // The preparations above count neither as stepping nor as output.
  begin_ = std::chrono::steady_clock::now();
}

void Driver::place_isosurfaces() {
  if (!first_) return;
  const mesh::GridDescription& grid = engine_.system().grid();
  for (Marched& surface : isosurfaces_) {
    surface.lattices = lattices_of(surface.what.part, grid);
    if (!surface.what.picture) continue;
    const auto [lower, upper] =
        grid.blocks ? extent_shown(*grid.blocks) : extent_of(surface.lattices);
    surface.view = {surface.what.picture->towards, lower, upper};
  }
}

void Driver::open_files() {
  systems::System& system = engine_.system();
  // First, because a resumed run with another mesh is refused here.
  const mesh::GridDescription& grid = system.grid();
  if (grid.blocks) io::write_mesh_file(directory_, *grid.blocks, provenance_);
  if (grid.corners) io::write_mesh_file(directory_, grid.corners(), provenance_);
  const std::optional<std::int64_t> from =
      resumed_ ? std::optional<std::int64_t>(engine_.clock().step) : std::nullopt;
  const auto unit = [this](const std::string& dimension) {
    return io::unit_text(dimension, si_units_);
  };
  std::vector<io::SeriesColumn> columns;
  for (const systems::SeriesColumn& c : common_series_columns())
    columns.push_back({c.name, unit(c.units)});
  std::vector<std::pair<std::string, std::string>> units = {
      {"step", "1"},      {"t", unit("time")}, {"dt", unit("time")}, {"wall", "s"},
      {"grind_ns", "ns"}, {"bound", "1"},      {"io_s", "s"}};
  for (const systems::SeriesColumn& c : system.series_columns()) {
    columns.push_back({c.name, unit(c.units), c.former});
    units.push_back({c.name, unit(c.units)});
  }
  for (const systems::SeriesColumn& c : probes_.columns())
    columns.push_back({c.name, unit(c.units)});
  series_ = std::make_unique<io::SeriesFile>(directory_ + "/series.csv", columns, from);
  if (has_spectra_) {
    std::vector<io::SeriesColumn> spectrum;
    for (const systems::SeriesColumn& c : spectrum_columns())
      spectrum.push_back({c.name, unit(c.units)});
    for (const systems::SpectralField& field : system.further_spectra())
      for (const systems::SeriesColumn& c : columns_of(field))
        spectrum.push_back({c.name, unit(c.units)});
    spectra_ = std::make_unique<io::SeriesFile>(directory_ + "/spectra.csv", spectrum, from);
  }
  if (profiles_schedule_.set()) {
    std::vector<io::SeriesColumn> of_profiles = {{"t", unit("time")}};
    for (const systems::SeriesColumn& c : system.profile_columns()) {
      of_profiles.push_back({c.name, unit(c.units)});
    }
    profiles_ = std::make_unique<io::SeriesFile>(directory_ + "/profiles.csv", of_profiles, from);
  }
  for (std::size_t a = 0; a < averages_->cases().size(); ++a) {
    const AverageCase& one = averages_->cases()[a];
    const bool within = resumed_ && averages_->has_samples(a, engine_.clock());
    if (within) io::set_aside_average(directory_, one.name, engine_.clock().step);
    average_profiles_.emplace_back();
    if (one.profile_axis < 0) continue;
    std::vector<io::SeriesColumn> of_average = {
        {"t", unit("time")},
        {std::string(1, "xyz"[one.profile_axis]), unit("length")},
        {"t_begin", unit("time")}};
    for (const auto& [name, of_column] : profile_columns_of(one))
      of_average.push_back({name, unit(of_column)});
    average_profiles_.back() = std::make_unique<io::SeriesFile>(
        directory_ + "/profile_" + one.name + ".csv", of_average,
        within ? std::optional<std::int64_t>(engine_.clock().step - 1) : from);
  }
  telemetry_ = std::make_unique<io::Telemetry>(
      directory_ + "/telemetry.jsonl", units,
      io::TelemetryRecord{{"program", std::string("watersmeet ") + provenance_.version},
                          {"commit", provenance_.commit},
                          {"device", engine_.placement().description()},
                          {"ranks", std::int64_t{engine_.team().size()}},
                          {"points", engine_.points()},
                          {"copy_bandwidth", bandwidth_},
                          {"bytes_per_point_step", system.bytes_per_point_step()}},
      resumed_);
  for (Drawn& picture : pictures_)
    picture.pixels = std::make_shared<const io::PixelMap>(pixels_of(picture.what, grid));
  place_isosurfaces();
  snapshots_ = io::scan_snapshots(directory_);
  if (!snapshots_.empty()) io::write_xdmf(directory_, snapshots_);
  for (Part& part : parts_) {
    const std::string kind = io::part_kind(part.what.name);
    part.files = io::scan_snapshots(directory_, nullptr, kind);
    if (!part.files.empty()) io::write_xdmf(directory_, part.files, kind);
  }
}

}  // namespace watersmeet::run
