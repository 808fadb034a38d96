#pragma once
// The isothermal system behind the interface of systems/system.hpp. Registers: 0 the solution, 1
// the stage being written, and with stored increments 2 the increment; the 19-point method adds a
// one-variable state for div u.

#include <cstdint>

#include "comm/communicator.hpp"
#include "config/schema.hpp"
#include "schemes/tableau.hpp"
#include "systems/bench.hpp"
#include "systems/isothermal/loops.hpp"
#include "systems/isothermal/shell.hpp"
#include "systems/one_part_system.hpp"
#include "systems/outputs.hpp"

namespace watersmeet::isothermal {

std::vector<config::Key> keys();
void adjust_schema(config::Schema& schema);
std::unique_ptr<systems::System> make_system();
systems::Bench bench(Backend backend);
const systems::Outputs& outputs();  // outputs.cpp

enum class Storage { two, stored, stored_full };

class IsothermalSystem final : public systems::OnePartSystem {
 public:
  std::string name() const override { return "isothermal"; }
  std::string summary() const override;
  std::vector<Variable> variables() const override;
  std::vector<systems::QuantityInfo> quantities() const override;
  std::vector<std::string> default_fields() const override { return {"rho", "velocity"}; }
  std::vector<systems::SeriesColumn> series_columns() const override;
  std::vector<std::string> spectral_variables() const override { return {"ux", "uy", "uz"}; }
  std::map<std::string, std::string> notes() const override;
  std::map<std::string, double> scales() const override { return scales_; }
  std::uint64_t seed() const override { return forcing_.seed; }

  void configure(config::Input& input) override;
  int stages() const override { return scheme_.stages(); }
  int halo() const override { return schemes::radius6; }
  systems::MemoryNeed memory_needed(const Index3& cells) const override;
  double bytes_per_point_step() const override;
  double estimate_step(const config::Input& input) const override;

  void allocate(const systems::Placement& placement) override;
  void initialise(const config::Input& input) override;
  void state_changed() override;

  void begin_step(double t_limit, bool allowed) override;
  void run_stages() override;
  void undo_stages() override;

  std::vector<double> series() override;
  void evaluate(const std::string& quantity, std::span<const Box> boxes, void* packed) override;
  std::map<std::string, double> checkpoint_scalars() const override;
  void restore_scalars(const std::map<std::string, double>& numbers) override;
  bool overlaps() const override { return exchange_.overlaps(); }
  exec::KernelReport kernel() const override;
  std::vector<exec::KernelTime> time_kernels(int repeats) override;

 private:
  void configure_forcing(config::Input& input);
  void configure_acceleration(const config::Input& input);
  void tabulate_acceleration();
  std::vector<memory::BlockShape> shapes(const Index3& cells) const;
  exec::Launch launch(int in, int out) const;
  exec::StageUpdate<double> update_of_stage(int s) const;
  double words_of_stage(int s) const;  // per point, each field moved once
  void choose_loops(const Index3& cells, const std::string& schedule);
  void allocate_forcing(const mesh::Block& block);
  void fill_ghosts(int reg);
  int registers() const { return storage_ == Storage::two ? 2 : 3; }

  // Case
  Method method_ = Method::points55;
  Storage storage_ = Storage::two;
  bool extended_ = false;
  Case case_;
  Physics& physics_ = case_.physics;
  Forcing& forcing_ = case_.forcing;
  schemes::LowStorageScheme scheme_;
  WaveVectors waves_;
  std::map<std::string, double> scales_;
  config::Fault acceleration_place_;
  std::vector<std::string> acceleration_;
  config::Constants constants_;

  // Run
  std::unique_ptr<IsothermalLoops> loops_;
  memory::State divergence_, acceleration_state_;
  comm::Exchange exchange_, divergence_exchange_;
  memory::Buffer wave_buffer_, forcing_table_;
  double initial_mass_ = -1;  // < 0: not yet measured
};

}  // namespace watersmeet::isothermal
