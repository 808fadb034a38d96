// The public facade over the engine.
#include "watersmeet/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/error.hpp"
#include "io/mesh_h5.hpp"
#include "io/provenance.hpp"
#include "run/engine.hpp"
#include "run/sampling/averages.hpp"
#include "watersmeet/commands.hpp"

namespace watersmeet {

Simulation::Simulation(std::unique_ptr<run::Engine> engine)
    : engine_(std::move(engine)), averages_(std::make_unique<run::Averages>(*engine_)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&& other) noexcept {
  averages_ = std::move(other.averages_);  // before the engine that it belongs to
  engine_ = std::move(other.engine_);
  tested_step_ = other.tested_step_;
  handed_out_ = other.handed_out_;
  checksum_ = other.checksum_;
  return *this;
}

Simulation Simulation::from_file(const std::string& path, const SimulationOptions& options) {
  return Simulation(std::make_unique<run::Engine>(run::load_case(path, options)));
}
Simulation Simulation::from_text(const std::string& toml, const SimulationOptions& options,
                                 const std::string& name) {
  return Simulation(std::make_unique<run::Engine>(run::load_case_text(toml, name, options)));
}
Simulation Simulation::from_checkpoint(const std::string& path, const SimulationOptions& options) {
  io::CheckpointReader reader(path);
  Simulation made(std::make_unique<run::Engine>(run::load_case_text(
      io::read_provenance(path).resolved_toml, path, options, run::Start::skip)));
  made.engine_->restore(reader);
  made.averages_->restore(reader);
  return made;
}

// Kernels run on the current device of the thread: a process may have simulations on several.
run::Engine& Simulation::engine() const {
  engine_->select_device();
  return *engine_;
}

// Systems take what drifts refer to from the first row that they are asked for. Later rows are asked
// for their test alone, no more often than a run with files would: a row costs half a step or so.
void Simulation::test_sums() {
  const std::int64_t step = engine().clock().step;
  if (tested_step_ >= 0 && step >= tested_step_ &&
      step - tested_step_ < engine().input().integer("output.series_every_steps")) {
    return;
  }
  engine().series();
  tested_step_ = step;
}

// Closes windows that end with the present state, and opens those that begin with it.
void Simulation::begin_windows() {
  const exec::Clock& clock = engine().clock();
  for (std::size_t a = 0; a < averages_->cases().size(); ++a) {
    if (averages_->window_ends(a, clock)) averages_->drop(a);
  }
  averages_->begin_windows(clock);
}

bool Simulation::advance(double t, std::int64_t n, const StopTest& stop) {
  take_writes();
  if (tested_step_ < 0) test_sums();
  handed_out_ = false;
  bool stopped = false;
  const auto watch = [&](const exec::Clock&) -> std::uint64_t {
    stopped = stopped || stop();
    return stopped ? 1 : 0;
  };
  const std::int64_t begin = engine().clock().step;
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const std::int64_t last = n < most - begin ? begin + n : most;
  run::AdvanceEnd end = run::AdvanceEnd::time_reached;
  while (end == run::AdvanceEnd::time_reached && engine().clock().t < t &&
         engine().clock().step < last) {
    begin_windows();
    end = engine().advance(std::min(t, averages_->next_time(engine().clock().t)), last,
                           stop ? watch : std::function<std::uint64_t(const exec::Clock&)>{});
  }
  test_sums();
  return !stopped;
}
bool Simulation::step(std::int64_t n, const StopTest& stop) {
  return advance(std::numeric_limits<double>::max(), n, stop);
}
bool Simulation::advance_to(double t, const StopTest& stop) {
  return advance(t, std::numeric_limits<std::int64_t>::max(), stop);
}

double Simulation::t() const { return engine().clock().t; }
double Simulation::dt() const { return engine().clock().dt; }
std::int64_t Simulation::steps() const { return engine().clock().step; }

std::array<std::int64_t, 3> Simulation::cells() const { return engine().system().grid().n(); }
std::array<double, 3> Simulation::lower() const {
  return engine().system().grid().geometry().lower;
}
std::array<double, 3> Simulation::spacing() const {
  return engine().system().grid().geometry().spacing;
}

std::array<std::vector<double>, 3> Simulation::coordinates_of(const std::string& variable) const {
  return engine().coordinates_of(variable);
}
bool Simulation::single_precision() const {
  return engine().system().precision() == Precision::single_;
}

std::vector<std::string> Simulation::quantities() const {
  std::vector<std::string> names;
  for (const systems::QuantityInfo& q : engine().system().quantities()) names.push_back(q.name);
  return names;
}
std::vector<double> Simulation::field(const std::string& quantity) const {
  take_writes();
  return engine().quantity_as_doubles(quantity);
}

std::vector<std::string> Simulation::variables() const {
  std::vector<std::string> names;
  for (const Variable& v : engine().system().variables()) names.push_back(v.name);
  return names;
}
std::vector<double> Simulation::variable(const std::string& name) const {
  return engine().variable_as_doubles(name);
}
void Simulation::set_variable(const std::string& name, const std::vector<double>& values) {
  take_writes();
  engine().set_variable(name, values);
  if (handed_out_ && !engine().system().state().on_device())
    checksum_ = engine().checksum_of_state();
}

VariableMemory Simulation::memory_of(const std::string& variable, bool read_only) {
  const VariableMemory memory = engine().memory_of(variable);
  if (read_only) return memory;
  if (!handed_out_ && memory.gpu < 0) checksum_ = engine().checksum_of_state();
  handed_out_ = true;
  return memory;
}

// A signal that is measured again can differ in its last bits from the one that came with the last step:
// after mere reading a run is to continue with the bits that it would have had.
void Simulation::take_writes() const {
  if (!handed_out_) return;
  if (!engine().system().state().on_device()) {
    const std::uint64_t now = engine().checksum_of_state();
    if (now == checksum_) return;
    checksum_ = now;
  }
  engine().state_was_written();
}

std::map<std::string, double> Simulation::diagnostics() const {
  take_writes();
  const auto columns = engine().system().series_columns();
  const std::vector<double> values = engine().series();
  std::map<std::string, double> result;
  for (std::size_t c = 0; c < columns.size(); ++c) result[columns[c].name] = values[c];
  return result;
}

Spectra Simulation::spectra() const {
  take_writes();
  const solve::ShellSpectra s = engine().spectra();
  require(s.component.size() == 3, "spectra of three components");
  return {s.k, s.total, s.component[0], s.component[1], s.component[2]};
}

std::vector<BlockPoints> Simulation::blocks() const {
  const mesh::GridDescription& grid = engine().system().grid();
  std::vector<BlockPoints> all;
  const auto add = [&](const mesh::MultiBlockMesh& mesh) {
    for (const mesh::CurvilinearBlock& block : mesh.blocks)
      all.push_back({{block.n[2], block.n[1], block.n[0]}, io::interlaced(block)});
  };
  if (grid.blocks) add(*grid.blocks);
  if (grid.corners) add(grid.corners());
  return all;
}

std::vector<std::string> Simulation::averages() const {
  std::vector<std::string> names;
  for (const run::AverageCase& one : averages_->cases()) names.push_back(one.name);
  return names;
}

Average Simulation::average(const std::string& name) const {
  const std::vector<std::string> names = averages();
  const auto number =
      static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  if (number == names.size()) {
    refuse({.kind = "bad-value",
            .found = name,
            .message = fmt::format("no average `{}`", name),
            .suggestion = did_you_mean(name, names),
            .allowed = names.empty() ? "the case has no [[output.average]]"
                                     : fmt::format("there are: {}", fmt::join(names, ", "))});
  }
  take_writes();
  const exec::Clock& clock = engine().clock();
  const run::AverageCase& one = averages_->cases()[number];
  if (!averages_->has_samples(number, clock)) {
    throw Error(
        ErrorKind::user_input,
        fmt::format("the average `{}` has no samples yet: its first window begins at t = {:g}, "
                    "or where the state was restored, and needs a step; now t = {:g}",
                    name, one.from, clock.t));
  }
  const run::AverageResult result = averages_->so_far(number, clock);
  Average average;
  average.begin = result.begin;
  average.averaged_over = result.weight;
  average.samples = result.samples;
  for (const run::AverageTerm& term : one.terms)
    average.fields.push_back({term.name, static_cast<int>(term.sums.size()), result.values(term)});
  if (one.profile_axis < 0) return average;
  run::AverageProfile profile = averages_->profile(number, result);
  average.along = std::move(profile.at);
  average.profile = std::move(profile.values);
  for (const auto& [column, unit] : run::profile_columns_of(one)) average.columns.push_back(column);
  return average;
}

void Simulation::save(const std::string& path) const {
  take_writes();
  engine().series();  // a state that fails this test is not kept
  std::vector<std::vector<char>> storage;
  io::Provenance provenance;
  provenance.program = "watersmeet";
  provenance.input_toml = engine().input().original_text();
  provenance.resolved_toml = engine().input().resolved_toml();
  io::Checkpoint checkpoint = engine().make_checkpoint(storage);
  averages_->add_to(checkpoint, storage);
  io::write_checkpoint(path, checkpoint, provenance);
}
void Simulation::restore(const std::string& path) {
  io::CheckpointReader reader(path);
  engine().restore(reader);
  averages_->restore(reader);
  handed_out_ = false;
}

std::string Simulation::device_description() const { return engine().device().description; }
bool Simulation::on_gpu() const { return engine().queue().backend == Backend::cuda; }

}  // namespace watersmeet
