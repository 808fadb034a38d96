// What a run writes between steps: rows of tables at once, snapshots and checkpoints by a thread of
// their own.
#include "run/driver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/host_seconds.hpp"
#include "io/atomic_file.hpp"
#include "io/lon_lat_file.hpp"
#include "io/run_directory.hpp"
#include "io/units.hpp"
#include "io/xdmf.hpp"
#include "mesh/cubed_sphere.hpp"
#include "run/sound_series.hpp"

namespace watersmeet::run {

io::SnapshotGrid Driver::snapshot_grid() const {
  const mesh::GridDescription& of = engine_.system().grid();
  io::SnapshotGrid grid;
  grid.n = of.n();
  grid.lower = of.geometry().lower;
  grid.spacing = of.geometry().spacing;
  grid.cell_offset = of.geometry().offset;
  grid.faces = of.faces;
  grid.moved_corners = of.kind == mesh::GridKind::moved_box;
  grid.length_units = si_units_ ? "m" : "1";
  grid.time_units = si_units_ ? "s" : "1";
  if (of.blocks) {
    for (const mesh::CurvilinearBlock& block : of.blocks->blocks) grid.blocks.push_back(block.n);
  } else if (of.kind == mesh::GridKind::cubed_sphere) {
    grid.blocks.assign(mesh::panels, {grid.n[0], grid.n[1], of.levels});
    grid.values_in_cells = true;
    grid.sphere = {of.sphere_radius, grid.faces[2]};
    grid.faces = {};
  }
  return grid;
}

io::SnapshotField Driver::described(const systems::QuantityInfo& q, const void* values) const {
  return {q.name,          q.long_name,  io::unit_text(q.units, si_units_),
          q.standard_name, q.components, engine_.system().precision(),
          values};
}

void Driver::outputs(bool first, bool last) {
  const auto begin = std::chrono::steady_clock::now();
  const exec::Clock& c = engine_.clock();
  const TriggerActions pulled = pull_triggers();
  last = last || pulled.stop;
  const bool fields = first || last || pulled.snapshot || fields_.due(c.t, c.step);
  const bool spectra = has_spectra_ && (first || last || spectra_schedule_.due(c.t, c.step));
  const bool profiles =
      profiles_schedule_.set() && (first || last || profiles_schedule_.due(c.t, c.step));
  if (first || last || spectra || series_schedule_.due(c.t, c.step)) write_series();
  if (spectra) write_spectra();
  if (profiles) write_profiles();
  if (fields) write_fields();
  write_parts();
  // Before the checkpoint, which holds the sums of the window that begins here; those of a window that only the end of the run cuts off are
  // kept as they are, for a run that is resumed.
  end_windows(false);
  if (last || pulled.checkpoint || (!first && checkpoints_.due(c.t, c.step)))
    write_checkpoint_file();
  if (last) end_windows(true);
  agree();
  io_seconds_ += seconds_since(begin);
}

// Before all other output, so that what a checkpoint keeps has seen the state that it is of.
TriggerActions Driver::pull_triggers() {
  TriggerActions all;
  const exec::Clock& c = engine_.clock();
  // Not by measure_state(): as many rows as there are evaluations would confirm a state too soon.
  const auto series = [&] { return measured_step_ == c.step ? last_series_ : engine_.series(); };
  for (const TriggerCase* const one : triggers_->evaluate(series, probes_)) {
    const auto& [snapshot, checkpoint, stop] = one->actions;
    terminal_.say(fmt::format("trigger {}: {} at step {}, t = {:g}{}{}{}", one->name, one->when,
                              c.step, c.t, snapshot ? "  snapshot" : "",
                              checkpoint ? "  checkpoint" : "", stop ? "  stop" : ""));
    all = {all.snapshot || snapshot, all.checkpoint || checkpoint, all.stop || stop};
    if (stop && stopped_by_.empty()) stopped_by_ = one->name;
  }
  return all;
}

// Sums and extrema of the state, the same on all ranks. Values of the state may be finite where
// these are not, for instance a density whose logarithm is kept; no drift is known then, and
// every later state would be as worthless. So they end the run before a row or a checkpoint is
// written. A state that goes wrong is often in range for a row or two, so that one is taken for good
// only after two more sound rows.
void Driver::measure_state() {
  if (measured_step_ == engine_.clock().step) return;
  last_series_ = engine_.series();
  measured_step_ = engine_.clock().step;
  if (!confirms_states(engine_.system().series_columns(), last_series_)) return;
  confirmed_step_ = std::exchange(sound_steps_[0], std::exchange(sound_steps_[1], measured_step_));
}

void Driver::write_series() {
  measure_state();
  if (last_series_step_ == engine_.clock().step) return;
  last_series_step_ = engine_.clock().step;
  std::vector<double> row = {engine_.clock().t, engine_.clock().dt};
  row.insert(row.end(), last_series_.begin(), last_series_.end());
  const std::vector<double> probed = probes_.values(engine_);
  row.insert(row.end(), probed.begin(), probed.end());
  if (!first_) return;
  guard([&] { series_->append(engine_.clock().step, row); });
  progress_->set_series(last_series_);
}

void Driver::write_spectra() {
  if (last_spectra_step_ == engine_.clock().step) return;
  last_spectra_step_ = engine_.clock().step;
  std::vector<solve::ShellSpectra> all = {engine_.spectra()};
  for (const systems::SpectralField& field : engine_.system().further_spectra())
    all.push_back(engine_.spectra_of(field.quantity));
  if (!first_) return;
  std::vector<double> rows;
  for (std::size_t k = 0; k < all[0].k.size(); ++k) {
    rows.insert(rows.end(), {engine_.clock().t, all[0].k[k]});
    for (const solve::ShellSpectra& s : all) {
      rows.insert(rows.end(),
                  {s.total[k], s.component[0][k], s.component[1][k], s.component[2][k]});
    }
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
  const io::SnapshotGrid grid = snapshot_grid();
  // Those of the snapshot, then those that maps need besides.
  std::vector<systems::QuantityInfo> list = field_list_;
  for (const systems::QuantityInfo& q : lon_lat_list_) {
    const bool there = std::any_of(field_list_.begin(), field_list_.end(),
                                   [&](const auto& other) { return other.name == q.name; });
    if (!there) list.push_back(q);
  }
  std::vector<io::SnapshotField> all;
  std::vector<std::shared_ptr<memory::Buffer>> held;
  guard([&] {
    for (const systems::QuantityInfo& q : list) held.push_back(staging(engine_.quantity_bytes(q)));
  });
  agree();
  for (std::size_t f = 0; f < list.size(); ++f) {
    engine_.quantity_to_host(list[f], held[f]->start());
    all.push_back(described(list[f], held[f]->start()));
  }
  const std::vector<io::SnapshotField> fields(all.begin(), all.begin() + std::ssize(field_list_));
  std::vector<io::SnapshotField> maps, known;
  for (const systems::QuantityInfo& q : lon_lat_list_) {
    for (const io::SnapshotField& field : all) {
      if (field.name == q.name) maps.push_back(field);
    }
  }
  for (const systems::QuantityInfo& q : engine_.system().quantities()) {
    known.push_back(described(q, nullptr));
  }
  const io::LonLatRun of_maps = {clock.t, clock.step, grid.sphere,
                                 grid.blocks.empty() ? 1 : grid.blocks[0][2], si_units_};
  const std::string kept = engine_.input().text("output.precision");
  const std::string precision = kept == "same" ? "" : kept;
  const std::string path = io::snapshot_path(directory_, clock.step, !grid.blocks.empty());
  const double wall = seconds_since(begin_);
  snapshots_.push_back(io::summarise(path, grid, clock.t, clock.step, fields, precision));
  submit(
      [=, this, held = std::move(held), index = snapshots_, share = engine_.share(files_.get())] {
        io::write_snapshot(path, grid, clock.t, clock.step, clock.dt, wall, fields, provenance_,
                           precision, share);
        if (first_) io::write_xdmf(directory_, index);
        if (!maps.empty()) {
          io::write_lon_lat(io::lon_lat_path(directory_, clock.step), remap_.get(), of_maps, maps,
                            known, provenance_, precision, share);
        }
      });
  const std::vector<systems::TextFile> texts = engine_.system().text_files();
  if (!first_) return;
  guard([&] {
    for (const systems::TextFile& text : texts) {
      io::write_text_file(
          io::join(directory_, fmt::format("{}_{:06}.{}", text.name, clock.step, text.ending)),
          io::table_in_units(text.content, si_units_));
    }
  });
}

void Driver::end_windows(bool all) {
  const exec::Clock& clock = engine_.clock();
  for (std::size_t a = 0; a < averages_->cases().size(); ++a) {
    if (averages_->window_ends(a, clock) || (all && averages_->has_samples(a, clock)))
      write_average(a);
  }
  if (!all) averages_->begin_windows(clock);
}

void Driver::write_average(std::size_t number) {
  const exec::Clock clock = engine_.clock();
  const AverageCase& one = averages_->cases()[number];
  const AverageResult result = averages_->close(number, clock);
  if (one.profile_axis >= 0) {
    const AverageProfile profile = averages_->profile(number, result);
    std::vector<double> rows;
    const std::size_t columns = profile.values.size() / profile.at.size();
    for (std::size_t k = 0; k < profile.at.size(); ++k) {
      rows.insert(rows.end(), {clock.t, profile.at[k], result.begin});
      const auto first = profile.values.begin() + static_cast<std::ptrdiff_t>(k * columns);
      rows.insert(rows.end(), first, first + static_cast<std::ptrdiff_t>(columns));
    }
    if (first_) guard([&] { average_profiles_[number]->append(clock.step, rows); });
  }
  if (!one.fields) return;
  const auto storage = std::make_shared<std::vector<std::vector<double>>>();
  std::vector<io::SnapshotField> fields;
  for (const AverageTerm& term : one.terms) {
    storage->push_back(result.values(term));
    fields.push_back({term.name, term.long_name, io::unit_text(term.units, si_units_), "",
                      static_cast<int>(term.sums.size()), Precision::double_,
                      storage->back().data()});
  }
  const io::SnapshotGrid grid = snapshot_grid();
  const std::string kept = engine_.input().text("output.precision");
  const std::string precision =
      kept == "same" ? std::string(name_of(engine_.system().precision())) : kept;
  const std::string kind = io::average_kind(one.name);
  const std::string path = io::snapshot_path(directory_, clock.step, !grid.blocks.empty(), kind);
  const std::map<std::string, double> numbers = {{"t_begin", result.begin},
                                                 {"averaged_over", result.weight},
                                                 {"samples", static_cast<double>(result.samples)}};
  const double wall = seconds_since(begin_);
  submit([=, this, share = engine_.share(files_.get())] {
    const std::shared_ptr<std::vector<std::vector<double>>> alive = storage;
    io::write_snapshot(path, grid, clock.t, clock.step, clock.dt, wall, fields, provenance_,
                       precision, share, numbers);
    if (first_) io::write_xdmf(directory_, io::scan_snapshots(directory_, nullptr, kind), kind);
  });
}

void Driver::write_checkpoint_file() {
  const exec::Clock clock = engine_.clock();
  if (last_checkpoint_step_ == clock.step) return;
  measure_state();
  last_checkpoint_step_ = clock.step;
  const auto begin = std::chrono::steady_clock::now();
  const auto storage = std::make_shared<std::vector<std::vector<char>>>();
  io::Checkpoint checkpoint;
  guard([&] {
    checkpoint = engine_.make_checkpoint(*storage);
    averages_->add_to(checkpoint, *storage);
    triggers_->add_to(checkpoint);
  });
  agree();
  const std::string path = io::checkpoint_path(directory_, clock.step);
  const int kept = static_cast<int>(engine_.input().integer("output.checkpoints_kept"));
  submit([=, this, confirmed = confirmed_step_, share = engine_.share(files_.get())] {
    const std::shared_ptr<std::vector<std::vector<char>>> alive = storage;
    io::write_checkpoint(path, checkpoint, provenance_, share);
    stop_.set_checkpoint_seconds(seconds_since(begin));
    if (first_) io::prune_checkpoints(directory_, kept, confirmed);
  });
  last_checkpoint_ = path;
  if (engine_.system().fused_steps() > 0) guard([&] { writer_.drain(); });
}

}  // namespace watersmeet::run
