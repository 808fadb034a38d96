// The public facade over the engine.
#include "watersmeet/simulation.hpp"

#include <limits>

#include "core/error.hpp"
#include "run/engine.hpp"

namespace watersmeet {

Simulation::Simulation(std::unique_ptr<run::Engine> engine) : engine_(std::move(engine)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

Simulation Simulation::from_file(const std::string& path, const SimulationOptions& options) {
  return Simulation(std::make_unique<run::Engine>(run::load_case(path, options)));
}
Simulation Simulation::from_text(const std::string& toml, const SimulationOptions& options,
                                 const std::string& name) {
  return Simulation(std::make_unique<run::Engine>(run::load_case_text(toml, name, options)));
}

// Systems take what drifts refer to from the first row that they are asked for. Later rows are asked
// for their test alone, no more often than a run with files would: a row costs half a step or so.
void Simulation::test_sums() {
  const std::int64_t step = engine_->clock().step;
  if (tested_step_ >= 0 && step >= tested_step_ &&
      step - tested_step_ < engine_->input().integer("output.series_every_steps")) {
    return;
  }
  engine_->series();
  tested_step_ = step;
}

void Simulation::step(std::int64_t n) {
  if (tested_step_ < 0) test_sums();
  engine_->advance(std::numeric_limits<double>::max(), engine_->clock().step + n);
  test_sums();
}
void Simulation::advance_to(double t) {
  if (tested_step_ < 0) test_sums();
  engine_->advance(t, std::numeric_limits<std::int64_t>::max());
  test_sums();
}

double Simulation::t() const { return engine_->clock().t; }
double Simulation::dt() const { return engine_->clock().dt; }
std::int64_t Simulation::steps() const { return engine_->clock().step; }

std::array<std::int64_t, 3> Simulation::cells() const { return engine_->system().grid().n(); }
std::array<double, 3> Simulation::lower() const {
  return engine_->system().grid().geometry().lower;
}
std::array<double, 3> Simulation::spacing() const {
  return engine_->system().grid().geometry().spacing;
}

std::vector<std::string> Simulation::quantities() const {
  std::vector<std::string> names;
  for (const systems::QuantityInfo& q : engine_->system().quantities()) names.push_back(q.name);
  return names;
}
std::vector<double> Simulation::field(const std::string& quantity) const {
  return engine_->quantity_as_doubles(quantity);
}

std::vector<std::string> Simulation::variables() const {
  std::vector<std::string> names;
  for (const Variable& v : engine_->system().variables()) names.push_back(v.name);
  return names;
}
std::vector<double> Simulation::variable(const std::string& name) const {
  return engine_->variable_as_doubles(name);
}
void Simulation::set_variable(const std::string& name, const std::vector<double>& values) {
  engine_->set_variable(name, values);
}

std::map<std::string, double> Simulation::diagnostics() const {
  const auto columns = engine_->system().series_columns();
  const std::vector<double> values = engine_->series();
  std::map<std::string, double> result;
  for (std::size_t c = 0; c < columns.size(); ++c) result[columns[c].name] = values[c];
  return result;
}

Spectra Simulation::spectra() const {
  const solve::ShellSpectra s = engine_->spectra();
  require(s.component.size() == 3, "spectra of three components");
  return {s.k, s.total, s.component[0], s.component[1], s.component[2]};
}

void Simulation::save(const std::string& path) const {
  engine_->series();  // a state that fails this test is not kept
  std::vector<std::vector<char>> storage;
  io::Provenance provenance;
  provenance.program = "watersmeet";
  provenance.input_toml = engine_->input().original_text();
  provenance.resolved_toml = engine_->input().resolved_toml();
  io::write_checkpoint(path, engine_->make_checkpoint(storage), provenance);
}
void Simulation::restore(const std::string& path) {
  io::CheckpointReader reader(path);
  engine_->restore(reader);
}

std::string Simulation::device_description() const { return engine_->device().description; }
bool Simulation::on_gpu() const { return engine_->queue().backend == Backend::cuda; }

}  // namespace watersmeet
