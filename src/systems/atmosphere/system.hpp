#pragma once
// The atmosphere behind the interface of systems/system.hpp: in a box, or on a cubed sphere, whose
// panels are stacked into a box of n x n x (6 levels) cells that are not linked as a box's
// (sphere/panel_mesh.hpp).
//
// Where sound across levels is implicit (column.hpp), registers are: 1 the stage, 2 and 3 sums of
// right-hand sides.

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "config/schema.hpp"
#include "exec/strategy.hpp"
#include "schemes/kappa_stability.hpp"
#include "systems/atmosphere/loops.hpp"
#include "systems/atmosphere/settings/boundary_conditions.hpp"
#include "systems/atmosphere/settings/tables.hpp"
#include "systems/atmosphere/sphere/globe.hpp"
#include "systems/atmosphere/sphere/states.hpp"
#include "systems/atmosphere/split.hpp"
#include "systems/bench.hpp"
#include "systems/outputs.hpp"
#include "systems/staged_system.hpp"
#include "systems/tabulate.hpp"

namespace watersmeet::atmosphere {

std::vector<config::Key> keys();
void adjust_schema(config::Schema& schema);
std::unique_ptr<systems::System> make_system();
systems::Bench bench(Backend backend);
const systems::Outputs& outputs();  // outputs.cpp
// Conditions under which entries of its tables exist.
constexpr const char* in_box = "in a box";
constexpr const char* on_sphere = "on a sphere";

class AtmosphereSystem final : public systems::StagedSystem {
 public:
  std::string name() const override { return "atmosphere"; }
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
  systems::RecordedWork recorded_work() const override;
  double bytes_per_point_step() const override;
  double estimate_step(const config::Input& input) const override;

  void allocate(const systems::Placement& placement) override;
  void initialise(const config::Input& input) override;
  systems::Transfer transfer() const override;
  std::vector<systems::FromFields> from_fields() const override;

  void run_stages() override;
  void undo_stages() override;

  std::vector<double> series() override;
  void evaluate(const std::string& quantity, std::span<const Box> boxes, void* packed) override;
  std::map<std::string, double> checkpoint_scalars() const override;
  void restore_scalars(const std::map<std::string, double>& numbers) override;
  exec::KernelReport kernel() const override;
  std::vector<std::string> failure_hints() const override;

 private:
  int registers() const { return split() ? 4 : 3; }
  bool split() const { return traits_.split; }

  // settings/configure.cpp
  bool configure_grid(config::Input& input);
  void configure_reference(config::Input& input);
  void configure_reference_table(config::Input& input, bool wanted);
  void configure_terrain(config::Input& input);  // settings/terrain.cpp
  void configure_sources(config::Input& input);
  void refuse_with_split(config::Input& input) const;  // split.cpp
  void configure_numerics(config::Input& input);
  void configure_step(config::Input& input);
  schemes::SourceRates source_rates() const;
  void configure_schedule(config::Input& input);
  void configure_initial(config::Input& input);
  void describe_box();
  mesh::MultiBlockMesh cell_corners() const;
  std::vector<memory::BlockShape> shapes(const Index3& cells) const override;  // settings/plan.cpp

  // settings/user_sources.cpp
  systems::SourceModel local_state(bool at_side) const;
  void configure_user_sources(config::Input& input);
  void configure_side_fluxes(config::Input& input);
  void allocate_user_sources();
  void configure_beyond_sides(config::Input& input);  // settings/beyond_sides.cpp
  bool gives_beyond_sides() const;
  void allocate_beyond_sides();
  void fill_behind_sides(int reg);
  // Of the wanted sides of a launch's cells, the first of which is `first` of the part. fraction: of the step, at which `in` is the solution.
  void fill_behind_sides(const exec::Launch& cells, const Index3& first,
                         const std::array<bool, 6>& wanted, double fraction);
  void add_fluxes(const exec::Launch& l, const Index3& first, double fraction) const override;
  bool has_fluxes() const override {
    return std::any_of(side_fluxes_.begin(), side_fluxes_.end(),
                       [](const systems::UserSources& fluxes) { return fluxes.any(); });
  }
  systems::UserSources::Place source_place(const std::string& name) const override;
  std::vector<std::int64_t> layers_beside(int side) const;
  systems::UserSources::Place place_at(const std::string& name, int side) const;
  std::size_t bytes_of_sources(const Index3& cells) const;
  // Of a box, or of a panel.
  std::int64_t levels_of_column() const { return globe_ ? globe_->levels() : cells_[2]; }

  // sphere/configure.cpp
  bool configure_globe(config::Input& input);
  void describe_globe();
  void configure_globe_state(config::Input& input);
  void check_initial_coordinates(config::Input& input);
  void check_coordinates(config::Input& input, const std::string& key, const std::string& text) {
    systems::check_coordinates(input, key, text, constants_, {globe_ != nullptr, true});
  }

  // settings/initial.cpp: departures from the reference in the middle of cells [k][j][i] of a box of the
  // grid; Error{user_input} names the first cell where they make no sense.
  struct Fields {
    std::vector<double> rho, p, velocity[3], z;
    explicit Fields(std::size_t cells) : rho(cells), p(cells), z(cells) {
      for (std::vector<double>& v : velocity) v.resize(cells);
    }
  };
  Fields initial_fields(const Box& box, int threads) const;
  // What the loops keep of a cell with these departures from its reference.
  using StoredAt = std::function<Conserved<double>(
      std::size_t cell, const Primitive<double>& departures, const Reference<double>& reference)>;
  // Stores the fields of a box of this rank's part.
  void store_fields(Fields f, const Box& box, const StoredAt& stored, memory::Buffer& staging);
  // rho' from what the case gives (theta', T' or itself) and p'.
  double density_departure(double matter, double pressure, double z) const;
  std::array<std::string, 2> initial_texts() const;  // of matter and pressure
  // Where a cell lies: its words for a message, and the coordinates of the expressions.
  struct CellPlace {
    std::string words;
    Real3 at;
  };
  void check_fields(const Fields& f, const std::function<CellPlace(std::size_t)>& place) const;
  double matter_at(const CellPlace& place) const;

  // sphere/initial.cpp: the same on a sphere, of a box of the whole stack of panels.
  Fields globe_fields(const Globe& globe, const Box& box) const;
  void initialise_globe();
  double estimate_globe_step() const;

  // system.cpp
  bool tileable() const;
  // The transverse term: stencils of 25 cells, whose corners are ghosts behind edges of the part.
  bool looks_across() const { return flow_.transverse(); }
  mesh::GhostReach reach() const override {
    return looks_across() ? mesh::GhostReach::edges : mesh::GhostReach::faces;
  }
  void choose_loops(const std::string& schedule);
  // In a box, or on a sphere.
  AirLoops& loops() const override {
    if (globe_) return globe_->loops();
    return *loops_;
  }
  Index3 sent_layers(const mesh::Block& part) const override;
  comm::Exchange make_exchange();
  void couple_panels(const exec::Launch& launch, int reg);
  void damp_panels();
  void set_place(const Index3& first, int step = 0) override;
  void fill_sides(const stream::Planes& planes, int s, const exec::Clock& clock) override;
  void compute_cells(const exec::Launch& l) override;
  void compute_stage(exec::Launch& l, int in, int out) override;
  void prepare_stage(std::size_t s) override { time_of_sides_ = scheme_.times[s]; }
  void run_split_stages();  // split.cpp
  SplitCall split_call(bool second) const;
  // Viscosity over terrain, a pass of its own that looks along whole columns.
  bool diffuses() const {
    return !traits_.sphere && traits_.terrain && !traits_.split && flow_.viscosity > 0;
  }
  void fill_ghosts() override;
  bool may_store_ghosts(int) const override {
    return grid_.is_box() && !split() && !diffuses() && !looks_across();
  }
  void time_ghosts(systems::KernelTimer& timer) override;  // timing.cpp
  void time_stages(systems::KernelTimer& timer) override;
  double cell_volume() const;
  // traits_ with the numerics of the case: what the loops are chosen by.
  Traits loop_traits() const;

  // Case
  Index3 cells_{1, 1, 1};
  TableRequest request_;
  BoundaryConditions boundaries_;
  // Initial departures: texts, the keys that gave them, and where these stand.
  struct Initial {
    std::string theta = "0", temperature, density, pressure = "0";
    std::string matter_key = "initial", pressure_key = "initial", velocity_key = "initial";
    std::array<std::string, 3> velocity;  // empty: the wind
    config::Fault matter_place, pressure_place, velocity_place;
  } initial_;
  BoxCase case_;
  BoxParameters& flow_ = case_.flow;
  Traits traits_;                           // but for the numerics; terrain: ground is given
  std::optional<exec::Strategy> strategy_;  // in place of tiles and sweeps, on GPUs
  std::unique_ptr<Globe> globe_;
  std::optional<GlobeState> globe_state_;
  std::string reconstruction_name_, riemann_name_;
  std::array<systems::UserSources, 6> side_fluxes_;  // in the cells beside each side
  std::array<systems::UserSources, 4> beyond_;       // each lateral side, BeyondValue

  // Run
  std::unique_ptr<BoxLoops> loops_;
  memory::State elimination_, diffusing_;
  Tables tables_;
  TableAddress<double> columns_, sponge_y_;  // those of `case_`, from the first row of the part on
  BoundaryCall sides_;
  std::array<memory::Buffer, 4> beyond_tables_;
  double time_of_sides_ = 1;  // at which these are made, as a fraction of the step
  // What drifts of the series are relative to; none before the first row.
  struct Beginning {
    double mass = 0, energy = 0;  // departures from the reference
  };
  std::optional<Beginning> beginning_;
};

}  // namespace watersmeet::atmosphere
