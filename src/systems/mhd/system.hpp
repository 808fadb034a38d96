#pragma once
// The MHD system behind the interface of systems/system.hpp: 7 variables, or 8 with an energy equation, in the registers of
// systems/central_system.hpp.

#include "systems/bench.hpp"
#include "systems/central_system.hpp"
#include "systems/mhd/loops.hpp"
#include "systems/outputs.hpp"

namespace watersmeet::mhd {

std::vector<config::Key> keys();
void adjust_schema(config::Schema& schema);
std::unique_ptr<systems::System> make_system();
systems::Bench bench(Backend backend);
const systems::Outputs& outputs();  // outputs.cpp

// What of outputs() a case has that solves for the entropy.
inline const char* const with_energy_equation = "with energy = \"entropy\"";

class MhdSystem final : public systems::CentralSystem {
 public:
  MhdSystem() : CentralSystem(case_) {}

  std::string name() const override { return "mhd"; }
  std::string summary() const override;
  std::vector<Variable> variables() const override;
  std::vector<systems::QuantityInfo> quantities() const override;
  std::vector<std::string> default_fields() const override;
  std::vector<systems::SeriesColumn> series_columns() const override;

  std::vector<systems::SpectralField> further_spectra() const override { return outputs().spectra; }

  systems::RecordedWork recorded_work() const override;
  void configure(config::Input& input) override;
  double estimate_step(const config::Input& input) const override;

  void allocate(const systems::Placement& placement) override;
  void initialise(const config::Input& input) override;
  systems::Transfer transfer() const override;
  std::vector<systems::FromFields> from_fields() const override;
  std::vector<double> series() override;

 private:
  systems::CentralLoops& central_loops() const override { return *loops_; }
  mesh::GhostReach reach() const override { return mesh::GhostReach::edges; }
  void configure_kinematic(config::Input& input);
  void configure_sources(config::Input& input);
  void configure_diffusion(config::Input& input);
  std::vector<std::string> conditions() const;

  // Case
  bool has_entropy_ = false;
  Terms terms_ = Terms::plain;
  Case case_;
  Physics& physics_ = case_.physics;
  std::vector<std::string> velocity_;  // prescribed, or none
  std::string velocity_words_ = "no prescribed flow";
  config::Fault velocity_place_;

  // Run
  std::unique_ptr<systems::CentralLoops> loops_;
};

}  // namespace watersmeet::mhd
