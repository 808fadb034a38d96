#pragma once
// The multicomponent system behind the interface of systems/system.hpp. The state is kept in scaled
// numbers: density / rho_0, velocity / U, pressure and energy / (rho_0 U^2), Gamma as it is.
// Lengths and times are those of the case: the kernels get U / h for 1 / h.
//
// Registers: 0 the solution, 1 the stage being written, 2 the increment of the 2N schemes or the
// solution at the beginning of the step.

#include <cstdint>
#include <optional>

#include "comm/communicator.hpp"
#include "config/schema.hpp"
#include "exec/stage_weights.hpp"
#include "systems/bench.hpp"
#include "systems/multicomponent/boundary/ledger.hpp"
#include "systems/multicomponent/boundary/tables.hpp"
#include "systems/multicomponent/cell_tables.hpp"
#include "systems/multicomponent/fluids.hpp"
#include "systems/multicomponent/initial/state.hpp"
#include "systems/multicomponent/limiter.hpp"
#include "systems/multicomponent/loops.hpp"
#include "systems/outputs.hpp"
#include "systems/staged_system.hpp"

namespace watersmeet::multicomponent {

std::vector<config::Key> keys();
void adjust_schema(config::Schema& schema);
std::unique_ptr<systems::System> make_system();
systems::Bench bench(Backend backend);
const systems::Outputs& outputs();  // outputs.cpp
// Conditions under which entries of its tables exist.
constexpr const char* with_two_fluids = "with two fluids";
constexpr const char* with_named_fluids = "where just two fluids are named";

class MulticomponentSystem final : public systems::StagedSystem {
 public:
  std::string name() const override { return "multicomponent"; }
  std::string summary() const override;
  std::vector<Variable> variables() const override;
  std::vector<systems::QuantityInfo> quantities() const override;
  std::vector<std::string> default_fields() const override;
  std::vector<systems::SeriesColumn> series_columns() const override;
  std::map<std::string, std::string> notes() const override;

  void configure(config::Input& input) override;
  systems::MemoryNeed memory_needed(const Index3& cells) const override;
  systems::Streaming streaming(const Index3& cells) const override;
  comm::Traffic traffic(const comm::Domain& domain, comm::Overlap overlap) const override;
  double flops_per_point_rhs() const override;
  double estimate_step(const config::Input& input) const override;

  void allocate(const systems::Placement& placement) override;
  void initialise(const config::Input& input) override;
  systems::Transfer transfer() const override;
  std::vector<systems::FromFields> from_fields() const override;

  void begin_step(double t_limit, bool allowed) override;

  std::vector<double> series() override;
  void evaluate(const std::string& quantity, std::span<const Box> boxes, void* packed) override;
  std::map<std::string, double> checkpoint_scalars() const override;
  void restore_scalars(const std::map<std::string, double>& numbers) override;
  // Boundaries that are still to be corrected cannot be sent early.
  bool overlaps() const override { return exchange_.overlaps() && !limiter_.on(); }
  exec::KernelReport kernel() const override;

  std::string inadmissible(std::span<const double> values) const override;
  std::vector<std::string> failure_hints() const override;

 private:
  static constexpr int radius = 3;
  static constexpr int registers = 3;

  // configure.cpp
  bool configure_grid(config::Input& input);
  void refuse_swirl(config::Input& input);
  void configure_model(config::Input& input);
  void configure_scheme(config::Input& input);
  void configure_scales(config::Input& input);
  void configure_reconstruction(config::Input& input);
  void configure_sources(config::Input& input);
  systems::SourceModel local_state() const;
  void check_fields(config::Input& input) const;
  CellStates cell_states(int threads) const;
  double pressure_scale() const { return scales_.density * scales_.speed * scales_.speed; }
  bool two_fluids() const { return mixture_.one_over_jump > 0; }
  double length(int axis) const;  // of the grid
  bool configure_widths(config::Input& input);
  double equivalent_radius(double volume) const;
  double shock_jump() const { return initial_ ? initial_->shock_jump() : 0; }
  double factor_of(Quantity quantity) const;
  bool has_boundaries() const;
  double largest_p_c() const;
  // Axisymmetric: where r = h, the sums being weighted with r / h. Of cells of different widths the mean.
  double cell_volume() const;
  Primitive<double> scaled(const Primitive<double>& primitive) const;

  // boundary/state_values.cpp
  systems::SourceModel state_at_side(int side) const;
  void configure_side_values(config::Input& input);
  void allocate_side_values();
  // Of the wanted sides of a launch's cells, the first of which is `first` of the part. fraction: of the step, at which `in` is the solution.
  void write_side_values(exec::Launch l, const Index3& first, const std::array<bool, 6>& sides,
                         double fraction);

  // system.cpp
  exec::Loops& loops() const override { return *loops_; }
  void update_cells(const exec::Launch& l) const override { host_loops_->update(l); }
  void fill_sides(const stream::Planes& planes, int s, const exec::Clock& clock) override;
  void count_sides(const stream::Planes& planes, int s) override;
  void flag(const stream::Planes& planes, int s, int n) override;
  void correct(const stream::Planes& planes, int s, int n) override;
  void complete(const stream::Planes& planes, int s) override;
  void compute_cells(const exec::Launch& l) override;
  void set_place(const Index3& first, int step = 0) override;
  void fill_boundaries(int reg, double fraction);
  void prepare_stage(std::size_t s) override;
  void compute_stage(exec::Launch& l, int in, int out) override;
  void finish_stage(std::size_t s) override;
  void fill_ghosts() override;
  bool may_store_ghosts(int) const override { return !strict_; }
  void allocate_ledger();
  void allocate_host_loops();
  void store_slab(const Box& slab, std::array<std::vector<double>, n_variables>& values,
                  memory::Buffer& staging);

  // timing.cpp
  double boundary_faces() const;
  void time_ghosts(systems::KernelTimer& timer) override;
  void time_stages(systems::KernelTimer& timer) override;

  // output.cpp
  DiagnoseParameters diagnose_parameters() const;
  // The number of fallbacks in all steps and on all ranks; collective.
  std::int64_t fallbacks() const;
  std::int64_t limited_cells() const;

  // Case
  bool axisymmetric_ = false;
  CellGrid cell_grid_;
  std::vector<Fluid> fluids_;
  std::size_t gas_ = 0, liquid_ = 0;  // fluids of the largest and of the smallest Gamma
  std::unique_ptr<InitialState> initial_;
  BoundaryConditions boundaries_;
  // What a condition prescribes on a side as expressions of the state, and on which cells of this part.
  struct SideState {
    int side = 0;
    std::size_t condition = 0;
    systems::UserSources values;
    std::vector<Box> cells;
  };
  std::vector<SideState> side_values_;
  InternalScales scales_;
  MixtureParameters mixture_;
  Case case_;
  FlowParameters<double>& flow_ = case_.flow;
  Finish<double>& finish_ = case_.finish;
  bool strict_ = false;  // positivity: with the flux limiter
  Variant variant_ = Variant::js;
  std::string reconstruction_name_;
  double schlieren_contrast_ = 0;

  // Run
  std::unique_ptr<TwoFluidLoops> loops_;
  BoundaryTables tables_;
  CellTables widths_;  // Variant::stretched only
  // Of stages that the host updates: the case with numbers of the host, and its loops.
  Case host_case_;
  CellTables host_widths_;
  std::unique_ptr<TwoFluidLoops> host_loops_;
  Ledger ledger_;
  Limiter limiter_;
  // What drifts and ratios of the series are relative to; none before the first row.
  struct Beginning {
    double mass = 0, energy = 0, p_max = 0;
  };
  std::optional<Beginning> beginning_;
  std::int64_t earlier_fallbacks_ = 0, earlier_limited_ = 0;  // before a restart, all ranks
};

}  // namespace watersmeet::multicomponent
