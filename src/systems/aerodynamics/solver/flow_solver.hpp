#pragma once
// The solver of solver.hpp, written once for CPU and GPU: it puts the launches of loops.hpp
// into order.
//
// Registers: 0 the solution, 1 and 2 stages, 3 the dissipation that the five stages of a steady run
// share, or the sum of increments of the classical scheme.

#include <deque>
#include <vector>

#include "exec/recorded_work.hpp"
#include "systems/aerodynamics/solver/grid.hpp"
#include "systems/kernel_timer.hpp"

namespace watersmeet::aerodynamics {

// A node on a patch, on the host in double.
struct PatchState {
  const PatchNode* node = nullptr;
  Conserved<double> w, outside;
};

class FlowSolver final : public Solver {
 public:
  FlowSolver(const mesh::MultiBlockMesh& mesh, std::span<const int> ranks, const Method& method,
             std::vector<Condition> conditions, const Primitive<double>& reference,
             const Queue& queue, comm::Team* team);

  void set_sources(systems::UserSources& sources) override;
  void set_side_values(int condition, systems::UserSources& values) override;

  std::int64_t nodes() const override { return fine_->nodes(); }
  memory::State& state() override { return state_; }
  int current_register() const override { return 0; }
  exec::Clock* clock() override { return clock_.as<exec::Clock>(); }
  void set_clock(const exec::Clock& clock) override;

  void state_changed() override;
  void begin_step(double t_limit, bool allowed) override;
  void run_stages() override;
  void undo_stages() override;

  std::vector<double> residual() override;
  Monitor monitor() override;
  std::vector<PatchForce> forces(const Real3& moment_about) override;
  std::vector<SurfaceNode> surface(const std::string& patch) override;
  std::vector<double> node_volumes() const override { return fine_->node_volumes(); }
  std::map<std::string, double> checkpoint_scalars() const override;
  void restore_scalars(const std::map<std::string, double>& numbers) override;

  memory::State* shock_memory() override {
    return model_.shock_k2 > 0 ? &fine_->shock_memory() : nullptr;
  }
  std::string measures_taken() override;
  void evaluate(Quantity quantity, int components, const Box& nodes, void* packed) override;

  int levels() const override { return 1 + static_cast<int>(coarse_.size()); }
  int stages() const override;
  double bytes_per_node_step() const override;
  exec::KernelReport kernel() const override;
  std::vector<exec::KernelTime> time_kernels(int repeats) override;

 private:
  static constexpr int registers = 4;

  LevelOptions level_options(int order, const FlowModel<double>& model) const;
  std::unique_ptr<Level> make_level(const mesh::MultiBlockMesh& mesh, int order,
                                    const FlowModel<double>& model) const;
  void check_conditions() const;

  void make_coarse_grids();
  int program_nodes() const;
  void make_programs();

  // Number l of the grids, 0 the finest. The finest one has operators of first order while a run
  // starts.
  Level& level(std::size_t l);
  memory::State& registers_of(std::size_t l);

  // stepping.cpp
  StageCall call(std::size_t l, int in, int out);
  // A right-hand side and its update: volume, messages meanwhile, penalties.
  // On the finest grid with sources, at a time in the step; coarse grids get them with the restricted residuals.
  void evaluate(std::size_t l, const StageCall& stage, double fraction = 0);
  void write_source_rates(TableAddress<double> in, ArrayAddress<double> out, double fraction) const;
  // side_values.cpp: values of boundaries that read the flow, of a state of grid l.
  void write_side_values(std::size_t l, TableAddress<double> in, double fraction);
  std::vector<Level*> all_levels() const;
  void local_steps(std::size_t l, int reg, bool always);
  void run_global_step();
  // What a step makes on its way: the forcing of its grid, of which there is the restricted
  // residual before; the pressures of the new state.
  struct OnTheWay {
    bool forcing = false, pressures = false;
  };
  void smooth(std::size_t l, bool forced, OnTheWay makes);
  std::vector<StageUpdate<double>> five_stages() const;
  bool stages_read_sensor(std::size_t l);
  bool transfers_read_sensor(std::size_t l);
  // The sensor of the solution, for a residual and the transfers that follow; `pressures` are known.
  bool needs_sensor(std::size_t l) { return stages_read_sensor(l) || transfers_read_sensor(l); }
  void make_sensor(std::size_t l, bool pressures = false);
  bool stages_make_pressures(std::size_t l);
  bool steps_with_stage(std::size_t l);
  double cfl_now() const;
  // R of the solution, of the order of the case, into register 2; between two steps.
  void evaluate_residual();
  void tabulate_stages();
  void tabulate_now(double t);

  // multigrid.cpp
  const TransferTables& tables_of(std::size_t coarse);
  // Between a coarse grid and the next finer one.
  Inject<double> injection(std::size_t coarse);
  Descend<double> descent(std::size_t coarse);
  Correct<double> correction(std::size_t coarse);
  void inject(std::size_t coarse);
  void correct_from(std::size_t coarse);
  // To the next coarser grid and back; `pressures` of the solution are known.
  void descend(std::size_t l, bool forced, bool pressures);
  // `makes_forcing`: as its first step does, which is the first thing it does.
  void cycle(std::size_t l, bool forced, bool makes_forcing = false);
  // The cycle of a coarse grid that residuals have come down to.
  void visit(std::size_t coarse);
  void sequenced_cycle(std::size_t l);
  void restrict_sources(std::size_t l);
  // cycle(0), on a GPU as one graph where it is the same every time.
  void repeated_cycle();
  // cycle(l) of grids that programs do.
  void run_program(std::size_t l, bool forced);
  std::size_t first_grid() const;  // on which the next cycle begins
  std::int64_t sequenced_cycles() const;

  // convergence.cpp
  void watch();
  void watch_forces();
  void follow_lift();
  void act_when_stalled(double residual);
  void take_measure();
  void renew_sensor(double residual);
  // The measures against a stall, in their order.
  enum class Measure { hold_sensor, one_grid };
  std::vector<Measure> measures() const;
  bool taken(Measure measure) const;
  bool follows_lift() const;
  // The first cycle of the order of the case on the finest grid.
  std::int64_t first_full_order_cycle() const {
    return sequenced_cycles() + (start_ ? method_.first_order_cycles : 0);
  }

  void time_coarser_grids(systems::KernelTimer& timer, double visits);  // timing.cpp

  // observation.cpp
  void prepare_patches();
  std::vector<PatchState> patch_states();
  std::vector<double> diagnose();  // sums and maxima of diagnosis.hpp, of register 2 as R
  std::vector<double> to_host(int reg, int variable) const;
  std::vector<double> to_host(const memory::State& state, int reg, int variable) const;
  double patch_pressure(const PatchState& p) const;

  const mesh::MultiBlockMesh& mesh_;
  std::vector<int> ranks_;
  Method method_;
  std::vector<Condition> conditions_;
  Primitive<double> reference_;
  Queue queue_;
  comm::Team* team_;
  FlowModel<double> model_;
  memory::State state_;
  const systems::UserSources* sources_ = nullptr;
  memory::State source_rates_;  // -V S, one register
  std::vector<SideValues> side_values_;
  FlowModel<double> first_order_model_;  // of coarse grids and of the start
  std::unique_ptr<Level> fine_, start_;
  std::vector<std::unique_ptr<Grid>> coarse_;
  Transfer start_transfer_;  // from start_ to the first coarse grid
  memory::Buffer clock_;
  memory::Buffer patch_nodes_, patch_packed_;
  std::int64_t all_nodes_ = 0, nodes_before_ = 0;  // of all ranks, and of those before this one
  std::int64_t all_patch_nodes_ = 0;
  bool time_varying_ = false;
  bool full_order_ = false;  // level(0) is fine_ also while the run starts: observations

  // Cycles of the coarsest grids, from program_first_ on, as lists for one kernel.
  struct Program {
    std::size_t first = 0;  // grid
    bool forced = false;
    int solution = 0;
    std::size_t count = 0;  // of operations
    memory::Buffer ops;
    ProgramPlan plan;
  };
  ProgramPlan plan_of_program(std::size_t first) const;
  std::vector<Program> programs_;
  std::size_t program_first_ = 1;

  // Cycles as they were recorded: the operators of the finest grid and the register that its
  // solution was in make the difference.
  struct RecordedCycle {
    const Level* level = nullptr;
    const void* solution = nullptr;
    std::size_t stalls = 0;
    int swaps = 0;
    exec::RecordedWork work;
  };
  std::vector<RecordedCycle> recorded_;

  // Cycles of a steady run that are queued or done, and what undo_stages() takes back.
  std::int64_t cycle_ = 0;
  std::deque<int> swaps_;  // of registers 0 and 1 in the last steps
  int swapped_ = 0;        // in this step so far
  // Convergence.
  double first_residual_ = 0;  // of the density, of the order of the case; 0: none yet
  std::vector<double> force_before_;
  std::int64_t force_since_ = 0;  // cycle since which no force has changed
  std::int64_t watched_ = -1;     // cycle at which all this was looked at last
  bool converged_ = false;
  double least_residual_ = 0;         // of the order of the case since the last measure
  std::int64_t least_since_ = 0;      // the cycle that reached it
  double renewal_below_ = 0;          // the residual at which a held sensor is renewed; 0: never
  std::vector<std::int64_t> stalls_;  // cycles at which measures() were taken, one after another
  std::int64_t limited_before_ = 0;   // states limited before a restart, on all ranks
};

}  // namespace watersmeet::aerodynamics
