// Set-up of the solver, and its reports.
#include "systems/aerodynamics/solver/flow_solver.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "exec/clock_access.hpp"

namespace watersmeet::aerodynamics {

namespace {
// Densities and pressures below this part of the reference are not taken.
constexpr double smallest_part = 1e-6;
// The entropy fix of Roe's flux on grids of first order.
constexpr double first_order_entropy_fix = 0.05;
}  // namespace

std::unique_ptr<Solver> Solver::make(const mesh::MultiBlockMesh& mesh, std::span<const int> ranks,
                                     const Method& method, std::vector<Condition> conditions,
                                     const Primitive<double>& reference, const Queue& queue,
                                     comm::Team* team) {
  return std::make_unique<FlowSolver>(mesh, ranks, method, std::move(conditions), reference, queue,
                                      team);
}

// Volumes are those of the order of the case while a run starts at first order, too.
void FlowSolver::set_sources(systems::UserSources& sources) {
  const auto place = [&](const std::string& name) {
    systems::UserSources::Place values{{}, {1, 0, 0}};
    if (name == "node.volume") {
      for (const double inverse : fine_->inverse_volumes()) values.values.push_back(1 / inverse);
      return values;
    }
    const auto axis = static_cast<std::size_t>(name[0] - 'x');
    for (const int number : fine_->blocks().number) {
      const std::vector<double>& x = mesh_.block(number).x[axis];
      values.values.insert(values.values.end(), x.begin(), x.end());
    }
    return values;
  };
  sources.allocate(method_.precision, place, queue_);
  source_rates_ = memory::State({{{fine_->nodes(), 1, 1}, {0, 0, 0}}}, n_variables, 1,
                                method_.precision, queue_);
  sources_ = &sources;
}

std::size_t Solver::bytes_needed(std::int64_t nodes, const Method& method) {
  // Registers, metrics, 1/V, V H, dt/V, the sensor, its memory, pressures and shares; again metrics
  // of first order while a steady run starts.
  const bool starts = method.steady && method.order > 1 && method.first_order_cycles > 0;
  const int metrics = 11 + (method.shock_k2 > 0 ? 9 : 0);
  // Coarse grids have an eighth of the nodes each (a quarter in two dimensions), with two more
  // registers.
  const int coarse = method.steady && method.levels != 1 ? (6 * n_variables + 11) / 3 + 1 : 0;
  const int numbers = 4 * n_variables + metrics + 1 + (starts ? 11 : 0) + coarse;
  return static_cast<std::size_t>(pool_pitch(nodes, method.precision) * numbers) *
         size_of(method.precision);
}

FlowSolver::FlowSolver(const mesh::MultiBlockMesh& mesh, std::span<const int> ranks,
                       const Method& method, std::vector<Condition> conditions,
                       const Primitive<double>& reference, const Queue& queue, comm::Team* team)
    : mesh_(mesh),
      ranks_(ranks.begin(), ranks.end()),
      method_(method),
      conditions_(std::move(conditions)),
      reference_(reference),
      queue_(queue),
      team_(team) {
  check_conditions();
  model_.gas = method.gas;
  model_.coupling = method.coupling;
  model_.dissipation_scale = method.dissipation_scale;
  model_.matrix = method.dissipation == Dissipation::matrix;
  model_.enthalpy = method.dissipate_enthalpy && !model_.matrix;
  model_.entropy_conservative = method.entropy_conservative;
  model_.shock_k2 = method.shock_k2;
  model_.density_sensor = method.density_sensor;
  model_.transfer_damping = method.transfer_damping;
  model_.smallest_rho = smallest_part * reference.rho;
  model_.smallest_p = smallest_part * reference.p;
  first_order_model_ = model_;
  first_order_model_.matrix = false;
  first_order_model_.enthalpy = false;
  first_order_model_.entropy_conservative = false;
  first_order_model_.shock_k2 = 0;
  first_order_model_.transfer_damping = 0;
  first_order_model_.coupling.entropy_fix =
      std::max(first_order_entropy_fix, model_.coupling.entropy_fix);
  for (const Condition& c : conditions_) {
    time_varying_ = time_varying_ || (c.outside && c.varies_in_time && !method.steady);
  }
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    all_nodes_ += mesh.blocks[b].count();
    if (ranks_[b] < team->rank()) nodes_before_ += mesh.blocks[b].count();
  }
  fine_ = make_level(mesh, method.order, model_);
  if (method.steady && method.order > 1 && method.first_order_cycles > 0) {
    start_ = make_level(mesh, 1, first_order_model_);
  }
  state_ = memory::State({{{fine_->nodes(), 1, 1}, {0, 0, 0}}}, n_variables, registers,
                         method.precision, queue);
  require(state_.layout(0).first == 0 && state_.layout(0).stride_var == fine_->parameters().pitch,
          "the state is a pool");
  const double c2 = method.gas.gamma * reference.p / reference.rho;
  fine_->observe(c2 / (method.gas.gamma - 1) + 0.5 * dot(reference.u, reference.u), method.scale,
                 queue);
  clock_ = memory::Buffer(memory::working_space(queue.backend), sizeof(exec::Clock));
  set_clock(exec::Clock{});
  prepare_patches();
  if (method.steady && method.levels != 1) make_coarse_grids();
}

void FlowSolver::make_coarse_grids() {
  mesh::CoarsenOptions options;
  if (method_.levels > 0) options.levels = method_.levels;
  mesh::Hierarchy hierarchy = mesh::coarsen(mesh_, options);
  for (mesh::CoarseLevel& coarse : hierarchy.levels) {
    auto grid = std::make_unique<Grid>();
    grid->level = make_level(coarse.mesh, 1, first_order_model_);
    grid->state = memory::State({{{grid->level->nodes(), 1, 1}, {0, 0, 0}}}, n_variables,
                                Grid::registers, method_.precision, queue_);
    const Level& finer = coarse_.empty() ? *fine_ : *coarse_.back()->level;
    grid->transfer = Transfer(finer, *grid->level, coarse.kept, queue_);
    if (start_ && coarse_.empty()) {
      start_transfer_ = Transfer(*start_, *grid->level, coarse.kept, queue_);
    }
    coarse_.push_back(std::move(grid));
  }
  make_programs();
}

// Grids up to this size go into one kernel on a GPU where they find room in it.
int FlowSolver::program_nodes() const {
  if (team_->size() > 1) return 0;
  // Values of boundaries that read the flow are written before every stage.
  if (std::any_of(conditions_.begin(), conditions_.end(),
                  [](const Condition& c) { return c.reads_state; }))
    return 0;
  if (method_.program_nodes >= 0) return method_.program_nodes;
  return queue_.backend == Backend::cuda && method_.schedule != "direct" ? 8192 : 0;
}

ProgramPlan FlowSolver::plan_of_program(std::size_t first) const {
  std::vector<ProgramGridSize> sizes;
  for (std::size_t l = first; l <= coarse_.size(); ++l) {
    const Level& level = *coarse_[l - 1]->level;
    sizes.push_back({level.nodes(), level.tables().node, level.tables().first});
  }
  return plan_program(sizes, static_cast<int>(mesh_.dimensions()), size_of(method_.precision),
                      fine_->loops().program_room());
}

void FlowSolver::make_programs() {
  program_first_ = coarse_.size() + 1;
  while (program_first_ > 1 && coarse_.size() + 2 - program_first_ <= most_program_grids &&
         coarse_[program_first_ - 2]->level->nodes() <= program_nodes()) {
    --program_first_;
  }
  const bool planned = queue_.backend == Backend::cuda;
  while (planned && program_first_ <= coarse_.size() &&
         plan_of_program(program_first_).shares.empty()) {
    ++program_first_;
  }
  for (std::size_t l = program_first_; l <= coarse_.size(); ++l) {
    ProgramShape shape;
    shape.grids = static_cast<int>(coarse_.size() + 1 - l);
    shape.visits = static_cast<int>(method_.cycle);
    shape.pre = method_.pre;
    shape.post = method_.post;
    for (const bool forced : {false, true}) {
      const CoarseCycle cycle = coarse_cycle(shape, forced);
      Program& program = programs_.emplace_back();
      program.first = l;
      program.forced = forced;
      program.count = cycle.ops.size();
      program.solution = cycle.solution;
      if (planned) program.plan = plan_of_program(l);
      const std::size_t bytes = cycle.ops.size() * sizeof(ProgramOp);
      program.ops = memory::Buffer(memory::working_space(queue_.backend), bytes);
      copy_bytes(program.ops.start(), cycle.ops.data(), bytes, queue_);
      synchronize(queue_);
    }
    coarse_[l - 1]->level->places(queue_);
  }
}

Level& FlowSolver::level(std::size_t l) {
  if (l > 0) return *coarse_[l - 1]->level;
  return start_ && cycle_ < first_full_order_cycle() && !full_order_ ? *start_ : *fine_;
}

memory::State& FlowSolver::registers_of(std::size_t l) {
  return l > 0 ? coarse_[l - 1]->state : state_;
}

LevelOptions FlowSolver::level_options(int order, const FlowModel<double>& model) const {
  LevelOptions options;
  options.order = order;
  options.sbp6_x1 = method_.compatible_sbp6 ? schemes::sbp6_compatible : schemes::sbp6_accurate;
  options.sensor = model.shock_k2 > 0;
  options.damps = options.sensor && model.transfer_damping > 0;
  options.model = model;
  const bool cuda = queue_.backend == Backend::cuda;
  options.gathers = cuda && method_.schedule != "cubes";
  options.cubes = cuda && (method_.schedule == "auto" || method_.schedule == "cubes");
  options.marches = cuda && (method_.schedule == "auto" || method_.schedule == "march");
  options.always_marches = method_.schedule == "march";
  options.lists = cuda || program_nodes() > 0;
  return options;
}

std::unique_ptr<Level> FlowSolver::make_level(const mesh::MultiBlockMesh& mesh, int order,
                                              const FlowModel<double>& model) const {
  return std::make_unique<Level>(mesh, ranks_, level_options(order, model), conditions_,
                                 method_.precision, queue_, team_);
}

void FlowSolver::check_conditions() const {
  for (const std::string& name : mesh_.patch_names()) {
    const auto count = std::count_if(conditions_.begin(), conditions_.end(),
                                     [&](const Condition& c) { return c.patch == name; });
    if (count != 1) {
      throw Error(ErrorKind::user_input,
                  fmt::format("boundary '{}' has {} conditions; it needs one", name, count));
    }
  }
  require(method_.order >= 1 && method_.order <= 6, "orders are 1 to 6");
}

void FlowSolver::set_clock(const exec::Clock& clock) {
  exec::write_clock(this->clock(), clock, queue_);
  cycle_ = clock.step;
  swaps_.clear();
}

// The number of stages on the finest grid.
int FlowSolver::stages() const { return method_.steady ? 5 : 4; }

// Every array once a stage, without the few nodes of surfaces: W, S, 1/V or dt/V, W_0, what is
// written, and the register that stages share.
double FlowSolver::bytes_per_node_step() const {
  constexpr double state = n_variables;
  const double word = static_cast<double>(size_of(method_.precision));
  const double metrics = mesh_.dimensions() == 2 ? 4 : 9;
  const double stage = state * 3 + metrics + 1;
  // Read in three stages and written in three of the classical scheme; of the five stages, written
  // in the first and third, read in all but the first.
  const double kept = method_.steady ? (method_.blended ? 6 : 0) : 6;
  const double before = state + metrics + 2;  // steps and signal
  // Written by their pass, and read by the stage.
  const double sources = sources_ ? stages() * sources_->words({}) : 0;
  return word * (stages() * stage + kept * state + before + sources);
}

exec::KernelReport FlowSolver::kernel() const {
  exec::KernelReport report = fine_->loops().describe()[0];
  report.name = fmt::format("order {} {}", method_.order, report.name);
  return report;
}

}  // namespace watersmeet::aerodynamics
