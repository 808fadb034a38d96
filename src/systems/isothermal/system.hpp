#pragma once
// The isothermal system behind the interface of systems/system.hpp. The 19-point method adds a one-variable state for div u to the
// registers of systems/central_system.hpp.

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
  std::vector<systems::SeriesColumn> series_columns() const override { return outputs().series; }

  void configure(config::Input& input) override;
  systems::MemoryNeed memory_needed(const Index3& cells) const override;
  double bytes_per_point_step() const override;
  double estimate_step(const config::Input& input) const override {
    return estimate_from(initial_velocity(input), physics_.sound_speed);
  }

  void allocate(const systems::Placement& placement) override;
  void initialise(const config::Input& input) override;
  std::vector<double> series() override;
  exec::KernelReport kernel() const override;

 private:
  exec::Loops& loops() const override { return *loops_; }
  double words_of_stage(std::size_t s) const override;
  exec::Launch launch(int in, int out) const override;
  void compute_stage(exec::Launch& l, int in, int out) override;
  void time_ghosts(systems::KernelTimer& timer) override;
  std::string not_streamed() const override {
    return method_ == Method::points19
               ? "numerics.method = \"19-point\" computes div u of all cells before each stage"
               : CentralSystem::not_streamed();
  }

  // Case
  Method method_ = Method::points55;
  bool extended_ = false;
  Case case_;
  Physics& physics_ = case_.physics;

  // Run
  std::unique_ptr<IsothermalLoops> loops_;
  memory::State divergence_;
  comm::Exchange divergence_exchange_;
};

}  // namespace watersmeet::isothermal
