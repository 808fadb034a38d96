#pragma once
// The isothermal system behind the interface of systems/system.hpp. The 19-point method has a pass before each stage, which stores div u.

#include "systems/bench.hpp"
#include "systems/central_system.hpp"
#include "systems/isothermal/loops.hpp"
#include "systems/outputs.hpp"

namespace watersmeet::isothermal {

std::vector<config::Key> keys();
void adjust_schema(config::Schema& schema);
std::unique_ptr<systems::System> make_system();
systems::Bench bench(Backend backend);
const systems::Outputs& outputs();  // outputs.cpp

class IsothermalSystem final : public systems::CentralSystem {
 public:
  IsothermalSystem() : CentralSystem(case_) {}

  std::string name() const override { return "isothermal"; }
  std::string summary() const override;
  std::vector<Variable> variables() const override;
  std::vector<systems::QuantityInfo> quantities() const override { return outputs().fields; }
  std::vector<std::string> default_fields() const override { return {"rho", "velocity"}; }
  std::vector<systems::SeriesColumn> series_columns() const override {
    return with_mass_of_sources(outputs().series);
  }

  void configure(config::Input& input) override;
  double estimate_step(const config::Input& input) const override {
    return estimate_from_initial(input, physics_.sound_speed);
  }

  void allocate(const systems::Placement& placement) override;
  void initialise(const config::Input& input) override;
  systems::Transfer transfer() const override;
  std::vector<systems::FromFields> from_fields() const override;
  std::vector<double> series() override;
  exec::KernelReport kernel() const override;

 private:
  systems::CentralLoops& central_loops() const override { return *loops_; }
  mesh::GhostReach reach() const override {
    return method_ == Method::points55 ? mesh::GhostReach::edges : mesh::GhostReach::faces;
  }

  // Case
  Method method_ = Method::points55;
  Terms terms_ = Terms::plain;
  Case case_;
  Physics& physics_ = case_.physics;

  // Run
  std::unique_ptr<systems::CentralLoops> loops_;
};

}  // namespace watersmeet::isothermal
