#pragma once
// Shallow water behind the interface of systems/system.hpp: on a plane box, or on a cubed sphere,
// whose panels are the planes of a box of n x n x 6 cells that are not linked as a box's.
// The bed is a state of its own, made from the case.

#include <functional>
#include <memory>
#include <optional>

#include "comm/wide_totals.hpp"
#include "config/schema.hpp"
#include "systems/bench.hpp"
#include "systems/outputs.hpp"
#include "systems/shallow_water/axes.hpp"
#include "systems/shallow_water/boundary/tables.hpp"
#include "systems/shallow_water/loops.hpp"
#include "systems/shallow_water/sphere/sphere.hpp"
#include "systems/staged_system.hpp"
#include "systems/tabulate.hpp"

namespace watersmeet::shallow_water {

std::vector<config::Key> keys();
void adjust_schema(config::Schema& schema);
std::unique_ptr<systems::System> make_system();
systems::Bench bench(Backend backend);
const systems::Outputs& outputs();  // outputs.cpp
// Conditions under which entries of its tables exist.
constexpr const char* on_plane = "on a plane";
constexpr const char* on_sphere = "on a sphere";
constexpr const char* with_exact_flow = "where the flow is known in advance";

class ShallowWaterSystem final : public systems::StagedSystem {
 public:
  std::string name() const override { return "shallow_water"; }
  std::string summary() const override;
  std::vector<Variable> variables() const override;
  std::vector<systems::QuantityInfo> quantities() const override;
  // Where land may be dry its surface is the ground, which the depth distinguishes.
  std::vector<std::string> default_fields() const override {
    return traits_.wet_dry ? std::vector<std::string>{"surface", "velocity", "depth"}
                           : std::vector<std::string>{"surface", "velocity"};
  }
  std::vector<systems::SeriesColumn> series_columns() const override;
  std::map<std::string, std::string> notes() const override;

  void configure(config::Input& input) override;
  systems::MemoryNeed memory_needed(const Index3& cells) const override;
  systems::Streaming streaming(const Index3& cells) const override;
  comm::Traffic traffic(const comm::Domain& domain, comm::Overlap overlap) const override;
  systems::RecordedWork recorded_work() const override;
  double estimate_step(const config::Input& input) const override;

  void allocate(const systems::Placement& placement) override;
  void initialise(const config::Input& input) override;
  systems::Transfer transfer() const override { return {.averages = true}; }
  std::vector<systems::FromFields> from_fields() const override;
  void adopt_state(bool same_cells) override;

  void begin_step(double t_limit, bool allowed) override;

  std::vector<double> series() override;
  void evaluate(const std::string& quantity, std::span<const Box> boxes, void* packed) override;
  std::map<std::string, double> checkpoint_scalars() const override;
  void restore_scalars(const std::map<std::string, double>& numbers) override;
  bool overlaps() const override {
    return exchange_.overlaps() && !edges_after_exchange() && !sphere_;
  }
  exec::KernelReport kernel() const override;
  std::vector<std::string> failure_hints() const override;

 private:
  static constexpr int radius = 2;
  static constexpr int registers = 3;

  // configure.cpp
  bool configure_grid(config::Input& input);
  void configure_physics(config::Input& input);
  void configure_numerics(config::Input& input);
  void configure_step(config::Input& input);
  void configure_sources(config::Input& input);  // sources.cpp
  double fastest_turning() const;
  void configure_schedule(config::Input& input);
  void configure_initial(config::Input& input);
  bool flat() const { return bed_text_.empty(); }
  double cell_area() const;
  bool check_coordinates(config::Input& input, const std::string& key, const std::string& text) {
    return systems::check_coordinates(input, key, text, constants_, {sphere_ != nullptr, false});
  }

  // sphere/configure.cpp
  bool configure_sphere(config::Input& input);
  void describe_sphere();
  void configure_sphere_state(config::Input& input);

  // initial.cpp
  // bed, surface, u, v at the centres of cells, packed.
  struct Fields {
    std::vector<double> bed, surface, u, v;
  };
  // Cells by their numbers: the values of an expression there, and the name of one in messages.
  struct Cells {
    std::size_t count = 0;
    std::function<void(const std::string& expression, double* values)> tabulate;
    std::function<std::string(std::size_t cell)> name;
  };
  // first: the cell of the whole grid at the beginning of the coordinates.
  Cells cells_of_plane(const systems::GridCoordinates& grid, const Index3& first,
                       int threads) const;
  // A box of the panels, which are its planes.
  Cells cells_of_sphere(const mesh::PanelGrid& grid, const Box& box) const;
  // Rows of this rank's part of a plane.
  Cells cells_of_rows(const Box& rows) const;
  // Boxes that together are this rank's part: of a plane some rows at once, so that what the host holds besides the state stays small.
  void for_each_slab(const std::function<void(const Box& box)>& work) const;
  // What the expressions of the case give; on a sphere u and v are to the east and north.
  Fields given_fields(const Cells& cells) const;
  // Error{user_input} names the first cell where a value is not finite.
  std::vector<double> values_of(const Cells& cells, const config::Fault& key,
                                const std::string& expression) const;
  // Makes them what is stored; Error{user_input} names the first cell without water, or with less.
  void settle_fields(Fields& f, const Cells& cells) const;
  // Both, with u and v as they are stored.
  Fields plane_fields(const Cells& cells) const;
  Fields sphere_fields(const mesh::PanelGrid& grid, const Box& box) const;
  void fill_bed();

  // output.cpp
  std::vector<std::string> conditions() const;  // of outputs()
  void follow_reference();                      // the known flow at the time of the solution

  // sources.cpp
  systems::SourceModel local_state() const;
  systems::UserSources::Place source_place(const std::string& name) const override;

  // boundary/state_values.cpp
  systems::SourceModel state_at_side(int side) const;
  void configure_side_values(config::Input& input);
  bool sides_read_state() const;
  void allocate_side_values();
  // Of the wanted sides of a launch's cells, the first of which is `first` of the part. of_ends: a clock for cells behind their ends along
  // y, whose values are of no use where the launch ends within the part and there is no state.
  void write_side_values(const exec::Launch& whole, const Index3& first,
                         const std::array<bool, 6>& sides, double fraction, exec::Clock* of_ends);
  // Of all sides and ghosts of a register.
  void fill_boundaries(int reg);

  // system.cpp
  Loops& loops() const override { return *loops_; }
  void set_place(const Index3& first, int step = 0) override;
  void fill_sides(const stream::Planes& planes, int s, const exec::Clock& clock) override;
  void count_sides(const stream::Planes& planes, int s) override;
  void count_outflow(const exec::Launch& l, const PlaneSides<double>& sides, int s);
  void make_loops(const std::string& schedule);
  // Ghosts behind edges of the block: for cells that look across their axis.
  bool needs_edges() const { return traits_.transverse || traits_.wet_dry; }
  mesh::GhostReach reach() const override {
    return needs_edges() ? mesh::GhostReach::edges : mesh::GhostReach::faces;
  }
  Index3 sent_layers(const mesh::Block& part) const override;
  comm::Exchange make_exchange(const memory::State& state) const;
  // Whether those wait for the ghosts of linked sides.
  bool edges_after_exchange() const { return needs_edges() && boundaries_.any(); }
  void fill_ghosts() override;
  bool may_store_ghosts(int) const override { return grid_.is_box() && !needs_edges(); }
  void couple_panels();
  void prepare_stage(std::size_t s) override;
  void compute_stage(exec::Launch& l, int in, int out) override;
  void finish_stage(std::size_t s) override;
  double words_of_stage(std::size_t s) const override {
    return StagedSystem::words_of_stage(s) + (flat() ? 0 : 1);
  }
  void time_ghosts(systems::KernelTimer& timer) override;  // timing.cpp
  bool has_sides() const { return !sphere_ && boundaries_.any(); }
  void allocate_outflow();

  // Case
  Index3 cells_{1, 1, 1};
  mesh::Uniform geometry_;
  std::string bed_text_;  // empty: flat at 0
  std::string surface_text_ = "0", depth_text_;
  // Where the level is 0 because the case gives none, a fault is reported at the bed.
  std::string surface_key_ = "physics.bed", velocity_key_ = "initial";
  std::array<std::string, 2> velocity_text_ = {"0", "0"};
  config::Fault bed_place_, surface_place_, velocity_place_;  // places of these keys
  BoundaryConditions boundaries_;
  systems::UserSources side_values_[4];  // what sides prescribe as expressions of the state
  Case case_;
  FlowParameters<double>& flow_ = case_.flow;
  std::unique_ptr<Sphere> sphere_;  // null: a plane
  std::optional<SphereState> sphere_state_;
  Traits traits_;
  std::optional<exec::Strategy> strategy_;
  std::string reconstruction_name_, riemann_name_;

  // Run
  std::unique_ptr<Loops> loops_;
  memory::State reference_;  // depth, u and v of a flow that is known, at reference_time_
  double reference_time_ = -1;
  BoundaryTables tables_;
  // What drifts of the series are relative to; none before the first row.
  struct Beginning {
    double volume = 0, energy = 0, enstrophy = 0;
  };
  std::optional<Beginning> beginning_;
  comm::WideTotals outflow_;  // through sides with conditions, since the start of the run
  std::vector<double> stage_weights_;
  double time_of_sides_ = 1;  // at which values at sides are made, as a fraction of the step
};

}  // namespace watersmeet::shallow_water
