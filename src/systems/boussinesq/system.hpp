#pragma once
// The Boussinesq system behind the interface of systems/system.hpp.
//
// Registers of the state: 0 the solution, 1 the velocity u* and then the new solution, 2 the
// right-hand side R of the step (or stage) before, or with SSP-RK3 the solution at the beginning of the
// step. Of the pressure's state: 0 phi, 1 its right-hand
// side D u*, and for iterative solvers 2 phi of the solve before. Ghosts of register 0 are always
// valid between steps. Velocities across open sides are kept apart (open_planes.hpp).

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "config/schema.hpp"
#include "exec/recorded_work.hpp"
#include "solve/poisson/solver.hpp"
#include "systems/bench.hpp"
#include "systems/boussinesq/boundary/open_planes.hpp"
#include "systems/boussinesq/boundary/tables.hpp"
#include "systems/boussinesq/grid_tables.hpp"
#include "systems/boussinesq/implicit_diffusion.hpp"
#include "systems/boussinesq/initial.hpp"
#include "systems/boussinesq/loops.hpp"
#include "systems/boussinesq/time_scheme.hpp"
#include "systems/one_part_system.hpp"
#include "systems/outputs.hpp"
#include "systems/user_sources.hpp"

namespace watersmeet::boussinesq {

std::vector<config::Key> keys();
void adjust_schema(config::Schema& schema);
std::unique_ptr<systems::System> make_system();
systems::Bench bench(Backend backend);
const systems::Outputs& outputs();  // outputs.cpp
// Conditions under which entries of its tables exist.
constexpr const char* between_plates = "between two prescribed temperatures";
constexpr const char* with_scalars = "with further scalars";

// Settings of the pressure solver.
struct PressureChoice {
  solve::PoissonMethod method = solve::PoissonMethod::automatic;
  double relative_tolerance = 1e-10;  // of the largest sum of |u_i| / h_i
  double absolute_tolerance = 0;      // of the divergence; instead of the other when positive
  int most_cycles = 20;
};

class BoussinesqSystem final : public systems::OnePartSystem {
 public:
  std::string name() const override { return "boussinesq"; }
  std::string summary() const override;
  std::vector<Variable> variables() const override;
  std::vector<systems::QuantityInfo> quantities() const override;
  std::vector<std::string> default_fields() const override { return {"temperature", "velocity"}; }
  std::vector<systems::SeriesColumn> series_columns() const override;
  std::vector<std::string> spectral_variables() const override;
  std::map<std::string, std::string> notes() const override;
  std::uint64_t seed() const override { return initial_.seed(); }

  void configure(config::Input& input) override;
  int stages() const override { return static_cast<int>(scheme_.stages.size()); }
  systems::MemoryNeed memory_needed(const Index3& cells) const override;
  systems::Streaming streaming(const Index3& cells) const override;
  double bytes_per_point_step() const override;
  comm::Traffic traffic(const comm::Domain& domain, comm::Overlap overlap) const override {
    return traffic_on(Backend::cpu, domain, overlap);
  }
  comm::Traffic traffic_of_gpus(const comm::Domain& domain, comm::Overlap overlap) const override {
    return traffic_on(Backend::cuda, domain, overlap);
  }
  systems::RecordedWork recorded_work() const override;
  double estimate_step(const config::Input& input) const override;

  void allocate(const systems::Placement& placement) override;
  void initialise(const config::Input& input) override;
  systems::Transfer transfer() const override { return {.averages = true}; }
  std::vector<systems::FromFields> from_fields() const override;
  void adopt_state(bool same_cells) override {
    if (!same_cells) project_initial();
  }
  void state_changed() override;

  void begin_step(double t_limit, bool allowed) override;
  void run_stages() override;
  void undo_stages() override;
  void set_clock(const exec::Clock& clock) override;

  std::vector<systems::StoredArray> further_arrays() override;
  std::vector<double> series() override;
  std::vector<systems::SeriesColumn> profile_columns() const override;
  std::vector<double> profiles() override;
  void evaluate(const std::string& quantity, std::span<const Box> boxes, void* packed) override;
  std::map<std::string, double> checkpoint_scalars() const override;
  void restore_scalars(const std::map<std::string, double>& numbers) override;
  bool overlaps() const override { return false; }
  exec::KernelReport kernel() const override;
  std::vector<exec::KernelTime> time_kernels(int repeats) override;
  std::vector<std::string> failure_hints() const override;
  std::string termination_summary() override;

 private:
  // configure.cpp
  void configure_sources();
  bool configure_grid(config::Input& input);
  bool stretched_xy() const { return staggered_.stretched(0) || staggered_.stretched(1); }
  void configure_pressure(config::Input& input);
  mesh::CuttingRule cutting_rule() const;
  void configure_step(config::Input& input);
  void configure_advection(config::Input& input);
  void configure_limited(config::Input& input);
  double diffusion_rate(const std::array<bool, 3>& left_out) const;
  // configure_implicit.cpp
  void configure_implicit(config::Input& input);
  double longest_implicit() const;
  void find_heated_axis();
  double buoyancy_frequency() const;
  // Range of the initial and prescribed values: largest buoyancy less the least, of all scalars.
  double buoyancy_range() const;
  bool limited() const {
    return std::count(scalar_advection_.begin(), scalar_advection_.end(), Advection::limited) > 0;
  }

  // user_sources.cpp
  void configure_user_sources(config::Input& input);
  void allocate_user_sources();
  systems::SourceModel local_state(int side) const;
  systems::UserSources::Place coordinates_at(const std::string& name, const Box& box) const;
  void add_sources(const exec::Launch& l, std::size_t stage) const;
  void advance_open_sides(const exec::Launch& l, std::size_t stage);

  // boundary/state_values.cpp
  void check_side_values(config::Input& input) const;
  void configure_side_values(config::Input& input);
  Box cells_beside(int side, int variable) const;
  void allocate_side_values();
  void write_side_values(int reg);

  // plan.cpp
  memory::BlockShape shape(const Index3& cells) const;
  // Ghost layers of the state: bounded advection reads two.
  int ghost_layers() const { return limited() ? 2 : 1; }
  Index3 pressure_ghosts(const Index3& cells) const;
  int pressure_registers() const { return iterative() ? 3 : 2; }
  std::vector<std::string> further_scalars() const;  // names, without the temperature
  bool iterative() const { return method_ >= solve::PoissonMethod::mg; }
  double words_of_pressure() const;

  // system.cpp
  void choose_loops(const std::string& schedule);
  void settle_case();
  void tabulate_sources();
  exec::Launch launch(int in, int out) const;
  GhostRules rules(int reg) const;
  void fill_ghosts(int reg);
  void fill_pressure_ghosts(const exec::Launch& l);
  comm::Traffic traffic_on(Backend backend, const comm::Domain& domain,
                           comm::Overlap overlap) const;
  void make_divergence_free(int reg, const exec::Launch& l, bool last);
  void turn(std::size_t stage);
  exec::UpdateForm form() const { return scheme_.stages[0].form; }
  // Whether rules alone give the ghosts after a projection.
  bool ghosts_follow_at_once() const { return alone() && side_values_.empty() && !open_.here(); }
  void solve_pressure(const exec::Launch& l, const GhostRules* to_fill = nullptr);
  bool recordable() const;
  void queue_stages();
  void project_initial();
  void guess_pressure(std::size_t stage);
  void refresh_tolerance();
  bool alone() const { return team_->size() == 1; }

  // output.cpp
  DiagnoseParameters diagnose_parameters() const;
  // What `reduce()` gives of a pass over cells, Sums and then Maxima, with the sums of all scalars besides the temperature behind. A pass sums
  // two of them: there are as many passes as they need.
  std::vector<double> over_scalars(const std::function<std::vector<double>()>& reduce);
  int profile_axis() const { return heated_ ? heated_->axis : parameters_.gravity_axis; }

  // Case
  Advection advection_ = Advection::centred;
  std::array<Advection, most_scalars>
      scalar_advection_{};  // of those that the case has not: centred
  Parameters parameters_;
  BoundaryConditions boundaries_;
  StaggeredGrid staggered_;
  InitialState initial_;
  TimeScheme scheme_;
  ImplicitDiffusion implicit_;
  PressureChoice pressure_choice_;
  solve::PoissonMethod method_ = solve::PoissonMethod::automatic;
  Case case_;
  Coefficients<double>& coefficients_ = case_.coefficients;
  systems::UserSources sources_;
  std::array<systems::UserSources, 3>
      open_sources_;  // of the velocity across open sides, by its axis
  // What sides prescribe as expressions of the state, a condition each.
  struct SideState {
    int side = 0, variable = 0;
    systems::UserSources values;
  };
  std::vector<SideState> side_values_;
  bool has_fields_ = false;  // accelerations or sources that vary in space
  // The axis between whose plates the Nusselt number is taken: temperatures differ there.
  struct HeatedAxis {
    int axis = 2;
    double difference = 0;  // lower minus upper
  };
  std::optional<HeatedAxis> heated_;

  // Run
  std::unique_ptr<FlowLoops> loops_;
  memory::State pressure_, fields_;
  comm::Exchange exchange_, pressure_exchange_;
  BoundaryTables tables_;
  double time_of_ghosts_ =
      1;  // of the register whose ghosts are filled next, as a fraction of the step
  OpenPlanes open_;
  bool open_stored_ = false;  // register 1 holds what further_arrays() says of open sides
  TablesOfPart grid_tables_;
  std::unique_ptr<solve::PoissonSolver> solver_;
  solve::PoissonStop stop_;
  std::int64_t steps_queued_ = 0;
  struct RecordedStep {
    int seen = 0;  // times that such a step was queued kernel by kernel
    exec::RecordedWork work;
  };
  std::map<const void*, RecordedStep> recorded_;  // by where the solution lies
};

}  // namespace watersmeet::boussinesq
