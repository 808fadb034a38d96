#pragma once
// What the systems of sixth-order central differences share beyond explicit stages (isothermal, mhd): keys, storage of the stages, forcing
// by plane waves, a body acceleration, fields that are made before each stage.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "systems/central_case.hpp"
#include "systems/central_loops.hpp"
#include "systems/explicit_system.hpp"
#include "systems/forcing_shell.hpp"

namespace watersmeet::systems {

// Keys of [forcing] and of time.scheme, numerics.storage and their like.
std::vector<config::Key> central_keys();
constexpr const char* central_cfl_help =
    "Time step times the sum of signal speeds over the spacings. Linear stability ends at 1.09 "
    "with "
    "the schemes of three stages, at 1.26 with rk2 (of damped waves), and at 2.11 with "
    "rk4-carpenter-kennedy, where the default is 1.7.";
// Names of the state that sources of both may use, and equations that they may add to.
constexpr const char* central_state = "rho lnrho velocity.x velocity.y velocity.z speed p";
std::vector<SourceEquation> central_source_equations();

// The equations keep the mass of a periodic box, central differences of ln rho nearly do. No error of
// resolution changes it by more than this part.
constexpr double largest_mass_drift = 0.1;

class CentralSystem : public ExplicitSystem {
 public:
  std::vector<std::string> spectral_variables() const override { return {"ux", "uy", "uz"}; }
  std::map<std::string, std::string> notes() const override;
  std::map<std::string, double> scales() const override { return scales_; }
  std::uint64_t seed() const override { return forcing_.seed; }
  MemoryNeed memory_needed(const Index3& cells) const override;
  Streaming streaming(const Index3& cells) const override;
  double bytes_per_point_step() const override;
  comm::Traffic traffic(const comm::Domain& domain, comm::Overlap overlap) const override;
  RecordedWork recorded_work() const override {
    return {shock_ ? "" : name(), static_cast<double>(stages())};
  }

 protected:
  // `c` is a part of the system that derives from this one.
  explicit CentralSystem(CentralCase& c) : forcing_(c.forcing), common_(c) {}

  // The stored variables of all begin with ln(rho/rho_0) and the velocity: these, and the fields from which they follow.
  static std::vector<Variable> flow_variables();
  static Transfer flow_transfer(double reference_density);
  static std::vector<FromFields> flow_from_fields(double reference_density);

  // Names and equations of sources that all have, for the given squared sound speed over the ratio of heats, p/rho.
  SourceModel source_model(const std::string& pressure_over_density,
                           double reference_density) const;
  // The columns of a series, whose mass may drift where a source of density changes it.
  std::vector<SeriesColumn> with_mass_of_sources(std::vector<SeriesColumn> columns) const;

  // configure() begins so: grid, precision, storage, scheme, acceleration and forcing. `sound_speed`: c of the forcing's amplitude.
  void configure_box(config::Input& input);
  void configure_forcing(config::Input& input, double sound_speed);
  // The step for a velocity, where one is given, and waves of the given speed at rest: a first guess of dt.
  // Error{user_input} at `key` where a sampled velocity is not finite.
  double estimate_from(const std::vector<std::string>& velocity, const config::Fault& key,
                       double wave_speed) const;
  // With the velocity of the last entry of [[initial]].
  double estimate_from_initial(const config::Input& input, double wave_speed) const;

  // A limit of the step; with five stages another one unless the case gives it.
  double step_limit(config::Input& input, const char* path, double of_five_stages) const;
  // Of a case that has such terms.
  double diffusive_limit(config::Input& input) const {
    return step_limit(input, "time.cfl_viscous", 0.45);
  }
  double hyperdiffusive_limit(config::Input& input) const {
    return step_limit(input, "time.cfl_hyper", 0.018);
  }
  // physics.shock_viscosity, the passes that it needs, and its share of the step's signal.
  void configure_shock(config::Input& input, double& coefficient, double& signal);
  bool has_shock() const { return shock_; }

  exec::Loops& loops() const final { return central_loops(); }
  virtual CentralLoops& central_loops() const = 0;

  std::string not_updated_on_host() const override {
    return forcing_.place == ForcingPlace::kick
               ? "kicks of the forcing end a step; forcing.application = \"rhs\" is in its stages"
               : "";
  }
  bool only_stages_read_ghosts() const override { return pass_plans_.empty(); }
  int fixed_values() const override { return acceleration_.empty() ? 0 : 3; }
  void set_fixed(const void* fixed, const BlockLayout* layout) override;
  exec::Launch launch(int in, int out) const override;
  void fill_ghosts() override;
  void compute_stage(exec::Launch& l, int in, int out) override;
  void pass(const stream::Planes& planes, int p) override;
  double words_of_stage(std::size_t s) const override;
  void time_ghosts(KernelTimer& timer) override;
  void set_place(const Index3& first, int step = 0) override;
  void begin_step_of_visit(int step, const exec::StepRule& rule, double t_limit, exec::Clock& clock,
                           exec::Clock* there) override;

  // In place of that of ExplicitSystem.
  void allocate_state(const Placement& placement);

  // Case
  Forcing& forcing_;
  WaveVectors waves_;
  std::map<std::string, double> scales_;
  config::Fault acceleration_place_;
  std::vector<std::string> acceleration_;
  // Passes before each stage: each makes a field of the one before, the first of them of the solution; the stage reads the last one.
  struct PassPlan {
    std::string of;
    mesh::GhostReach reach;  // of its reader
    double words;            // moved per point
  };
  std::vector<PassPlan> pass_plans_;

 private:
  struct Pass {
    memory::State field;
    comm::Exchange exchange;
  };
  void allocate_passes();
  exec::Launch launch_of_pass(std::size_t p, int in) const;
  bool shock_ = false;
  void allocate_forcing(const mesh::Block& block);
  void tabulate_acceleration();

  CentralCase& common_;
  std::vector<Pass> passes_;
  memory::Buffer pass_clock_;                    // of passes between two steps: always active
  memory::Buffer wave_buffer_, forcing_tables_;  // a table for each step of a visit
  std::size_t forcing_table_bytes_ = 0;
  std::array<std::int64_t, 3>
      table_offset_{};  // of the forcing's tables, of the first cell of the part
};

}  // namespace watersmeet::systems
