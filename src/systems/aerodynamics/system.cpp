// The case and the step of aerodynamics.
#include "systems/aerodynamics/system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "config/nearest.hpp"
#include "core/error.hpp"
#include "memory/rounded.hpp"
#include "mesh/box.hpp"
#include "mesh/curvilinear/share_blocks.hpp"
#include "systems/aerodynamics/surface/file.hpp"
#include "systems/idle_key.hpp"
#include "systems/prescribed_values.hpp"

namespace watersmeet::aerodynamics {

using config::FaultKind;

std::unique_ptr<systems::System> make_system() { return std::make_unique<AerodynamicsSystem>(); }

void AerodynamicsSystem::configure(config::Input& input) {
  mesh_ = read_mesh(input);
  const std::int64_t nodes = std::max<std::int64_t>(1, mesh_.mesh.node_count());
  grid_.kind = mesh::GridKind::curvilinear_blocks;
  grid_.cells = mesh::make_box({nodes, 1, 1}, {0, 0, 0}, {static_cast<double>(nodes), 1, 1},
                               {false, false, false});
  grid_.blocks = &mesh_.mesh;
  grid_.cutting.halo = 1;
  grid_.text = fmt::format("{}-D, {}", dimensions(), mesh_.description);
  stream_ = read_free_stream(input, dimensions());
  method_ = read_method(input, stream_);
  steps_max_ = input.is_good("time.steps_max") ? input.integer("time.steps_max") : 20000;
  initial_ = InitialFlow(input, stream_);
  configure_sources(input);
  if (mesh_.mesh.blocks.empty()) return;
  configure_reference(input);
  conditions_ = read_conditions(input, mesh_.mesh, stream_, initial_.exact(), reference_.length);
  if (reference_.patches.empty() && !input.is_set("output.forces.patches")) {
    reference_.patches = walls();
  }
  check_force_patches(input);
  configure_surfaces(input);
  configure_side_values(input);
}

void AerodynamicsSystem::configure_reference(config::Input& input) {
  const std::string path = "output.forces.";
  if (input.is_good(path + "area")) reference_.area = input.real(path + "area");
  if (input.is_good(path + "length")) reference_.length = input.real(path + "length");
  if (input.is_good(path + "moment_about")) {
    reference_.moment_about = input.reals3(path + "moment_about");
  }
  if (!input.is_good(path + "patches")) return;
  reference_.patches = input.texts(path + "patches");
  const std::vector<std::string> names = mesh_.mesh.patch_names();
  for (const std::string& patch : reference_.patches) {
    if (std::find(names.begin(), names.end(), patch) != names.end()) continue;
    const auto near = config::nearest(patch, names);
    input.fault(FaultKind::bad_value, path + "patches",
                fmt::format("no boundary `{}` in the mesh; it has {}", patch, config::join(names)),
                near ? "did you mean `" + *near + "`?" : "");
  }
}

// Forces are those on walls; what flows through another boundary has a force of its own. Each is
// counted once.
void AerodynamicsSystem::check_force_patches(config::Input& input) const {
  const std::string key = "output.forces.patches";
  std::vector<std::string> solid;
  for (const PatchCondition& c : conditions_) {
    if (c.condition.kind == SurfaceKind::slip_wall) solid.push_back(c.condition.patch);
  }
  for (std::size_t p = 0; p < reference_.patches.size(); ++p) {
    const std::string& patch = reference_.patches[p];
    const std::string place = fmt::format("{}[{}]", key, p);
    const auto before = reference_.patches.begin() + static_cast<std::ptrdiff_t>(p);
    if (std::find(reference_.patches.begin(), before, patch) != before) {
      input.fault(FaultKind::bad_value, place, fmt::format("`{}` is named twice", patch),
                  "remove one of them");
      continue;
    }
    if (std::find(solid.begin(), solid.end(), patch) != solid.end()) continue;
    const auto found =
        std::find_if(conditions_.begin(), conditions_.end(),
                     [&](const PatchCondition& c) { return c.condition.patch == patch; });
    if (found == conditions_.end()) continue;  // not in the mesh, which is a fault already
    input.fault(
        FaultKind::bad_value, place,
        fmt::format("`{}` is a boundary of kind {}, which is not a wall", patch, found->kind),
        solid.empty() ? "remove it: the mesh has no walls" : "walls: " + config::join(solid));
  }
}

std::vector<std::string> AerodynamicsSystem::walls() const {
  std::vector<std::string> names;
  for (const PatchCondition& c : conditions_) {
    if (c.kind == "slip_wall") names.push_back(c.condition.patch);
  }
  return names;
}

void AerodynamicsSystem::configure_surfaces(config::Input& input) {
  surface_values_ = input.texts("output.surface");
  if (!surface_values_.empty()) surface_patches_ = walls();
  const bool solid = std::any_of(
      conditions_.begin(), conditions_.end(),
      [](const PatchCondition& c) { return c.condition.kind == SurfaceKind::slip_wall; });
  if (solid) return;
  for (const char* const key : {"output.surface", "output.forces.area", "output.forces.length",
                                "output.forces.moment_about", "numerics.coupling.wall"})
    systems::note_idle(input, key, "the mesh has no walls");
}

// The names of a node.
systems::SourceModel AerodynamicsSystem::local_state() const {
  const auto number = [](double x) { return fmt::format("{:.17g}", x); };
  const std::string gamma = number(stream_.gas.gamma), rest = number(stream_.gas.gamma - 1);
  const StreamScale<double> scale = stream_.scale();
  systems::SourceModel model;
  model.variables = variables();
  model.steady = method_.steady;
  model.names = {
      {"rho", 1, {"stored.rho"}},
      {"velocity", 3, {"stored.mx/stored.rho", "stored.my/stored.rho", "stored.mz/stored.rho"}},
      {"energy", 1, {"stored.energy"}},
      {"speed", 1, {"sqrt(stored.mx^2 + stored.my^2 + stored.mz^2)/stored.rho"}},
      {"p",
       1,
       {rest + "*(stored.energy - 0.5*(stored.mx^2 + stored.my^2 + stored.mz^2)/stored.rho)"}},
      {"temperature", 1, {fmt::format("p/rho*{}", number(scale.inverse_temperature))}},
      {"mach", 1, {fmt::format("speed/sqrt({}*p/rho)", gamma)}},
      {"entropy", 1, {fmt::format("p*rho^(-{})*{} - 1", gamma, number(scale.inverse_entropy))}},
      {"total_enthalpy", 1, {"(energy + p)/rho"}}};
  return model;
}

// Times the volume, as terms of the residual R of V dW/dt = -R.
void AerodynamicsSystem::configure_sources(config::Input& input) {
  systems::SourceModel model = local_state();
  model.hidden = {{"node.volume"}};
  model.by_cell = {"x", "y", "z", "node.volume"};
  model.in_a_row = true;
  model.targets = {{"density", s_rho, -1, "-node.volume"},
                   {"energy", s_energy, -1, "-node.volume"}};
  for (int a = 0; a < dimensions(); ++a)
    model.targets.push_back({"momentum", s_mx + a, a, "-node.volume"});
  sources_.configure(input, model);
}

void AerodynamicsSystem::configure_side_values(config::Input& input) {
  side_values_.clear();
  const systems::SourceModel model = local_state();
  for (std::size_t c = 0; c < conditions_.size(); ++c) {
    if (conditions_[c].values.empty() || input.has_faults()) continue;
    side_values_[static_cast<int>(c)].configure_side(input, model, conditions_[c].values);
  }
}

int AerodynamicsSystem::stages() const {
  if (solver_) return solver_->stages();
  return method_.steady ? 5 : 4;
}

systems::Streaming AerodynamicsSystem::streaming(const Index3&) const {
  return {
      "blocks have links across all their faces, and no planes that are computed one after another",
      {}};
}

systems::MemoryNeed AerodynamicsSystem::memory_needed(const Index3& cells) const {
  const std::int64_t nodes = cells[0] * cells[1] * cells[2];
  systems::MemoryNeed need;
  need.working_bytes = Solver::bytes_needed(nodes, method_);
  if (sources_.any()) {
    need.working_bytes += memory::State::bytes_needed({{{nodes, 1, 1}, {0, 0, 0}}}, n_variables, 1,
                                                      method_.precision) +
                          static_cast<std::size_t>(nodes) * sources_.bytes_per_cell();
  }
  need.staging_bytes = static_cast<std::size_t>(nodes) * static_cast<std::size_t>(n_variables) *
                       size_of(method_.precision);
  return need;
}

// Before there is a solver: state and residual read and written, metrics read, in each stage.
double AerodynamicsSystem::bytes_per_point_step() const {
  if (solver_) return solver_->bytes_per_node_step();
  const double words = 3 * n_variables + 10;
  return words * static_cast<double>(size_of(method_.precision)) * stages();
}

// As the solver makes them.
mesh::Hierarchy AerodynamicsSystem::coarse_meshes() const {
  if (!method_.steady || method_.levels == 1) return {};
  mesh::CoarsenOptions options;
  if (method_.levels > 0) options.levels = method_.levels;
  return mesh::coarsen(mesh_.mesh, options);
}

// States of the nodes on links between ranks, once an evaluation.
comm::Traffic AerodynamicsSystem::traffic(const comm::Domain& domain, comm::Overlap) const {
  const std::vector<int> ranks = mesh::ranks_of_blocks(mesh_.mesh, domain.parts);
  const mesh::Hierarchy coarse = coarse_meshes();
  const std::vector<double> counts = evaluations(method_, coarse.levels.size());
  comm::Traffic traffic;
  for (std::size_t l = 0; l < counts.size(); ++l) {
    const mesh::MultiBlockMesh& mesh = l == 0 ? mesh_.mesh : coarse.levels[l - 1].mesh;
    std::map<int, double> nodes;
    std::map<int, std::set<int>> peers;
    for (const mesh::NodeLink& link : mesh.links) {
      const int to = ranks[static_cast<std::size_t>(link.block)];
      const int from = ranks[static_cast<std::size_t>(link.neighbour)];
      if (to == from) continue;
      nodes[from] += static_cast<double>(link.box.count());
      peers[from].insert(to);
    }
    comm::ExchangeSize most;
    for (const auto& [rank, sent] : nodes) {
      most.bytes = std::max(
          most.bytes, sent * int{n_variables} * static_cast<double>(size_of(method_.precision)));
      most.messages = std::max(most.messages, static_cast<double>(peers[rank].size()));
    }
    traffic.add(counts[l], most);
  }
  return traffic;
}

// Rows exist for scalar dissipation, a step and a V cycle over two grids; a right-hand side on a coarse grid is one of fewer nodes.
systems::RecordedWork AerodynamicsSystem::recorded_work() const {
  const mesh::Hierarchy coarse = coarse_meshes();
  const std::vector<double> counts = evaluations(method_, coarse.levels.size());
  systems::RecordedWork work{"", counts[0]};
  for (std::size_t l = 1; l < counts.size(); ++l) {
    work.passes += counts[l] * static_cast<double>(coarse.levels[l - 1].mesh.node_count()) /
                   static_cast<double>(mesh_.mesh.node_count());
  }
  if (method_.dissipation == Dissipation::scalar && !method_.entropy_conservative &&
      method_.order <= 3) {
    work.row = method_.order == 1 ? "aerodynamics order 1" : "aerodynamics order 3";
    if (!coarse.levels.empty()) work.row += " cycle";
  }
  return work;
}

double AerodynamicsSystem::estimate_step(const config::Input& input) const {
  if (method_.steady) return 1;
  if (input.is_set("time.dt")) return input.real("time.dt");
  double spacing = 1e300;
  for (const mesh::CurvilinearBlock& block : mesh_.mesh.blocks) {
    // Every fourth node along each axis does for a guess.
    for (std::int64_t k = 0; k < block.n[2]; k += 4) {
      for (std::int64_t j = 0; j < block.n[1]; j += 4) {
        for (std::int64_t i = 0; i < block.n[0]; i += 4) {
          const double h = mesh::local_spacing(block, {i, j, k});
          if (h > 0) spacing = std::min(spacing, h);
        }
      }
    }
  }
  return method_.rule.cfl * spacing /
         (dimensions() *
          (stream_.sound_speed() + std::max(stream_.speed(), 0.5 * stream_.sound_speed())));
}

void AerodynamicsSystem::allocate(const systems::Placement& placement) {
  queue_ = placement.queue;
  team_ = placement.team;
  method_.schedule = placement.schedule;
  first_node_ = placement.domain->box(0).lower[0];
  const std::vector<int> ranks = mesh::ranks_of_blocks(mesh_.mesh, placement.domain->parts);
  std::vector<Condition> conditions;
  for (const PatchCondition& c : conditions_) conditions.push_back(c.condition);
  solver_ =
      Solver::make(mesh_.mesh, ranks, method_, std::move(conditions), stream_.flow, queue_, team_);
  if (sources_.any()) solver_->set_sources(sources_);
  for (auto& [condition, values] : side_values_) solver_->set_side_values(condition, values);
  require(solver_->nodes() == placement.domain->box(0).size(0), "the nodes of a rank's blocks");
}

void AerodynamicsSystem::initialise(const config::Input&) {
  const std::int64_t nodes = solver_->nodes();
  const std::vector<double> w = initial_.evaluate(mesh_.mesh, first_node_, first_node_ + nodes);
  const std::span<const double> values(w);
  const auto count = static_cast<std::size_t>(nodes);
  for (int v = 0; v < n_variables; ++v) {
    memory::store_rounded(state(), current_register(), v,
                          values.subspan(static_cast<std::size_t>(v) * count, count), queue_);
  }
}

// State of the shock sensor that the solver keeps. Only the level with the order of the case has a sensor.
std::vector<systems::StoredArray> AerodynamicsSystem::further_arrays() {
  if (!(method_.shock_k2 > 0)) return {};
  memory::State* const shocks = solver_ ? solver_->shock_memory() : nullptr;
  std::vector<systems::StoredArray> arrays;
  for (const char* const name :
       {"shock_sensor_i", "shock_sensor_j", "shock_sensor_k", "troubled"}) {
    arrays.push_back({name, shocks, 0, static_cast<int>(arrays.size())});
  }
  return arrays;
}

std::string AerodynamicsSystem::inadmissible(std::span<const double> values) const {
  Conserved<double> w;
  for (int v = 0; v < n_variables; ++v) w[v] = values[static_cast<std::size_t>(v)];
  const Primitive<double> f = primitive_of(w, stream_.gas);
  if (admissible(f, 0.0, 0.0)) return "";
  return fmt::format("density {:g} and pressure {:g} must be above 0; velocity ({:g}, {:g}, {:g})",
                     f.rho, f.p, f.u[0], f.u[1], f.u[2]);
}

std::vector<std::string> AerodynamicsSystem::failure_hints() const {
  std::vector<std::string> hints;
  if (method_.shock_k2 == 0) {
    hints.push_back("numerics.shocks = \"pressure\", where the flow has shocks");
  } else if (!method_.density_sensor) {
    hints.push_back("numerics.shocks = \"pressure-density\"");
  }
  if (method_.dissipation == Dissipation::matrix) {
    hints.push_back("numerics.dissipation = \"scalar\", which is more dissipative");
  }
  if (!side_values_.empty()) hints.push_back(systems::side_values_hint);
  if (method_.steady) hints.push_back("more time.first_order_cycles");
  return hints;
}

}  // namespace watersmeet::aerodynamics
