#pragma once
// Aerodynamics behind the interface of systems/system.hpp: reads a case, gives its parts to the
// solver (solver.hpp), and gives its results to the rest of the program. To the run the nodes of all
// blocks are one row of cells, cut between blocks only.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "config/schema.hpp"
#include "mesh/curvilinear/coarsen.hpp"
#include "systems/aerodynamics/case/boundary_conditions.hpp"
#include "systems/aerodynamics/case/initial.hpp"
#include "systems/aerodynamics/case/mesh.hpp"
#include "systems/aerodynamics/case/method.hpp"
#include "systems/bench.hpp"
#include "systems/outputs.hpp"
#include "systems/system.hpp"
#include "systems/user_sources.hpp"

namespace watersmeet::aerodynamics {

std::vector<config::Key> keys();
void adjust_schema(config::Schema& schema);
std::unique_ptr<systems::System> make_system();
systems::Bench bench(Backend backend);
const systems::Outputs& outputs();  // outputs.cpp
// Conditions under which entries of its tables exist.
constexpr const char* in_stream = "in a stream";
constexpr const char* lifting_body = "where forces are asked for, in a stream";
constexpr const char* lifting_body_in_space = "the same, in three dimensions";
constexpr const char* with_walls = "with walls";
constexpr const char* with_walls_in_space = "with walls, in three dimensions";
constexpr const char* with_exact_flow = "where the flow is known in advance";

// What forces and surface files refer to.
struct Reference {
  std::vector<std::string> patches;  // whose forces make the coefficients
  double area = 1, length = 1;
  Real3 moment_about{0.25, 0, 0};
};

// Coefficients of the forces on the reference patches.
struct Coefficients {
  double lift = 0, drag = 0, side = 0, moment = 0;
};
// Moment: nose-up positive.
Coefficients coefficients_of(const Real3& force, const Real3& moment, const FreeStream& stream,
                             const Reference& reference, int dimensions);

class AerodynamicsSystem final : public systems::System {
 public:
  std::string name() const override { return "aerodynamics"; }
  std::string summary() const override;
  std::vector<Variable> variables() const override;
  std::vector<systems::QuantityInfo> quantities() const override;
  std::vector<std::string> default_fields() const override {
    return {"rho", "velocity", "p", "mach"};
  }
  std::vector<systems::SeriesColumn> series_columns() const override;
  std::map<std::string, std::string> notes() const override;

  void configure(config::Input& input) override;
  const mesh::GridDescription& grid() const override { return grid_; }
  Precision precision() const override { return method_.precision; }
  int stages() const override;
  systems::MemoryNeed memory_needed(const Index3& cells) const override;
  systems::Streaming streaming(const Index3& cells) const override;
  double bytes_per_point_step() const override;
  comm::Traffic traffic(const comm::Domain& domain, comm::Overlap overlap) const override;
  systems::RecordedWork recorded_work() const override;
  std::int64_t most_steps() const override { return method_.steady ? steps_max_ : 0; }
  double estimate_step(const config::Input& input) const override;

  void allocate(const systems::Placement& placement) override;
  std::vector<systems::FromFields> from_fields() const override;
  void initialise(const config::Input& input) override;
  void state_changed() override { solver_->state_changed(); }

  void begin_step(double t_limit, bool allowed) override { solver_->begin_step(t_limit, allowed); }
  void run_stages() override { solver_->run_stages(); }
  void undo_stages() override { solver_->undo_stages(); }
  exec::Clock* clock() override { return solver_->clock(); }
  void set_clock(const exec::Clock& clock) override { solver_->set_clock(clock); }

  memory::State& state() override { return solver_->state(); }
  int current_register() const override { return solver_->current_register(); }
  std::vector<double> series() override;
  void evaluate(const std::string& quantity, std::span<const Box> boxes, void* packed) override;
  std::vector<systems::StoredArray> further_arrays() override;
  std::vector<systems::TextFile> text_files() override;
  std::map<std::string, double> checkpoint_scalars() const override {
    return solver_->checkpoint_scalars();
  }
  void restore_scalars(const std::map<std::string, double>& numbers) override {
    solver_->restore_scalars(numbers);
  }
  bool overlaps() const override { return false; }
  exec::KernelReport kernel() const override { return solver_->kernel(); }
  std::vector<exec::KernelTime> time_kernels(int repeats) override {
    return solver_->time_kernels(repeats);
  }
  std::string inadmissible(std::span<const double> values) const override;
  std::string termination_summary() override;
  std::vector<std::string> failure_hints() const override;

 private:
  void refuse_divergence(const Monitor& m);
  void configure_reference(config::Input& input);
  void check_force_patches(config::Input& input) const;
  void configure_surfaces(config::Input& input);
  systems::SourceModel local_state() const;
  void configure_sources(config::Input& input);
  void configure_side_values(config::Input& input);
  mesh::Hierarchy coarse_meshes() const;
  std::vector<std::string> walls() const;
  int dimensions() const { return mesh_.mesh.dimensions(); }
  bool has_exact() const { return initial_.exact().has_value(); }
  // This rank's, node after node.
  std::vector<double> node_values(const std::string& quantity, int components = 1);
  // `append` adds what the gradient [c][m] of the velocity at a node gives.
  void evaluate_gradient(std::span<const Box> boxes, void* packed,
                         const std::function<void(const Vec<Vec<double, 3>, 3>& gradient,
                                                  std::vector<double>& to)>& append);
  double norm_of(const std::vector<double>& values);
  double density_error();
  std::vector<std::string> conditions() const;  // of outputs()
  bool lifting() const { return !reference_.patches.empty() && stream_.mach > 0; }

  // Case
  CaseMesh mesh_;
  mesh::GridDescription grid_;
  FreeStream stream_;
  Method method_;
  InitialFlow initial_;
  std::vector<PatchCondition> conditions_;
  Reference reference_;
  std::vector<std::string> surface_values_;   // columns of surface files beside the coordinates
  std::vector<std::string> surface_patches_;  // that have one
  std::int64_t steps_max_ = 0;
  systems::UserSources sources_;  // rates of V W
  // Values of boundaries that read the flow, by the number of the condition.
  std::map<int, systems::UserSources> side_values_;

  // Run
  Queue queue_;
  comm::Team* team_ = nullptr;
  std::int64_t first_node_ = 0;  // of this rank
  std::unique_ptr<Solver> solver_;
};

}  // namespace watersmeet::aerodynamics
